"""What has to hold after chaos, in words."""

from typing import Final

ACCEPTED: Final = "each accepted order in its log once, with the version that was answered"
ANSWERS: Final = "each answer kept, and no refused order in any log"
UNKNOWN: Final = "no record that nobody sent"
LOGS: Final = "versions without a gap, digests chained to the head"
FEEDS: Final = "feeds name all records in order"
PENDING: Final = "no command waits or is pending"
VIEWS: Final = "views equal those worked out from the logs"
SAME: Final = "the same answer each time"
CALLED: Final = "no time called that was not up, or of somebody who was not to act"
FIRED: Final = "each timer that was due done once, and in time"
TWICE: Final = "no turn told twice to the same person, no message again without a cause"
TOLD: Final = "nobody who is to act untold, and everybody whose time was called told so"
CORRECTED: Final = "what was told and then undone put right"
ASTRAY: Final = "no letter under way for ever, none given up but those that can never arrive"
SIGNED: Final = "each message written, signed, and come to whom it was for"

OF_THE_STORE: Final = (ACCEPTED, ANSWERS, UNKNOWN, LOGS, FEEDS, PENDING, VIEWS, SAME)
PROMISES: Final = (*OF_THE_STORE, CALLED, FIRED, TWICE, TOLD, CORRECTED, ASTRAY, SIGNED)
"""All of them, in the order in which they are looked at."""

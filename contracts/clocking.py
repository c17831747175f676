"""How a table's clock is set: whose time runs, how fast, and what happens when it is up."""

from collections.abc import Mapping
from typing import Final

from msgspec import Struct

from contracts.ids import PlayerId

DAY_MINUTES: Final = 1440
EVERY_DAY: Final = (0, 1, 2, 3, 4, 5, 6)


class Hours(Struct, frozen=True, array_like=True):
    """When a player plays: his time zone (`contracts.zones`), from when to when, on which days.

    `start` and `end` are minutes after midnight by his own clocks; an end beyond 1440 lies on the
    next day. Days count from Monday, 0. His time runs at no other hour.
    """

    zone: str = "UTC"
    start: int = 0
    end: int = DAY_MINUTES
    days: tuple[int, ...] = EVERY_DAY


class Leave(Struct, frozen=True, array_like=True):
    """Days on which a player does not play, both included, as `2026-12-24`."""

    first: str
    last: str


class Clocking(Struct, frozen=True, array_like=True):
    """A table's clock.

    A turn or a question first takes of its own `turn_seconds`, then of the player's bank, which
    begins at `bank_seconds` and grows by `increment_seconds` with each turn or question that is
    over, never above `bank_most`. A turn of several steps is one turn; a question out of turn is
    one of its own, and while it is open the time of whoever it interrupts stands still.
    `reminders` are seconds before the end. `hours` are those of players who do not set their own;
    `free_days` are days on which nobody's time runs, by the player's own calendar; `leave_days`
    is how many days each may take off. `then` says what happens at the end, one of `ENDS`.
    """

    turn_seconds: int = 0
    bank_seconds: int = 0
    increment_seconds: int = 0
    bank_most: int | None = None
    then: str = "call"
    reminders: tuple[int, ...] = ()
    hours: dict[PlayerId, Hours] = {}
    free_days: tuple[str, ...] = ()
    leave_days: int = 0
    substitutes: tuple[str, ...] = ()


ENDS: Final[Mapping[str, str]] = {
    "call": "it is told, and nothing else happens; but what waits for consent is refused",
    "neutral": "neutral moves are made until the table waits for somebody else",
    "substitute": "the next substitute takes the seat; once there is none, neutral moves are made",
    "resign": "the player resigns: from now on the seat makes neutral moves at once",
}
"""What happens when a player's time is up."""

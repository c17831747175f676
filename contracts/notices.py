"""Notices: what people are told, who wants to be told how, and what the clock asks the notifier.

A *notice* is what one person, or one table's room, is told once. A *letter* is a notice on its way
through one channel. A *prompt* is something to tell that does not lie in a minute book: the clock
adds prompts to a partition's stream, as a part of the act that makes them true.

A turn is named by the version since which its player has been the one to act without a break
(`to_act_since` of what is asked in the view `turn`). After an undo the clock names it by that undo
or by a later version: it counts what came after what. All times are microseconds since 1970, UTC.
"""

from typing import Final, Literal, get_args

import msgspec
from msgspec import Struct

from contracts.ids import PlayerId, TableId

Kind = Literal[
    "turn",
    "consent",
    "reminder",
    "time called",
    "program stopped",
    "undone",
    "begun",
    "ended",
    "digest",
    "news",
]
KINDS: Final[tuple[Kind, ...]] = get_args(Kind)

# --- keys ------------------------------------------------------------------------------------

READER: Final = "notices"
"""Name of the notifier among the readers of a feed."""
PROMPT_BODY: Final = "p"
"""Of an entry of prompts: the encoded prompt."""
PAUSES: Final = "minutebook:notices:pauses"
"""Hash of the services that asked for a pause, with when it is over."""
ADDRESSEES: Final = "minutebook:notices:addressees"
"""Hash of who wants to be told how, by `of_player` and `of_table`."""


def prompts(partition: int) -> str:
    """Stream of prompts; the notifier is its only reader and trims it."""
    return f"{{{partition}}}:prompts"


def deadlines(partition: int, table: TableId) -> str:
    """Hash of the deadlines at a table, by player; the clock keeps it, each a `Deadline`."""
    return f"{{{partition}}}:table:{table}:deadlines"


def prefix(partition: int) -> str:
    """How all keys of the notifier's own in a partition begin.

    >>> prefix(3)
    '{3}:notices:'
    """
    return f"{{{partition}}}:notices:"


def of_player(player: str) -> str:
    """A person among the addressees; a seat of which no person is named goes by the player's id.

    >>> of_player("ann"), of_table("friday")
    ('player:ann', 'table:friday')
    """
    return f"player:{player}"


def of_table(table: str) -> str:
    """A table's room among the addressees."""
    return f"table:{table}"


# --- prompts ---------------------------------------------------------------------------------


class Deadline(Struct, frozen=True, array_like=True):
    """Until when a player has to act in the turn that he has had since a version."""

    since: int
    until: int


class ReminderDue(Struct, frozen=True, array_like=True, tag=True):
    """A player is to be reminded of the turn that he has had since a version.

    It comes so many `seconds` before the end, is told at most once for the same player, `since`,
    `until` and `seconds`, and not at all once the turn is over.
    """

    table: TableId
    player: PlayerId
    since: int
    until: int
    seconds: int = 0


class TimeCalled(Struct, frozen=True, array_like=True, tag=True):
    """A player's time ran out; `outcome` says in a sentence what that led to, or is empty.

    `version` is that of the record that says so: once that is undone, what was told is not true.
    `person` is who acted for the seat then (the player, if nobody was named); another may now.
    """

    table: TableId
    player: PlayerId
    since: int
    until: int
    outcome: str = ""
    version: int = 0
    person: str = ""


class ProgramStopped(Struct, frozen=True, array_like=True, tag=True):
    """A program of a player (moves made for him in advance) stopped; `because` is a sentence.

    `person` is whose program it was: who acted for the seat then (the player, if nobody was named).
    """

    table: TableId
    player: PlayerId
    program: str
    because: str
    person: str = ""


Prompt = ReminderDue | TimeCalled | ProgramStopped

# --- notices ---------------------------------------------------------------------------------


class Notice(Struct, frozen=True, array_like=True, kw_only=True):
    """What one person is told, or the room of a table (`player` None).

    `version` is that of the table when it was made. `words` is a sentence that says what has to be
    done or what came about, `since` and `until` belong to it. `happened` are sentences about what
    the others did meanwhile. `mentions` are the people that a room is to call. `corrects` is a
    notice that holds no more. `person` is who sits in the player's seat, if anybody is named.
    `unread` is how many lines of the table's chat he has not read.
    """

    id: str
    table: TableId
    player: PlayerId | None
    kind: Kind
    version: int
    title: str
    words: str
    made: int
    since: int = 0
    until: int = 0
    happened: tuple[str, ...] = ()
    mentions: tuple[str, ...] = ()
    corrects: str = ""
    person: str = ""
    unread: int = 0


State = Literal["waiting", "sending", "held", "digest", "sent", "withdrawn", "dead", "nowhere"]
"""Where a letter is.

`held` waits for the end of quiet hours or of a service's limit, `digest` for the next digest,
`nowhere` had nobody to go to, and `dead` was given up.
"""


class Letter(Struct, frozen=True):
    """A notice on its way through a channel, and what became of it."""

    id: str
    notice: Notice
    addressee: str
    channel: str
    state: State
    attempts: int
    why: str
    at: int
    due: int


# --- addressees ------------------------------------------------------------------------------


class Channel(Struct, frozen=True):
    """A way to tell somebody something; where it leads to is sealed, `label` is for people.

    `service` is a name of the account at a service that it goes through, from which nothing secret
    can be told: what goes through the same account waits in one lane.
    """

    name: str
    label: str
    sealed: bytes
    service: str = ""


class QuietHours(Struct, frozen=True):
    """The hours in which somebody is not told anything, by the clocks of his time zone."""

    begin: str
    end: str
    zone: str


When = Literal["at once", "digest", "never"]


class Addressee(Struct, frozen=True, kw_only=True):
    """How a player, or the room of a table, is to be told.

    `when` differs from "at once" for the kinds named. A digest is sent at `digest_at` (`18:00`) of
    `zone`. `mentions` are the names that a room's service knows people by.
    """

    channels: tuple[Channel, ...] = ()
    quiet: QuietHours | None = None
    zone: str = "UTC"
    digest_at: str = "18:00"
    when: dict[Kind, When] = {}
    mentions: dict[str, str] = {}

    def channel(self, name: str) -> Channel | None:
        """A channel by its name."""
        return next((one for one in self.channels if one.name == name), None)


encode: Final = msgspec.msgpack.Encoder().encode
_prompt = msgspec.msgpack.Decoder(Prompt).decode
_deadline = msgspec.msgpack.Decoder(Deadline).decode
_notice = msgspec.msgpack.Decoder(Notice).decode
_addressee = msgspec.msgpack.Decoder(Addressee).decode


def decode_prompt(body: bytes) -> Prompt:
    """The prompt that was encoded."""
    return _prompt(body)


def decode_deadline(body: bytes) -> Deadline:
    """The deadline that was encoded."""
    return _deadline(body)


def decode_notice(body: bytes) -> Notice:
    """The notice that was encoded."""
    return _notice(body)


def decode_addressee(body: bytes) -> Addressee:
    """The addressee that was encoded."""
    return _addressee(body)

"""Views of what lies beside the game: requests, seats, programmes, the clock.

Encoded as the other views are (`contracts.views`).
"""

from msgspec import Struct

from contracts.ids import FrameId, PlayerId
from contracts.view import View


class RequestView(Struct, frozen=True):
    """A request that lies beside the game: from whom, for what, and who has still to answer.

    `agreed` are those who have said yes. `since` is the version that made it, `since_time` when.
    """

    id: FrameId
    player: PlayerId
    what: str
    words: str
    waiting: tuple[PlayerId, ...]
    to_version: int | None
    agreed: tuple[PlayerId, ...] = ()
    since: int = 0
    since_time: int = 0


class RequestsView(View, frozen=True, tag="requests"):
    """The requests that wait for answers, the oldest first."""

    requests: tuple[RequestView, ...]


class Sitting(Struct, frozen=True):
    """Who acted for a seat, from one version on (and its time) to another, None if still.

    `person` None is anybody, `nobody` where somebody has resigned.
    """

    person: str | None
    since: int
    since_time: int
    until: int | None = None
    until_time: int | None = None


class SeatHeld(Struct, frozen=True):
    """A seat, and who sat there, the last one now."""

    player: PlayerId
    name: str
    sittings: tuple[Sitting, ...]


class SeatsView(View, frozen=True, tag="seats"):
    """Who sits where. `host` is the person who runs the table; `substitutes` are those left."""

    seats: tuple[SeatHeld, ...]
    host: str | None
    host_acts: bool
    substitutes: tuple[str, ...]


class ProgrammeView(Struct, frozen=True):
    """A programme that the server holds: what it does, in words and as the line that sets it."""

    id: FrameId
    player: PlayerId
    words: str
    line: str
    round: FrameId | None
    since: int
    since_time: int


class ProgrammesView(View, frozen=True, tag="programmes"):
    """What players have left to the server."""

    programmes: tuple[ProgrammeView, ...]


class TimeView(Struct, frozen=True):
    """Time that runs: whose, for which frame, since which version and when, and until when.

    `until` is None where it never ends, as things stand; it is past where the time was `called`.
    `left` are the seconds left of it at the view's `moment`; `reminders` are moments still to come.
    """

    player: PlayerId
    name: str
    person: str | None
    frame: FrameId
    since: int
    since_time: int
    until: int | None
    left: int
    reminders: tuple[int, ...]
    called: bool = False


class PlayingTime(Struct, frozen=True):
    """A player's bank in seconds at the view's `moment`, his hours, and his days off."""

    player: PlayerId
    name: str
    bank: int
    hours: str
    leave: tuple[tuple[str, str], ...]
    leave_left: int


class ClockView(View, frozen=True, tag="clock"):
    """A table's clock at a moment. It is reckoned from the minute book, and is no projection.

    `rules` says how it is set. `paused_by` is who stopped it, at the version `paused_since`.
    """

    moment: int
    rules: str
    running: tuple[TimeView, ...]
    players: tuple[PlayingTime, ...]
    paused: bool = False
    paused_by: str | None = None
    paused_since: int | None = None

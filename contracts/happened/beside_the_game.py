"""What happened beside the game: seats, programmes, the clock. An undo takes none of it back."""

from contracts.clocking import Hours, Leave
from contracts.happened.base import Event
from contracts.ids import FrameId, PlayerId
from contracts.programmes import Held


class SeatTaken(Event, frozen=True):
    """From version `since` on this person acts for the seat, with everything that it has."""

    player: PlayerId
    person: str
    since: int


class TimeCalled(Event, frozen=True):
    """A player's time for a frame was up; `then` is what was done about it."""

    player: PlayerId
    frame: FrameId
    then: str


class ProgrammeSet(Event, frozen=True):
    """The server moves for a player from now on."""

    held: Held


class ProgrammeStopped(Event, frozen=True):
    """A programme is over: why, and whose doing it was, if somebody else's."""

    held: Held
    because: str
    by: PlayerId | None = None


class PlayPaused(Event, frozen=True):
    """Nobody's time runs any more, or it runs again."""

    paused: bool


class LeaveTaken(Event, frozen=True):
    """A player does not play on some days."""

    player: PlayerId
    leave: Leave


class HoursSet(Event, frozen=True):
    """A player plays at these hours from now on."""

    player: PlayerId
    hours: Hours

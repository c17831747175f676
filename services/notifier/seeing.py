"""What is seen of a table at a look, and what is remembered of it until the next. Pure."""

from collections.abc import Mapping

from msgspec import Struct

from contracts.ids import FrameId, PlayerId
from contracts.notices import Deadline, Notice, Prompt
from contracts.records import Record
from contracts.views import MinuteLine, TableLine, TurnView


class Open(Struct, frozen=True, array_like=True):
    """A notice that holds as long as its reason does; `player` None is the room.

    `reason` is the version since which somebody has to act, or another name; `notice` is empty if
    the person was not told because he knew.
    """

    player: PlayerId | None
    reason: str
    since: int
    notice: str


class Memory(Struct, frozen=True, array_like=True):
    """What is remembered of a table between two looks.

    A request waits for so many microseconds (`waits`), 0 if that is not known or for ever. Of the
    last `requests` it is known who made each, and for what. `paused` is whether time stood still.
    """

    version: int = 0
    undos: tuple[tuple[int, int], ...] = ()
    open: tuple[Open, ...] = ()
    prompts: tuple[str, ...] = ()
    people: dict[PlayerId, str] = {}
    waits: int = 0
    paused: bool = False
    requests: dict[FrameId, tuple[PlayerId, str]] = {}


class Sight(Struct, frozen=True):
    """What there is to see at a table: its views at one version, and the records since."""

    line: TableLine
    turn: TurnView
    lines: tuple[MinuteLine, ...] = ()
    records: tuple[Record, ...] = ()
    deadlines: Mapping[PlayerId, Deadline] = {}
    prompts: Mapping[str, Prompt] = {}

    @property
    def version(self) -> int:
        """The version that is shown."""
        return self.turn.version

    def name(self, player: PlayerId) -> str:
        """What a player is called."""
        return self.name_of_seat(player) or player

    def name_of_seat(self, player: PlayerId) -> str | None:
        """What a player is called, None if he does not sit here."""
        return next((seat.name for seat in self.line.seats if seat.player == player), None)


class Withdrawn(Struct, frozen=True):
    """A notice that holds no more; who has got it already gets the correction, if there is one."""

    notice: str
    correction: Notice | None


class Told(Struct, frozen=True):
    """What a look at a table leads to."""

    memory: Memory
    notices: tuple[Notice, ...] = ()
    withdrawn: tuple[Withdrawn, ...] = ()

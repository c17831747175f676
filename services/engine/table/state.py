"""What lies on a real table.

A frozen struct of pieces and of the agenda, not of a title's ideas. Its dicts are never changed in
place: `evolve` copies what an event touches and shares the rest, so an old table stays valid.
"""

from msgspec import Struct

from contracts.clocking import Hours, Leave
from contracts.frames import Frame, Request
from contracts.ids import (
    CompanyId,
    Money,
    Party,
    PhaseId,
    PlayerId,
    Space,
    TableId,
    TitleId,
)
from contracts.pieces import Charter, Drawn, Holdings, Marker, Seat, Settings, Standing, Train
from contracts.programmes import Held
from services.engine.table.board import Board


class Ending(Struct, frozen=True):
    """Why the game ends, what is still played, and the standings once it is over."""

    because: str
    last: str
    standings: tuple[Standing, ...] = ()
    over: bool = False


class Beside(Struct, frozen=True):
    """What lies beside the game: who acts for which seat, programmes, pause, leave and hours.

    An undo takes none of it back, but it stops every programme.
    """

    people: dict[PlayerId, str] = {}
    programmes: tuple[Held, ...] = ()
    paused: bool = False
    leave: dict[PlayerId, tuple[Leave, ...]] = {}
    hours: dict[PlayerId, Hours] = {}


class Run(Struct, frozen=True):
    """Who made all moves since a version, None if they are nobody's own."""

    who: PlayerId | None = None
    since: int = 0


class Table(Struct, frozen=True):
    """A table after its first `version` records.

    `market` holds the stack of each space, top first, and `markers` each company's space and price.
    `agenda` is a stack of frames, the bottom one first. `rounds` counts the rounds of each kind
    that have begun. `mover` is the player who did everything since version `moved_from`,
    what he asked for and answered too; `run` leaves out whatever somebody asked for and answered.
    """

    id: TableId
    version: int
    title: TitleId
    edition: str
    variants: dict[str, str]
    rulings: dict[str, str]
    settings: Settings
    seed: int
    seats: tuple[Seat, ...]
    order: tuple[PlayerId, ...]
    first: PlayerId
    cash: dict[Party, Money]
    certificates: dict[CompanyId, Holdings]
    charters: dict[CompanyId, Charter]
    market: dict[Space, tuple[CompanyId, ...]]
    markers: dict[CompanyId, Marker]
    trains: dict[Party, tuple[Train, ...]]
    board: Board
    counters: dict[Party, dict[str, int]]
    phase: PhaseId
    certificate_limit: int | None
    lots: dict[str, Drawn]
    agenda: tuple[Frame, ...]
    rounds: dict[str, int]
    requests: tuple[Request, ...]
    ending: Ending | None
    mover: PlayerId | None
    moved_from: int
    beside: Beside = Beside()
    run: Run = Run()

    @property
    def people(self) -> dict[PlayerId, str]:
        """Who acts for which seat; a seat without an entry takes orders from anybody."""
        return self.beside.people


def new_table(id: TableId) -> Table:
    """A table at which nothing has happened yet (version 0)."""
    nobody = PlayerId(Party(""))
    return Table(
        id=id,
        version=0,
        title=TitleId(""),
        edition="",
        variants={},
        rulings={},
        settings=Settings(),
        seed=0,
        seats=(),
        order=(),
        first=nobody,
        cash={},
        certificates={},
        charters={},
        market={},
        markers={},
        trains={},
        board=Board({}, (), {}),
        counters={},
        phase=PhaseId(""),
        certificate_limit=None,
        lots={},
        agenda=(),
        rounds={},
        requests=(),
        ending=None,
        mover=None,
        moved_from=0,
    )

"""What happened to a table as a whole: its opening, its chance, its end."""

from contracts.happened.base import Event
from contracts.ids import (
    CompanyId,
    Money,
    Party,
    PhaseId,
    PlayerId,
    TileId,
    TitleId,
)
from contracts.pieces import (
    Charter,
    Holdings,
    Seat,
    Settings,
    Standing,
    Train,
)
from contracts.placed import Token


class TableOpened(Event, frozen=True):
    """A table was opened: title and edition of its facts, choices, rulings, seats and the seed."""

    title: TitleId
    edition: str
    variants: dict[str, str]
    rulings: dict[str, str]
    settings: Settings
    seats: tuple[Seat, ...]
    seed: int


class PiecesSetOut(Event, frozen=True):
    """Everything was put in its place: money, certificates, charters, trains, tiles, tokens.

    `trains` lists the supply in the order of sale. A tile without an entry in `tiles` is unlimited.
    """

    cash: dict[Party, Money]
    certificates: dict[CompanyId, Holdings]
    charters: dict[CompanyId, Charter]
    trains: dict[Party, tuple[Train, ...]]
    tiles: dict[TileId, int]
    tokens: tuple[Token, ...]
    counters: dict[Party, dict[str, int]]


class LotsDrawn(Event, frozen=True):
    """Chance was asked for the `number`th time for a purpose, and gave this outcome."""

    purpose: str
    number: int
    outcome: tuple[str, ...]


class OrderSet(Event, frozen=True):
    """The players sit in this order, and `first` holds the priority deal."""

    order: tuple[PlayerId, ...]
    first: PlayerId


class PhaseBegan(Event, frozen=True):
    """A phase began."""

    phase: PhaseId
    certificate_limit: int | None = None


class CompaniesOpened(Event, frozen=True):
    """These companies may be started from now on."""

    companies: tuple[CompanyId, ...]


class CounterMoved(Event, frozen=True):
    """Numbers kept for parties (uses of a power, loans, boats …) are now these."""

    kind: str
    numbers: dict[Party, int]


class GameEndTriggered(Event, frozen=True):
    """The end is in sight: why, and what is still played (`at once`, `this set`, `next set` …)."""

    because: str
    last: str


class GameEnded(Event, frozen=True):
    """The game is over; standings with the first place first."""

    because: str
    standings: tuple[Standing, ...]


class Undone(Event, frozen=True):
    """The table is as it was after record `to`."""

    to: int
    by: PlayerId

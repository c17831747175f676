"""Views: what readers see of a table, worked out from its records and built again at any time.

A view names its table and the version it shows. Views are encoded as maps, not as arrays, and each
carries its own name in the field `view`, so that a page, a script or another language reads them
without this package. Amounts are whole pounds or dollars; times are microseconds since 1970, UTC.

What an undo took back is in no view, with two exceptions: the minutes keep undone lines and mark
them, and `last_activity` of the lobby's line is the time of the last record, an undo too.
"""

from msgspec import Struct

from contracts.ids import (
    CompanyId,
    FrameId,
    HexId,
    Money,
    Party,
    PhaseId,
    PlayerId,
    Space,
    TableId,
    TileId,
    TitleId,
    TrainId,
    TrainKind,
)
from contracts.view import View
from contracts.views_beside import (
    ClockView,
    ProgrammesView,
    RequestsView,
    RequestView,
    SeatsView,
)

# --- wealth ----------------------------------------------------------------------------------


class SharesWorth(Struct, frozen=True):
    """A player's shares of one company, with the price of its marker (0 while it has none).

    `amount` is what they count for as the title's rules have it.
    """

    shares: int
    price: Money
    amount: Money


class Wealth(Struct, frozen=True):
    """What one player is worth now, as the title's rules count it.

    `rank` is 1 for the richest; equal totals share a rank. `other` holds parts that are none of the
    others, by their name. `total` is cash, shares, privates and `other` less loans.
    """

    player: PlayerId
    name: str
    rank: int
    total: Money
    cash: Money
    shares: dict[CompanyId, SharesWorth]
    privates: dict[CompanyId, Money]
    loans: Money
    other: dict[str, Money]


class WealthPoint(Struct, frozen=True):
    """What everybody was worth at the set-out, a round's end, the game's end, or now."""

    at_version: int
    time: int
    because: str
    totals: dict[PlayerId, Money]


class WealthView(View, frozen=True, tag="wealth"):
    """Who owns what, the richest first; and the course of it over the game, the last point now."""

    players: tuple[Wealth, ...]
    series: tuple[WealthPoint, ...]


# --- operating order -------------------------------------------------------------------------


class Operator(Struct, frozen=True):
    """A company in the operating order, with what its place rests on."""

    company: CompanyId
    price: Money
    acting: PlayerId | None


class OrderView(View, frozen=True, tag="order"):
    """The operating order of this round, and of the next as the market stands.

    Outside an operating round the first three are empty.
    """

    round: str
    operated: tuple[Operator, ...]
    operating: Operator | None
    following: tuple[Operator, ...]
    next_round: tuple[Operator, ...]


# --- market ----------------------------------------------------------------------------------


class SpaceView(Struct, frozen=True):
    """A space of the market: where it is, its price, its zone, and its stack, top first."""

    space: Space
    row: int
    column: int
    price: Money
    zone: str | None
    stack: tuple[CompanyId, ...]


class Movement(Struct, frozen=True):
    """A marker that moved, came onto the market (`source` None) or left it (`target` None)."""

    at_version: int
    company: CompanyId
    source: Space | None
    source_price: Money
    target: Space | None
    target_price: Money
    because: str


class MarketView(View, frozen=True, tag="market"):
    """Every space of the market, row by row, and every movement so far."""

    spaces: tuple[SpaceView, ...]
    movements: tuple[Movement, ...]


# --- companies -------------------------------------------------------------------------------


class TrainView(Struct, frozen=True):
    """A train card that a company owns: what it runs as, and the warranties it has left."""

    id: TrainId
    kind: TrainKind
    side: str | None
    warranties: int = 0


class PlacedToken(Struct, frozen=True):
    """A token on the board: its hex or area, the city on the tile there, its circle, its kind."""

    company: CompanyId
    place: str
    city: int | None
    slot: int | None
    kind: str


class LastRun(Struct, frozen=True):
    """The last run of a company: what it earned, and what of it was paid out and kept."""

    at_version: int
    revenue: Money
    subsidy: Money
    bonus: Money
    dividend: Money | None
    kept: Money | None


class CompanyView(Struct, frozen=True):
    """One company. `holdings` counts shares by player or company; privates are one share.

    `status` is `waiting`, `open` (may be started), `started`, `floated`, `closed` or what the title
    adds. `permits` are the types of trains that it may run, where its title has permits. `column`
    is the part of the par chart that its par stands in, `bound` the player whose duty it is to
    float it; `in_receivership` says that it operates, or will, without a director.
    """

    company: CompanyId
    name: str
    kind: str
    status: str
    whole: int
    director: PlayerId | None
    acting: PlayerId | None
    par: Money | None
    price: Money | None
    space: Space | None
    treasury: Money
    trains: tuple[TrainView, ...]
    tokens: tuple[PlacedToken, ...]
    tokens_left: int
    holdings: dict[Party, int]
    offering: int
    pool: int
    privates: tuple[CompanyId, ...]
    counters: dict[str, int]
    has_operated: bool
    last_run: LastRun | None
    permits: tuple[str, ...] = ()
    column: str | None = None
    bound: PlayerId | None = None
    in_receivership: bool = False


class CompaniesView(View, frozen=True, tag="companies"):
    """All companies in the order of the title's facts, and the trains still to be had."""

    companies: dict[CompanyId, CompanyView]
    supply: dict[TrainKind, int]
    pool_trains: tuple[TrainView, ...]


# --- board -----------------------------------------------------------------------------------


class HexView(Struct, frozen=True):
    """A hex or area on which something lies; `tile` None is the map as it is printed.

    `small_stations` are lines of its track, each by the two sides that it joins, as `0-3`.
    """

    tile: TileId | None
    rotation: int
    tokens: tuple[PlacedToken, ...]
    small_stations: tuple[str, ...] = ()


class BoardView(View, frozen=True, tag="board"):
    """What lies on the board, and the tiles left. A tile without an entry there is unlimited."""

    hexes: dict[HexId, HexView]
    supply: dict[TileId, int]


# --- who must act ----------------------------------------------------------------------------


class Asked(Struct, frozen=True):
    """What is asked of one player.

    `party` is the player himself or the company that he acts for. `what` is the step of the turn,
    or the kind of the question, `words` the same for people. `question` is to be named in the
    answer where it is a question. `since` is the version that first asked it without a break,
    `since_time` when that was recorded. `to_act_since` is the version since which the player has
    had to act without a break, whatever he was asked.
    """

    player: PlayerId
    name: str
    party: Party
    what: str
    words: str
    frame: FrameId
    question: FrameId | None
    since: int
    since_time: int
    to_act_since: int = 0


class TurnView(View, frozen=True, tag="turn"):
    """Who must act. `sentence` says it in one line; `over` is true once the game has ended."""

    round: str
    phase: PhaseId
    sentence: str
    asked: tuple[Asked, ...]
    requests: tuple[RequestView, ...]
    over: bool


# --- ledger ----------------------------------------------------------------------------------


class LedgerEntry(Struct, frozen=True):
    """One movement of money. `event` is the place of its event in the record, from 0."""

    at_version: int
    event: int
    payer: Party
    payee: Party
    amount: Money
    reason: str


class LedgerView(View, frozen=True, tag="ledger"):
    """Every movement of money since the set-out. `opening` and the entries make the `balances`."""

    opening: dict[Party, Money]
    entries: tuple[LedgerEntry, ...]
    balances: dict[Party, Money]


# --- minutes ---------------------------------------------------------------------------------


class MinuteLine(Struct, frozen=True):
    """One sentence of the minutes, about one event.

    `player` is for whom the record's order was given. `undone` lines were taken back and have not
    been brought back by a later undo.
    """

    at_version: int
    time: int
    player: PlayerId
    event: str
    text: str
    undone: bool = False


class MinutesView(View, frozen=True, tag="minutes"):
    """All that happened, in plain sentences."""

    lines: tuple[MinuteLine, ...]


# --- lobby -----------------------------------------------------------------------------------


class SeatView(Struct, frozen=True):
    """Who sits at a table; `person` is who acts there, None if anybody may."""

    player: PlayerId
    name: str
    person: str | None = None


class TableLine(View, frozen=True, tag="tables"):
    """One table in the lobby. `status` is `new`, `playing` or `over`; `waiting` whom it waits for.

    `waiting_since` is when the first of them was asked; `winners` have the best final standing.
    `answering` are those for whose answer a request waits.
    """

    title: TitleId
    title_name: str
    seats: tuple[SeatView, ...]
    status: str
    round: str
    phase: PhaseId
    waiting: tuple[PlayerId, ...]
    waiting_since: int
    winners: tuple[PlayerId, ...]
    last_activity: int
    answering: tuple[PlayerId, ...] = ()


class PlayerTables(Struct, frozen=True, tag_field="view", tag="player"):
    """A player's tables: those that wait for him, the longest-waiting first, and all the others."""

    player: PlayerId
    waiting: tuple[TableLine, ...]
    others: tuple[TableLine, ...]


# --- audit -----------------------------------------------------------------------------------


class Fault(Struct, frozen=True):
    """The first thing wrong with a minute book.

    `what` is a closed list: `unreadable`, `changed`, `digest`, `missing`, `repeated`, `swapped`,
    `foreign`, `not canonical`, `unsealed`, `refused`, `payment`, `money`, `negative`,
    `certificates`, `trains`, `tiles`, `tokens`, `director`, `agenda`, `wealth`, `view`. `event` is
    the place of the event in its record from 0, with its name, where one event is to blame.
    """

    what: str
    version: int
    sentence: str
    event: int | None = None
    event_name: str | None = None


class Report(Struct, frozen=True, tag_field="view", tag="audit"):
    """The result of an audit: `seal` is the last digest in hex, `checks` counts what was done."""

    table: TableId
    sound: bool
    records: int
    events: int
    seal: str
    checks: dict[str, int]
    fault: Fault | None = None


AnyView = (
    WealthView
    | OrderView
    | MarketView
    | CompaniesView
    | BoardView
    | TurnView
    | LedgerView
    | MinutesView
    | TableLine
    | RequestsView
    | SeatsView
    | ProgrammesView
    | ClockView
)

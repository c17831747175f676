"""The facts of one title: what its box holds and what its rulebook fixes in numbers or words.

A title's file is read into these structs and nothing else; a key that they do not know is an error
(`load.py`). Sentences such as `sale_moves` name a known mechanism in the rulebook's words. Optional
fields are things that a title, company or hex may simply not have; None for a number means that
there is no end to it.
"""

from typing import Literal

from msgspec import Struct, field

from contracts.ids import (
    CompanyId,
    HexId,
    Money,
    PhaseId,
    TileId,
    TitleId,
    TrainKind,
)
from contracts.titles.board_facts import (
    Area,
    CityFacts,
    Colour,
    Hex,
    Letters,
    Map,
    OffboardFacts,
    Running,
    Tile,
    TileRules,
    TokenRules,
    TownFacts,
    TrackEnds,
)

__all__ = [
    "Area",
    "Auction",
    "CityFacts",
    "ClosesOn",
    "Colour",
    "ComesWith",
    "End",
    "Fact",
    "Facts",
    "Hex",
    "Letters",
    "Map",
    "Market",
    "OffboardFacts",
    "OperatingRules",
    "Option",
    "Phase",
    "Private",
    "PrivateExchange",
    "PrivateLay",
    "PrivateToken",
    "Public",
    "Receivership",
    "Running",
    "Setup",
    "ShareRules",
    "Starting",
    "Tile",
    "TileRules",
    "Title",
    "TokenRules",
    "TownFacts",
    "TrackEnds",
    "TradeIn",
    "TrainCard",
    "TrainLimit",
    "TrainSide",
    "Turns",
    "Warranties",
]


class Fact(Struct, frozen=True, forbid_unknown_fields=True):
    """The base of every fact: frozen, and strict about its keys."""


class Title(Fact, frozen=True):
    """The name of the game, and the edition of its facts."""

    id: TitleId
    edition: str
    name: str
    designer: str
    publisher: str
    currency: str
    players: tuple[int, int]
    """The fewest and the most."""
    playable: bool
    """Whether its rules are there, so that a table may be opened."""


class Setup(Fact, frozen=True):
    """What the bank and each player begin with, and the first rounds; by number of players."""

    bank: Money | None
    cash: dict[int, Money]
    certificate_limit: dict[int, int]
    first_rounds: tuple[str, ...]
    round_cycle: tuple[str, ...]
    company_groups: dict[str, dict[int, int]] = {}
    """Companies dealt into each group, where they are dealt; by number of players."""
    permits: dict[str, dict[int, dict[str, int]]] = {}
    """Permits of each type that are dealt to the companies; by game and number of players."""
    priority: str = "left of the last who dealt"
    """Who has the priority deal after a stock round."""


class ShareRules(Fact, frozen=True):
    """The rules of buying, holding and selling shares."""

    certificates: tuple[int, ...]
    """Percent of the whole that each certificate stands for, the director's first."""
    float_percent: int
    max_holding_percent: int
    pool_limit_percent: int
    first_sale_round: int
    sale_moves: str
    sold_out_moves: str
    capital: str
    director_tie: str
    merging: str | None = None
    """What shares of joined companies become."""
    refinance_par_multiple: int | None = None
    """What a company that refinances receives, as so many times its par."""
    sale_price: str = "the market's price"
    """What a share that is sold brings."""


class Starting(Fact, frozen=True):
    """One of several ways in which companies are started, and what each brings.

    `tokens` are the fewest and the most that the company buys when it floats. `prices` may be
    chosen as its par or start price.
    """

    id: str
    round: str
    capital: str
    tokens: tuple[int, int]
    token_cost: Money
    prices: tuple[Money, ...]
    unsold_shares: str
    marker: str


class Auction(Fact, frozen=True):
    """How private companies or charters are sold by bidding."""

    kind: str
    bid_step: Money
    first_company_price_drop: Money = 0
    income_when_all_pass_after_first_sale: bool = False
    least_bid: Money = 0
    cash_kept_back: Money = 0
    """What a bidder must keep, so that he can start the company that he wins."""
    shares_after_win: int = 0
    """Further shares that the winner may buy at once."""
    bid_multiple: Money = 1
    """What every bid is a multiple of."""
    fine_par_multiple: int | None = None
    """The fine for a charter whose company does not float in time, as so many times its par."""


class Receivership(Fact, frozen=True):
    """How a company without a director is run."""

    permit_order: tuple[str, ...]
    """Which side a train is bought as: the first that the company has a permit for."""
    trains_a_turn: int
    operated_by: str


class Warranties(Fact, frozen=True):
    """Tokens that keep a train from rusting for one run each."""

    price: Money
    most: int


class PrivateLay(Fact, frozen=True):
    """A private's right to lay a tile on one hex."""

    hex: HexId
    tiles: tuple[TileId, ...]
    extra: bool
    """Whether the lay is one more than the turn's ordinary lays."""
    needs_route: bool
    count: int
    pays_terrain: bool = False


class PrivateToken(Fact, frozen=True):
    """A private's right to place a token on one hex."""

    hex: HexId
    cost: Money
    needs_route: bool
    same_turn_as_lay: bool


class PrivateExchange(Fact, frozen=True):
    """A private's right to be exchanged for a share."""

    company: CompanyId
    percent: int
    from_: tuple[str, ...] = field(name="from")
    by: str
    closes: bool


class ComesWith(Fact, frozen=True):
    """A certificate that comes with a private when it is bought in the auction."""

    company: CompanyId
    percent: int
    director: bool = False
    sets_par: bool = False


class ClosesOn(Fact, frozen=True):
    """What closes a private before its time."""

    first_train_of: CompanyId


class Private(Fact, frozen=True):
    """A private company. Where `company_price` is None, no company may buy it."""

    id: CompanyId
    name: str
    price: Money
    income: Money
    power: str
    blocks: tuple[HexId, ...] = ()
    company_price: tuple[Money, Money] | None = None
    """The least and the most that a company may pay for it."""
    lay: PrivateLay | None = None
    token: PrivateToken | None = None
    exchange: PrivateExchange | None = None
    comes_with: ComesWith | None = None
    closes_on: ClosesOn | None = None


class Public(Fact, frozen=True):
    """A public company.

    `home_city` is the number of the city on the hex as it is printed. With `home_choice` the home
    is any city of the hex.
    """

    id: CompanyId
    name: str
    home: HexId
    tokens: tuple[Money, ...]
    """What each token costs, in the order of placing; the first is the home token."""
    certificates: tuple[int, ...]
    colour: str
    text_colour: str
    home_city: int | None = None
    home_choice: bool = False


class OperatingRules(Fact, frozen=True):
    """The rules of a company's turn that titles differ in, in the rulebook's words."""

    dividend: str
    pool_shares_pay: str
    must_own_train: str
    surplus_trains: str = "discarded"
    """What happens to trains above the limit when it falls."""
    top_up: Money = 0
    """The money of which a company may add the least multiple to earnings below its price."""


class Market(Fact, frozen=True):
    """The market: prices by row and column (None is no space), zones, and what moves a marker."""

    kind: Literal["grid", "line", "zigzag"]
    rows: tuple[tuple[Money | None, ...], ...]
    paid: str
    withheld: str
    sold: str
    sold_out: str
    arrives: str
    zones: dict[str, tuple[tuple[int, int], ...]]
    """Spaces of each zone as row and column, both from 0 at the top left."""
    zone_effects: dict[str, str]
    row_step: int = 1
    """Spaces that one step right or left is, where several rows interlock in one sequence."""
    multiples_right: dict[int, int] = {}
    """Steps right for paying at least so many times the price."""


class TradeIn(Fact, frozen=True):
    """Trains that may be given in when another is bought, and what that saves."""

    trains: tuple[TrainKind, ...]
    discount: Money


class TrainSide(Fact, frozen=True):
    """One of the ways in which a train card can run.

    It counts at most `counts` of at most `visits` stations, or runs over at most `hexes` sides of
    hexes.
    """

    name: str
    counts: int | None = None
    visits: int | None = None
    hexes: int | None = None


class TrainCard(Fact, frozen=True):
    """A kind of train; `count` and `stations` None are without end.

    A card with `sides`, by type, runs as one of them and has no `stations` of its own. `counts` are
    the numbers of cards in games of another length.
    """

    id: TrainKind
    price: Money
    count: int | None
    stations: int | None = None
    sides: dict[str, TrainSide] = {}
    counts: dict[str, int] = {}
    free_warranties: int = 0
    rusted_by: TrainKind | None = None
    permanent_when: dict[str, str] = {}
    """The variants with which it never rusts."""
    available_after: TrainKind | None = None
    """The kind whose first sale puts this one on sale beside the lowest left."""
    trade_in: TradeIn | None = None
    more: dict[str, int] = {}
    """Cards added by a variant where it is played (`yes`)."""


class TrainLimit(Fact, frozen=True):
    """The most trains of each type, or in all."""

    each: int | None = None
    total: int | None = None


class Phase(Fact, frozen=True):
    """A phase: what begins it and what it allows.

    `first_train` is the kind whose first sale begins it, None for the phase that the game opens in.
    """

    id: PhaseId
    on: str
    tiles: tuple[Colour, ...]
    train_limit: int
    operating_rounds: int
    offboard: str
    """The band of the values of areas."""
    companies_may_buy_privates: bool = False
    limits: dict[str, TrainLimit] = {}
    """How trains are counted against the limit, by game, where it differs."""
    opens: tuple[str, ...] = ()
    """Groups of companies that may be started from now on."""
    triggers: str | None = None
    """The end of the game that it brings about."""
    triggers_when: dict[str, str] = {}
    """The variants with which alone it does."""
    first_train: TrainKind | None = None
    rusts: tuple[TrainKind, ...] = ()
    closes_privates: bool = False


class End(Fact, frozen=True):
    """A way in which the game ends."""

    id: str
    when: str
    then: str


class Turns(Fact, frozen=True):
    """The steps of each kind of turn, in order, and what may be done at any point of it."""

    opening: tuple[str, ...]
    stock: tuple[str, ...]
    operating: tuple[str, ...]
    stock_anytime: tuple[str, ...]
    operating_anytime: tuple[str, ...]
    parliament: tuple[str, ...] = ()
    in_receivership: tuple[str, ...] = ()
    last_operations: tuple[str, ...] = ()


class Option(Fact, frozen=True):
    """A ruling or a variant: what may be chosen, and what holds if nobody chooses.

    A ruling settles what the rulebook leaves open; its default is the rulebook's letter. A variant
    is an optional rule. `needs` gives, for a choice, what must be chosen of others with it, and
    `apart` the off-board hexes that are then a station each, apart from their area. What is in
    `elsewhere` may be chosen only for a game that was played elsewhere.
    """

    id: str
    default: str
    options: tuple[str, ...]
    sentence: str
    section: str = ""
    needs: dict[str, dict[str, tuple[str, ...]]] = {}
    because: str = ""
    """Why they must."""
    apart: dict[str, tuple[HexId, ...]] = {}
    elsewhere: tuple[str, ...] = ()


class Facts(Struct, frozen=True, eq=False):
    """All the facts of one title; tables by id keep the order of the file.

    Two of them are the same only if they are one object, so that what is worked out from facts can
    be kept by them.
    """

    title: Title
    setup: Setup
    share_rules: ShareRules
    auction: Auction
    privates: dict[CompanyId, Private]
    publics: dict[CompanyId, Public]
    map: Map
    tile_rules: TileRules
    tiles: dict[TileId, Tile]
    operating_rules: OperatingRules
    market: Market
    trains: dict[TrainKind, TrainCard]
    phases: dict[PhaseId, Phase]
    ends: dict[str, End]
    turns: Turns
    rulings: dict[str, Option]
    ruling_sets: dict[str, dict[str, str]]
    """Rulings of a place where the title is played, by its name."""
    variants: dict[str, Option]
    sections: dict[str, str]
    """Sections of the title's rulebook, by the topic that a rejection speaks of."""
    token_rules: TokenRules
    running: Running
    starting: dict[str, Starting]
    receivership: Receivership | None
    warranties: Warranties | None

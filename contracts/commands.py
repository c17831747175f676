"""What a player, a programme, the clock or the host asks for.

A command says what is wanted, never what it leads to. `Order` is the envelope: who sends it, for
whom, and what it was made against.
"""

from msgspec import Struct

from contracts.clocking import Hours, Leave
from contracts.ids import (
    CertificateKind,
    CommandId,
    CompanyId,
    FrameId,
    HexId,
    Money,
    Party,
    PlayerId,
    TableId,
    TileId,
    TitleId,
    TrainId,
    TrainKind,
)
from contracts.pieces import Seat, Settings
from contracts.programmes import Programme
from contracts.runs import Reported, Run


class Command(Struct, frozen=True, array_like=True, tag=True):
    """The base of all commands."""


class OpenTable(Command, frozen=True):
    """Open a table: a title, who sits where, variants, rulings, settings, the seed of its chance.

    `edition` None takes the newest edition of the title's facts. `shuffled` draws the seats by lot;
    otherwise the first seat begins.
    """

    title: TitleId
    seats: tuple[Seat, ...]
    seed: int
    edition: str | None = None
    variants: dict[str, str] = {}
    rulings: dict[str, str] = {}
    settings: Settings = Settings()
    shuffled: bool = False
    lots: dict[str, tuple[str, ...]] = {}
    """What chance gave elsewhere, by purpose; at an imported table only."""


class Bid(Command, frozen=True):
    """Bid an amount for a lot; an item at its asking price is bought by a bid too."""

    lot: CompanyId
    amount: Money


class Pass(Command, frozen=True):
    """Pass: a turn, a step of it, an auction or a question."""


class Answer(Command, frozen=True):
    """Say yes or no to a question of consent."""

    yes: bool


class StartCompany(Command, frozen=True):
    """Start a company at a price: take its director's certificate, or set the par that is asked."""

    company: CompanyId
    price: Money


class BuyShares(Command, frozen=True):
    """Buy certificates of one company from the offering, the pool or the company."""

    company: CompanyId
    source: Party
    taken: dict[CertificateKind, int]


class SellShares(Command, frozen=True):
    """Sell certificates of one company into the pool, in one block.

    A director who sells below his certificate names ordinary certificates: the exchange with the
    new director comes first.
    """

    company: CompanyId
    given: dict[CertificateKind, int]
    taken: dict[CertificateKind, int] = {}
    """Certificates taken back as change."""


class LayTile(Command, frozen=True):
    """Lay or upgrade a tile. `right` names the private used; `city` where a waiting token goes."""

    hex: HexId
    tile: TileId
    rotation: int
    right: CompanyId | None = None
    city: int | None = None


class PlaceSmallStation(Command, frozen=True):
    """Place a small station on a line of a hex; a line is written by its sides, as `0-3`."""

    hex: HexId
    line: str


class PlaceToken(Command, frozen=True):
    """Place a token in a city of a hex, or in an area (city 0). `right` names the private used."""

    place: HexId
    city: int
    right: CompanyId | None = None


class RunTrains(Command, frozen=True):
    """Run the company's trains over these runs; the engine works out what they earn.

    `reported` is what they were paid elsewhere; it counts at an imported table that is ruled so.
    """

    runs: tuple[Run, ...]
    reported: Reported | None = None


class PayDividend(Command, frozen=True):
    """Divide the earnings: `all` or `none`. `added` comes out of the treasury on top."""

    dividend: str
    added: Money = 0


class BuyTrain(Command, frozen=True):
    """Buy a train of a kind from the supply, the pool or a company.

    `train` names the card where the seller is a company or the pool. `handed_in` is a train given
    in part payment. `director_pays` is what the director adds to all of the treasury's money.
    """

    kind: TrainKind
    seller: Party
    price: Money
    train: TrainId | None = None
    handed_in: TrainId | None = None
    director_pays: Money = 0
    side: str | None = None
    """What a card with several sides is to run as."""
    warranties: int = 0
    """How many are bought with it."""


class DiscardTrain(Command, frozen=True):
    """Give up a train above the limit."""

    train: TrainId


class BuyCompany(Command, frozen=True):
    """A company buys a private from the player who owns it."""

    company: CompanyId
    price: Money


class TradePrivate(Command, frozen=True):
    """A player offers to sell a private to, or to buy it from, another player."""

    company: CompanyId
    other: PlayerId
    price: Money


class ExchangePrivate(Command, frozen=True):
    """Exchange a private for a share of a company out of the offering or the pool."""

    private: CompanyId
    company: CompanyId
    source: Party


class DeclareBankruptcy(Command, frozen=True):
    """Admit that everything one may sell does not pay what is owed."""


class RedeemShares(Command, frozen=True):
    """A company takes shares of its own back out of the pool."""

    number: int


class ProposeJoining(Command, frozen=True):
    """Propose that companies join: `merge` as a turn begins, `acquire` as it ends."""

    kind: str
    companies: tuple[CompanyId, ...]


class ChooseSurvivor(Command, frozen=True):
    """Say which of the joining companies remains."""

    company: CompanyId


class SettleOption(Command, frozen=True):
    """Redeem an option (pay and keep it) or relinquish it (be paid for it)."""

    redeem: bool


class BuyTokens(Command, frozen=True):
    """Say how many tokens a company that floats buys, the home token among them."""

    number: int


class SellTreasuryShares(Command, frozen=True):
    """A company sells shares of its own to pay for the train that it must have."""

    number: int


class Refinance(Command, frozen=True):
    """A company halves all holdings of its shares and receives new capital."""


class ChooseTokens(Command, frozen=True):
    """Say which tokens of a joined company leave the board, by place."""

    places: tuple[str, ...]


class MakeRequest(Command, frozen=True):
    """Ask the table for something: `undo` to a version, an agreed `end`, `pause` or `resume`."""

    what: str
    version: int | None = None


class AnswerRequest(Command, frozen=True):
    """Say yes or no to a request."""

    request: FrameId
    yes: bool


class AssignSeat(Command, frozen=True):
    """The host gives a seat to a person, who acts for it from now on."""

    seat: PlayerId
    person: str


class Withdraw(Command, frozen=True):
    """Take back a proposal of one's own that still waits for consent."""

    question: FrameId


class CallTime(Command, frozen=True):
    """The clock says that a player's time for a frame is up."""

    frame: FrameId


class ExpireRequest(Command, frozen=True):
    """The clock says that a request has waited as long as requests wait at the table."""

    request: FrameId


class SetProgramme(Command, frozen=True):
    """Leave some moves to the server."""

    programme: Programme


class ClearProgramme(Command, frozen=True):
    """Move oneself again."""

    id: FrameId


class TakeLeave(Command, frozen=True):
    """Do not play on some days."""

    leave: Leave


class SetHours(Command, frozen=True):
    """Say at which hours one plays."""

    hours: Hours


AnyCommand = (
    OpenTable
    | Bid
    | Pass
    | Answer
    | StartCompany
    | BuyShares
    | SellShares
    | LayTile
    | PlaceToken
    | RunTrains
    | PayDividend
    | BuyTrain
    | DiscardTrain
    | BuyCompany
    | TradePrivate
    | ExchangePrivate
    | DeclareBankruptcy
    | PlaceSmallStation
    | RedeemShares
    | ProposeJoining
    | ChooseSurvivor
    | SettleOption
    | BuyTokens
    | SellTreasuryShares
    | Refinance
    | ChooseTokens
    | MakeRequest
    | AnswerRequest
    | AssignSeat
    | Withdraw
    | CallTime
    | SetProgramme
    | ClearProgramme
    | TakeLeave
    | SetHours
    | ExpireRequest
)


class Order(Struct, frozen=True, array_like=True):
    """A command on its way to a table.

    `sender` is who really sent it, `player` the seat it is for. `version` is the table's version it
    was made against; an answer names its `question` instead, so several people can answer at once.
    `reported` is when the command was given, as the sender says, in microseconds since 1970, UTC;
    it becomes the record's time at a table whose settings say that it is imported, and nowhere
    else.
    """

    table: TableId
    id: CommandId
    sender: str
    player: PlayerId
    command: AnyCommand
    version: int | None = None
    question: FrameId | None = None
    reported: int | None = None

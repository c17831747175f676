"""What happened at a table: the facts that a minute book is made of.

An event carries every amount, price, place, piece and recipient, because `evolve` may not ask a
rule. Fields are encoded by position; a field may only be added at the end, with a default. Names
of events and of their reasons (`because`) are never changed.
"""

from msgspec import Struct

from contracts.frames import Procedure, Question, Request, Round, Turn
from contracts.ids import (
    CompanyId,
    FrameId,
    HexId,
    Money,
    Party,
    PhaseId,
    PlayerId,
    Space,
    TileId,
    TitleId,
    TrainId,
)
from contracts.money import Payments
from contracts.pieces import (
    CertificateMove,
    Certificates,
    Charter,
    Holdings,
    Seat,
    Settings,
    Standing,
    Train,
)
from contracts.placed import LaidTile, Token
from contracts.runs import Run, ScoreLine


class Event(Struct, frozen=True, array_like=True, tag=True):
    """The base of all events."""


# --- the table -------------------------------------------------------------------------------


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


# --- rounds, turns, questions ---------------------------------------------------------------


class RoundBegan(Event, frozen=True):
    """A round began."""

    round: Round


class RoundEnded(Event, frozen=True):
    """The round ended, and all above it on the agenda with it."""

    id: FrameId
    because: str


class TurnBegan(Event, frozen=True):
    """A turn began."""

    turn: Turn


class StepEnded(Event, frozen=True):
    """The present step of a turn ended: `done`, `passed`, or `nothing to do`."""

    turn: FrameId
    step: str
    because: str


class TurnEnded(Event, frozen=True):
    """A turn ended (`done`, `passed`, `nothing to do`), and all above it on the agenda with it."""

    id: FrameId
    who: Party
    because: str


class Passed(Event, frozen=True):
    """Somebody passed, because he `chose to` or `cannot` do anything else."""

    player: PlayerId
    because: str


class QuestionAsked(Event, frozen=True):
    """A question was put."""

    question: Question


class QuestionAnswered(Event, frozen=True):
    """One of those asked answered."""

    id: FrameId
    who: Party
    answer: str


class QuestionClosed(Event, frozen=True):
    """A question is settled: `answered`, `refused`, `done` or `void`."""

    id: FrameId
    because: str


class ProcedureSet(Event, frozen=True):
    """A procedure began or went on; it stands now as given."""

    procedure: Procedure


class ProcedureEnded(Event, frozen=True):
    """A procedure is over, and all above it on the agenda with it."""

    id: FrameId
    because: str


class ProposalRefused(Event, frozen=True):
    """A proposal was refused and may not be made again in this turn."""

    question: Question


class RequestMade(Event, frozen=True):
    """Somebody asked the table for something beside the game."""

    request: Request


class RequestAnswered(Event, frozen=True):
    """A player answered a request."""

    id: FrameId
    player: PlayerId
    yes: bool


class RequestClosed(Event, frozen=True):
    """A request was `granted`, `refused` or `lapsed`."""

    id: FrameId
    because: str


# --- auctions --------------------------------------------------------------------------------


class BidMade(Event, frozen=True):
    """A bid stands for a lot."""

    lot: CompanyId
    player: PlayerId
    amount: Money


class LotWon(Event, frozen=True):
    """A lot went to a player."""

    lot: CompanyId
    player: PlayerId
    payments: Payments
    certificates: tuple[CertificateMove, ...]


class AskingPriceSet(Event, frozen=True):
    """The asking price of a lot is now this."""

    lot: CompanyId
    price: Money


# --- money and companies --------------------------------------------------------------------


class MoneyPaid(Event, frozen=True):
    """Money changed hands: `income`, `fine`, `fee`, `contribution` and the like."""

    because: str
    payments: Payments


class CharterTaken(Event, frozen=True):
    """A company's charter is a player's, who is bound to float it: as a `duty`."""

    company: CompanyId
    player: PlayerId
    because: str


class CharterReturned(Event, frozen=True):
    """A company's charter is blank again (`fined`, `absorbed`, `bankrupt`).

    With `opens` it may be started again at once, else when `CompaniesOpened` says so.
    """

    company: CompanyId
    because: str
    opens: bool


class ParSet(Event, frozen=True):
    """A company's par is now this, in this part of the par chart; no marker moves."""

    company: CompanyId
    par: Money
    column: str | None


class CompaniesMerged(Event, frozen=True):
    """Two companies are one; `operates` says whether the survivor still operates in this round."""

    survivor: CompanyId
    absorbed: CompanyId
    operates: bool


class TokensSet(Event, frozen=True):
    """A company has so many tokens on its charter, paid for or taken over."""

    company: CompanyId
    tokens: int
    payments: Payments


class CompanyStarted(Event, frozen=True):
    """A company has a price; `payments` and `certificates` are the director's certificate's."""

    company: CompanyId
    player: PlayerId
    price: Money
    certificates: tuple[CertificateMove, ...]
    payments: Payments


class CompanyFloated(Event, frozen=True):
    """A company floated and received its capital."""

    company: CompanyId
    payments: Payments


class CompanyBought(Event, frozen=True):
    """A private or minor changed hands."""

    company: CompanyId
    seller: Party
    buyer: Party
    payments: Payments


class CompanyClosed(Event, frozen=True):
    """A company closed; its certificates are out of the game, its holder stays known."""

    company: CompanyId
    because: str


class SharesBought(Event, frozen=True):
    """Certificates were bought: `taken` from the source, `given` in exchange."""

    who: Party
    company: CompanyId
    source: Party
    taken: Certificates
    given: Certificates
    payments: Payments


class SharesSold(Event, frozen=True):
    """Certificates were sold: `given` to the target, `taken` back as change."""

    who: Party
    company: CompanyId
    target: Party
    given: Certificates
    taken: Certificates
    payments: Payments


class CertificatesMoved(Event, frozen=True):
    """Certificates moved unpaid: `swap`, `exchange`, `with a private` and the like."""

    company: CompanyId
    moves: tuple[CertificateMove, ...]
    because: str


class DirectorChanged(Event, frozen=True):
    """A company has another director (or none); `acting` decides for it."""

    company: CompanyId
    director: PlayerId | None
    acting: PlayerId | None


class MarkerMoved(Event, frozen=True):
    """A marker lies on a space, `place` from the top of its stack (0), or is off the market.

    Because: `started`, `paid`, `withheld`, `sold`, `sold out`.
    """

    company: CompanyId
    space: Space | None
    price: Money
    place: int
    because: str


# --- track, trains, running -----------------------------------------------------------------


class TileLaid(Event, frozen=True):
    """A tile was laid. `tokens` are all tokens on the hex as they lie afterwards."""

    company: CompanyId
    hex: HexId
    tile: TileId
    rotation: int
    replaced: LaidTile | None
    tokens: tuple[Token, ...]
    right: CompanyId | None
    payments: Payments
    small_stations: tuple[str, ...] = ()
    """Lines of the hex with a small station afterwards, each by its two sides, as `0-3`."""


class SmallStationPlaced(Event, frozen=True):
    """A small station was placed on a line of a hex."""

    company: CompanyId
    hex: HexId
    line: str


class TokenRemoved(Event, frozen=True):
    """A token left the board: back to the `charter`, `lost`, or `replaced` by another company's."""

    company: CompanyId
    place: str
    to: str


class TokenPlaced(Event, frozen=True):
    """A token of a company was placed; `right` names the private used."""

    token: Token
    right: CompanyId | None
    payments: Payments


class TrainBought(Event, frozen=True):
    """A train was bought; `handed_in` went to the pool in part payment."""

    company: CompanyId
    train: Train
    seller: Party
    payments: Payments
    handed_in: TrainId | None = None


class TrainsMoved(Event, frozen=True):
    """Trains moved unpaid: `discarded`."""

    trains: tuple[TrainId, ...]
    source: Party
    target: Party
    because: str


class WarrantiesSet(Event, frozen=True):
    """These trains have so many warranties left."""

    company: CompanyId
    warranties: dict[TrainId, int]


class TrainsRusted(Event, frozen=True):
    """These trains left the game."""

    trains: tuple[TrainId, ...]


class RoutesRun(Event, frozen=True):
    """A company ran: the runs, their score line by line, and what they earned."""

    company: CompanyId
    runs: tuple[Run, ...]
    lines: tuple[ScoreLine, ...]
    revenue: Money
    subsidy: Money = 0
    bonus: Money = 0


class EarningsDivided(Event, frozen=True):
    """Earnings were divided: `dividend` paid out, `kept` by the company."""

    company: CompanyId
    earnings: Money
    added: Money
    dividend: Money
    kept: Money
    payments: Payments


AnyEvent = (
    TableOpened
    | PiecesSetOut
    | LotsDrawn
    | OrderSet
    | PhaseBegan
    | CompaniesOpened
    | CounterMoved
    | GameEndTriggered
    | GameEnded
    | Undone
    | RoundBegan
    | RoundEnded
    | TurnBegan
    | StepEnded
    | TurnEnded
    | Passed
    | QuestionAsked
    | QuestionAnswered
    | QuestionClosed
    | ProcedureSet
    | ProcedureEnded
    | ProposalRefused
    | RequestMade
    | RequestAnswered
    | RequestClosed
    | BidMade
    | LotWon
    | AskingPriceSet
    | MoneyPaid
    | CharterTaken
    | CharterReturned
    | ParSet
    | CompaniesMerged
    | TokensSet
    | CompanyStarted
    | CompanyFloated
    | CompanyBought
    | CompanyClosed
    | SharesBought
    | SharesSold
    | CertificatesMoved
    | DirectorChanged
    | MarkerMoved
    | TileLaid
    | SmallStationPlaced
    | TokenPlaced
    | TokenRemoved
    | TrainBought
    | TrainsMoved
    | TrainsRusted
    | WarrantiesSet
    | RoutesRun
    | EarningsDivided
)
Events = tuple[AnyEvent, ...]

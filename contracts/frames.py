"""The agenda's frames: rounds, turns, procedures and questions.

The agenda is a stack of these and alone says who may do what. Frames travel whole in the events
that push or replace them. What was done in a turn or a round is tallied in its frame and goes with
it. Names of steps, questions and reasons are closed lists and never renamed.
"""

from msgspec import Struct

from contracts.commands import BuyCompany, BuyTrain, ProposeJoining, TradePrivate
from contracts.ids import (
    CompanyId,
    FrameId,
    HexId,
    Money,
    Party,
    PlayerId,
    TileId,
    TrainId,
)


class Purchase(Struct, frozen=True, array_like=True):
    """Shares bought in a turn: of which company, from where, how many."""

    company: CompanyId
    source: Party
    shares: int


class Laying(Struct, frozen=True, array_like=True):
    """A tile laid in a turn: where, which, and by what right."""

    hex: HexId
    tile: TileId
    right: CompanyId | None


class Round(Struct, frozen=True, array_like=True, tag=True):
    """A round of the game.

    `kind` is `opening`, `parliament`, `stock` or `operating`. `number` counts rounds of a cycle
    from 1; `which` of `of` tells the operating rounds of one set apart. The tallies: `passes`, the
    run of turns passed since somebody did something; `sold`, shares each player sold of each
    company; `last_dealer`, the last who bought, started or sold (a lot won by a bid is no deal);
    `operated`, companies whose turn is over; `turns`, the turns that have ended; `floated`,
    companies that floated in it; `bought`, shares each player bought of each company.
    """

    id: FrameId
    kind: str
    number: int
    which: int
    of: int
    passes: tuple[Party, ...] = ()
    sold: dict[PlayerId, dict[CompanyId, int]] = {}
    last_dealer: PlayerId | None = None
    operated: tuple[CompanyId, ...] = ()
    turns: int = 0
    floated: tuple[CompanyId, ...] = ()
    bought: dict[PlayerId, dict[CompanyId, int]] = {}


class Turn(Struct, frozen=True, array_like=True, tag=True):
    """A turn of a player or a company.

    `steps` are those still to come, the present one first; `anytime` what may be done at any point
    of it. The tallies: `sold`, shares of each company; `bought`; `laid`; `placed`, places that got
    a token; `ran`, trains that ran; `earned`, what they earned and has not been divided yet;
    `trains` bought; `refused`, proposals that others refused (they may not be made again in this
    turn); `acted`, whether a bid or a trade was made; `raised`, what the last share sold brought.
    """

    id: FrameId
    who: Party
    steps: tuple[str, ...]
    anytime: tuple[str, ...] = ()
    sold: dict[CompanyId, int] = {}
    bought: tuple[Purchase, ...] = ()
    laid: tuple[Laying, ...] = ()
    placed: tuple[str, ...] = ()
    ran: tuple[TrainId, ...] = ()
    earned: Money = 0
    trains: tuple[TrainId, ...] = ()
    refused: tuple[BuyTrain | BuyCompany | TradePrivate | ProposeJoining, ...] = ()
    acted: bool = False
    raised: Money = 0


class Lot(Struct, frozen=True, array_like=True):
    """Something to be auctioned: its asking price, and the standing bids, dearest last."""

    company: CompanyId
    asking: Money
    bids: tuple[tuple[PlayerId, Money], ...] = ()


class Waterfall(Struct, frozen=True, array_like=True, tag=True):
    """Lots in a row: the first may be bought, the others bid for; `sold` counts those sold."""

    id: FrameId
    lots: tuple[Lot, ...]
    sold: int = 0


class Auction(Struct, frozen=True, array_like=True, tag=True):
    """One lot among its bidders: who is still in, in the order in which they speak."""

    id: FrameId
    lot: Lot
    bidders: tuple[PlayerId, ...]


class Merging(Struct, frozen=True, array_like=True, tag=True):
    """Shares being halved: by a merger, an acquisition, or a refinancing (`why`).

    `survivor` remains; `absorbed` is None where one company is refinanced. `price` is what a share
    is worth in it. `holders` have still to act, in order, the present one first; `initiator` began
    it and settles for the companies themselves; `operator` is the company whose turn it is, and
    `stage` tells what the present holder has already done.
    """

    id: FrameId
    why: str
    initiator: PlayerId
    survivor: CompanyId
    absorbed: CompanyId | None
    price: Money
    holders: tuple[Party, ...]
    operator: CompanyId
    stage: str = ""


class Fines(Struct, frozen=True, array_like=True, tag=True):
    """Fines being paid for companies that did not float: who still owes, for which company."""

    id: FrameId
    owed: tuple[tuple[PlayerId, CompanyId], ...]


class Consent(Struct, frozen=True, array_like=True, tag=True):
    """Asked whether one agrees to what `proposer` proposes."""

    proposer: PlayerId
    proposal: BuyTrain | BuyCompany | TradePrivate | ProposeJoining
    company: CompanyId | None = None
    """The company that proposes, where it is one."""


class StartPrice(Struct, frozen=True, array_like=True, tag=True):
    """Asked for the par of a company whose director's certificate came with a private."""

    company: CompanyId


class SellDown(Struct, frozen=True, array_like=True, tag=True):
    """Asked to sell until no limit is exceeded."""

    player: PlayerId


class RaiseMoney(Struct, frozen=True, array_like=True, tag=True):
    """Asked to find what a company lacks for the train that it must buy."""

    company: CompanyId


class DiscardTrains(Struct, frozen=True, array_like=True, tag=True):
    """Asked which trains above the limit go."""

    company: CompanyId


class ChooseCity(Struct, frozen=True, array_like=True, tag=True):
    """Asked in which city of a hex a company's home token goes."""

    company: CompanyId
    hex: HexId


class CharterPrice(Struct, frozen=True, array_like=True, tag=True):
    """Asked for the par of a company whose charter was won, to buy its first certificate."""

    company: CompanyId


class FurtherShares(Struct, frozen=True, array_like=True, tag=True):
    """Asked whether to buy more shares of a company just started; `most` are still allowed."""

    company: CompanyId
    most: int


class TokensToBuy(Struct, frozen=True, array_like=True, tag=True):
    """Asked how many tokens a company that floats buys."""

    company: CompanyId


class PayFine(Struct, frozen=True, array_like=True, tag=True):
    """Asked to sell shares until a fine is paid; `owed` is what is still owed."""

    company: CompanyId
    owed: Money


class Survivor(Struct, frozen=True, array_like=True, tag=True):
    """Asked which of the joining companies remains; `kind` is how they join."""

    kind: str
    companies: tuple[CompanyId, ...]


class OptionShare(Struct, frozen=True, array_like=True, tag=True):
    """Asked whether to redeem or relinquish an option, for a holder; what either would move."""

    holder: Party
    company: CompanyId
    redeem: Money
    relinquish: Money


class SurplusTokens(Struct, frozen=True, array_like=True, tag=True):
    """Asked which tokens of a joined company leave the board, and how many must."""

    company: CompanyId
    number: int


class CompanyMoney(Struct, frozen=True, array_like=True, tag=True):
    """Asked how a company without a train raises the money for one."""

    company: CompanyId


class BankTrain(Struct, frozen=True, array_like=True, tag=True):
    """Asked which side of the bank's next train a company that must have one takes."""

    company: CompanyId


Matter = (
    Consent
    | StartPrice
    | SellDown
    | RaiseMoney
    | DiscardTrains
    | ChooseCity
    | CharterPrice
    | FurtherShares
    | TokensToBuy
    | PayFine
    | Survivor
    | OptionShare
    | SurplusTokens
    | CompanyMoney
    | BankTrain
)


class Question(Struct, frozen=True, array_like=True, tag=True):
    """Something asked of one party, or of several at once; `answers` are those given so far.

    A company is asked through whoever acts for it at that moment.
    """

    id: FrameId
    matter: Matter
    asked: tuple[Party, ...]
    answers: tuple[tuple[Party, str], ...] = ()


Procedure = Waterfall | Auction | Merging | Fines
Frame = Round | Turn | Waterfall | Auction | Merging | Fines | Question


class Request(Struct, frozen=True, array_like=True):
    """Something asked of the table beside the game.

    It lapses when play goes on, and expires when it has waited as long as the table's settings say.

    `what` is `undo` (to `version`), `end`, `pause` or `resume`. `waiting` are the players who have
    not answered.
    """

    id: FrameId
    what: str
    player: PlayerId
    waiting: tuple[PlayerId, ...]
    version: int | None = None

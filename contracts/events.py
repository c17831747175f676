"""What happened at a table: the facts that a minute book is made of.

An event carries every amount, price, place, piece and recipient, because `evolve` may not ask a
rule. Fields are encoded by position; a field may only be added at the end, with a default. Names
of events and of their reasons (`because`) are never changed.
"""

from contracts.happened.at_the_table import (
    CompaniesOpened,
    CounterMoved,
    GameEnded,
    GameEndTriggered,
    LotsDrawn,
    OrderSet,
    PhaseBegan,
    PiecesSetOut,
    TableOpened,
    Undone,
)
from contracts.happened.base import Event
from contracts.happened.beside_the_game import (
    HoursSet,
    LeaveTaken,
    PlayPaused,
    ProgrammeSet,
    ProgrammeStopped,
    SeatTaken,
    TimeCalled,
)
from contracts.happened.on_the_agenda import (
    AskingPriceSet,
    BidMade,
    LotWon,
    Passed,
    ProcedureEnded,
    ProcedureSet,
    ProposalRefused,
    QuestionAnswered,
    QuestionAsked,
    QuestionClosed,
    RequestAnswered,
    RequestClosed,
    RequestMade,
    RoundBegan,
    RoundEnded,
    StepEnded,
    TurnBegan,
    TurnEnded,
)
from contracts.happened.on_the_board import (
    EarningsDivided,
    RoutesRun,
    SmallStationPlaced,
    TileLaid,
    TokenPlaced,
    TokenRemoved,
    TrainBought,
    TrainsMoved,
    TrainsRusted,
    WarrantiesSet,
)
from contracts.happened.to_companies import (
    CertificatesMoved,
    CharterReturned,
    CharterTaken,
    CompaniesMerged,
    CompanyBought,
    CompanyClosed,
    CompanyFloated,
    CompanyStarted,
    DirectorChanged,
    MarkerMoved,
    MoneyPaid,
    ParSet,
    SharesBought,
    SharesSold,
    TokensSet,
)

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
    | SeatTaken
    | TimeCalled
    | ProgrammeSet
    | ProgrammeStopped
    | PlayPaused
    | LeaveTaken
    | HoursSet
)
Events = tuple[AnyEvent, ...]

__all__ = [
    "AnyEvent",
    "AskingPriceSet",
    "BidMade",
    "CertificatesMoved",
    "CharterReturned",
    "CharterTaken",
    "CompaniesMerged",
    "CompaniesOpened",
    "CompanyBought",
    "CompanyClosed",
    "CompanyFloated",
    "CompanyStarted",
    "CounterMoved",
    "DirectorChanged",
    "EarningsDivided",
    "Event",
    "Events",
    "GameEndTriggered",
    "GameEnded",
    "HoursSet",
    "LeaveTaken",
    "LotWon",
    "LotsDrawn",
    "MarkerMoved",
    "MoneyPaid",
    "OrderSet",
    "ParSet",
    "Passed",
    "PhaseBegan",
    "PiecesSetOut",
    "PlayPaused",
    "ProcedureEnded",
    "ProcedureSet",
    "ProgrammeSet",
    "ProgrammeStopped",
    "ProposalRefused",
    "QuestionAnswered",
    "QuestionAsked",
    "QuestionClosed",
    "RequestAnswered",
    "RequestClosed",
    "RequestMade",
    "RoundBegan",
    "RoundEnded",
    "RoutesRun",
    "SeatTaken",
    "SharesBought",
    "SharesSold",
    "SmallStationPlaced",
    "StepEnded",
    "TableOpened",
    "TileLaid",
    "TimeCalled",
    "TokenPlaced",
    "TokenRemoved",
    "TokensSet",
    "TrainBought",
    "TrainsMoved",
    "TrainsRusted",
    "TurnBegan",
    "TurnEnded",
    "Undone",
    "WarrantiesSet",
]

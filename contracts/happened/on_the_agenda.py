"""What happened on the agenda: rounds, turns, questions, requests, auctions."""

from contracts.frames import Procedure, Question, Request, Round, Turn
from contracts.happened.base import Event
from contracts.ids import (
    CompanyId,
    FrameId,
    Money,
    Party,
    PlayerId,
)
from contracts.money import Payments
from contracts.pieces import (
    CertificateMove,
)


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
    """A question is settled: `answered`, `refused`, `done`, `withdrawn` or `void`."""

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
    """A request was `granted` or `refused`, `lapsed` as play went on, or `expired` unanswered."""

    id: FrameId
    because: str


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

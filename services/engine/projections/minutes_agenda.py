"""Sentences about rounds, turns, questions, procedures, requests and bids.

Some frames come and go without a sentence, because what happens in them has its own; each such case
says why.
"""

from collections.abc import Mapping
from typing import Any, Final

from contracts import events as e
from contracts.frames import (
    Auction,
    Consent,
    Fines,
    Frame,
    Merging,
    Question,
    Request,
    Round,
    Turn,
    Waterfall,
)
from contracts.ids import CompanyId, FrameId, Party
from services.engine.projections.words import (
    Words,
    listed,
    proposal,
    question_task,
    reason,
    round_name,
    step_doing,
)
from services.engine.table.agenda import top
from services.engine.table.state import Table

Lines = tuple[str, ...]


def frame_of(table: Table, id: FrameId) -> Frame | None:
    """The frame of this id, if it lies on the agenda."""
    return next((frame for frame in table.agenda if frame.id == id), None)


def round_began(words: Words, table: Table, event: e.RoundBegan) -> Lines:
    """A heading of its own."""
    return (f"{round_name(event.round)} began",)


def round_ended(words: Words, table: Table, event: e.RoundEnded) -> Lines:
    """A round is over, and why."""
    frame = frame_of(table, event.id)
    name = round_name(frame) if isinstance(frame, Round) else "the round"
    return (f"{name} ended{reason(event.because)}",)


def turn_began(words: Words, table: Table, event: e.TurnBegan) -> Lines:
    """A company's turn is announced; a player's is not, since whatever he does in it names him."""
    if CompanyId(event.turn.who) not in table.charters:
        return ()
    return (f"{words.party(event.turn.who)} began its turn",)


WITHOUT_CHOICE: Final = ("home", "dividend", "merge", "money", "redeem", "acquire")
"""Steps that often pass unseen; what they lead to has its own sentence."""


def step_ended(words: Words, table: Table, event: e.StepEnded) -> Lines:
    """A company's step in which there was nothing to do.

    What was done, or passed, has its own sentence; a player's turn is told when it ends.
    """
    frame = frame_of(table, event.turn)
    if event.because != "nothing to do" or event.step in WITHOUT_CHOICE:
        return ()
    if not isinstance(frame, Turn) or CompanyId(frame.who) not in table.charters:
        return ()
    return (f"{words.party(frame.who)} had nothing to do in {step_doing(event.step)}",)


def turn_ended(words: Words, table: Table, event: e.TurnEnded) -> Lines:
    """A company's turn is over; a player's ends with what he did, or with his pass."""
    if CompanyId(event.who) in table.charters:
        return (f"{words.party(event.who)} ended its turn",)
    if event.because == "nothing to do":
        return (f"{words.party(event.who)} had nothing to do",)
    return ()


def passed(words: Words, table: Table, event: e.Passed) -> Lines:
    """Who passed, and what for; a player who has dealt ends his turn by it."""
    who = words.party(event.player)
    frame = top(table)
    why = "" if event.because == "chose to" else reason(event.because)
    if isinstance(frame, Turn) and frame.steps and frame.who != event.player:
        return (f"{who} passed for {words.party(frame.who)}: {step_doing(frame.steps[0])}{why}",)
    if isinstance(frame, Turn) and (frame.bought or frame.sold or frame.acted):
        return (f"{who} did nothing more{why}",)
    return (f"{who} passed{why}",)


def question_asked(words: Words, table: Table, event: e.QuestionAsked) -> Lines:
    """Who has to do what; not again for a question that goes on."""
    if frame_of(table, event.question.id) is not None:
        return ()
    asked = event.question.asked
    verb = "was" if len(asked) == 1 else "were"
    who = listed(map(words.party, asked))
    return (f"{who} {verb} asked to {question_task(words, event.question.matter)}",)


def question_answered(words: Words, table: Table, event: e.QuestionAnswered) -> Lines:
    """One answer."""
    return (f"{words.party(event.who)} answered: {event.answer}",)


def question_closed(words: Words, table: Table, event: e.QuestionClosed) -> Lines:
    """A question that fell away; what was answered or done has been told."""
    frame = frame_of(table, event.id)
    if event.because == "withdrawn" and isinstance(frame, Question):
        assert isinstance(frame.matter, Consent)  # nothing else is withdrawn
        who = words.party(frame.matter.proposer)
        return (f"{who} withdrew the proposal that {proposal(words, frame.matter)}",)
    if event.because != "void":
        return ()
    if not isinstance(frame, Question):
        return ("a question fell away",)
    who = listed(map(words.party, frame.asked))
    return (f"{who} no longer had to {question_task(words, frame.matter)}",)


def procedure_set(words: Words, table: Table, event: e.ProcedureSet) -> Lines:
    """An auction that begins; how it goes on is told by the bids and passes."""
    procedure = event.procedure
    if frame_of(table, procedure.id) is not None:
        return ()
    match procedure:
        case Waterfall():
            lots = [
                f"{words.party(lot.company)} at {words.money(lot.asking)}" for lot in procedure.lots
            ]
            return (f"on sale, in this order: {listed(lots)}",)
        case Auction():
            bidders = listed(map(words.party, procedure.bidders))
            lot = words.party(procedure.lot.company)
            return (f"{lot} was put up for auction among {bidders}",)
        case Merging():
            return (f"the shares of {merged(words, procedure)} are halved",)
        case Fines():
            return (f"fines are due: {listed(fine(words, *owed) for owed in procedure.owed)}",)


def merged(words: Words, merging: Merging) -> str:
    """The companies whose shares are halved, and what a share is worth in it."""
    price = words.money(merging.price)
    if merging.absorbed is None:
        return f"{words.party(merging.survivor)} at {price}"
    return f"{words.party(merging.survivor)} and {words.party(merging.absorbed)} at {price}"


def fine(words: Words, player: Party, company: CompanyId) -> str:
    """Who is fined, and for which company."""
    return f"{words.party(player)} for {words.party(company)}"


def procedure_ended(words: Words, table: Table, event: e.ProcedureEnded) -> Lines:
    """An auction that is over."""
    frame = frame_of(table, event.id)
    match frame:
        case Auction():
            what = f"the auction of {words.party(frame.lot.company)} ended"
        case Merging():
            what = f"all shares of {merged(words, frame)} were halved"
        case Fines():
            what = "the fines are settled"
        case _:
            what = "the sale ended"
    return (f"{what}{reason(event.because)}",)


def proposal_refused(words: Words, table: Table, event: e.ProposalRefused) -> Lines:
    """What others did not agree to."""
    matter = event.question.matter
    what = f" that {proposal(words, matter)}" if isinstance(matter, Consent) else ""
    return (f"the proposal{what} was refused",)


def wish(words: Words, request: Request) -> str:
    """What a request asks for."""
    if request.what == "undo":
        return f"to take the table back to version {request.version}"
    if request.what in ("pause", "resume"):
        return f"to {request.what} play"
    return "to end the game by agreement" if request.what == "end" else f"for {request.what}"


def request_made(words: Words, table: Table, event: e.RequestMade) -> Lines:
    """Who asked the table for what."""
    return (f"{words.party(event.request.player)} asked {wish(words, event.request)}",)


def request_answered(words: Words, table: Table, event: e.RequestAnswered) -> Lines:
    """Who agreed, and who did not."""
    verb = "agreed" if event.yes else "did not agree"
    request = next((one for one in table.requests if one.id == event.id), None)
    what = f" {wish(words, request)}" if request is not None else ""
    return (f"{words.party(event.player)} {verb}{what}",)


def request_closed(words: Words, table: Table, event: e.RequestClosed) -> Lines:
    """What became of a request."""
    request = next((one for one in table.requests if one.id == event.id), None)
    of_itself = event.because in {"lapsed", "expired"}
    verb = event.because if of_itself else f"was {event.because}"
    if request is None:
        return (f"a request {verb}",)
    return (f"the request of {words.party(request.player)} {wish(words, request)} {verb}",)


def bid_made(words: Words, table: Table, event: e.BidMade) -> Lines:
    """Who bid how much for what."""
    amount = words.money(event.amount)
    return (f"{words.party(event.player)} bid {amount} for {words.party(event.lot)}",)


def asking_price_set(words: Words, table: Table, event: e.AskingPriceSet) -> Lines:
    """What a lot costs from now on."""
    return (f"the asking price of {words.party(event.lot)} is now {words.money(event.price)}",)


TELL: Final[Mapping[type, Any]] = {
    e.RoundBegan: round_began,
    e.RoundEnded: round_ended,
    e.TurnBegan: turn_began,
    e.StepEnded: step_ended,
    e.TurnEnded: turn_ended,
    e.Passed: passed,
    e.QuestionAsked: question_asked,
    e.QuestionAnswered: question_answered,
    e.QuestionClosed: question_closed,
    e.ProcedureSet: procedure_set,
    e.ProcedureEnded: procedure_ended,
    e.ProposalRefused: proposal_refused,
    e.RequestMade: request_made,
    e.RequestAnswered: request_answered,
    e.RequestClosed: request_closed,
    e.BidMade: bid_made,
    e.AskingPriceSet: asking_price_set,
}

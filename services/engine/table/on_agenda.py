"""Rounds, turns, questions, procedures, requests: what is on the agenda, and its tallies."""

from collections.abc import Mapping
from typing import Any, Final

from contracts import events as e
from contracts.frames import Auction, Lot, Question, Round, Turn, Waterfall
from contracts.ids import CompanyId, Party, PlayerId
from services.engine.table.agenda import Agenda, put, replaced, topmost, without
from services.engine.table.agenda import changed as frame_changed
from services.engine.table.change import changed, with_entry
from services.engine.table.state import Table


def round_began(table: Table, event: e.RoundBegan) -> Table:
    """A round is played from now on."""
    kind = event.round.kind
    rounds = with_entry(table.rounds, kind, table.rounds.get(kind, 0) + 1)
    return changed(table, agenda=put(table.agenda, event.round), rounds=rounds)


def closed(table: Table, event: e.RoundEnded | e.ProcedureEnded) -> Table:
    """A frame and all above it are gone."""
    return changed(table, agenda=without(table.agenda, event.id))


def turn_began(table: Table, event: e.TurnBegan) -> Table:
    """A turn is played from now on."""
    return changed(table, agenda=put(table.agenda, event.turn))


def step_ended(table: Table, event: e.StepEnded) -> Table:
    """The turn goes on with its next step."""
    agenda = frame_changed(
        table.agenda,
        Turn,
        lambda turn: replaced(turn, steps=turn.steps[1:]) if turn.id == event.turn else turn,
    )
    return changed(table, agenda=agenda)


def turn_ended(table: Table, event: e.TurnEnded) -> Table:
    """The turn is gone; what it belongs to counts it, and the run of passes."""
    agenda = without(table.agenda, event.id)
    passed = event.because != "done"
    below = agenda[-1] if agenda else None
    if isinstance(below, Auction):
        if passed:
            agenda = put(agenda, out_of(below, PlayerId(event.who)))
        return changed(table, agenda=agenda)
    agenda = frame_changed(agenda, Round, lambda round: counted(round, event.who, passed=passed))
    charter = table.charters.get(CompanyId(event.who))
    if charter is None:
        return changed(table, agenda=agenda)
    operated = frame_changed(
        agenda, Round, lambda round: replaced(round, operated=(*round.operated, event.who))
    )
    charters = with_entry(table.charters, CompanyId(event.who), changed(charter, has_operated=True))
    return changed(table, agenda=operated, charters=charters)


def counted(round: Round, who: Party, *, passed: bool) -> Round:
    """The round with one more turn; a pass lengthens the run of passes, anything else breaks it."""
    passes = (*round.passes, who) if passed else ()
    return replaced(round, passes=passes, turns=round.turns + 1)


def out_of(auction: Auction, player: PlayerId) -> Auction:
    """The auction without a bidder who passed."""
    return replaced(auction, bidders=tuple(p for p in auction.bidders if p != player))


def noted(table: Table, event: e.Passed) -> Table:
    """Nothing lies elsewhere: what a pass leads to has events of its own."""
    return table


def question_asked(table: Table, event: e.QuestionAsked) -> Table:
    """A question waits for its answers."""
    return changed(table, agenda=put(table.agenda, event.question))


def question_answered(table: Table, event: e.QuestionAnswered) -> Table:
    """One of those asked need not answer any more."""

    def answered(question: Question) -> Question:
        if question.id != event.id:
            return question
        return replaced(
            question,
            asked=tuple(party for party in question.asked if party != event.who),
            answers=(*question.answers, (event.who, event.answer)),
        )

    return changed(table, agenda=frame_changed(table.agenda, Question, answered))


def question_closed(table: Table, event: e.QuestionClosed) -> Table:
    """A question is gone, and all above it."""
    return changed(table, agenda=without(table.agenda, event.id))


def procedure_set(table: Table, event: e.ProcedureSet) -> Table:
    """A procedure stands as given."""
    return changed(table, agenda=put(table.agenda, event.procedure))


def proposal_refused(table: Table, event: e.ProposalRefused) -> Table:
    """The turn remembers what was refused."""
    proposal = getattr(event.question.matter, "proposal", None)
    if proposal is None:
        return table
    agenda = frame_changed(
        table.agenda, Turn, lambda turn: replaced(turn, refused=(*turn.refused, proposal))
    )
    return changed(table, agenda=agenda)


def request_made(table: Table, event: e.RequestMade) -> Table:
    """A request waits beside the agenda."""
    return changed(table, requests=(*table.requests, event.request))


def request_answered(table: Table, event: e.RequestAnswered) -> Table:
    """One player fewer is waited for."""
    requests = tuple(
        changed(request, waiting=tuple(p for p in request.waiting if p != event.player))
        if request.id == event.id
        else request
        for request in table.requests
    )
    return changed(table, requests=requests)


def request_closed(table: Table, event: e.RequestClosed) -> Table:
    """A request is gone."""
    return changed(
        table, requests=tuple(request for request in table.requests if request.id != event.id)
    )


def bid_made(table: Table, event: e.BidMade) -> Table:
    """A bid stands: in the auction of its lot, and in the waterfall. A player has one bid a lot."""

    def bid(lot: Lot) -> Lot:
        if lot.company != event.lot:
            return lot
        others = tuple(entry for entry in lot.bids if entry[0] != event.player)
        return Lot(lot.company, lot.asking, (*others, (event.player, event.amount)))

    agenda = frame_changed(
        table.agenda, Waterfall, lambda frame: replaced(frame, lots=tuple(map(bid, frame.lots)))
    )
    agenda = frame_changed(agenda, Auction, lambda frame: replaced(frame, lot=bid(frame.lot)))
    return changed(table, agenda=has_acted(agenda))


def has_acted(agenda: Agenda) -> Agenda:
    """The turn remembers that something was done in it."""
    return frame_changed(agenda, Turn, lambda turn: replaced(turn, acted=True))


def asking_price_set(table: Table, event: e.AskingPriceSet) -> Table:
    """A lot is cheaper, or dearer, from now on."""

    def priced(lot: Lot) -> Lot:
        return Lot(lot.company, event.price, lot.bids) if lot.company == event.lot else lot

    agenda = frame_changed(
        table.agenda, Waterfall, lambda frame: replaced(frame, lots=tuple(map(priced, frame.lots)))
    )
    return changed(table, agenda=agenda)


def lot_gone(agenda: Agenda, company: CompanyId) -> Agenda:
    """The waterfall without a lot that was won."""
    return frame_changed(
        agenda,
        Waterfall,
        lambda frame: replaced(
            frame,
            lots=tuple(lot for lot in frame.lots if lot.company != company),
            sold=frame.sold + 1,
        ),
    )


def has_bids(agenda: Agenda, company: CompanyId) -> bool:
    """Whether somebody has bid for a lot of the waterfall."""
    waterfall = topmost(agenda, Waterfall)
    lots = () if waterfall is None else waterfall.lots
    return any(lot.company == company and lot.bids for lot in lots)


def dealt(agenda: Agenda, who: Party, order: tuple[PlayerId, ...]) -> Agenda:
    """The round remembers the last player who dealt in it."""
    if who not in order:
        return agenda
    return frame_changed(agenda, Round, lambda round: replaced(round, last_dealer=PlayerId(who)))


def sale_counted(agenda: Agenda, who: Party, company: CompanyId, shares: int) -> Agenda:
    """Shares sold, counted for the turn and, by seller, for the round."""

    def in_turn(turn: Turn) -> Turn:
        number = turn.sold.get(company, 0) + shares
        return replaced(turn, sold=with_entry(turn.sold, company, number))

    def in_round(round: Round) -> Round:
        mine = round.sold.get(PlayerId(who), {})
        mine = with_entry(mine, company, mine.get(company, 0) + shares)
        return replaced(round, sold=with_entry(round.sold, PlayerId(who), mine))

    return frame_changed(frame_changed(agenda, Turn, in_turn), Round, in_round)


APPLY: Final[Mapping[type, Any]] = {
    e.RoundBegan: round_began,
    e.RoundEnded: closed,
    e.TurnBegan: turn_began,
    e.StepEnded: step_ended,
    e.TurnEnded: turn_ended,
    e.Passed: noted,
    e.QuestionAsked: question_asked,
    e.QuestionAnswered: question_answered,
    e.QuestionClosed: question_closed,
    e.ProcedureSet: procedure_set,
    e.ProcedureEnded: closed,
    e.ProposalRefused: proposal_refused,
    e.RequestMade: request_made,
    e.RequestAnswered: request_answered,
    e.RequestClosed: request_closed,
    e.BidMade: bid_made,
    e.AskingPriceSet: asking_price_set,
}

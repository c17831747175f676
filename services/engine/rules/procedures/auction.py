"""The auction of one lot among those who have bid for it (3.1.4), or among all (4.1)."""

from contracts import events as e
from contracts.frames import Auction, CharterPrice, Question, Turn
from contracts.ids import BANK, Money, PlayerId
from contracts.money import pay
from services.engine.rules.draft import Draft
from services.engine.rules.procedures.lots import ask_for_par, won
from services.engine.rules.ruleset import Ruleset
from services.engine.table.agenda import replaced

STEPS = ("bid",)
"""What a turn in an auction is made of."""


def charter_won(draft: Draft, frame: Auction, player: PlayerId, amount: Money) -> None:
    """The winner pays for a charter, is bound to float the company, and sets its par (4.2, 4.3)."""
    company = frame.lot.company
    payments = pay(player, BANK, amount)
    if payments:
        draft.emit(e.MoneyPaid("charter", payments))
    draft.emit(
        e.CharterTaken(company, player, "duty"),
        e.ProcedureEnded(frame.id, "won"),
    )
    draft.emit(e.QuestionAsked(Question(draft.next_frame(), CharterPrice(company), (player,))))


def advance(ruleset: Ruleset, draft: Draft, frame: Auction) -> None:
    """The last bidder pays his bid; until then the next one speaks."""
    highest, amount = frame.lot.bids[-1]
    if len(frame.bidders) == 1:
        if frame.lot.company in ruleset.facts.publics:
            charter_won(draft, frame, highest, amount)
            return
        won(ruleset, draft, frame.lot.company, highest, amount)
        draft.emit(e.ProcedureEnded(frame.id, "won"))
        ask_for_par(ruleset, draft, frame.lot.company, highest)
        return
    speaker = frame.bidders[0]
    if speaker == highest:
        frame = replaced(frame, bidders=(*frame.bidders[1:], speaker))
        draft.emit(e.ProcedureSet(frame))
        speaker = frame.bidders[0]
    draft.emit(e.TurnBegan(Turn(draft.next_frame(), speaker, STEPS)))

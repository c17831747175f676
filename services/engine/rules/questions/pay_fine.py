"""Paying a fine out of other shares, which the player chooses (4.3)."""

from contracts import events as e
from contracts.frames import PayFine, Question
from contracts.ids import Party, PlayerId
from contracts.rejections import Code, Rejection
from services.engine.rules.acts import sell_block
from services.engine.rules.draft import Draft
from services.engine.rules.parts.kinds import Asking
from services.engine.rules.procedures.fines import ask, can_sell, paid_in_cash
from services.engine.rules.ruleset import Ruleset, refused
from services.engine.table.state import Table


def settled(ruleset: Ruleset, draft: Draft, question: Question) -> bool:
    """Pay what the sale brought; it is settled when all is paid, or nothing is left to sell."""
    matter = question.matter
    assert isinstance(matter, PayFine)  # this is how the registry files it
    player = PlayerId(question.asked[0])
    missing = paid_in_cash(draft, player, matter.owed)
    if missing and can_sell(ruleset, draft.table, player):
        if missing == matter.owed:
            return False
        draft.emit(e.QuestionClosed(question.id, "answered"))
        ask(draft, player, matter.company, missing)
        return True
    draft.emit(e.QuestionClosed(question.id, "void" if missing else "done"))
    return True


def must_pay(ruleset: Ruleset, _table: Table, who: Party) -> Rejection:
    """He sells as long as he owes."""
    return refused(
        ruleset, Code.WRONG_STEP, "fine", f"{who} has to sell shares for the fine that he owes."
    )


PAY_FINE = Asking((sell_block.FORCED,), settled, must_pay)

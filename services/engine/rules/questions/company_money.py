"""How a company without a train comes by the money for the bank's next one (7.11).

Its director chooses where it may sell shares of its own or be refinanced. Where one of the two is
possible, it is done; where neither is, the company is bankrupt (7.12).
"""

from contracts import events as e
from contracts.frames import CompanyMoney, Question
from contracts.ids import CompanyId, Party
from contracts.rejections import Rejection
from services.engine.rules.acts.refinance import REFINANCE
from services.engine.rules.acts.sell_treasury import SELL_TREASURY, needed, sell
from services.engine.rules.companies.bankrupt import bankrupt
from services.engine.rules.draft import Draft
from services.engine.rules.parts.kinds import Act, Asking
from services.engine.rules.procedures import merging
from services.engine.rules.questions.answering import must_choose, waits_for_its_act
from services.engine.rules.ruleset import Ruleset
from services.engine.table.state import Table


def raise_money(ruleset: Ruleset, draft: Draft, company: CompanyId) -> None:
    """Find the money in the only possible way, or ask the director which it is to be."""
    sale = is_possible(ruleset, draft.table, company, SELL_TREASURY)
    refinancing = is_possible(ruleset, draft.table, company, REFINANCE)
    if sale and refinancing:
        question = Question(draft.next_frame(), CompanyMoney(company), (company,))
        draft.emit(e.QuestionAsked(question))
    elif sale:
        sell(ruleset, draft, company, needed(ruleset, draft.table, company))
    elif refinancing:
        merging.refinance(draft, company)
    else:
        bankrupt(ruleset, draft, company, "no train")


def is_possible(ruleset: Ruleset, table: Table, company: CompanyId, act: Act) -> bool:
    """Whether there is a legal offer of an act."""
    return any(
        next(act.objections(ruleset, table, company, offer.command), None) is None
        for offer in act.offers(ruleset, table, company)
    )


def no_pass(ruleset: Ruleset, _table: Table, who: Party) -> Rejection:
    """A company that must have a train does not pass."""
    return must_choose(ruleset, "must own", who, "Sell shares of the company, or refinance it.")


COMPANY_MONEY = Asking((SELL_TREASURY, REFINANCE), waits_for_its_act, no_pass)

"""The step of a company that has bought no train and must have one (7.11)."""

from contracts.ids import CompanyId, Party
from services.engine.rules.draft import Draft
from services.engine.rules.parts.kinds import Step
from services.engine.rules.questions.bank_train import bank_price, buy_or_ask
from services.engine.rules.questions.company_money import raise_money
from services.engine.rules.ruleset import Ruleset
from services.engine.rules.trains.owned import trains_of


def by_itself(ruleset: Ruleset, draft: Draft, who: Party) -> str | None:
    """Without a train the company raises money for one, and buys it of the bank."""
    company = CompanyId(who)
    if trains_of(draft.table, company):
        return "nothing to do"
    if draft.table.cash[company] >= bank_price(ruleset, draft.table):
        buy_or_ask(ruleset, draft, company)
    else:
        raise_money(ruleset, draft, company)
    return None


MONEY = Step(by_itself=by_itself)

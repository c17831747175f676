"""The step of the dividend; nothing earned moves the marker as earnings kept do (3.6.5)."""

from contracts.ids import CompanyId, Party
from contracts.rejections import Code, Rejection
from services.engine.rules.acts.pay_dividend import PAY_DIVIDEND, divided
from services.engine.rules.companies.director import is_in_receivership
from services.engine.rules.draft import Draft
from services.engine.rules.parts.kinds import Step
from services.engine.rules.ruleset import Ruleset, refused
from services.engine.table.agenda import current_turn
from services.engine.table.state import Table


def by_itself(ruleset: Ruleset, draft: Draft, who: Party) -> str | None:
    """With nothing to divide there is nothing to choose; in receivership all is kept (7.3)."""
    company = CompanyId(who)
    turn = current_turn(draft.table)
    earned = turn is not None and turn.earned > 0
    if earned and not is_in_receivership(draft.table, company):
        return None
    divided(ruleset, draft, company, dividend=0, added=0)
    return "done" if earned else "nothing to do"


def no_pass(ruleset: Ruleset, _table: Table, who: Party) -> Rejection:
    """Earnings are paid or kept."""
    return refused(
        ruleset, Code.BAD_DIVIDEND, "dividend", f"{who} pays its earnings or keeps them."
    )


DIVIDEND = Step((PAY_DIVIDEND,), no_pass=no_pass, by_itself=by_itself)

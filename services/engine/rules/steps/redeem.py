"""The step of redeeming: one share of its own a turn (7.13)."""

from contracts.ids import POOL, CompanyId, Party
from services.engine.rules.acts.redeem_shares import REDEEM_SHARES
from services.engine.rules.companies.director import is_in_receivership
from services.engine.rules.parts.kinds import Step
from services.engine.rules.ruleset import Ruleset
from services.engine.rules.shares.counting import shares_held
from services.engine.table.state import Table


def says_so(ruleset: Ruleset, table: Table, who: Party) -> bool:
    """Whether a director has to pass what his company cannot pay (ruling "redeeming")."""
    company = CompanyId(who)
    waits = ruleset.rulings.get("redeeming") == "where the pool has one"
    return (
        waits and not is_in_receivership(table, company) and shares_held(table, company, POOL) > 0
    )


REDEEM = Step((REDEEM_SHARES,), waits=says_so)

"""The step of running: all trains together, once (3.6.1)."""

from contracts.ids import CompanyId, Party
from contracts.rejections import Rejection
from services.engine.rules.acts.run_trains import RUN_TRAINS, must_run
from services.engine.rules.draft import Draft
from services.engine.rules.parts import Step
from services.engine.rules.ruleset import Ruleset
from services.engine.rules.surveys import route_is_possible
from services.engine.rules.trains import trains_of
from services.engine.table.state import Table


def by_itself(ruleset: Ruleset, draft: Draft, who: Party) -> str | None:
    """Without a train or a possible route nothing runs."""
    company = CompanyId(who)
    if trains_of(draft.table, company) and route_is_possible(ruleset, draft.table, company):
        return None
    return "nothing to do"


def no_pass(ruleset: Ruleset, _table: Table, who: Party) -> Rejection:
    """Runs are named, even where a table allows that there are none."""
    return must_run(ruleset, CompanyId(who))


RUN = Step((RUN_TRAINS,), no_pass=no_pass, by_itself=by_itself)

"""The step of running: all trains together, once (3.6.1, 7.8).

A company in receivership runs by itself for all that its trains can bring, subsidy and all (7.3).
"""

from contracts.ids import CompanyId, Party
from contracts.rejections import Rejection
from services.engine.rules.acts.run_trains import RUN_TRAINS, must_run, ran
from services.engine.rules.companies.director import is_in_receivership
from services.engine.rules.draft import Draft
from services.engine.rules.parts.kinds import Step
from services.engine.rules.ruleset import Ruleset
from services.engine.rules.track.surveys import best_runs, run_is_possible
from services.engine.rules.trains.warranties import AFTER_RUN, use_up
from services.engine.table.state import Table


def by_itself(ruleset: Ruleset, draft: Draft, who: Party) -> str | None:
    """Without a train or a possible route nothing runs."""
    company = CompanyId(who)
    if not run_is_possible(ruleset, draft.table, company):
        use_up(ruleset, draft, company, AFTER_RUN)
        return "nothing to do"
    if not is_in_receivership(draft.table, company) or is_run_by_hand(ruleset):
        return None
    ran(ruleset, draft, company, best_runs(ruleset, draft.table, company, both=True).runs)
    return "done"


def is_run_by_hand(ruleset: Ruleset) -> bool:
    """Whether somebody runs the trains of a company in receivership, by ruling."""
    return ruleset.rulings.get("receivership runs") == "who acts for it"


def no_pass(ruleset: Ruleset, _table: Table, who: Party) -> Rejection:
    """Runs are named, even where a table allows that there are none."""
    return must_run(ruleset, CompanyId(who))


RUN = Step((RUN_TRAINS,), no_pass=no_pass, by_itself=by_itself)

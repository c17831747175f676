"""The steps in which companies join: as a turn begins, and as it ends (7.5, 7.14)."""

from contracts.ids import CompanyId, Party
from services.engine.rules.acts.propose_joining import PROPOSE_ACQUISITION, PROPOSE_MERGER
from services.engine.rules.companies.director import is_in_receivership
from services.engine.rules.parts.kinds import Step
from services.engine.rules.ruleset import Ruleset
from services.engine.table.state import Table


def says_so(ruleset: Ruleset, table: Table, who: Party) -> bool:
    """Whether a director has to say that his company joins none (ruling "nothing to join")."""
    waits = ruleset.rulings.get("nothing to join") == "must say so"
    return waits and not is_in_receivership(table, CompanyId(who))


MERGE = Step((PROPOSE_MERGER,), waits=says_so)
ACQUIRE = Step((PROPOSE_ACQUISITION,), waits=says_so)

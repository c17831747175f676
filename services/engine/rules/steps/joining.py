"""The steps in which companies join: as a turn begins, and as it ends (7.5, 7.14)."""

from contracts.ids import Party
from services.engine.rules.acts.propose_joining import PROPOSE_ACQUISITION, PROPOSE_MERGER
from services.engine.rules.parts import Step
from services.engine.rules.ruleset import Ruleset
from services.engine.table.state import Table


def says_so(ruleset: Ruleset, _table: Table, _who: Party) -> bool:
    """Whether a director has to say that his company joins none (ruling "nothing to join")."""
    return ruleset.rulings.get("nothing to join") == "must say so"


MERGE = Step((PROPOSE_MERGER,), waits=says_so)
ACQUIRE = Step((PROPOSE_ACQUISITION,), waits=says_so)

"""The steps in which companies join: as a turn begins, and as it ends (7.5, 7.14)."""

from services.engine.rules.acts.propose_joining import PROPOSE_ACQUISITION, PROPOSE_MERGER
from services.engine.rules.parts import Step

MERGE = Step((PROPOSE_MERGER,))
ACQUIRE = Step((PROPOSE_ACQUISITION,))

"""All parts by name: what a step, a question, a procedure or a round of that name does.

Names are recorded at tables and never renamed; a retired part stays, since a running turn keeps the
steps that it began with.
"""

from collections.abc import Mapping
from typing import Final

from contracts.frames import Consent
from services.engine.rules.acts import consent
from services.engine.rules.acts.withdraw import WITHDRAW
from services.engine.rules.parts import joining as joining_parts
from services.engine.rules.parts import operating as operating_parts
from services.engine.rules.parts import parliament as parliament_parts
from services.engine.rules.parts import stock as stock_parts
from services.engine.rules.parts.kinds import Act, Advance, Asking, RoundKind, Step

STEPS: Final[Mapping[str, Step]] = {
    **stock_parts.STEPS,
    **operating_parts.STEPS,
    **joining_parts.STEPS,
    **parliament_parts.STEPS,
}
ANYTIME: Final[Mapping[str, tuple[Act, ...]]] = {**stock_parts.ANYTIME, **operating_parts.ANYTIME}
ASIDES: Final[tuple[Act, ...]] = (*stock_parts.ASIDES, *operating_parts.ASIDES)
WITHDRAWALS: Final[tuple[Act, ...]] = (WITHDRAW,)
PROPOSALS: Final[consent.Proposals] = {
    **stock_parts.PROPOSALS,
    **operating_parts.PROPOSALS,
    **joining_parts.PROPOSALS,
}
ASKINGS: Final[Mapping[type, Asking]] = {
    **stock_parts.ASKINGS,
    **operating_parts.ASKINGS,
    **joining_parts.ASKINGS,
    **parliament_parts.ASKINGS,
    Consent: consent.asking(PROPOSALS),
}
PROCEDURES: Final[Mapping[type, Advance]] = {
    **stock_parts.PROCEDURES,
    **operating_parts.PROCEDURES,
    **joining_parts.PROCEDURES,
    **parliament_parts.PROCEDURES,
}
ROUNDS: Final[Mapping[str, RoundKind]] = {
    **stock_parts.ROUNDS,
    **operating_parts.ROUNDS,
    **parliament_parts.ROUNDS,
}

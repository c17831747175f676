"""Parts of the game, by name."""

from collections.abc import Mapping
from typing import Final

from services.engine.rules.acts.consent import Proposals
from services.engine.rules.parts import Act, Advance, Asking, RoundKind, Step

STEPS: Final[Mapping[str, Step]] = {}
ANYTIME: Final[Mapping[str, tuple[Act, ...]]] = {}
ASIDES: Final[tuple[Act, ...]] = ()
ASKINGS: Final[Mapping[type, Asking]] = {}
PROCEDURES: Final[Mapping[type, Advance]] = {}
ROUNDS: Final[Mapping[str, RoundKind]] = {}
PROPOSALS: Final[Proposals] = {}

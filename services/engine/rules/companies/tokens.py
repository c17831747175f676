"""How many tokens a company may have."""

from typing import Final

from services.engine.rules.ruleset import Ruleset

EIGHT: Final = 8
"""The most with additional station markers (11.4)."""


def most_tokens(ruleset: Ruleset) -> int | None:
    """The most tokens of one company, on the board and unused; None for any number."""
    if ruleset.variants.get("tokens") == "eight":
        return EIGHT
    return ruleset.facts.token_rules.most

"""Which rulings a game from elsewhere is played under."""

from typing import Final

from services.engine.rules.ruleset import RULING_SET

RULEBOOK: Final = "rulebook"
"""The name for every ruling at its default."""


def ruling_choices(name: str | None) -> dict[str, str] | None:
    """The rulings that a set's name stands for; None leaves them to the importer.

    >>> ruling_choices("rulebook"), ruling_choices("league")
    ({}, {'set': 'league'})
    """
    if name is None:
        return None
    return {} if name == RULEBOOK else {RULING_SET: name}

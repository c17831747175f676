"""When a company without a train must buy one."""

from collections.abc import Callable, Mapping
from typing import Final

from contracts.ids import CompanyId
from services.engine.rules.ruleset import Ruleset
from services.engine.rules.track.surveys import route_is_possible
from services.engine.table.state import Table

Duty = Callable[[Ruleset, Table, CompanyId], bool]
"""Whether a company that has no train must have one."""


def always(_ruleset: Ruleset, _table: Table, _company: CompanyId) -> bool:
    """Every company must have a train at the end of its turn, whether it can run or not (7.11)."""
    return True


MUST_OWN_TRAIN: Final[Mapping[str, Duty]] = {
    "if it has a possible route; its president helps": route_is_possible,
    "always; it sells its own shares or refinances, else it is bankrupt": always,
}
DIRECTOR_HELPS: Final[Mapping[str, bool]] = {
    "if it has a possible route; its president helps": True,
    "always; it sells its own shares or refinances, else it is bankrupt": False,
}
"""Whether the director pays what a company lacks for a train that it must have."""

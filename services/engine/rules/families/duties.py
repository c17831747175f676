"""When a company without a train must buy one."""

from collections.abc import Callable, Mapping
from typing import Final

from contracts.ids import CompanyId
from services.engine.rules.ruleset import Ruleset
from services.engine.rules.surveys import route_is_possible
from services.engine.table.state import Table

Duty = Callable[[Ruleset, Table, CompanyId], bool]
"""Whether a company that has no train must have one."""

MUST_OWN_TRAIN: Final[Mapping[str, Duty]] = {
    "if it has a possible route; its president helps": route_is_possible,
}

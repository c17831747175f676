"""Apply to a table what happened at it.

Nothing here asks whether an event was allowed. That was settled when it was recorded, by the rules
of that day, which is why a rule put right today leaves every finished game as it was.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from contracts import events as e
from services.engine.table import (
    on_agenda,
    on_beside,
    on_charters,
    on_money,
    on_opening,
    on_track,
)
from services.engine.table.state import Table

Apply = Callable[[Table, Any], Table]

APPLY: Final[Mapping[type, Apply]] = {
    **on_opening.APPLY,
    **on_agenda.APPLY,
    **on_money.APPLY,
    **on_charters.APPLY,
    **on_track.APPLY,
    **on_beside.APPLY,
}


class UnknownEventError(TypeError):
    """An event that no release of this program ever wrote."""


def evolve(table: Table, event: e.AnyEvent) -> Table:
    """The table after an event. Takes no rules, so it cannot ask one."""
    try:
        apply = APPLY[type(event)]
    except KeyError:
        raise UnknownEventError(type(event).__name__) from None
    return apply(table, event)


def evolve_all(table: Table, events: Iterable[e.AnyEvent]) -> Table:
    """The table after several events."""
    for event in events:
        table = evolve(table, event)
    return table


__all__ = ["APPLY", "UnknownEventError", "evolve", "evolve_all"]

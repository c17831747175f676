"""Seats, programmes and the clock: what happens beside the game."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final

from contracts import events as e
from services.engine.table.change import changed, with_entry
from services.engine.table.state import Beside, Table


def seat_taken(beside: Beside, event: e.SeatTaken) -> Beside:
    """Somebody acts for a seat from now on."""
    return changed(beside, people=with_entry(beside.people, event.player, event.person))


def time_called(beside: Beside, _event: e.TimeCalled) -> Beside:
    """Nothing lies elsewhere: what is done about it has events of its own."""
    return beside


def programme_set(beside: Beside, event: e.ProgrammeSet) -> Beside:
    """One more programme is held."""
    return changed(beside, programmes=(*beside.programmes, event.held))


def programme_stopped(beside: Beside, event: e.ProgrammeStopped) -> Beside:
    """A programme is held no more."""
    left = tuple(held for held in beside.programmes if held.id != event.held.id)
    return changed(beside, programmes=left)


def paused(beside: Beside, event: e.PlayPaused) -> Beside:
    """Time stands still, or runs again."""
    return changed(beside, paused=event.paused)


def leave_taken(beside: Beside, event: e.LeaveTaken) -> Beside:
    """Some days more are off."""
    taken = (*beside.leave.get(event.player, ()), event.leave)
    return changed(beside, leave=with_entry(beside.leave, event.player, taken))


def hours_set(beside: Beside, event: e.HoursSet) -> Beside:
    """A player has other hours."""
    return changed(beside, hours=with_entry(beside.hours, event.player, event.hours))


BESIDE: Final[Mapping[type, Callable[[Beside, Any], Beside]]] = {
    e.SeatTaken: seat_taken,
    e.TimeCalled: time_called,
    e.ProgrammeSet: programme_set,
    e.ProgrammeStopped: programme_stopped,
    e.PlayPaused: paused,
    e.LeaveTaken: leave_taken,
    e.HoursSet: hours_set,
}


def applied_to(
    apply: Callable[[Beside, Any], Beside],
    table: Table,
    event: Any,  # noqa: ANN401 - any of them
) -> Table:
    """The table with what lies beside its game changed."""
    return changed(table, beside=apply(table.beside, event))


APPLY: Final[Mapping[type, Any]] = {
    kind: partial(applied_to, apply) for kind, apply in BESIDE.items()
}

"""Opening a table, chance, phases, and the end."""

from collections.abc import Mapping
from typing import Any, Final

from contracts import events as e
from contracts.ids import Party
from contracts.pieces import Drawn
from services.engine.table.board import Board
from services.engine.table.change import changed, with_entry
from services.engine.table.state import Beside, Ending, Table


def opened(table: Table, event: e.TableOpened) -> Table:
    """Title, rulings, settings and seats are fixed."""
    order = tuple(seat.player for seat in event.seats)
    people = {seat.player: seat.person for seat in event.seats if seat.person is not None}
    return changed(
        table,
        title=event.title,
        edition=event.edition,
        variants=event.variants,
        rulings=event.rulings,
        settings=event.settings,
        seed=event.seed,
        seats=event.seats,
        order=order,
        first=order[0],
        beside=Beside(people=people),
    )


def set_out(table: Table, event: e.PiecesSetOut) -> Table:
    """Every piece lies where the event says."""
    return changed(
        table,
        cash=event.cash,
        certificates=event.certificates,
        charters=event.charters,
        trains=event.trains,
        board=Board({}, event.tokens, event.tiles),
        counters=event.counters,
    )


def drawn(table: Table, event: e.LotsDrawn) -> Table:
    """The outcome is kept, with the number of draws for its purpose."""
    lots = with_entry(table.lots, event.purpose, Drawn(event.number, event.outcome))
    return changed(table, lots=lots)


def order_set(table: Table, event: e.OrderSet) -> Table:
    """Players sit in this order from now on."""
    return changed(table, order=event.order, first=event.first)


def phase_began(table: Table, event: e.PhaseBegan) -> Table:
    """A phase holds from now on."""
    return changed(table, phase=event.phase, certificate_limit=event.certificate_limit)


def companies_opened(table: Table, event: e.CompaniesOpened) -> Table:
    """Charters of these companies may be taken."""
    charters = dict(table.charters)
    for company in event.companies:
        charters[company] = changed(charters[company], status="open")
    return changed(table, charters=charters)


def counter_moved(table: Table, event: e.CounterMoved) -> Table:
    """Numbers of one kind are as given; a nought is forgotten."""
    counters: dict[Party, dict[str, int]] = dict(table.counters)
    for party, number in event.numbers.items():
        kinds = dict(counters.get(party, {}))
        kinds[event.kind] = number
        if not number:
            del kinds[event.kind]
        counters[party] = kinds
        if not kinds:
            del counters[party]
    return changed(table, counters=counters)


def end_triggered(table: Table, event: e.GameEndTriggered) -> Table:
    """The end is in sight."""
    return changed(table, ending=Ending(event.because, event.last))


def ended(table: Table, event: e.GameEnded) -> Table:
    """The game is over: nothing is on the agenda any more."""
    last = table.ending.last if table.ending else "at once"
    ending = Ending(event.because, last, event.standings, over=True)
    return changed(table, ending=ending, agenda=(), requests=())


APPLY: Final[Mapping[type, Any]] = {
    e.TableOpened: opened,
    e.PiecesSetOut: set_out,
    e.LotsDrawn: drawn,
    e.OrderSet: order_set,
    e.PhaseBegan: phase_began,
    e.CompaniesOpened: companies_opened,
    e.CounterMoved: counter_moved,
    e.GameEndTriggered: end_triggered,
    e.GameEnded: ended,
}

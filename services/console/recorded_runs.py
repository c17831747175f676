"""Every run of a minute book beside the best that there was."""

from collections.abc import Sequence
from time import perf_counter

from msgspec import Struct

from contracts.events import RoutesRun
from contracts.ids import CompanyId, Money, TableId, TrainKind
from contracts.records import Record
from services.console.screen import Advance
from services.engine.rules.network.best import best
from services.engine.rules.network.readings import readings_of
from services.engine.rules.ruleset import ruleset_of
from services.engine.rules.track.surveys import running_trains
from services.engine.table.evolve import evolve_all
from services.engine.table.fold import tables
from services.engine.table.state import Table, new_table


class PlayedAndBest(Struct, frozen=True):
    """One run of a company: what it earned, and what the best runs would have earned.

    The best are those with the most revenue, and of these with the most subsidy, as the rulings of
    the table have it; what was played is not told to the search.

    `step` is the version of its record, or the step of the history that it was translated from.
    """

    step: int
    company: CompanyId
    trains: tuple[TrainKind, ...]
    played: Money
    played_subsidy: Money
    best: Money
    best_subsidy: Money
    proven: bool
    milliseconds: float


def recorded_runs(
    table_id: TableId, records: Sequence[Record], advance: Advance
) -> list[PlayedAndBest]:
    """All runs of a book, in order."""
    found: list[PlayedAndBest] = []
    before = new_table(table_id)
    for record, after in tables(table_id, records):
        for place, event in enumerate(record.events):
            if isinstance(event, RoutesRun):
                at_run = evolve_all(before, record.events[:place])
                found.append(_compared(at_run, record, event))
        advance(record.version, len(records))
        before = after
    return found


def _compared(table: Table, record: Record, event: RoutesRun) -> PlayedAndBest:
    ruleset = ruleset_of(table)
    trains = running_trains(ruleset, table, event.company)
    readings = readings_of(ruleset.rulings)
    began = perf_counter()
    found = best(ruleset.facts, table.board, table.phase, event.company, trains, readings=readings)
    return PlayedAndBest(
        step=_step(record),
        company=event.company,
        trains=tuple(train.kind for train in trains),
        played=event.revenue,
        played_subsidy=event.subsidy,
        best=found.revenue,
        best_subsidy=found.subsidy,
        proven=found.proven,
        milliseconds=round(1000 * (perf_counter() - began), 3),
    )


def _step(record: Record) -> int:
    """The step of a history is the second part of the ids of its orders (`history-12-1`)."""
    parts = record.order.id.rsplit("-", 2)
    return int(parts[1]) if len(parts) == 3 and parts[1].isdecimal() else record.version

"""Prove a whole minute book: nothing changed, nothing missing, nothing lost on the table.

The digests are followed first, so that damage is told apart: a changed byte, a missing record, a
swapped pair. Then every event is applied and what must never change is counted again after each.
Last, each view is worked out anew and compared, and the wealth of the players is added up on
another path. Nothing here asks the rules whether a move was allowed.
"""

from collections.abc import Mapping, Sequence

from contracts.events import Undone
from contracts.ids import TableId
from contracts.records import FIRST_DIGEST, Record
from contracts.views import AnyView, Fault, Report
from services.engine.projections import api
from services.engine.projections.audit_chain import chain_fault
from services.engine.projections.audit_pieces import Counting, event_fault, record_fault
from services.engine.projections.audit_views import views_fault
from services.engine.table.evolve import UnknownEventError, evolve
from services.engine.table.fold import applied, restored, undone_to
from services.engine.table.state import Table, new_table

Entry = tuple[bytes, bytes]
"""A record's encoding and the digest that stands with it."""


def audit(
    table_id: TableId,
    entries: Sequence[Entry],
    seal: bytes | None = None,
    stored: Mapping[api.Name, AnyView] | None = None,
) -> Report:
    """Everything that can be proved of a minute book, or its first fault.

    `seal` is a digest of this table that was noted elsewhere, such as in the head of the store;
    `stored` are views kept for the last version, to be held against those worked out here.
    """
    checks: dict[str, int] = {}
    records, fault = chain_fault(table_id, entries, seal, checks)
    play = _Play(table_id, checks)
    for record in records:
        found = play.next(record)
        if found is not None:
            fault = found
            break
    if fault is None and records:
        fault = views_fault(records, play.state, play.table, stored or {}, checks)
    return Report(
        table=table_id,
        sound=fault is None,
        records=len(entries),
        events=play.events,
        seal=(entries[-1][1] if entries else FIRST_DIGEST).hex(),
        checks=checks,
        fault=fault,
    )


class _Play:
    """The table as the audit goes along its records."""

    def __init__(self, id: TableId, checks: dict[str, int]) -> None:
        self.tables: list[Table] = [new_table(id)]
        self.state = api.start(id)
        self.counting = Counting(checks)
        self.events = 0

    @property
    def table(self) -> Table:
        """The table after the last record."""
        return self.tables[-1]

    def next(self, record: Record) -> Fault | None:
        """Apply one record; what is wrong with it, if anything is."""
        before = self.table
        to = undone_to(record)
        if to is None:
            fault = self._events_fault(record)
            if fault is not None:
                return fault
            after = applied(before, record)
        elif len(record.events) > 1 or not 0 <= to < record.version:
            sentence = f"Version {record.version} goes back to version {to}, which cannot be."
            return Fault("refused", record.version, sentence, 0, Undone.__name__)
        else:
            self.events += 1
            after = restored(before, self.tables[to], record)
        self.tables.append(after)
        fault = record_fault(self.counting, record, after)
        if fault is None:
            self.state = api.project(self.state, record, before, after)
        return fault

    def _events_fault(self, record: Record) -> Fault | None:
        """What is wrong after any event of a record."""
        table = self.table
        for place, event in enumerate(record.events):
            self.events += 1
            name = type(event).__name__
            try:
                after = evolve(table, event)
            except (LookupError, UnknownEventError, AttributeError, ValueError) as error:
                sentence = f"Version {record.version}: {name} cannot be applied ({error})."
                return Fault("refused", record.version, sentence, place, name)
            found = event_fault(self.counting, table, after, event)
            if found is not None:
                what, why = found
                sentence = f"Version {record.version}, {name}: {why}"
                return Fault(what, record.version, sentence, place, name)
            table = after
        return None

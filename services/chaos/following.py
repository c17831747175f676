"""A minute book as a client follows it: each record is held against what the rules decide here."""

from contracts.commands import Order
from contracts.ids import TableId
from contracts.people import PROGRAMME
from contracts.records import Record
from contracts.rejections import Rejection
from services.engine.rules.beside.programmes import automatic, is_automatic
from services.engine.rules.decide import decide
from services.engine.rules.ruleset import Ruleset
from services.engine.table.fold import applied, restored, undone_to
from services.engine.table.state import Table, new_table


class UnlikeError(Exception):
    """The engine did otherwise than the rules do here."""


class Followed:
    """A table with all of its earlier states, so that an undo can be followed too."""

    def __init__(self, id: TableId, ruleset: Ruleset) -> None:
        self.id = id
        self.ruleset = ruleset
        self.tables = [new_table(id)]
        self.ids: list[str] = []

    @property
    def table(self) -> Table:
        """The table as far as it was followed."""
        return self.tables[-1]

    def follow(self, record: Record) -> None:
        """Go one record on, whoever sent its order; raises `UnlikeError`."""
        before, order = self.table, record.order
        at = f"{self.id}, record {record.version}"
        if record.version != before.version + 1:
            raise UnlikeError(f"{at} comes after {before.version}")
        if (wrong := self._wrong_programme(before, order)) is not None:
            raise UnlikeError(f"{at}: {wrong}")
        events = decide(self.ruleset, before, order)
        if isinstance(events, Rejection):
            raise UnlikeError(f"{at}: {order.command} is refused here: {events.sentence}")
        if events != record.events:
            raise UnlikeError(f"{at}: {order.command} leads to other events here")
        to = undone_to(record)
        if to is None:
            self.tables.append(applied(before, record))
        else:
            self.tables.append(restored(before, self.tables[to], record))
        self.ids.append(order.id)

    def _wrong_programme(self, before: Table, order: Order) -> str | None:
        """Why somebody else, or no programme, should have moved."""
        expected = automatic(self.ruleset, before) if before.beside.programmes else None
        if order.sender.startswith(PROGRAMME):
            is_right = is_automatic(self.ruleset, before, order)
            return None if is_right else f"{order.sender} moved, and it was not for it to move"
        # One that was set although it cannot go on is stopped by the next record.
        if expected is None or isinstance(decide(self.ruleset, before, expected), Rejection):
            return None
        return f"{expected.sender} was to move before {order.sender}"

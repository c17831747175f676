"""A live table: as it stands, with what it takes to write its next record and to take one back."""

import contextlib
from collections.abc import Sequence
from typing import Final

import msgspec
from msgspec import Struct

from contracts.ids import TableId
from contracts.records import FIRST_DIGEST, Sealed
from services.bus.errors import DamagedLogError
from services.bus.following import ArchivedError
from services.engine import snapshots
from services.engine.ports import Head, Log
from services.engine.table.fold import applied, restored, table_at, tables, undone_to
from services.engine.table.state import Table, new_table

EARLIER_TABLES: Final = 64
"""Tables of the last versions that are kept at hand, so that an undo need not read the book."""


class BadRecordError(Exception):
    """A record cannot be applied to the table: its events do not fit what lies there."""


class Live(Struct, frozen=True):
    """A table, the digest and time of its last record, and the tables shortly before, oldest first.

    `unsaved` counts the records since the last snapshot.
    """

    table: Table
    digest: bytes
    at: int
    earlier: tuple[Table, ...]
    unsaved: int

    @property
    def version(self) -> int:
        """The version of the last record."""
        return self.table.version


def unopened(id: TableId) -> Live:
    """A table that nobody has opened yet."""
    return Live(new_table(id), FIRST_DIGEST, 0, (), 0)


async def opened(log: Log, release: str, id: TableId) -> Live:
    """The table as its minute book leaves it, by its snapshot where that counts.

    Raises `ArchivedError` if the book is in the archive, and `DamagedLogError`.
    """
    head = await log.head(id)
    if head.version == 0:
        return unopened(id)
    if head.is_archived:
        raise ArchivedError(id, head.version)
    start = snapshots.read(release, id, head.snapshot)
    if start is not None and start.table.version <= head.version:
        tail = await log.read(id, start.table.version)
        with contextlib.suppress(BadRecordError):
            live = _continued(start, tail)
            if live is not None:
                return _ending_at(head, live, tail)
    book = await log.read(id)
    return _ending_at(head, _folded(id, book), book)


def _continued(start: snapshots.Start, tail: Sequence[Sealed]) -> Live | None:
    """The table after the records since a snapshot, the first of which made the table in it.

    None if the book does not have that record, or goes back behind it.
    """
    if not tail or tail[0].digest != start.digest:
        return None
    live = Live(start.table, start.digest, tail[0].record.at, (), 0)
    for sealed in tail[1:]:
        to = undone_to(sealed.record)
        earlier = None if to is None else _at_hand(live, to)
        if to is not None and earlier is None:
            return None
        live = gone_on(live, sealed, earlier)
    return live


def _folded(id: TableId, book: Sequence[Sealed]) -> Live:
    """The table after all its records."""
    try:
        recent = [table for _, table in tables(id, (sealed.record for sealed in book))]
    except Exception as error:
        raise DamagedLogError(id, 0, f"It cannot be folded ({_said(error)}).") from error
    last = book[-1]
    return Live(
        recent[-1], last.digest, last.record.at, tuple(recent[-EARLIER_TABLES:-1]), len(book)
    )


def _ending_at(head: Head, live: Live, records: Sequence[Sealed]) -> Live:
    """The table, if its book agrees with its head. It may be longer by what was written since."""
    id = live.table.id
    if live.version < head.version:
        raise DamagedLogError(id, live.version + 1, f"It is missing; the head is {head.version}.")
    at_head = records[head.version - live.version - 1]
    if at_head.digest != head.digest:
        raise DamagedLogError(id, head.version, "Its digest is not the one in the table's head.")
    return live


def gone_on(live: Live, sealed: Sealed, earlier: Table | None = None) -> Live:
    """The table after one more record; `earlier` is the table that an undo goes back to."""
    record = sealed.record
    try:
        table = (
            applied(live.table, record)
            if earlier is None
            else restored(live.table, earlier, record)
        )
    except Exception as error:
        raise BadRecordError(f"Record {record.version} does not fit: {_said(error)}.") from error
    kept = (*live.earlier, live.table)[-EARLIER_TABLES:]
    return Live(table, sealed.digest, record.at, kept, live.unsaved + 1)


def _said(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"


async def before_undo(log: Log, live: Live, version: int) -> Table:
    """The table that an undo goes back to."""
    at_hand = _at_hand(live, version)
    if at_hand is not None:
        return at_hand
    book = await log.read(live.table.id, 1, version)
    return table_at(live.table.id, [sealed.record for sealed in book])


def _at_hand(live: Live, version: int) -> Table | None:
    return next((table for table in live.earlier if table.version == version), None)


def saved(live: Live) -> Live:
    """The table with its snapshot written."""
    return msgspec.structs.replace(live, unsaved=0)

"""A table's reckoning as it is kept with its timers: its book need not be read from the start.

It is a short cut, and never relied on: it counts only for the record whose digest it names, with
the table that the engine's snapshot and the records since give for that version. Whatever does not
agree is left aside, and the table is reckoned from its first record.
"""

from collections.abc import Mapping

import msgspec
from msgspec import Struct

from contracts.ids import TableId
from services.bus.following import Books
from services.clock.reckoning import Reckoning
from services.engine import snapshots
from services.engine.table.fold import applied, restored, undone_to
from services.engine.table.state import Table


class Followed(Struct, frozen=True):
    """A table as far as its book was read, with its reckoning and its last digest.

    `untold` are prompts of records that the feed has not come to yet, by version. `earlier` are the
    tables shortly before by version, so that an undo need not read the book.
    """

    table: Table
    reckoning: Reckoning
    digest: bytes
    untold: Mapping[int, tuple[bytes, ...]] = {}
    earlier: Mapping[int, Table] = {}


class Saved(Struct, frozen=True, array_like=True):
    """What is kept of a table that was followed: all but the table."""

    made_by: str
    version: int
    digest: bytes
    reckoning: Reckoning
    untold: Mapping[int, tuple[bytes, ...]]


_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(Saved).decode


def saved(release: str, followed: Followed) -> bytes:
    """What is to be kept of a table that was followed; it counts for this release alone."""
    one = followed
    return _encode(Saved(release, one.table.version, one.digest, one.reckoning, one.untold))


async def restored_from(
    books: Books, release: str, id: TableId, body: bytes | None
) -> Followed | None:
    """A table as it was followed when it was saved; None if it cannot be had without its book."""
    if body is None:
        return None
    try:
        kept = _decode(body)
    except msgspec.DecodeError:
        return None
    head = await books.head(id)
    start = snapshots.read(release, id, head.snapshot)
    if kept.made_by != release or start is None or start.table.version > kept.version:
        return None
    book = await books.read(id, start.table.version)
    wanted = kept.version - start.table.version
    if len(book) <= wanted or book[0].digest != start.digest:
        return None
    if book[wanted].digest != kept.digest:
        return None
    passed = {start.table.version: start.table}
    table = start.table
    for sealed in book[1 : wanted + 1]:
        to = undone_to(sealed.record)
        if to is None:
            table = applied(table, sealed.record)
        elif to in passed:
            table = restored(table, passed[to], sealed.record)
        else:
            return None
        passed[table.version] = table
    del passed[table.version]
    return Followed(table, kept.reckoning, kept.digest, kept.untold, passed)

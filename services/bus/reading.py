"""Read minute books from the store; every record is checked against the one before it."""

from collections.abc import AsyncIterator, Iterable
from typing import Final

import msgspec

from contracts import streams, upcasts
from contracts.ids import TableId
from contracts.records import FIRST_DIGEST, Sealed, digest
from services.bus.errors import DamagedLogError
from services.bus.following import Head
from services.bus.typed import Client, LogEntry

_FORMAT = streams.LOG_FORMAT.encode()
_BODY = streams.LOG_BODY.encode()
_DIGEST = streams.LOG_DIGEST.encode()

PAGE: Final = 500
"""Records that are fetched at a time, so that a long book never stands in the store's way."""


def entry_id(version: int) -> str:
    """The id of a record's entry in its log."""
    return f"{version}-0"


def sealed(
    table: TableId, entries: Iterable[LogEntry], previous: bytes | None, version: int
) -> list[Sealed]:
    """Records out of log entries: gapless from `version` on, each chained to the one before.

    `previous` None takes the first record's digest as it stands.
    """
    found: list[Sealed] = []
    for id, fields in entries:
        number = int(id.partition(b"-")[0])
        if number != version:
            raise DamagedLogError(table, version, f"It is missing; record {number} follows.")
        try:
            body, mark = fields[_BODY], fields[_DIGEST]
            record = upcasts.read(int(fields[_FORMAT]), body)
        except (KeyError, ValueError, msgspec.DecodeError) as error:
            raise DamagedLogError(table, version, f"It cannot be read ({error}).") from error
        if record.version != version:
            raise DamagedLogError(table, version, f"It says that it is record {record.version}.")
        if record.order.table != table:
            raise DamagedLogError(table, version, f"It is of table {record.order.table}.")
        if previous is not None and digest(previous, body) != mark:
            raise DamagedLogError(
                table, version, "Its digest does not follow from what is written."
            )
        found.append(Sealed(record, body, mark))
        previous, version = mark, version + 1
    return found


async def read_head(client: Client, partition: int, table: TableId) -> Head:
    """Where a table's book ends, with its snapshot; version 0 of a table never opened."""
    async with client.pipeline(transaction=False) as both:
        both.execute_command(
            "HMGET",
            streams.head(partition, table),
            *(streams.HEAD_VERSION, streams.HEAD_DIGEST, streams.HEAD_ARCHIVED),
        )
        both.execute_command("GET", streams.snapshot(partition, table))
        (version, digest, archived), snapshot = await both.execute()
    if version is None:
        return Head(0, FIRST_DIGEST)
    return Head(int(version), digest, snapshot, archived is not None)


async def read_log(
    client: Client, partition: int, table: TableId, first: int = 1, last: int | None = None
) -> list[Sealed]:
    """The records `first` to `last` of a table (to its end if None), all digests checked."""
    return [one async for one in records(client, partition, table, first, last)]


async def records(
    client: Client, partition: int, table: TableId, first: int = 1, last: int | None = None
) -> AsyncIterator[Sealed]:
    """The records `first` to `last` of a table, a page at a time."""
    key = streams.log(partition, table)
    previous = FIRST_DIGEST if first == 1 else None
    if first > 1:
        # What stands before the first one wanted, so that this one too is checked against it.
        before = await client.xrange(key, entry_id(first - 1), entry_id(first - 1))
        previous = before[0][1].get(_DIGEST) if before else None
    end = entry_id(last) if last is not None else "+"
    while True:
        entries = await client.xrange(key, entry_id(first), end, count=PAGE)
        page = sealed(table, entries, previous, first)
        for one in page:
            yield one
        if len(page) < PAGE:
            return
        previous, first = page[-1].digest, page[-1].record.version + 1

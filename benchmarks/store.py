"""A private store to measure with, and minute books written straight into it."""

import contextlib
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from pathlib import Path
from typing import Final

from contracts.ids import TableId
from contracts.records import FIRST_DIGEST, Sealed
from contracts.streams import Recorded
from services.bus.connection import connection, opened
from services.embedded.server import Server
from services.engine import snapshots
from services.engine.handling import SNAPSHOT_EVERY
from services.engine.live import Live, gone_on, saved, unopened
from services.engine.ports import Lease, Write
from services.engine.store import Store
from services.engine.table.fold import tables, undone_to

RELEASE: Final = "bench"


@contextlib.asynccontextmanager
async def private_store() -> AsyncIterator[tuple[Store, str]]:
    """A store of its own in a new folder, which writes through to the disk; and its address."""
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        async with Server(Path(folder)) as server, connection(server.url) as client:
            yield Store(client, await opened(client)), server.url


async def lease_of(store: Store, partition: int) -> Lease:
    """The right to write in a partition."""
    await store.create_group(partition)
    lease = await store.take(partition, RELEASE)
    assert isinstance(lease, Lease)  # nobody else is at this store
    return lease


def writes(table: TableId, book: Sequence[Sealed]) -> list[Write]:
    """The writes that make a table's book, with snapshots as the engine takes them."""
    after = [one for _, one in tables(table, (sealed.record for sealed in book))]
    found: list[Write] = []
    digest = FIRST_DIGEST
    for number, sealed in enumerate(book):
        goes_back = undone_to(sealed.record) is not None
        kept = goes_back or (number + 1) % SNAPSHOT_EVERY == 0
        found.append(
            Write(
                table=table,
                id=sealed.record.order.id,
                entry="",
                channel="",
                outcome=Recorded(number + 1),
                version=number,
                digest=digest,
                sealed=sealed,
                snapshot=snapshots.written(RELEASE, after[number], sealed.digest) if kept else None,
            )
        )
        digest = sealed.digest
    return found


async def written(store: Store, table: TableId, book: Sequence[Sealed]) -> None:
    """Write a whole book."""
    lease = await lease_of(store, store.partition_of(table))
    made = writes(table, book)
    for first in range(0, len(made), 100):
        await store.commit(lease, made[first : first + 100])


async def wall_seconds(work: Callable[[], Awaitable[object]], times: int) -> list[float]:
    """What some work took each time, by the clock on the wall, in order of time."""
    took: list[float] = []
    for _ in range(times):
        began = time.perf_counter()
        await work()
        took.append(time.perf_counter() - began)
    return sorted(took)


def live_at(table: TableId, book: Sequence[Sealed]) -> Live:
    """A live table as an engine has it at hand after a book."""
    live = unopened(table)
    for sealed in book:
        live = gone_on(live, sealed)
        if live.unsaved >= SNAPSHOT_EVERY:
            live = saved(live)
    return live

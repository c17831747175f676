"""Appending records, against the bare server with the same durability and the same payload."""

import asyncio
import time
from collections.abc import Sequence
from typing import TypeVar

from benchmarks.games import longest, sealed
from benchmarks.measuring import Benchmark, Figure
from benchmarks.store import lease_of, private_store, writes
from contracts import streams
from contracts.ids import TableId
from contracts.records import Sealed
from services.engine.ports import Lease, Write
from services.engine.store import Store

T = TypeVar("T")
BATCHES = (1, 32)
TABLES = 32
GOAL = "at least 0.7"


def run(quick: bool) -> list[Figure]:  # noqa: FBT001 - as all benchmarks
    """Append records one at a time, and so many at once as an engine does under load."""
    return asyncio.run(_run(6 if quick else 40, 1 if quick else 3))


async def _run(records: int, rounds: int) -> list[Figure]:
    game = longest(quick=False)
    some = game.records[:records]
    found: list[Figure] = []
    async with private_store() as (store, _):
        for batch in BATCHES:
            ours: list[float] = []
            bare: list[float] = []
            for number in range(rounds):
                names = _names(store, f"{batch}-{number}")
                lease = await lease_of(store, 0)
                books = {name: sealed(name, some) for name in names}
                # One by one the tables take their turns, as players do.
                made = _in_turn([writes(name, book) for name, book in books.items()])
                plain = _in_turn([[(name, s) for s in book] for name, book in books.items()])
                bare.append(await _bare(store, plain, batch))
                ours.append(await _ours(store, lease, made, batch))
            name = f"{batch} at once"
            found.append(
                Figure(
                    f"records appended, {name}",
                    max(ours),
                    "per second",
                    f"bare appends of the same bytes, {name}: {max(bare):,.0f} per second",
                    max(ours) / max(bare),
                    GOAL,
                    should_grow=True,
                )
            )
    return found


def _names(store: Store, prefix: str) -> list[TableId]:
    """Names of tables that all live in the first partition."""
    found: list[TableId] = []
    number = 0
    while len(found) < TABLES:
        name = TableId(f"table-{prefix}-{number}")
        if store.partition_of(name) == 0:
            found.append(name)
        number += 1
    return found


def _in_turn(books: Sequence[Sequence[T]]) -> list[T]:
    return [one for row in zip(*books, strict=True) for one in row]


async def _ours(store: Store, lease: Lease, made: list[Write], batch: int) -> float:
    began = time.perf_counter()
    for first in range(0, len(made), batch):
        await store.commit(lease, made[first : first + batch])
    return len(made) / (time.perf_counter() - began)


async def _bare(store: Store, plain: list[tuple[TableId, Sealed]], batch: int) -> float:
    """The same bodies and digests appended to streams, and nothing else."""
    began = time.perf_counter()
    for first in range(0, len(plain), batch):
        async with store.client.pipeline(transaction=False) as together:
            for name, one in plain[first : first + batch]:
                together.execute_command(
                    "XADD",
                    f"bare:{name}",
                    f"{one.record.version}-0",
                    *(streams.LOG_BODY, one.body, streams.LOG_DIGEST, one.digest),
                )
            await together.execute()
    return len(plain) / (time.perf_counter() - began)


APPENDING = Benchmark("append", "appending records to the store", run, is_pure=False)

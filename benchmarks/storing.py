"""What a table takes: bytes of the store for each event, memory of the store and of an engine."""

import asyncio
import tracemalloc

from benchmarks.games import Game, games, sealed
from benchmarks.measuring import Benchmark, Figure
from benchmarks.store import live_at, private_store, written
from contracts.ids import TableId
from contracts.records import encode
from contracts.streams import head, log, outcomes, snapshot
from services.engine.store import Store

EVENT_BYTES, TABLE_KILOBYTES = "150", "240"
"""A hundred thousand tables in 24 GB."""


def encoded(quick: bool) -> list[Figure]:  # noqa: FBT001 - as all benchmarks
    """The bytes of the records of each game, by event."""
    found: list[Figure] = []
    for game in games(quick=quick):
        size = sum(len(encode(record)) for record in game.records)
        each = size / game.events
        found.append(Figure(f"encoded event of {game.name}", each, "bytes", "", each, EVENT_BYTES))
    return found


def kept(quick: bool) -> list[Figure]:  # noqa: FBT001 - as all benchmarks
    """What whole and half-played games take of the store, and live tables of an engine."""
    return asyncio.run(_kept(quick=quick))


async def _kept(*, quick: bool) -> list[Figure]:
    found: list[Figure] = []
    async with private_store() as (store, _):
        for game in games(quick=quick):
            whole = await _bytes_of(store, game, len(game.records))
            each = whole / game.events
            name = f"event of {game.name} in the store, all included"
            found.append(Figure(name, each, "bytes", "", each, EVENT_BYTES))
            half = await _bytes_of(store, game, len(game.records) // 2) / 1000
            name = f"live table in the store, {game.name} half played"
            found.append(Figure(name, half, "kB", "", half, TABLE_KILOBYTES))
            memory = _memory_of(game) / 1000
            name = f"live table at hand in an engine, {game.name} half played"
            found.append(Figure(name, memory, "kB", "", memory))
    return found


async def _bytes_of(store: Store, game: Game, count: int) -> int:
    """What the server says that all keys of a table take."""
    table = TableId(f"kept-{game.title}-{game.events}-{count}")
    await written(store, table, sealed(table, game.records[:count]))
    partition = store.partition_of(table)
    size = 0
    for key in (log, head, outcomes, snapshot):
        taken = await store.client.execute_command(
            "MEMORY", "USAGE", key(partition, table), "SAMPLES", 0
        )
        size += taken or 0
    return size


def _memory_of(game: Game) -> int:
    """What a live table with the tables before it takes of this process."""
    table = TableId("at-hand")
    book = sealed(table, game.records[: len(game.records) // 2])
    tracemalloc.start()
    before, _ = tracemalloc.get_traced_memory()
    live = live_at(table, book)
    after, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert live.version == len(book)  # it is still at hand
    return after - before


ENCODED = Benchmark("bytes", "bytes of encoded events", encoded)
KEPT = Benchmark("memory", "what tables take of store and engine", kept, is_pure=False)

"""Orders end to end: sent over the bus, decided by real engine processes, written, answered."""

import asyncio
import contextlib
import os
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Sequence
from pathlib import Path

from msgspec.structs import replace

from benchmarks.games import SEED, played
from benchmarks.measuring import Benchmark, Figure, quantile
from contracts import streams
from contracts.commands import Order
from contracts.ids import TableId
from contracts.streams import Recorded
from contracts.titles.load import titles
from services.bus.client import Bus, bus
from services.console.supervisor import Service, Supervisor
from services.embedded.server import Server
from services.embedded.store import ADDRESS_SETTING

WRITERS = (1, 16, 64)
ENGINES = (1, 2)
MOVES = 60
"""Records of a table, the opening and the rest of a first stock round."""
SECONDS_TO_START = 60.0


def latencies(quick: bool) -> list[Figure]:  # noqa: FBT001 - as all benchmarks
    """The time from sending an order to its answer, with several writers at once."""
    return asyncio.run(_latencies(WRITERS[:2] if quick else WRITERS, quick=quick))


async def _latencies(writers: Sequence[int], *, quick: bool) -> list[Figure]:
    found: list[Figure] = []
    async with engines(1) as one:
        await _played(one, "warm", 4, quick=quick)
        for count in writers:
            bare = await _bare(one, count, 40)
            took, _ = await _played(one, f"w{count}", count, quick=quick)
            for part, words in ((0.5, "median"), (0.99, "99 of 100")):
                found.append(
                    Figure(
                        f"order answered, {count} writers, {words}",
                        1000 * quantile(took, part),
                        "ms",
                        f"a bare append by as many: {1000 * quantile(bare, part):.1f} ms",
                        quantile(took, part) / quantile(bare, part),
                    )
                )
    return found


def processes(quick: bool) -> list[Figure]:  # noqa: FBT001 - as all benchmarks
    """Orders answered per second by one engine process and by two that share the partitions."""
    return asyncio.run(_processes(quick=quick))


async def _processes(*, quick: bool) -> list[Figure]:
    rates: list[float] = []
    for number in ENGINES:
        async with engines(number) as one:
            await _played(one, "warm", 8, quick=quick)
            _, rate = await _played(one, "many", 16 if quick else 64, quick=quick)
            rates.append(rate)
    return [
        Figure(
            f"orders answered by {number} engine{'s' if number > 1 else ''}",
            rate,
            "per second",
            "one engine",
            rate / rates[0],
            should_grow=True,
        )
        for number, rate in zip(ENGINES, rates, strict=True)
    ]


@contextlib.asynccontextmanager
async def engines(number: int) -> AsyncIterator[Bus]:
    """A private store with so many engine processes that share its partitions."""
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        async with Server(Path(folder) / "data") as server:
            kept = {name: value for name, value in os.environ.items() if "MINUTEBOOK" not in name}
            share = streams.PARTITIONS // number
            services = [
                Service(
                    f"engine-{first}",
                    (
                        *(sys.executable, "-P", "-m", "services.engine"),
                        *("--partitions", f"{first}-{first + share - 1}"),
                    ),
                )
                for first in range(0, share * number, share)
            ]
            running = Supervisor(
                services,
                logs=Path(folder) / "logs",
                environment={**kept, ADDRESS_SETTING: server.url},
            )
            with running:
                async with bus(server.url) as one:
                    await _ready(one)
                    yield one


async def _ready(one: Bus) -> None:
    """Wait until all partitions are served."""
    until = time.monotonic() + SECONDS_TO_START
    held = 0
    while held < streams.PARTITIONS:
        if time.monotonic() > until:
            raise TimeoutError("The engines did not start.")
        await asyncio.sleep(0.1)
        held = 0
        for partition in range(streams.PARTITIONS):
            held += await one.client.execute_command("EXISTS", streams.lease(partition))
    await asyncio.sleep(1)


def orders(table: TableId, count: int) -> list[Order]:
    """Orders of a game that house players play, for a table of this name."""
    records = played(titles()[0], count).records
    return [replace(record.order, table=table) for record in records]


async def _played(one: Bus, prefix: str, count: int, *, quick: bool) -> tuple[list[float], float]:
    """What each order took at so many tables at once, in order of time; and orders per second."""
    took: list[float] = []

    async def at_a_table(number: int) -> None:
        for order in orders(TableId(f"{prefix}-{SEED}-{number}"), 20 if quick else MOVES):
            began = time.perf_counter()
            outcome = await one.send(order)
            took.append(time.perf_counter() - began)
            assert isinstance(outcome, Recorded), outcome

    began = time.perf_counter()
    await asyncio.gather(*(at_a_table(number) for number in range(count)))
    return sorted(took), len(took) / (time.perf_counter() - began)


async def _bare(one: Bus, count: int, times: int) -> list[float]:
    """What appending a few hundred bytes takes, by so many at once."""
    took: list[float] = []

    async def writer(number: int) -> None:
        for _ in range(times):
            began = time.perf_counter()
            await one.client.execute_command("XADD", f"bare-{number}", "*", "b", bytes(400))
            took.append(time.perf_counter() - began)

    await asyncio.gather(*(writer(number) for number in range(count)))
    return sorted(took)


LATENCY = Benchmark(
    "latency", "orders end to end through an engine process", latencies, is_pure=False
)
PROCESSES = Benchmark("engines", "one engine process and two", processes, is_pure=False)

"""Opening a live table from the store: however long its book is, it takes the same."""

import asyncio

from benchmarks.games import lengthened, longest, sealed
from benchmarks.measuring import Benchmark, Figure, quantile
from benchmarks.store import RELEASE, private_store, wall_seconds, written
from contracts.ids import TableId
from services.engine.live import opened

LENGTHS = (100, 1000, 5000)
MILLISECONDS = "20"


def run(quick: bool) -> list[Figure]:  # noqa: FBT001 - as all benchmarks
    """Open a table half way between two snapshots, at several lengths."""
    return asyncio.run(_run(LENGTHS[:2] if quick else LENGTHS, 5 if quick else 40))


async def _run(lengths: tuple[int, ...], times: int) -> list[Figure]:
    game = longest(quick=False)
    found: list[Figure] = []
    async with private_store() as (store, _):
        medians: list[float] = []
        for length in lengths:
            table = TableId(f"long-{length}")
            await written(store, table, sealed(table, lengthened(game.records, length + 50)))
            took = await wall_seconds(lambda table=table: opened(store, RELEASE, table), times)  # type: ignore[misc]
            medians.append(quantile(took, 0.5))
            found.append(
                Figure(
                    f"a table of {length:,} records and 50 more",
                    1000 * medians[-1],
                    "ms",
                    f"one of {lengths[0]:,} and 50",
                    medians[-1] / medians[0],
                    MILLISECONDS,
                )
            )
    return found


OPENING = Benchmark("open", "opening a live table from the store", run, is_pure=False)

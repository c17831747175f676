"""Very many timers in a real store, done by real clocks that are killed: each once, and on time."""

import asyncio
import time

import pytest

from benchmarks.timing import EACH_SECOND, lateness, set_due, set_far
from contracts import streams
from services.bus.connection import connection, opened
from services.clock.store import Store
from tests.services.processes import Process, running

pytestmark = pytest.mark.anyio
TABLES = 5_000
SECONDS = 4
LEAD = 3_000_000
SECOND = 1_000_000


async def timed(store: Store, client) -> list[float]:
    """How late the timers were that have been done, in milliseconds."""
    late: list[float] = []
    for partition in range(store.partitions):
        late += await lateness(client, partition)
    return sorted(late)


async def set_up(client) -> tuple[Store, int, int]:
    """Many timers, of which some are due soon: how many, and from which moment on."""
    store = Store(client, await opened(client))
    await set_far(store, TABLES)
    start = time.time_ns() // 1000 + LEAD
    return store, await set_due(store, start, SECONDS), start


async def left(store: Store, client) -> int:
    """How many timers are still set."""
    keys = [streams.timers(partition) for partition in range(store.partitions)]
    return sum([await client.execute_command("ZCARD", key) for key in keys])


async def until(moment: int) -> None:
    await asyncio.sleep(max(0, moment - time.time_ns() // 1000) / SECOND)


async def test_each_is_done_within_a_second_of_its_moment(redis_url):
    async with connection(redis_url) as client:
        store, due, start = await set_up(client)
        with running("services.clock", redis_url) as clock:
            clock.wait_for("ready")
            await until(start + (SECONDS + 1) * SECOND)
            late = await timed(store, client)
            assert clock.stop() == 0
        assert len(late) == due == SECONDS * EACH_SECOND
        assert late[int(0.99 * due)] < 1000
        assert await left(store, client) == 2 * TABLES


async def test_each_is_done_once_though_two_clocks_are_killed_again_and_again(redis_url):
    async with connection(redis_url) as client:
        store, due, start = await set_up(client)
        killed = 0
        clocks = [Process("services.clock", redis_url) for _ in range(2)]
        while time.time_ns() // 1000 < start + SECONDS * SECOND:
            await asyncio.sleep(0.7)
            clocks[killed % 2].kill()
            clocks[killed % 2] = Process("services.clock", redis_url)
            killed += 1
        for clock in clocks:
            clock.wait_for("ready")
        await asyncio.sleep(1)
        for clock in clocks:
            clock.kill()
        assert killed >= SECONDS
        assert len(await timed(store, client)) == due
        assert await left(store, client) == 2 * TABLES

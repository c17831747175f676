"""Timers of very many tables: how late they are done by a real clock while the feed is busy."""

import asyncio
import os
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from msgspec.structs import replace

from benchmarks.games import lengthened, longest, sealed
from benchmarks.measuring import Benchmark, Figure, quantile
from benchmarks.store import RELEASE, lease_of, private_store, wall_seconds, writes
from contracts import events as e
from contracts import notices, streams
from contracts.clocking import Clocking
from contracts.ids import Party, PlayerId, TableId
from contracts.notices import ReminderDue
from contracts.records import Record, Sealed
from services.bus.typed import Client
from services.clock.keeping import Keeper
from services.clock.store import Store as Timers
from services.clock.timers import PROMPT, Kept, Timer
from services.console.supervisor import Service, Supervisor
from services.embedded.store import ADDRESS_SETTING
from services.engine.ports import Lease, Write
from services.engine.store import Store

TABLES: Final = 100_000
TABLES_QUICK: Final = 2_000
SECONDS: Final = 20
SECONDS_QUICK: Final = 4
EACH_SECOND: Final = 100
"""Timers that are due in each second of the measurement; all others are due in a month."""
COLD: Final = 16
"""Tables with long books at which somebody moves, in turn; the clock has fewer at hand, so it
reads and folds a whole book for each record, as among very many tables."""
MOVES_EACH_SECOND: Final = 10
AT_HAND: Final = 8
MONTH: Final = 30 * 86_400
LEAD: Final = 3
"""Seconds from when timers are set to when the first of them is due."""
SECONDS_TO_START: Final = 60.0
SECOND: Final = 1_000_000
DUE: Final = "due-"
"""How the tables are called whose timers are measured."""
ANN: Final = PlayerId(Party("ann"))


def run(quick: bool) -> list[Figure]:  # noqa: FBT001 - as all benchmarks
    """Set very many timers, let a clock run beside a busy feed, and see when timers were done."""
    tables, seconds = (TABLES_QUICK, SECONDS_QUICK) if quick else (TABLES, SECONDS)
    return asyncio.run(_run(tables, seconds, 5 if quick else 20))


async def _run(tables: int, seconds: int, times: int) -> list[Figure]:
    # Of a game that is over nothing is saved.
    records = clocked(longest(quick=False).records)[:-5]
    async with private_store() as (store, url):
        timers = Timers(store.client, store.partitions)
        leases = [await lease_of(store, partition) for partition in range(store.partitions)]
        moving = [await _moving(store, leases, records, n, seconds) for n in range(COLD)]
        table = moving[0][1][0].table
        whole = await _reckoned(timers, table, times)
        await set_far(timers, tables)
        await _saved(timers, table)
        saved = await _reckoned(timers, table, times)
        late = await _late(store, timers, url, moving, seconds)
    events = sum(len(record.events) for record in records)
    what = f"with timers of {tables:,} tables, {MOVES_EACH_SECOND} long books a second read anew"
    return [
        Figure(f"a book of {events:,} events reckoned from its start", 1000 * whole, "ms"),
        Figure(
            "the same from what was saved of it",
            1000 * saved,
            "ms",
            f"from its start: {1000 * whole:.1f} ms",
            saved / whole,
        ),
        *(
            Figure(f"timers done late, {words}, {what}", quantile(late, part), "ms", goal="1000")
            for part, words in ((0.5, "median"), (0.99, "99 of 100"), (1.0, "the latest"))
        ),
    ]


def clocked(records: Sequence[Record]) -> list[Record]:
    """The records of a game as if its table had a clock."""
    clock = Clocking(86_400, 86_400, reminders=(3600,))
    found: list[Record] = []
    for record in records:
        events = tuple(
            replace(one, settings=replace(one.settings, clock=clock, imported=False))
            if isinstance(one, e.TableOpened)
            else one
            for one in record.events
        )
        found.append(replace(record, events=events))
    return found


Moving = tuple[Lease, list[Write]]
"""The lease of a table's partition, and what is still to be written to its book."""


async def _moving(
    store: Store, leases: Sequence[Lease], records: Sequence[Record], number: int, seconds: int
) -> Moving:
    """A table with a long book, and records that are still to come."""
    table = TableId(f"moving-{number}")
    more = seconds * MOVES_EACH_SECOND // COLD + 1
    book: list[Sealed] = sealed(table, lengthened(records, len(records) + more))
    made = writes(table, book)
    lease = leases[store.partition_of(table)]
    for first in range(0, len(records), 100):
        await store.commit(lease, made[first : min(first + 100, len(records))])
    return lease, made[len(records) :]


async def _reckoned(timers: Timers, table: TableId, times: int) -> float:
    """What it takes a clock that has nothing at hand to come to a table's timers, in seconds."""

    async def once() -> None:
        await Keeper(timers, timers, (), release=RELEASE).kept(table)

    return quantile(await wall_seconds(once, times), 0.5)


async def _saved(timers: Timers, table: TableId) -> None:
    """Keep a table's timers, and with them what was made of its book."""
    kept = await Keeper(timers, timers, (), release=RELEASE).kept(table)
    assert kept is not None
    partition = streams.partition_of(table, timers.partitions)
    place = await timers.place(partition) or ""
    assert await timers.keep(partition, place, place, [kept])


async def set_far(timers: Timers, tables: int) -> None:
    """Set two timers for each table, due in a month; and the places at the ends of the feeds."""
    at = time.time_ns() // 1000 + MONTH * SECOND
    for partition in range(timers.partitions):
        await timers.keep(partition, "", await timers.newest(partition), ())
        place = await timers.place(partition) or ""
        mine = range(partition, tables, timers.partitions)
        for first in range(0, len(mine), 100):
            some = [
                Kept(
                    TableId(f"waiting-{number}"),
                    1,
                    (
                        Timer(f"waiting-{number} 1.0 1 call ann", at + number, b"p"),
                        Timer(f"waiting-{number} 1.0 1 remind-60 ann", at - 1, b"p"),
                    ),
                    (),
                )
                for number in mine[first : first + 100]
            ]
            await timers.keep(partition, place, place, some)


async def set_due(timers: Timers, start: int, seconds: int) -> int:
    """Set timers that are due in each second from a moment on; how many. They say when."""
    count = seconds * EACH_SECOND
    due: dict[int, list[Kept]] = {}
    for number in range(count):
        at = start + number * SECOND // EACH_SECOND
        table = TableId(f"{DUE}{number}")
        body = PROMPT + notices.encode(ReminderDue(table, ANN, 1, at))
        timer = Timer(f"{table} 1.0 1 remind-0 ann", at, body)
        partition = streams.partition_of(table, timers.partitions)
        due.setdefault(partition, []).append(Kept(table, 1, (timer,), ()))
    for partition, kept in due.items():
        while True:
            # A clock that reads the feed meanwhile moves the place.
            place = await timers.place(partition) or ""
            if await timers.keep(partition, place, place, kept):
                break
    return count


async def _late(
    store: Store, timers: Timers, url: str, moving: Sequence[Moving], seconds: int
) -> list[float]:
    """How late each timer was done, in milliseconds, in order: by the store's own time."""
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        kept = {name: value for name, value in os.environ.items() if "MINUTEBOOK" not in name}
        program = (sys.executable, "-P", "-m", "services.clock", "--tables-at-hand", str(AT_HAND))
        services = [Service("clock", program)]
        environment = {**kept, ADDRESS_SETTING: url}
        with Supervisor(services, logs=Path(folder), environment=environment):
            await _begun(timers, store.client)
            start = time.time_ns() // 1000 + LEAD * SECOND
            due = await set_due(timers, start, seconds)
            await _move(store, moving, start, seconds)
            await asyncio.sleep(2)
    late: list[float] = []
    for partition in range(store.partitions):
        late += await lateness(store.client, partition)
    assert len(late) == due, f"{len(late)} of {due} timers were done"
    return sorted(late)


async def _begun(timers: Timers, client: Client) -> None:
    """Wait until the clock does what is due."""
    place = await timers.place(0) or ""
    timer = Timer("first 1.0 1 remind-0 ann", 0, PROMPT)
    await timers.keep(0, place, place, [Kept(TableId("first"), 1, (timer,), ())])
    until = time.monotonic() + SECONDS_TO_START
    while await client.execute_command("ZSCORE", streams.timers(0), timer.name) is not None:
        if time.monotonic() > until:
            raise TimeoutError("The clock did not start.")
        await asyncio.sleep(0.05)


async def _move(store: Store, moving: Sequence[Moving], start: int, seconds: int) -> None:
    """Write records at a steady pace, to one table after another, until the last timer is due."""
    end = start + seconds * SECOND
    number = 0
    while (now := time.time_ns() // 1000) < end:
        if now >= start:
            lease, left = moving[number % len(moving)]
            if left:
                await store.commit(lease, [left.pop(0)])
            number += 1
        await asyncio.sleep(1 / MOVES_EACH_SECOND)


async def lateness(client: Client, partition: int) -> list[float]:
    """How late a partition's timers were, in milliseconds; a prompt's id says when it came."""
    found: list[float] = []
    for id, fields in await client.xrange(notices.prompts(partition), "-", "+"):
        body = fields[notices.PROMPT_BODY.encode()]
        prompt = notices.decode_prompt(body) if body else None
        # The books that are moved at are old, so they have reminders too, all of them long due.
        if isinstance(prompt, ReminderDue) and prompt.table.startswith(DUE):
            found.append(max(0.0, int(id.partition(b"-")[0]) - prompt.until / 1000))
    return found


TIMING = Benchmark("timers", "timers of very many tables, by a real clock", run, is_pure=False)

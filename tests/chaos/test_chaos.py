"""Real processes killed under load: the script that anyone can run, and what it would notice."""

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from contracts import streams
from contracts.ids import CommandId, TableId
from contracts.rejections import Code, Rejection
from contracts.streams import Recorded, Refused
from services.bus.client import Bus, bus
from services.chaos.history import History
from services.chaos.processes import Kept, environment, running
from services.chaos.promises import (
    ACCEPTED,
    ANSWERS,
    FEEDS,
    LOGS,
    PENDING,
    SAME,
    UNKNOWN,
    VIEWS,
)
from services.chaos.quiet import is_quiet
from services.chaos.verdict import Verdict, keep_feeds, verdict
from services.engine.catchup import Projector
from services.engine.shelves import Shelves
from services.engine.store import Store
from tests.services.played import Playing

ROOT = Path(__file__).resolve().parents[2]
FRIDAY, SUNDAY = TableId("friday"), TableId("sunday")
MOVES = 12
SEED = "150"
"""With it the store, an engine, a clock and a notifier are the first to be killed."""
pytestmark = pytest.mark.anyio


@pytest.mark.slow
def test_nothing_is_lost_doubled_or_torn_when_processes_are_killed_under_load(tmp_path):
    folder = tmp_path / "chaos"
    arguments = ["--minutes", "0.15", "--tables", "6", "--seed", SEED, "--folder", str(folder)]
    done = subprocess.run(
        [sys.executable, "-m", "services.console", "chaos", *arguments],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=240,
    )
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    assert "Nothing is lost, doubled or torn." in done.stderr
    for trouble in ("store killed", "engine killed", "clock ", "notifier "):
        assert f"\n{trouble}" in done.stdout, done.stdout
    recorded = (folder / "history.jsonl").read_bytes().splitlines()
    assert sum(b'"ok"' in line for line in recorded) > 20
    received = (folder / "received.jsonl").read_bytes().splitlines()
    assert sum(b'"answer":204' in line for line in received) > 10


# --- what it would notice -------------------------------------------------------------------------


@pytest.fixture
async def one(redis_url):
    async with bus(redis_url) as one:
        yield one


@pytest.fixture
async def history(one: Bus):
    """Two tables that were played, with what their players were told."""
    store = Store(one.client, one.partitions)
    for partition in range(one.partitions):
        await store.create_group(partition)
    await keep_feeds(one)
    playing, history = Playing(store), History()
    for table in (FRIDAY, SUNDAY):
        await playing.open(table)
        await playing.play(table, MOVES)
        for sealed in await one.records(table):
            told(history, table, sealed.record.order.id, sealed.record.version)
    projector = Projector(store, Shelves(one.client), range(one.partitions))
    await projector.begin()
    return history


def told(history: History, table: TableId, id: str, version: int) -> None:
    history.invoked("ann", table, CommandId(id))
    history.answered("ann", table, CommandId(id), Recorded(version), 0.01)


def noticed(found: Verdict) -> list[str]:
    return [promise for promise, broken in found.broken.items() if broken]


async def test_what_is_in_order_is_found_in_order(one, history):
    assert await is_quiet(one)
    found = await verdict(one, history)
    assert noticed(found) == []
    assert found.records == 2 * (MOVES + 1)


def key(one: Bus, kind: Callable[[int, TableId], str]) -> str:
    return kind(one.partition_of(FRIDAY), FRIDAY)


async def lose_a_record(one: Bus, history: History) -> None:
    await one.client.execute_command("XDEL", key(one, streams.log), "5-0")


async def lose_the_last_record(one: Bus, history: History) -> None:
    await one.client.execute_command("XDEL", key(one, streams.log), f"{MOVES + 1}-0")


async def change_an_answer(one: Bus, history: History) -> None:
    id = (await one.records(FRIDAY))[4].record.order.id
    answer = streams.encode(Recorded(6))
    await one.client.hset(key(one, streams.outcomes), id, answer)


async def accept_without_a_record(one: Bus, history: History) -> None:
    told(history, FRIDAY, "mine", 5)
    await one.client.hset(key(one, streams.outcomes), "mine", streams.encode(Recorded(5)))


async def record_what_nobody_sent(one: Bus, history: History) -> None:
    del history.orders[SUNDAY, (await one.records(SUNDAY))[3].record.order.id]


async def record_what_was_refused(one: Bus, history: History) -> None:
    id = (await one.records(FRIDAY))[4].record.order.id
    refused = Refused(Rejection(Code.STALE, "design", "Stale."))
    history.orders[FRIDAY, id].outcome = refused
    await one.client.hset(key(one, streams.outcomes), id, streams.encode(refused))


async def forget_to_answer(one: Bus, history: History) -> None:
    history.invoked("ann", FRIDAY, CommandId("lost"))


async def tell_twice(one: Bus, history: History) -> None:
    feed = streams.feed(one.partition_of(FRIDAY))
    await one.client.xadd(feed, {"t": FRIDAY, "v": "13"})


async def leave_a_command(one: Bus, history: History) -> None:
    await one.client.xadd(streams.commands(one.partition_of(FRIDAY)), {"o": b"x"})


async def change_a_view(one: Bus, history: History) -> None:
    await one.client.hset(key(one, streams.views), "wealth", b"\x80")


async def answer_otherwise(one: Bus, history: History) -> None:
    told(history, FRIDAY, (await one.records(FRIDAY))[4].record.order.id, 7)


DAMAGES: dict[Callable[[Bus, History], Awaitable[None]], list[str]] = {
    lose_a_record: [LOGS],
    lose_the_last_record: [ACCEPTED, LOGS, FEEDS, VIEWS],
    change_an_answer: [ANSWERS],
    accept_without_a_record: [ACCEPTED],
    record_what_nobody_sent: [UNKNOWN],
    record_what_was_refused: [ANSWERS],
    forget_to_answer: [ANSWERS],
    tell_twice: [FEEDS],
    leave_a_command: [PENDING],
    change_a_view: [VIEWS],
    answer_otherwise: [SAME],
}


@pytest.mark.parametrize("damage", DAMAGES, ids=lambda damage: damage.__name__)
async def test_whatever_is_out_of_order_is_noticed(one, history, damage):
    await damage(one, history)
    assert noticed(await verdict(one, history)) == DAMAGES[damage]


# --- no process survives --------------------------------------------------------------------------


async def test_a_program_is_started_again_and_stopped_at_the_end(tmp_path):
    program = Kept("sleep", ["sleep", "60"], folder=tmp_path, environment=environment(""))
    async with running([program]):
        await until(lambda: program.is_running)
        first = program.process
        program.send(signal.SIGKILL)
        await until(lambda: program.starts == 2 and program.is_running)
        second = program.process
        program.send(signal.SIGSTOP)
    assert first is not None
    assert second is not None
    assert not is_alive(first)
    assert not is_alive(second)


async def until(is_so: Callable[[], bool]) -> None:
    ends = time.monotonic() + 20
    while not is_so():
        assert time.monotonic() < ends
        await asyncio.sleep(0.01)


def is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


LAUNCHER = """
import asyncio, signal, sys
from pathlib import Path
from services.chaos.processes import Kept, environment, running

async def main():
    program = Kept("sleep", ["sleep", "300"], folder=Path("."), environment=environment(""))
    async with running([program]):
        while not program.is_running:
            await asyncio.sleep(0.01)
        await asyncio.sleep(0.3)
        program.send(signal.SIGSTOP)
        print(program.process, flush=True)
        await asyncio.sleep(300)

asyncio.run(main())
"""


def test_a_stopped_program_does_not_outlive_a_launcher_that_is_killed(tmp_path):
    launcher = subprocess.Popen(
        [sys.executable, "-c", LAUNCHER],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        text=True,
    )
    assert launcher.stdout is not None
    process = int(launcher.stdout.readline())
    assert is_alive(process)
    launcher.kill()
    launcher.wait()
    launcher.stdout.close()
    ends = time.monotonic() + 20
    while is_alive(process):
        assert time.monotonic() < ends, "it still lives"
        time.sleep(0.02)

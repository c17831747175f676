"""The clock as a process beside the engine: on time, and whole however it is killed."""

import time

import pytest

from contracts.clocking import Clocking
from contracts.commands import CallTime, OpenTable, Order
from contracts.ids import CommandId, TableId
from contracts.pieces import Seat, Settings
from contracts.streams import Recorded
from services.bus.client import Bus, bus
from services.bus.reading import read_log
from tests.clock.league import ANN, BOB, CID
from tests.positions import TITLE
from tests.services.processes import Process, running

pytestmark = pytest.mark.anyio
TABLES = 6
SECOND = 1_000_000
SECONDS = 4.0


def opening(table: str, seconds: int) -> Order:
    seats = tuple(Seat(one, one) for one in (ANN, BOB, CID))
    settings = Settings(clock=Clocking(seconds, then="neutral"))
    command = OpenTable(TITLE, seats, 1, settings=settings)
    return Order(TableId(table), CommandId("open"), "ann", ANN, command)


async def calls(one: Bus, table: str) -> list[tuple[str, int, int]]:
    """Whose time was called at a table: the player, the moment, and when his turn began."""
    id = TableId(table)
    book = await read_log(one.client, one.partition_of(id), id)
    records = [sealed.record for sealed in book]
    found: list[tuple[str, int, int]] = []
    began = records[0].at
    for record in records[1:]:
        assert isinstance(record.order.command, CallTime)
        found.append((record.order.player, record.at, began))
        began = record.at
    return found


async def test_turns_are_called_on_time_though_the_clock_is_killed_again_and_again(redis_url):
    async with bus(redis_url) as one:
        with running("services.engine", redis_url) as engine:
            engine.wait_for("ready")
            for number in range(TABLES):
                assert await one.send(opening(f"t{number}", 1)) == Recorded(1)
            until = time.monotonic() + SECONDS
            killed = 0
            while time.monotonic() < until:
                clock = Process("services.clock", redis_url)
                clock.wait_for("timers done")
                clock.kill()
                killed += 1
            with running("services.clock", redis_url) as clock:
                clock.wait_for("timers done")
                assert clock.stop() == 0
        assert killed >= 2
        for number in range(TABLES):
            found = await calls(one, f"t{number}")
            names = [who for who, _, _ in found]
            assert len(names) >= 3
            assert names == ([ANN, BOB, CID] * len(names))[: len(names)]
            assert all(at - began >= SECOND for _, at, began in found)

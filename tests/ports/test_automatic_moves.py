"""Moves of programmes: records of their own, in one act with what brought them about."""

import pytest

from contracts.commands import Order
from contracts.ids import TableId
from contracts.rejections import Code
from contracts.streams import Recorded
from services.engine.handling import AUTOMATIC_MOST
from services.engine.ports import Lease
from services.engine.table.state import Table
from tests.ports.purse import bid, opening
from tests.ports.test_ports import TABLE, Engine, outcomes

pytestmark = pytest.mark.anyio


def up_to(version: int):
    """A programme that bids until the table is at a version."""

    def automatic(table: Table) -> Order | None:
        if table.version >= version:
            return None
        return bid(TableId(table.id), f"auto-{table.version}", 1, table.version)

    return automatic


async def test_they_follow_the_order_that_brought_them_about(ground):
    engine = await Engine.on(ground, automatic=up_to(4))
    done = await engine.do(opening(TABLE), bid(TABLE, "b1", 1, 1), bid(TABLE, "b2", 1, 4))
    assert outcomes(done) == [1, 2, 3, 4, Code.STALE, 5]
    assert [sealed.record.order.id for sealed in await ground.log(TABLE)] == [
        "open",
        "auto-1",
        "auto-2",
        "auto-3",
        "b2",
    ]
    assert await ground.feed(engine.lease.partition) == [(TABLE, n) for n in range(1, 6)]
    assert await ground.waiting(engine.lease.partition) == 0


async def test_an_order_that_is_handled_again_makes_none_of_them_again(ground):
    engine = await Engine.on(ground, automatic=up_to(3))
    await engine.do(opening(TABLE), client="ann")
    lease = await ground.ports.take(engine.lease.partition, "a")
    assert isinstance(lease, Lease)
    again = Engine(ground, lease, automatic=up_to(3))
    done = await again.do(opening(TABLE), client="ann")
    assert [one.outcome for one in done if one.command != "Bid"] == [Recorded(1)]
    assert len(await ground.log(TABLE)) == 3
    assert {answer.outcome for answer in await ground.answers("ann")} == {Recorded(1)}


async def test_what_was_decided_against_another_table_is_worked_out_again(ground):
    first = await Engine.on(ground, automatic=up_to(0))
    await first.do(opening(TABLE))
    stale = Engine(ground, first.lease, automatic=up_to(5))
    await stale.do(bid(TABLE, "b1", 1))
    assert len(await ground.log(TABLE)) == 5
    await first.do(bid(TABLE, "b2", 1))
    assert len(await ground.log(TABLE)) == 6
    await stale.do(bid(TABLE, "b3", 1))
    assert [sealed.record.order.id for sealed in await ground.log(TABLE)][-2:] == ["b2", "b3"]


async def test_a_programme_that_fails_or_never_ends_holds_up_nobody(ground):
    def fails(table: Table) -> Order | None:
        raise ZeroDivisionError

    engine = await Engine.on(ground, automatic=fails)
    (failed,) = await engine.do(opening(TABLE))
    assert failed.outcome == Recorded(1)
    assert "ZeroDivisionError" in failed.fault
    endless = Engine(ground, engine.lease, automatic=up_to(10_000))
    await endless.do(bid(TABLE, "b1", 1))
    assert len(await ground.log(TABLE)) == 2 + AUTOMATIC_MOST


async def test_a_programme_whose_move_is_refused_is_told_of(ground):
    def mistaken(table: Table) -> Order | None:
        return bid(TableId(table.id), "auto", 1, table.version + 1)

    engine = await Engine.on(ground, automatic=mistaken)
    (done,) = await engine.do(opening(TABLE))
    assert done.outcome == Recorded(1)
    assert "refused" in done.fault
    assert await ground.waiting(engine.lease.partition) == 0

"""What keeping timers may rely on, on memory, on a real store and on a cluster alike."""

import asyncio

import msgspec
import pytest

from contracts.ids import TableId
from contracts.notices import Deadline
from services.clock.ports import Fired
from services.clock.timers import COMMAND, PROMPT, Kept, Timer
from tests.positions import player

pytestmark = pytest.mark.anyio
P = 3
NOW = 1_790_000_000_123_456
"""A moment as they are, with all its digits."""


def timer(name: str, due: int, body: bytes = b"x", kind: bytes = COMMAND) -> Timer:
    return Timer(name, due, kind + body)


def kept(table: str, version: int, *timers: Timer, **more) -> Kept:
    return Kept(TableId(table), version, timers, more.get("deadlines", ()), more.get("prompts", ()))


async def begun(ground, *some: Kept) -> None:
    await ground.feed(P, 3)
    assert await ground.timers.keep(P, "", "1-0", some)


async def test_what_is_due_is_done_in_order_once_and_to_the_microsecond(ground):
    await begun(
        ground,
        kept("a", 1, timer("a2", NOW + 1, b"second"), timer("a1", NOW, b"first")),
        kept("b", 1, timer("b1", NOW + 2, b"third")),
    )
    assert await ground.timers.fire(P, NOW - 1, 10) == Fired(0, NOW)
    assert await ground.timers.fire(P, NOW, 10) == Fired(1, NOW + 1)
    assert await ground.commands(P) == [b"first"]
    assert await ground.timers.fire(P, NOW + 5, 1) == Fired(1, NOW + 2)
    assert await ground.timers.fire(P, NOW + 5, 10) == Fired(1, None)
    assert await ground.timers.fire(P, NOW + 50, 10) == Fired(0, None)
    assert await ground.commands(P) == [b"first", b"second", b"third"]


async def test_a_prompt_goes_to_the_notifier_and_no_order_is_sent(ground):
    await begun(ground, kept("a", 1, timer("a1", NOW, b"remind", PROMPT)))
    await ground.timers.fire(P, NOW, 10)
    assert await ground.prompts(P) == [b"remind"]
    assert await ground.commands(P) == []


async def test_one_that_was_done_is_not_set_again_by_whoever_works_it_out_again(ground):
    mine = kept("a", 1, timer("a1", NOW), timer("a2", NOW + 9))
    await begun(ground, mine)
    await ground.timers.fire(P, NOW, 10)
    assert await ground.timers.keep(P, "1-0", "2-0", [mine])
    assert await ground.timers.keep(P, "2-0", "3-0", [kept("a", 2, *mine.timers)])
    assert await ground.timers.fire(P, NOW, 10) == Fired(0, NOW + 9)
    assert len(await ground.commands(P)) == 1


async def test_those_of_a_table_are_replaced_by_the_next_and_the_due_moment_may_change(ground):
    await begun(ground, kept("a", 1, timer("a1", NOW), timer("a2", NOW)))
    await ground.timers.keep(P, "1-0", "2-0", [kept("a", 2, timer("a2", NOW + 7, b"later"))])
    assert await ground.timers.fire(P, NOW + 6, 10) == Fired(0, NOW + 7)
    await ground.timers.fire(P, NOW + 7, 10)
    assert await ground.commands(P) == [b"later"]
    await ground.timers.keep(P, "2-0", "3-0", [kept("a", 3)])
    assert await ground.timers.fire(P, NOW + 99, 10) == Fired(0, None)


async def test_a_timer_waits_until_its_table_was_read_to_the_end(ground):
    """A clock that was just started may find one due that is not due any more."""
    old, new = "a 1.0 1 call ann", "a 1.0 2 call ann"
    await begun(
        ground, kept("a", 1, timer(old, NOW, b"old")), kept("b", 1, timer("b 1.0 1 x y", NOW))
    )
    await ground.written(P, "a", 2)
    await ground.written(P, "b", 1)
    done, following = msgspec.structs.astuple(await ground.timers.fire(P, NOW, 10))
    assert (done, NOW < following < NOW + 1_000_000) == (1, True)
    assert await ground.commands(P) == [b"x"]
    await ground.timers.keep(P, "1-0", "2-0", [kept("a", 2, timer(new, NOW + 9, b"new"))])
    assert await ground.timers.fire(P, NOW + 9, 10) == Fired(1, None)
    assert await ground.commands(P) == [b"x", b"new"]


async def test_an_earlier_version_changes_nothing(ground):
    await begun(ground, kept("a", 5, timer("a5", NOW)))
    await ground.timers.keep(P, "1-0", "2-0", [kept("a", 4, timer("a4", NOW - 5))])
    assert await ground.timers.fire(P, NOW - 1, 10) == Fired(0, NOW)


async def test_of_two_that_read_the_same_feed_only_one_moves_on(ground):
    assert await ground.timers.place(P) is None
    await begun(ground)
    assert not await ground.timers.keep(P, "", "1-0", [kept("a", 1, timer("a1", NOW))])
    assert await ground.timers.keep(P, "1-0", "", [kept("b", 1, timer("b1", NOW + 1))])
    assert await ground.timers.place(P) == "1-0"
    assert await ground.timers.fire(P, NOW, 10) == Fired(0, NOW + 1)


async def test_deadlines_and_prompts_are_kept_in_the_same_act(ground):
    ann = player("ann")
    first = kept("a", 1, deadlines=((ann, Deadline(1, NOW)),), prompts=(b"p1", b"p2"))
    await begun(ground, first)
    assert await ground.deadlines(P, "a") == {"ann": Deadline(1, NOW)}
    assert await ground.prompts(P) == [b"p1", b"p2"]
    assert not await ground.timers.keep(P, "", "1-0", [first])
    await ground.timers.keep(P, "1-0", "2-0", [kept("a", 2)])
    assert await ground.deadlines(P, "a") == {}
    assert await ground.prompts(P) == [b"p1", b"p2"]


async def test_nothing_is_kept_of_a_record_that_is_not_in_the_store_any_more(ground):
    """It was restarted without its last second between the reckoning and the keeping."""
    lost = msgspec.structs.replace(kept("a", 1, timer("a1", NOW)), digest=b"of a record")
    await begun(ground)
    assert not await ground.timers.keep(P, "1-0", "2-0", [lost])
    assert not await ground.timers.keep(P, "1-0", "9-0", [])
    assert await ground.timers.place(P) == "1-0"
    assert await ground.timers.fire(P, NOW, 10) == Fired(0, None)


async def test_many_clocks_that_look_at_once_do_each_timer_once(ground):
    names = [f"t{number:04}" for number in range(500)]
    await begun(ground, kept("a", 1, *(timer(name, NOW, name.encode()) for name in names)))
    found = await asyncio.gather(*(ground.timers.fire(P, NOW, 60) for _ in range(20)))
    assert sum(one.number for one in found) == 500
    assert sorted(await ground.commands(P)) == [name.encode() for name in names]

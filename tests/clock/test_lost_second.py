"""A store that is not written through to the disk may lose its last second; the clock finds out."""

from random import Random

import pytest

from contracts.clocking import Clocking
from contracts.commands import MakeRequest, Pass
from contracts.people import NOBODY
from contracts.streams import Recorded
from services.clock.calendar import SECOND
from services.engine.rules.ruleset import ruleset_of
from services.players.play import next_order
from tests.clock.league import ANN, BOB, CID, TABLE, League
from tests.clock.test_leagues import look_back, reckons_the_same
from tests.world.server import copied

pytestmark = pytest.mark.anyio


class Disk:
    """What a store has on its disk: books, outcomes, feed, timers and all, of one moment."""

    def __init__(self, play: League) -> None:
        self.engine, self.clock = copied(play.engine), copied(play.clock)

    def back(self, play: League) -> None:
        """The store is started again from its disk; clock and engine go on, knowing more."""
        play.engine.__dict__.update(copied(self.engine).__dict__)
        play.clock.__dict__.update(copied(self.clock).__dict__)


async def test_a_turn_that_is_lost_with_its_record_is_timed_as_it_was():
    play = await League(Clocking(100, reminders=(20,))).begin()
    await play.until(10)
    disk = Disk(play)
    await play.do(ANN, Pass())
    assert play.deadlines() == {"bob": 110}
    disk.back(play)
    await play.keeper.catch_up()
    assert (play.deadlines(), play.waiting) == ({"ann": 100}, (ANN,))
    await play.until(300)
    assert play.calls == [("ann", 100)]


async def test_another_record_of_the_same_version_counts_and_not_the_one_that_is_lost():
    play = await League(Clocking(100)).begin()
    for who in (ANN, BOB, CID):
        await play.until(10)
        await play.do(who, Pass())
    disk = Disk(play)
    await play.do(ANN, Pass())
    disk.back(play)
    await play.do(CID, MakeRequest("undo", 2))
    await play.keeper.catch_up()
    assert play.waiting == (BOB,)
    await reckons_the_same(play)
    await play.until(1000)
    assert [who for who, _ in play.calls] == ["bob"]


async def test_a_call_that_is_lost_is_made_again_and_told_again():
    play = await League(Clocking(100, then="neutral")).begin()
    await play.until(99)
    disk = Disk(play)
    await play.until(101)
    assert play.calls == [("ann", 100)]
    disk.back(play)
    assert (play.calls, play.prompts) == ([], [])
    await play.until(101)
    await play.keeper.catch_up()
    assert play.calls == [("ann", 101)]
    assert len(play.prompts) == 1


async def test_what_was_told_of_a_call_and_lost_is_told_again_though_the_call_is_there():
    play = await League(Clocking(100, then="neutral")).begin()
    await play.until(100)
    # As the store was when the call had just been decided, and the clock had not read of it.
    disk = Disk(play)
    disk.clock.places[0], disk.clock.prompts[0] = "1-0", []
    disk.clock.of_tables, disk.clock.reckonings = {}, {}
    assert len(play.prompts) == 1
    disk.back(play)
    assert play.prompts == []
    for _ in range(3):
        await play.keeper.catch_up()
    assert len(play.prompts) == 1
    assert play.calls == [("ann", 100)]


@pytest.mark.parametrize("seed", range(6))
async def test_whatever_is_lost_when_a_clock_that_went_on_comes_to_what_a_new_one_would(seed):
    lots = Random(seed)
    then = ("call", "neutral", "substitute", "resign")[seed % 4]
    settings = Clocking(3600, 1800, 60, then=then, reminders=(600,), substitutes=("sub",))
    play = await League(settings).begin()
    disk = Disk(play)
    for _ in range(60):
        match lots.randrange(6):
            case 0:
                disk = Disk(play)
            case 1:
                disk.back(play)
                if lots.randrange(2):
                    await play.keeper.catch_up()
            case 2:
                last = play.table.version - 1
                if last >= 1:
                    await play.tried(CID, MakeRequest("undo", lots.randint(1, last)))
            case _:
                await moved(play, seed)
        await play.until(play.time.time / SECOND + lots.choice((1, 600, 4000)))
        # Once more: a store that came back just now has been looked at by then.
        await play.keeper.catch_up()
        await reckons_the_same(play)
    look_back(play)


async def moved(play: League, seed: int) -> None:
    """Somebody moves, if anybody is to."""
    order = next_order(ruleset_of(play.table), play.table, seed)
    person = play.table.people.get(order.player, order.player) if order is not None else NOBODY
    if order is None or person == NOBODY:
        return
    outcome = await play.tried(order.player, order.command, person)
    assert isinstance(outcome, Recorded) or order.question is not None
    assert len(play.clock.books[TABLE]) == play.table.version

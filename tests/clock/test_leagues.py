"""Weeks at a table in a moment: people who move or do not, undo, pause, and clocks that die.

Drawn from a seed. What must hold always: nobody's time is called but who is waited for, in the
frame that waits, and not before it is up; nobody whose time is up is left uncalled; and a clock
that reckons everything anew from the book finds what the one at work has.
"""

from random import Random

import pytest

from contracts.clocking import Clocking, Hours, Leave
from contracts.commands import (
    AnswerRequest,
    AssignSeat,
    CallTime,
    MakeRequest,
    SetProgramme,
    TakeLeave,
)
from contracts.programmes import OnlyChoice
from contracts.streams import Refused
from services.clock.calendar import SECOND
from services.clock.keeping import Keeper
from services.clock.memory import Memory
from services.clock.reckoning import NOTHING, due, reckoned
from services.engine.rules.ruleset import ruleset_of
from services.engine.table.agenda import awaited, top
from services.engine.table.fold import tables
from services.engine.table.state import new_table
from services.players.play import next_order
from tests.clock.league import ANN, BOB, CID, TABLE, League

pytestmark = pytest.mark.anyio
STEPS = 80
HOUR = 3600


def clock_of(lots: Random, seed: int) -> Clocking:
    evenings = Hours(lots.choice(("Europe/Berlin", "America/New_York")), 1080, 1500)
    return Clocking(
        turn_seconds=lots.choice((0, HOUR, 24 * HOUR)),
        bank_seconds=lots.choice((HOUR, 48 * HOUR)),
        increment_seconds=lots.choice((0, 600)),
        bank_most=lots.choice((None, 72 * HOUR)),
        then=("call", "neutral", "substitute", "resign")[seed % 4],
        reminders=(1800,),
        hours=lots.choice(({}, {ANN: evenings}, {ANN: evenings, CID: evenings})),
        free_days=("1970-01-06",),
        leave_days=5,
        substitutes=("sub1", "sub2"),
    )


async def one_thing(play: League, lots: Random, seed: int) -> None:
    """Something that somebody does, or that goes wrong."""
    match lots.randrange(12):
        case 0:
            who = lots.choice((ANN, BOB, CID))
            last = play.table.version - 1
            if last >= 1:
                await play.tried(
                    who, MakeRequest("undo", lots.randint(max(1, last - 3), last)), who
                )
        case 1:
            wish = "resume" if play.table.beside.paused else "pause"
            await play.tried(CID, MakeRequest(wish), "cid")
        case 2:
            day = lots.randint(2, 27)
            leave = Leave(f"1970-01-{day:02}", f"1970-01-{day:02}")
            await play.tried(ANN, TakeLeave(leave), play.table.people.get(ANN, "ann"))
        case 3:
            await play.tried(CID, AssignSeat(BOB, lots.choice(("bob", "berta"))), "cid")
        case 4:
            who = lots.choice((ANN, BOB))
            await play.tried(who, SetProgramme(OnlyChoice()), play.table.people.get(who, who))
        case 5:
            play.keeper = play.new_keeper()
            if lots.randrange(2):
                play.clock.places.clear()
            await play.keeper.begin()
        case 6:
            for request in play.table.requests:
                who = request.waiting[0]
                yes = AnswerRequest(request.id, yes=False)
                await play.tried(who, yes, play.table.people.get(who, who))
        case _:
            order = next_order(ruleset_of(play.table), play.table, seed)
            if order is not None:
                sender = play.table.people.get(order.player, order.player)
                question = order.question
                version = None if question is not None else play.table.version
                play.sent += 1
                named = order.__class__(
                    TABLE, order.id, sender, order.player, order.command, version, question
                )
                play.engine.post(named)
                await play.handle()


@pytest.mark.parametrize("seed", range(8))
async def test_time_is_called_for_all_whose_time_is_up_and_for_nobody_else(seed):
    lots = Random(seed)
    play = await League(clock_of(lots, seed)).begin()
    for _ in range(STEPS):
        await one_thing(play, lots, seed)
        later = play.time.time / SECOND + lots.choice((1, 60, 3600, 20_000))
        await play.until(later)
        over = play.table.ending is not None and play.table.ending.over
        assert over or all(until > later for until in play.deadlines().values())
        await reckons_the_same(play)
    look_back(play)
    unheard = [one for one in play.engine.outcomes[TABLE].values() if isinstance(one, Refused)]
    assert not any(one.rejection.code == "engine-fault" for one in unheard), unheard
    assert play.engine.dead[0] == []


async def reckons_the_same(play: League) -> None:
    """A clock that knows nothing but the book comes to the same deadlines."""
    anew = Memory()
    anew.books, anew.feeds = play.clock.books, play.clock.feeds
    await Keeper(anew, anew, (0,)).begin()
    assert anew.deadlines.get(TABLE, {}) == play.clock.deadlines.get(TABLE, {})


def look_back(play: League) -> None:
    """Each call in the book was due by a reckoning of all that came before it, and only once."""
    records = [one.record for one in play.engine.logs[TABLE]]
    before, reckoning = new_table(TABLE), NOTHING
    called = set()
    for record, after in tables(TABLE, records):
        if isinstance(record.order.command, CallTime):
            frame = top(before)
            assert frame is not None
            assert frame.id == record.order.command.frame
            assert record.order.player in awaited(before)
            [mine] = [
                one for one in due(reckoning, before) if one.running.player == record.order.player
            ]
            assert mine.until <= record.at
            key = (frame.id, mine.running.version, record.order.player)
            assert key not in called
            called.add(key)
        reckoning = reckoned(reckoning, before, after, record)
        before = after

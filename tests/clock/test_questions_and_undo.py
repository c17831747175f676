"""Time while somebody is asked out of turn, and over an undo, a change of hours and an import."""

import msgspec
import pytest

from contracts import events as e
from contracts.clocking import Clocking, Hours
from contracts.commands import (
    Answer,
    MakeRequest,
    Order,
    Pass,
    SetHours,
    SetProgramme,
    TradePrivate,
)
from contracts.ids import CommandId, PlayerId
from contracts.programmes import OnlyChoice
from contracts.streams import Recorded
from services.clock.calendar import SECOND
from services.engine.rules.ruleset import ruleset_of
from services.engine.table.agenda import current_round
from services.players.play import next_order
from tests.clock.league import ANN, BOB, CID, TABLE, League
from tests.clock.test_time_of_automatic_moves import banks

pytestmark = pytest.mark.anyio
CLOCK = Clocking(100, bank_seconds=50, increment_seconds=7)


async def in_the_second_stock_round(clock: Clocking) -> League:
    """A table at which privates may be sold, after moves of house players at one moment."""
    play = await League(clock).begin()
    while True:
        playing = current_round(play.table)
        if playing is not None and (playing.kind, playing.number) == ("stock", 2):
            return play
        order = next_order(ruleset_of(play.table), play.table, 1)
        assert order is not None
        play.engine.post(msgspec.structs.replace(order, table=TABLE))
        await play.handle()


async def asked(play: League) -> tuple[PlayerId, PlayerId]:
    """Whoever is to move offers to sell or to buy a private; who that is, and who is asked."""
    table, (mover,) = play.table, play.waiting
    company, owner = next(
        (company, place)
        for company, places in table.certificates.items()
        for place in places
        if table.charters[company].kind == "private" and place in table.order
    )
    other = next(one for one in table.order if one != mover) if owner == mover else PlayerId(owner)
    await play.do(mover, TradePrivate(company, other, 1))
    assert play.waiting == (other,)
    return mover, other


async def answered(play: League, who: PlayerId) -> None:
    """A no to what somebody is asked."""
    table = play.table
    id, question = CommandId("answer"), table.agenda[-1].id
    play.engine.post(Order(TABLE, id, who, who, Answer(yes=False), table.version, question))
    await play.handle()
    assert isinstance(play.engine.outcomes[TABLE][id], Recorded)


async def test_while_somebody_is_asked_his_time_runs_and_the_turn_below_stands_still():
    play = await in_the_second_stock_round(CLOCK)
    began = play.time.time / SECOND
    before = banks(play)
    await play.until(began + 30)
    mover, other = await asked(play)
    assert play.deadlines() == {other: began + 30 + 100 + before[other] / SECOND}
    await play.until(began + 75)
    await answered(play, other)
    # 30 seconds of the turn were gone; the 45 of the question cost only whoever was asked.
    assert play.deadlines() == {mover: began + 75 + 70 + before[mover] / SECOND}
    after = banks(play)
    assert after[other] == before[other] + 7 * SECOND
    assert after[mover] == before[mover]


@pytest.mark.parametrize("then", ["call", "neutral", "resign"])
async def test_who_does_not_answer_in_time_has_said_no_and_the_turn_goes_on(then):
    play = await in_the_second_stock_round(Clocking(100, then=then))
    began = play.time.time / SECOND
    await play.until(began + 30)
    mover, other = await asked(play)
    await play.until(began + 130)
    assert play.calls == [(other, began + 130)]
    assert play.waiting == (mover,)
    assert play.deadlines() == {mover: began + 130 + 70}


async def test_a_turn_that_an_undo_takes_back_earns_nothing_for_whoever_had_it():
    play = await League(Clocking(10, bank_seconds=100, increment_seconds=50)).begin()
    await play.do(ANN, Pass())
    await play.do(CID, MakeRequest("undo", 1))
    assert banks(play)[BOB] == 100 * SECOND
    await play.do(ANN, Pass())
    assert play.deadlines() == {BOB: 110}


async def test_nobody_gains_time_by_undoing_his_own_move_again_and_again():
    clock = Clocking(100, bank_seconds=30, increment_seconds=50)
    play = await League(clock, host=None).begin()
    for seconds in (40, 80, 120):
        await play.until(seconds)
        await play.do(ANN, Pass())
        await play.do(ANN, MakeRequest("undo", 1))
        assert play.deadlines() == {ANN: 130}
    assert banks(play)[ANN] == 30 * SECOND
    await play.until(1000)
    assert play.calls[0] == (ANN, 130)


async def test_a_turn_that_came_back_takes_of_the_bank_once():
    play = await League(Clocking(10, bank_seconds=100, increment_seconds=5), host=None).begin()
    await play.until(30)
    await play.do(ANN, Pass())
    assert banks(play)[ANN] == 85 * SECOND
    await play.do(ANN, MakeRequest("undo", 1))
    assert banks(play)[ANN] == 100 * SECOND
    await play.until(40)
    await play.do(ANN, Pass())
    assert banks(play)[ANN] == 75 * SECOND


async def test_a_turn_in_which_time_was_called_begins_anew_after_an_undo_but_its_bank_is_spent():
    play = await League(Clocking(10, bank_seconds=20)).begin()
    await play.until(200)
    await play.do(ANN, Pass())
    await play.do(CID, MakeRequest("undo", 1))
    assert play.calls == [(ANN, 30)]
    assert play.deadlines() == {ANN: 200 + 10}
    await play.until(1000)
    assert play.calls == [(ANN, 30), (ANN, 210)]


@pytest.mark.parametrize("then", ["neutral", "resign"])
async def test_what_is_done_at_the_end_of_time_ends_requests_and_the_players_programmes(then):
    play = await League(Clocking(100, then=then), host=None).begin()
    await play.do(ANN, SetProgramme(OnlyChoice()))
    await play.do(BOB, MakeRequest("end"))
    held, request = play.table.beside.programmes[0], play.table.requests[0]
    await play.until(100)
    events = play.engine.logs[TABLE][-1].record.events
    assert e.ProgrammeStopped(held, "time called") in events
    assert e.RequestClosed(request.id, "lapsed") in events
    assert (play.table.beside.programmes, play.table.requests) == ((), ())


async def test_where_time_is_only_called_a_request_and_a_programme_stay():
    play = await League(Clocking(100), host=None).begin()
    await play.do(ANN, SetProgramme(OnlyChoice()))
    await play.do(BOB, MakeRequest("end"))
    before = play.table
    await play.until(100)
    assert play.calls == [(ANN, 100)]
    assert play.table.beside.programmes == before.beside.programmes
    assert play.table.requests == before.requests


async def test_other_hours_count_from_when_they_were_set():
    play = await League(Clocking(100)).begin()
    await play.until(40)
    await play.do(ANN, SetHours(Hours("UTC", 60, 120)))
    assert play.deadlines() == {ANN: 3600 + 60}


async def test_at_a_table_that_was_imported_no_time_runs_and_no_request_expires():
    play = await League(Clocking(100), imported=True, request_seconds=500).begin()
    await play.do(ANN, MakeRequest("end"))
    assert play.deadlines() == {}
    await play.until(10_000)
    assert play.calls == []
    assert len(play.table.requests) == 1


async def test_substitutes_who_never_come_have_one_turn_each_and_then_play_goes_on():
    clock = Clocking(10, bank_seconds=20, then="substitute", substitutes=("zoe", "yan"))
    play = await League(clock).begin()
    await play.until(90)
    # Each begins with the whole time of the turn, and with what the bank held when it began.
    assert play.calls == [(ANN, 30), (ANN, 60), (ANN, 90)]
    assert play.table.people[ANN] == "yan"
    assert play.waiting == (BOB,)

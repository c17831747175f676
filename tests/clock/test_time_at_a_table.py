"""Whose time runs, how much of it is left, and what happens when none is."""

import pytest

from contracts import notices
from contracts.clocking import Clocking, Hours, Leave
from contracts.commands import (
    AnswerRequest,
    AssignSeat,
    Bid,
    MakeRequest,
    Order,
    Pass,
    SetHours,
    SetProgramme,
    TakeLeave,
)
from contracts.ids import CommandId, CompanyId, Party
from contracts.programmes import OnlyChoice
from services.clock.calendar import SECOND
from tests.clock.league import ANN, BOB, CID, League

pytestmark = pytest.mark.anyio
SV = CompanyId(Party("SV"))
DAY = 86_400


async def league(clock: Clocking | None, **more) -> League:
    return await League(clock, **more).begin()


async def test_a_turn_has_its_own_time_and_is_called_at_its_end_to_the_moment():
    play = await league(Clocking(100))
    assert play.deadlines() == {"ann": 100}
    await play.until(99.999999)
    assert play.calls == []
    await play.until(5000)
    assert play.calls == [("ann", 100)]


async def test_who_moves_in_time_is_not_called_and_the_next_ones_time_begins():
    play = await league(Clocking(100))
    await play.until(60)
    await play.do(ANN, Pass())
    assert play.deadlines() == {"bob": 160}
    await play.until(1000)
    assert play.calls == [("bob", 160)]
    assert play.refusals == []


async def test_what_a_turn_takes_beyond_its_own_time_comes_out_of_the_bank():
    play = await league(Clocking(10, bank_seconds=100, increment_seconds=5))
    assert play.deadlines() == {"ann": 110}
    await play.until(50)
    await play.do(ANN, Pass())  # 40 of the bank are gone, 5 come back
    await play.do(BOB, Pass())
    await play.do(CID, Pass())
    assert play.deadlines() == {"ann": 50 + 10 + 65}


async def test_a_bank_never_grows_above_what_it_may_hold():
    play = await league(Clocking(10, bank_seconds=100, increment_seconds=50, bank_most=120))
    for who in (ANN, BOB, CID):
        await play.do(who, Pass())
    assert play.deadlines() == {"ann": 130}


async def test_neutral_moves_are_made_until_somebody_else_is_waited_for():
    play = await league(Clocking(100, then="neutral"))
    await play.until(350)
    assert play.calls == [("ann", 100), ("bob", 200), ("cid", 300)]
    assert play.waiting == (ANN,)


async def test_reminders_come_before_the_end_and_not_after_the_turn():
    play = await league(Clocking(100, reminders=(30, 5, 200)))
    await play.until(80)
    [first] = play.prompts
    assert first == notices.ReminderDue(play.table.id, ANN, 1, 100 * SECOND, 30)
    await play.do(ANN, Pass())
    await play.until(81)
    assert play.prompts == [first]
    await play.until(155)
    assert play.prompts[1:] == [notices.ReminderDue(play.table.id, BOB, 2, 180 * SECOND, 30)]


async def test_the_notifier_is_prompted_of_a_call_and_of_a_programme_that_stopped():
    play = await league(Clocking(100))
    await play.do(BOB, SetProgramme(OnlyChoice()))
    await play.do(CID, AssignSeat(BOB, "bob"))
    await play.until(200)
    stopped, called = play.prompts
    assert stopped == notices.ProgramStopped(
        play.table.id, BOB, "OnlyChoice", "Somebody else took the seat.", BOB
    )
    assert called == notices.TimeCalled(play.table.id, ANN, 1, 100 * SECOND, version=4, person=ANN)


async def test_time_runs_in_the_players_own_hours_and_stands_still_on_his_days_off():
    evenings = Hours("Europe/Berlin", 18 * 60, 22 * 60)
    play = await league(Clocking(3600, hours={ANN: evenings}, leave_days=9))
    # Opened at 01:00 in Berlin on 1 January 1970.
    assert play.deadlines() == {"ann": 18 * 3600}
    await play.do(ANN, TakeLeave(Leave("1970-01-01", "1970-01-02")))
    assert play.deadlines() == {"ann": 18 * 3600 + 2 * DAY}
    await play.do(ANN, SetHours(Hours("UTC", 0, 60)))
    assert play.deadlines() == {"ann": 2 * DAY + 3600}


async def test_a_pause_stops_all_time_and_a_resumption_lets_it_go_on_where_it_was():
    play = await league(Clocking(100))
    await play.until(40)
    await play.do(ANN, MakeRequest("pause"))
    request = play.table.requests[0].id
    await play.do(BOB, AnswerRequest(request, yes=True))
    await play.do(CID, AnswerRequest(request, yes=True))
    assert play.deadlines() == {}
    await play.until(100_000)
    assert play.calls == []
    await play.do(CID, MakeRequest("resume"))
    assert play.deadlines() == {"ann": 100_060}


async def test_an_undo_gives_no_time_back_and_a_turn_that_was_called_is_not_called_again():
    play = await league(Clocking(10, bank_seconds=100))
    await play.until(30)
    await play.do(ANN, Pass())
    await play.until(40)
    await play.do(ANN, MakeRequest("undo", 1))
    # Ann has used her own 10 seconds, and 20 of her 100.
    assert play.deadlines() == {"ann": 40 + 80}
    await play.until(1000)
    assert play.calls == [("ann", 120)]
    await play.do(ANN, MakeRequest("undo", 1))
    await play.until(2000)
    assert play.calls == [("ann", 120)]
    await play.do(ANN, Pass())
    await play.until(3000)
    assert play.calls == [("ann", 120), ("bob", 2110)]


async def test_a_question_out_of_turn_has_its_own_time_and_the_turn_below_stands_still():
    play = await league(Clocking(10, bank_seconds=100))
    await play.do(ANN, Bid(SV, 20))
    assert play.waiting == (BOB,)
    await play.do(BOB, Pass())
    assert set(play.deadlines()) == {"cid"}


async def test_a_substitute_begins_with_the_whole_time_of_the_turn():
    play = await league(Clocking(100, then="substitute", substitutes=("sub",)))
    await play.until(150)
    assert play.calls == [("ann", 100)]
    assert play.table.people[ANN] == "sub"
    assert play.deadlines() == {"ann": 200}
    await play.until(201)
    assert play.calls == [("ann", 100), ("ann", 200)]
    assert play.waiting == (BOB,)


async def test_whoever_resigned_is_not_waited_for_any_more():
    play = await league(Clocking(100, then="resign"))
    await play.until(100)
    for moment in (150, 180):
        await play.until(moment)
        await play.do(play.waiting[0], Pass())
    await play.until(181)
    assert play.waiting == (BOB,)
    assert play.calls == [("ann", 100), ("ann", 180)]


async def test_a_table_without_a_clock_and_a_game_that_is_over_have_no_time():
    play = await league(None)
    await play.until(10**6)
    assert play.deadlines() == {}
    timed = await league(Clocking(100))
    await timed.do(ANN, MakeRequest("end"))
    request = timed.table.requests[0].id
    await timed.do(BOB, AnswerRequest(request, yes=True))
    await timed.do(CID, AnswerRequest(request, yes=True))
    await timed.until(1000)
    assert timed.deadlines() == {}
    assert timed.calls == []


@pytest.mark.parametrize("days", [-2, 2])
async def test_the_clock_of_whoever_sends_an_order_counts_for_nothing(days):
    play = await league(Clocking(100))
    await play.until(50)
    reported = (50 + days * DAY) * SECOND
    order = Order(play.table.id, CommandId("x"), ANN, ANN, Pass(), 1, None, reported)
    play.engine.post(order)
    await play.handle()
    assert play.deadlines() == {"bob": 150}
    times = [one.record.at for one in play.engine.logs[play.table.id]]
    assert times == [0, 50 * SECOND]


# --- what may go wrong ---------------------------------------------------------------------------


@pytest.mark.parametrize("then", ["call", "neutral"])
async def test_a_clock_that_is_started_anew_at_any_moment_calls_nobody_twice_and_forgets_nobody(
    then,
):
    calm, restless = [await league(Clocking(100, then=then, reminders=(20,))) for _ in range(2)]
    await calm.until(1000)
    for moment in range(0, 1001, 7):
        restless.keeper = restless.new_keeper()
        if moment % 3 == 0:
            # The place in the feed is lost as well: everything is reckoned from the books.
            restless.clock.places.clear()
        await restless.keeper.begin()
        await restless.until(moment)
    await restless.until(1000)
    assert restless.calls == calm.calls
    assert restless.clock.prompts[0].count(calm.clock.prompts[0][0]) == 1
    reminders = [p for p in restless.prompts if isinstance(p, notices.ReminderDue)]
    assert reminders == [p for p in calm.prompts if isinstance(p, notices.ReminderDue)]


async def test_two_clocks_at_once_call_nobody_twice():
    play = await league(Clocking(100, then="neutral"))
    other = play.new_keeper()
    await other.begin()
    for moment in range(0, 1001, 10):
        play.time.time = moment * SECOND
        await other.catch_up()
        await other.fire(moment * SECOND)
        await play.until(moment)
    assert [when for _, when in play.calls] == [100.0 * n for n in range(1, 11)]
    assert play.refusals == []


async def test_an_order_of_the_clock_that_comes_twice_or_late_moves_nobody_twice():
    play = await league(Clocking(100, then="neutral"))
    await play.until(99)
    play.time.time = 100 * SECOND
    await play.keeper.fire(play.time.time)
    [body] = play.clock.commands[0]
    play.clock.commands[0] += [body, body]
    await play.carried()
    assert play.calls == [("ann", 100)]
    play.clock.commands[0].append(body)
    await play.do(BOB, Pass())
    await play.carried()
    assert play.calls == [("ann", 100)]
    assert play.waiting == (CID,)


async def test_a_clock_put_back_or_forward_calls_each_turn_once():
    play = await league(Clocking(100))
    play.time.time = 90 * SECOND
    await play.keeper.fire(play.time.time)
    play.time.time = 10 * SECOND
    await play.until(95)
    assert play.calls == []
    await play.until(100_000)
    play.time.time = 0
    await play.until(200)
    assert play.calls == [("ann", 100)]

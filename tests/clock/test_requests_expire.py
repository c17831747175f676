"""What is asked of others and never answered: it expires, by a rule that everybody can read."""

import pytest

from contracts import events as e
from contracts.clocking import Clocking
from contracts.commands import AnswerRequest, ExpireRequest, MakeRequest, Pass
from contracts.people import NOBODY
from contracts.rejections import Code
from contracts.streams import Recorded, Refused
from services.engine.rules.decide import choices
from services.engine.rules.ruleset import ruleset_of
from tests.clock.league import ANN, BOB, CID, TABLE, League

pytestmark = pytest.mark.anyio
HOUR = 3600
CLOCKED = Clocking(10 * HOUR)


async def league(clock: Clocking | None = CLOCKED, seconds: int = HOUR, **more) -> League:
    """A table of three without a host, at which requests wait for an hour."""
    play = League(clock, request_seconds=seconds, **{"host": None, "undo": "consent", **more})
    return await play.begin()


def waits(play: League) -> bool:
    """Whether a request waits."""
    return bool(play.table.requests)


def is_paused(play: League) -> bool:
    return play.table.beside.paused


def closed(play: League) -> list[tuple[float, str]]:
    """When requests were closed, in seconds, and how."""
    return [
        (one.record.at / 1_000_000, event.because)
        for one in play.engine.logs[TABLE]
        for event in one.record.events
        if isinstance(event, e.RequestClosed)
    ]


@pytest.mark.parametrize(
    ("what", "clock"), [("pause", CLOCKED), ("end", CLOCKED), ("undo", CLOCKED), ("end", None)]
)
async def test_a_request_that_not_everybody_answers_expires_and_silence_is_a_no(what, clock):
    play = await league(clock)
    await play.do(ANN, Pass())
    await play.until(100)
    await play.do(ANN, MakeRequest(what, 1 if what == "undo" else None))
    await play.until(500)
    await play.do(BOB, AnswerRequest(play.table.requests[0].id, yes=True))
    await play.until(100 + HOUR - 1)
    assert waits(play)
    await play.until(100 + HOUR + 1)
    assert closed(play) == [(100 + HOUR, "expired")]
    assert not waits(play)
    assert not is_paused(play)
    assert play.waiting == (BOB,)
    last = play.engine.logs[TABLE][-1].record
    assert (last.order.sender, last.order.player) == ("clock", ANN)


async def test_silence_is_a_yes_to_going_on_or_one_who_left_would_stop_the_game_for_ever():
    play = await league()
    await play.do(ANN, MakeRequest("pause"))
    for who in (BOB, CID):
        await play.do(who, AnswerRequest(play.table.requests[0].id, yes=True))
    assert is_paused(play)
    await play.until(50 * HOUR)
    await play.do(ANN, MakeRequest("resume"))
    await play.do(BOB, AnswerRequest(play.table.requests[0].id, yes=True))
    await play.until(52 * HOUR)
    assert not is_paused(play)
    assert play.deadlines() == {ANN: (51 + 10) * HOUR}
    assert play.calls == []


async def test_only_those_who_are_asked_answer_and_each_once_or_one_could_agree_for_all():
    play = await league()
    await play.do(ANN, MakeRequest("end"))
    request = play.table.requests[0].id
    await play.do(BOB, AnswerRequest(request, yes=True))
    for who in (ANN, BOB):
        for yes in (True, False):
            outcome = await play.tried(who, AnswerRequest(request, yes=yes))
            assert isinstance(outcome, Refused)
            assert outcome.rejection.code == Code.QUESTION_CLOSED
    assert play.table.requests[0].waiting == (CID,)


async def test_a_request_that_is_refused_or_lapses_does_not_expire_as_well():
    play = await league()
    await play.do(ANN, MakeRequest("end"))
    await play.do(CID, AnswerRequest(play.table.requests[0].id, yes=False))
    await play.do(BOB, MakeRequest("end"))
    await play.do(ANN, Pass())
    await play.until(9 * HOUR)
    assert closed(play) == [(0, "refused"), (0, "lapsed")]
    assert play.refusals == []


async def test_a_table_may_let_requests_wait_for_ever():
    play = await league(seconds=0)
    await play.do(ANN, MakeRequest("end"))
    await play.until(9 * HOUR)
    assert waits(play)
    outcome = await play.tried(ANN, ExpireRequest(play.table.requests[0].id), "clock")
    assert isinstance(outcome, Refused)


async def test_clocks_that_die_expire_a_request_once():
    play = await league()
    await play.do(ANN, MakeRequest("end"))
    for moment in range(0, 2 * HOUR, 500):
        play.keeper = play.new_keeper()
        if moment % 1000 == 0:
            play.clock.places.clear()
        await play.keeper.begin()
        await play.until(moment)
    assert closed(play) == [(HOUR, "expired")]
    assert play.refusals == []


async def test_one_that_an_undo_brings_back_waits_anew():
    play = await league(undo="free", clock=None)
    await play.do(ANN, MakeRequest("end"))
    await play.until(2 * HOUR)
    assert closed(play) == [(HOUR, "expired")]
    await play.do(ANN, MakeRequest("undo", 2))
    await play.until(9 * HOUR)
    assert closed(play) == [(HOUR, "expired"), (3 * HOUR, "expired")]


@pytest.mark.parametrize("sender", ["ann", "bob", NOBODY])
async def test_only_the_clock_lets_a_request_expire(sender):
    play = await league()
    await play.do(ANN, MakeRequest("end"))
    outcome = await play.tried(ANN, ExpireRequest(play.table.requests[0].id), sender)
    assert isinstance(outcome, Refused)
    assert outcome.rejection.code == Code.NOT_YOUR_SEAT


async def test_what_the_clock_may_do_is_among_its_choices_and_is_accepted():
    play = await league()
    await play.do(ANN, MakeRequest("end"))
    found = choices(ruleset_of(play.table), play.table, ANN, "clock")
    expiry = ExpireRequest(play.table.requests[0].id)
    assert expiry in [one.command for one in found]
    assert isinstance(await play.tried(ANN, expiry, "clock"), Recorded)
    late = await play.tried(ANN, expiry, "clock")
    assert isinstance(late, Refused)
    assert late.rejection.code == Code.QUESTION_CLOSED


async def test_no_table_is_opened_with_a_negative_time_for_requests():
    with pytest.raises(AssertionError, match="No time can be negative"):
        await league(seconds=-1)


async def test_nobody_is_asked_for_a_seat_from_which_its_player_has_resigned():
    play = await league(Clocking(10 * HOUR, then="resign"))
    await play.until(10 * HOUR)
    assert play.table.people == {ANN: NOBODY}
    await play.do(BOB, MakeRequest("pause"))
    assert play.table.requests[0].waiting == (CID,)
    await play.do(CID, AnswerRequest(play.table.requests[0].id, yes=True))
    assert is_paused(play)


@pytest.mark.parametrize("what", ["pause", "end", "undo"])
async def test_who_is_left_alone_needs_nobodys_consent(what):
    play = await league(Clocking(10 * HOUR, then="resign"))
    await play.until(25 * HOUR)
    assert play.table.people == {ANN: NOBODY, BOB: NOBODY}
    await play.do(CID, MakeRequest(what, 1 if what == "undo" else None))
    assert not waits(play)
    over = play.table.ending is not None and play.table.ending.over
    assert (is_paused(play), over) == (what == "pause", what == "end")
    assert (play.waiting == (ANN,)) == (what == "undo")

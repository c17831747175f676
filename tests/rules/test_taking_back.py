"""Taking back: what is one's own, and what nobody has to be asked about though others are."""

import pytest

from contracts import events as e
from contracts.choices import Interval
from contracts.clocking import Clocking, Hours, Leave
from contracts.commands import (
    AnswerRequest,
    CallTime,
    ExpireRequest,
    MakeRequest,
    Order,
    Pass,
    SetHours,
    SetProgramme,
    TakeLeave,
)
from contracts.ids import CommandId, PlayerId
from contracts.people import CLOCK
from contracts.pieces import Settings
from contracts.programmes import OnlyChoice
from contracts.rejections import Code
from services.engine.rules.decide import choices
from services.engine.rules.ruleset import ruleset_of
from services.engine.table.agenda import awaited
from services.engine.table.change import changed
from tests.positions import TABLE
from tests.rules.test_programmes import ANN, BOB, CID, DAN, Play, table


def play(**settings) -> Play:
    one = Play(table("ann"))
    one.tables = [changed(one.table, settings=Settings(**settings))]
    return one


def last(one: Play) -> tuple[e.AnyEvent, ...]:
    return one.records[-1].events


def listed(one: Play, who: PlayerId) -> list[tuple[str, int | None]]:
    """What somebody may ask for, an undo with the first version that it may go back to."""
    return [
        (choice.command.what, choice.open.least if isinstance(choice.open, Interval) else None)
        for choice in choices(ruleset_of(one.table), one.table, who)
        if isinstance(choice.command, MakeRequest)
    ]


def test_a_move_that_the_clock_made_is_not_ones_own():
    """Or whoever lets his time run out could go back alone to a turn that is never called again."""
    one = play(undo="own", clock=Clocking(60, then="neutral"))
    frame = one.table.agenda[-1].id
    one.ordered(Order(TABLE, CommandId("x"), CLOCK, ANN, CallTime(frame)))
    assert awaited(one.table) == (BOB,)
    one.do("ann", MakeRequest("undo", one.first))
    assert isinstance(last(one)[0], e.RequestMade)
    assert awaited(one.table) == (BOB,)


def test_the_host_takes_back_at_once_also_while_others_are_still_asked():
    one = play(undo="own", host=CID)
    one.do("ann", Pass()).do("bob", Pass()).do("ann", MakeRequest("undo", one.first))
    assert one.refused("bob", MakeRequest("undo", one.first)) == Code.BAD_REQUEST
    assert ("undo", 1) in listed(one, CID)
    assert "undo" not in dict(listed(one, DAN))
    one.do("cid", MakeRequest("undo", one.first))
    assert last(one) == (e.Undone(one.first, CID),)
    assert one.table.requests == ()
    assert awaited(one.table) == (ANN,)


def test_ones_own_move_is_taken_back_at_once_also_while_others_are_still_asked():
    one = play(undo="own")
    one.do("ann", MakeRequest("undo", 1)).do("ann", Pass())
    assert one.table.requests == ()
    one.do("ann", MakeRequest("undo", 1))
    assert ("undo", one.first) in listed(one, ANN)
    assert one.refused("ann", MakeRequest("undo", 1)) == Code.BAD_REQUEST
    one.do("ann", MakeRequest("undo", one.first))
    assert last(one) == (e.Undone(one.first, ANN),)


@pytest.mark.parametrize("what", ["pause", "end", "undo"])
def test_ones_own_move_stays_ones_own_whatever_others_ask_for(what):
    one = play(undo="own", clock=Clocking(60))
    one.do("ann", Pass())
    one.do("bob", MakeRequest(what, 2 if what == "undo" else None))
    assert dict(listed(one, ANN))["undo"] == (one.first if what == "undo" else 1)
    one.do("cid", AnswerRequest(one.table.requests[0].id, yes=True))
    one.do("ann", MakeRequest("undo", one.first))
    assert last(one) == (e.Undone(one.first, ANN),)
    assert awaited(one.table) == (ANN,)


def test_ones_own_move_stays_ones_own_when_a_request_is_refused_or_expires():
    one = play(undo="own", clock=Clocking(60))
    one.do("ann", Pass()).do("bob", MakeRequest("end"))
    one.do("cid", AnswerRequest(one.table.requests[0].id, yes=False))
    one.do("bob", MakeRequest("pause"))
    expiry = ExpireRequest(one.table.requests[0].id)
    one.ordered(Order(TABLE, CommandId("x"), CLOCK, ANN, expiry))
    assert one.table.requests == ()
    one.do("ann", MakeRequest("undo", one.first))
    assert last(one) == (e.Undone(one.first, ANN),)


def test_ones_own_move_stays_ones_own_through_hours_leave_programmes_and_an_agreed_pause():
    one = play(undo="own", clock=Clocking(60, leave_days=3))
    one.do("ann", Pass())
    one.do("bob", SetHours(Hours("Europe/Berlin", 60, 120)))
    one.do("cid", TakeLeave(Leave("2026-12-24", "2026-12-24")))
    one.do("dan", SetProgramme(OnlyChoice()))
    one.do("bob", MakeRequest("pause"))
    for who in ("ann", "cid", "dan"):
        one.do(who, AnswerRequest(one.table.requests[0].id, yes=True))
    assert one.table.beside.paused
    one.do("ann", MakeRequest("undo", one.first))
    assert last(one) == (e.Undone(one.first, ANN),)


def test_what_all_have_agreed_to_is_taken_back_by_nobody_alone():
    """A consented undo ends the run of whoever moved before it: or he would put all back alone."""
    one = play(undo="own")
    one.do("ann", Pass()).do("bob", MakeRequest("undo", one.first))
    moved = one.first + 1
    for who in ("cid", "dan", "ann"):
        one.do(who, AnswerRequest(one.table.requests[0].id, yes=True))
    assert isinstance(last(one)[0], e.Undone)
    one.do("ann", MakeRequest("undo", moved))
    assert isinstance(last(one)[0], e.RequestMade)


def test_once_somebody_else_has_moved_the_others_are_asked_whatever_was_asked_between():
    one = play(undo="own")
    one.do("ann", Pass()).do("bob", MakeRequest("end")).do("bob", Pass())
    one.do("ann", MakeRequest("undo", one.first))
    assert isinstance(last(one)[0], e.RequestMade)


def test_a_pause_that_the_host_grants_is_not_asked_for_any_more():
    one = play(host=CID, clock=Clocking(60))
    one.do("ann", MakeRequest("pause"))
    assert "pause" not in dict(listed(one, BOB))
    assert "pause" in dict(listed(one, CID))
    one.do("cid", MakeRequest("pause"))
    assert [type(event) for event in last(one)] == [e.RequestClosed, e.PlayPaused]
    assert one.table.requests == ()
    assert one.table.beside.paused

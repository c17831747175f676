"""Taking back: what is one's own, and what nobody has to be asked about though others are."""

from contracts import events as e
from contracts.choices import Interval
from contracts.clocking import Clocking
from contracts.commands import CallTime, MakeRequest, Order, Pass
from contracts.ids import CommandId, PlayerId
from contracts.people import CLOCK
from contracts.pieces import Settings
from contracts.rejections import Code
from services.engine.rules.decide import choices
from services.engine.rules.ruleset import ruleset_of
from services.engine.table.agenda import awaited
from services.engine.table.change import changed
from tests.positions import TABLE
from tests.rules.test_programmes import ANN, BOB, CID, Play, table


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
    assert "undo" not in dict(listed(one, BOB))
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


def test_a_pause_that_the_host_grants_is_not_asked_for_any_more():
    one = play(host=CID, clock=Clocking(60))
    one.do("ann", MakeRequest("pause"))
    assert "pause" not in dict(listed(one, BOB))
    assert "pause" in dict(listed(one, CID))
    one.do("cid", MakeRequest("pause"))
    assert [type(event) for event in last(one)] == [e.RequestClosed, e.PlayPaused]
    assert one.table.requests == ()
    assert one.table.beside.paused

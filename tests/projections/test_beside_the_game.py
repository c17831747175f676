"""Seats, programmes and requests as views: who sits where since when, what the server does."""

import msgspec

from contracts import events as e
from contracts.clocking import Clocking, Leave
from contracts.frames import Request
from contracts.ids import OFFERING, FrameId
from contracts.people import NOBODY
from contracts.pieces import Seat, Settings
from contracts.programmes import Buying, Held, OnlyChoice
from contracts.views_beside import SeatsView, Sitting
from services.engine.projections import api
from tests.projections.projected import state_of, view
from tests.tables import ANN, BOB, CID, PRR, TITLE, Story, dealt, opened, opening

SECOND = 10_000_000
"""Records of a story are ten seconds apart."""


def peopled() -> Story:
    """Ann's seat names Andrea, Bob's nobody; Cid's is taken by Zoe, and then by Andrea's friend."""
    seats = (Seat(ANN, "Ann", "andrea"), Seat(BOB, "Bob"), Seat(CID, "Cid", "cyril"))
    clock = Clocking(turn_seconds=60, substitutes=("zoe", "yan"), then="substitute")
    settings = Settings(host=BOB, clock=clock, host_acts=True)
    begun = e.TableOpened(TITLE, "1", {}, {}, settings, seats, 7)
    story = Story().tell(ANN, begun, *opening()[1:])
    return story.tell(BOB, e.SeatTaken(CID, "zoe", 2)).tell(BOB, e.SeatTaken(CID, "yan", 3))


def test_seats_tell_who_sat_there_from_which_version_and_moment_to_which():
    shown = view(peopled(), "seats")
    assert [seat.player for seat in shown.seats] == [ANN, BOB, CID]
    ann, bob, cid = (seat.sittings for seat in shown.seats)
    assert ann == (Sitting("andrea", 1, SECOND),)
    assert bob == (Sitting(None, 1, SECOND),)
    assert cid == (
        Sitting("cyril", 1, SECOND, 2, 2 * SECOND),
        Sitting("zoe", 2, 2 * SECOND, 3, 3 * SECOND),
        Sitting("yan", 3, 3 * SECOND),
    )
    assert (shown.host, shown.host_acts) == (BOB, True)


def test_substitutes_are_left_as_long_as_they_have_no_seat():
    story = peopled()
    assert [view(story, "seats", at).substitutes for at in (1, 2, 3)] == [
        ("zoe", "yan"),
        ("yan",),
        ("zoe",),
    ]


def test_seats_as_they_were_at_a_version_know_nothing_of_later_ones():
    (_, _, cid) = view(peopled(), "seats", 2).seats
    assert cid.sittings[-1] == Sitting("zoe", 2, 2 * SECOND)


def test_an_undo_takes_no_seat_back():
    story = peopled().undo(ANN, 1)
    (_, _, cid) = view(story, "seats").seats
    assert cid.sittings[-1].person == "yan"


def test_a_seat_that_somebody_has_resigned_is_nobodys():
    story = peopled().tell(BOB, e.SeatTaken(CID, NOBODY, 4))
    assert view(story, "seats").seats[2].sittings[-1].person == NOBODY


def test_programmes_are_told_in_words_and_as_the_line_that_sets_them():
    buying = Held(FrameId("2.0"), ANN, Buying(PRR, OFFERING, 80), FrameId("1.4"))
    only = Held(FrameId("3.0"), BOB, OnlyChoice())
    story = opened().tell(ANN, e.ProgrammeSet(buying)).tell(BOB, e.ProgrammeSet(only))
    first, second = view(story, "programmes").programmes
    assert (first.line, first.since, first.since_time) == (
        "programme buy PRR from offering at 80",
        2,
        2 * SECOND,
    )
    assert first.words == "Buy PRR from the initial offering for at most $80 until it floats."
    assert (second.line, second.round) == ("programme only-choice", None)
    assert view(story, "programmes", 1).programmes == ()
    story.tell(ANN, e.ProgrammeStopped(buying, "cleared"))
    assert [one.player for one in view(story, "programmes").programmes] == [BOB]
    assert view(story.undo(ANN, 3), "programmes").programmes == ()


def test_requests_tell_who_agreed_and_for_whom_they_wait():
    request = Request(FrameId("5.0"), "undo", CID, (ANN, BOB), 1)
    story = dealt().tell(CID, e.RequestMade(request))
    story.tell(BOB, e.RequestAnswered(request.id, BOB, yes=True))
    (shown,) = view(story, "requests").requests
    assert (shown.agreed, shown.waiting) == ((BOB,), (ANN,))
    assert (shown.since, shown.since_time) == (5, 5 * SECOND)
    assert view(story, "turn").requests == (shown,)
    assert view(story, "tables").answering == (ANN,)
    assert view(story, "requests", 4).requests == ()


def test_the_lobby_tells_who_acts_for_a_seat():
    assert [seat.person for seat in view(peopled(), "tables").seats] == ["andrea", None, "yan"]


def test_minutes_mark_nothing_as_undone_that_an_undo_does_not_take_back():
    story = dealt().tell(BOB, e.LeaveTaken(BOB, Leave("2026-12-24", "2026-12-27")))
    story.tell(ANN, e.PlayPaused(paused=True)).undo(ANN, 1)
    undone = {line.event: line.undone for line in view(story, "minutes").lines}
    assert undone["SharesBought"]
    assert not undone["LeaveTaken"]
    assert not undone["PlayPaused"]


def test_pages_of_an_older_release_show_who_sits_there_now():
    story = peopled()
    state = state_of(story)
    bare = tuple(msgspec.structs.replace(page, sat=()) for page in state.pages)
    old = api.view(api.State(state.table, bare), story.table, "seats")
    assert isinstance(old, SeatsView)
    assert [seat.sittings[0].person for seat in old.seats] == ["andrea", None, "yan"]

"""What people hear of moves that were taken back or put back, by whom, and of the time after it."""

import msgspec
import pytest

from contracts import events as e
from contracts.commands import AnswerRequest
from contracts.frames import Request
from contracts.ids import FrameId
from contracts.notices import Deadline, ReminderDue
from tests.notifier.looking import Watched
from tests.tables import ANN, BOB, CID, NYC, PRR, TABLE, bought, opened, player_turn, turn_over

LATE = 99_000_000


def ann_then_bob():
    """Ann bought (2); Bob is due."""
    return opened().tell(
        ANN, bought(ANN, PRR, 1, 67), turn_over("1.5", ANN), player_turn("2.4", BOB)
    )


def sent_by(story, sender, **changes):
    """The story, whose last order came from somebody else."""
    last = story.records[-1]
    order = msgspec.structs.replace(last.order, sender=sender, **changes)
    story.records[-1] = msgspec.structs.replace(last, order=order)
    return story


def looked(story, *versions, **more):
    watched = Watched.of(story)
    for version in versions:
        watched.look(version, **more)
    return watched


# --- the time after it -----------------------------------------------------------------------


def test_after_an_undo_until_when_is_said_by_the_count_of_the_clock():
    """The clock counts a turn from the undo on, the view from where it stood: none was said."""
    watched = looked(ann_then_bob().undo(CID, 1), 1, 2)
    watched.look(3, deadlines={ANN: Deadline(3, LATE)})
    assert watched.last(ANN).kind == "undone"
    assert watched.last(ANN).until == watched.last(None).until == LATE


def test_after_an_undo_a_reminder_is_told():
    """It named the turn by the undo, was taken for one of another turn, and never told."""
    watched = looked(ann_then_bob().undo(CID, 1), 1, 2)
    deadlines = {ANN: Deadline(3, LATE)}
    watched.look(3, deadlines=deadlines)
    watched.look(3, deadlines=deadlines, due=ReminderDue(TABLE, ANN, 3, LATE))
    assert watched.last(ANN).kind == "reminder"
    assert watched.last(ANN).until == LATE


def test_a_reminder_of_a_turn_that_the_clock_counts_no_more_is_not_told_after_an_undo():
    story = ann_then_bob().undo(CID, 1)
    for deadlines in ({}, {ANN: Deadline(3, LATE)}, {BOB: Deadline(2, LATE)}):
        watched = looked(story, 1, 2)
        watched.look(3, deadlines=deadlines, due=ReminderDue(TABLE, ANN, 2, LATE))
        assert "reminder" not in watched.kinds(ANN)


def test_where_nothing_was_undone_a_later_count_of_the_clock_is_of_another_turn():
    watched = looked(opened(), 1, deadlines={ANN: Deadline(2, LATE)})
    assert watched.last(ANN).until == 0


# --- who did it ------------------------------------------------------------------------------


def anna_undone_by(sender):
    """Anna sits in Ann's seat (2) and bought (3), and somebody took that back for her seat (4)."""
    story = opened().tell(ANN, e.SeatTaken(ANN, "anna", 2))
    story.tell(ANN, bought(ANN, PRR, 1, 67), turn_over("1.5", ANN), player_turn("3.4", BOB))
    return looked(sent_by(story.undo(ANN, 2), sender), 1, 2, 3, 4)


def test_who_is_to_act_again_because_the_host_undid_for_his_seat_is_told():
    """The undo stood in the name of Ann's seat, so she was taken to know of it."""
    watched = anna_undone_by("olga")
    assert watched.kinds(ANN) == ["turn", "turn", "undone"]
    assert watched.last(ANN).words.startswith("The host took moves back, and you are to act again.")


@pytest.mark.parametrize("sender", ["anna", "anna/robot"])
def test_who_undid_himself_or_by_a_program_of_his_knows_it(sender):
    watched = anna_undone_by(sender)
    assert watched.kinds(ANN) == ["turn", "turn"]
    assert watched.last(None).words.startswith("Ann took moves back. ")


def test_what_all_agreed_to_is_not_laid_at_the_door_of_who_agreed_last():
    story = ann_then_bob().undo(CID, 1)
    sent_by(story, CID, command=AnswerRequest(FrameId("2.0"), yes=True))
    watched = looked(story, 1, 2, 3)
    assert "Moves were taken back, as all had agreed." in watched.corrections[0].words


def test_moves_that_were_put_back_are_not_said_to_be_taken_back():
    watched = looked(ann_then_bob().undo(ANN, 1).undo(ANN, 2), 1, 2, 3, 4)
    assert watched.last(BOB).words.startswith("Ann put moves back, and you are to act again.")
    assert watched.last(None).words.startswith("Ann put moves back. ")


# --- once ------------------------------------------------------------------------------------


def test_who_was_told_several_things_gets_one_correction_for_all_of_them():
    """Bob had his turn's notice, a reminder and a request: three messages said the same."""
    request = Request(FrameId("3.0"), "undo", ANN, (BOB, CID), 1)
    story = ann_then_bob().tell(ANN, e.RequestMade(request)).undo(ANN, 1)
    watched = looked(story, 1, 2)
    watched.look(2, due=ReminderDue(TABLE, BOB, 2, LATE))
    told = {one.id for one in watched.heard if one.player == BOB and one.kind != "begun"}
    watched.look(3)
    told |= {one.id for one in watched.heard if one.player == BOB and one.kind == "consent"}
    found = watched.look(4)
    of_bob = [one for one in found.withdrawn if one.notice in told]
    assert len(of_bob) == 3
    assert len({one.correction.id for one in of_bob if one.correction}) == 1
    assert all(one.correction for one in of_bob), "whichever of them has arrived"


def test_who_is_told_that_he_is_to_act_again_gets_no_correction_beside_it():
    story = ann_then_bob().undo(CID, 1)
    story.tell(ANN, turn_over("1.5", ANN, "passed"), player_turn("4.1", BOB))
    watched = looked(story, 1, 2)
    watched.look(2, due=ReminderDue(TABLE, BOB, 2, LATE))
    watched.look(4)
    assert watched.last(BOB).kind == "turn"
    assert not [one for one in watched.corrections if one.player == BOB]


def test_a_room_that_heard_of_nothing_before_hears_of_no_undo():
    watched = looked(ann_then_bob().undo(CID, 1), 3)
    assert watched.last(None).kind == "turn"
    assert watched.last(None).words == "Ann has to deal in shares or pass."


# --- asked -----------------------------------------------------------------------------------


def test_who_is_asked_to_take_moves_back_hears_which():
    request = Request(FrameId("3.0"), "undo", ANN, (BOB, CID), 1)
    watched = looked(ann_then_bob().tell(ANN, e.RequestMade(request)), 1, 2, 3)
    assert watched.last(CID).words == (
        "Ann asks to take the table back to version 1. That takes back: Ann bought a 10% share of "
        "PRR from the initial offering for $67. You have not answered yet."
    )


def test_what_a_request_would_put_back_is_not_said_to_be_taken_back():
    story = ann_then_bob().undo(ANN, 1)
    story.tell(ANN, e.RequestMade(Request(FrameId("4.0"), "undo", BOB, (ANN, CID), 2)))
    watched = looked(story, 1, 2, 3, 4)
    assert "takes back" not in watched.last(CID).words
    story = ann_then_bob().undo(ANN, 1).tell(ANN, bought(ANN, NYC, 1, 82))
    story.tell(ANN, e.RequestMade(Request(FrameId("5.0"), "undo", BOB, (ANN, CID), 2)))
    watched = looked(story, 1, 2, 3, 4, 5)
    assert "That takes back: Ann bought a 10% share of NYC" in watched.last(CID).words
    assert "PRR" not in watched.last(CID).words

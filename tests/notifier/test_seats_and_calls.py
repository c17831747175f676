"""What whoever takes a seat over hears first, and what is said of a call of time."""

from contracts import events as e
from contracts.frames import Request
from contracts.ids import FrameId
from contracts.notices import ProgramStopped, TimeCalled
from contracts.people import NOBODY
from services.engine.table.agenda import current_turn
from tests.notifier.looking import Watched
from tests.tables import ANN, BOB, CID, TABLE, opened, player_turn, turn_over


def looked(story, *versions):
    watched = Watched.of(story)
    for version in versions:
        watched.look(version)
    return watched


def test_who_takes_a_seat_over_that_is_to_act_hears_for_whom_he_plays():
    watched = looked(opened().tell(ANN, e.SeatTaken(ANN, "dora", 2)), 1, 2)
    assert watched.last(ANN).words.startswith("You play for Ann from now on. You have to ")


def test_who_takes_a_seat_over_hears_it_with_the_first_that_he_is_told_and_once():
    story = opened().tell(ANN, e.SeatTaken(BOB, "dora", 2))
    story.tell(ANN, turn_over("1.5", ANN), player_turn("3.1", BOB))
    story.tell(BOB, turn_over("3.1", BOB), player_turn("4.1", CID))
    story.tell(CID, turn_over("4.1", CID), player_turn("5.1", BOB))
    watched = looked(story, 1, 2, 3)
    assert watched.last(BOB).words.startswith("You play for Bob from now on. You have to ")
    for version in (4, 5):
        watched.look(version)
    assert watched.kinds(BOB) == ["begun", "news", "turn", "turn"]
    assert watched.last(BOB).words.startswith("You have to ")


def test_of_two_who_took_a_seat_over_the_one_who_has_it_now_is_told():
    story = opened().tell(ANN, e.SeatTaken(BOB, "dora", 2))
    story.tell(ANN, e.SeatTaken(BOB, "emil", 3))
    story.tell(ANN, turn_over("1.5", ANN), player_turn("4.1", BOB))
    watched = looked(story, 1, 2, 3, 4)
    assert watched.last(BOB).person == "emil"
    assert watched.last(BOB).words.count("You play for Bob") == 1


def test_a_call_says_what_was_done_for_whom_it_was():
    first = opened()
    turn = current_turn(first.table)
    assert turn is not None
    story = first.tell(
        ANN,
        e.TimeCalled(ANN, turn.id, "neutral"),
        e.Passed(ANN, "chose to"),
        turn_over("1.5", ANN),
        player_turn("2.2", BOB),
    )
    watched = looked(story, 1)
    watched.look(2, called=TimeCalled(TABLE, ANN, 1, 99, "Neutral moves were made.", 2))
    assert watched.last(ANN).words == "Your time ran out. Neutral moves were made. Ann passed."
    calls = [one for one in watched.heard if (one.player, one.kind) == (None, "time called")]
    assert calls[0].words == "The time of Ann ran out. Neutral moves were made. Ann passed."


def test_a_call_says_to_the_room_who_has_the_seat_now():
    turn = current_turn(opened().table)
    assert turn is not None
    story = opened()
    story.tell(ANN, e.TimeCalled(ANN, turn.id, "substitute"), e.SeatTaken(ANN, "dora", 2))
    watched = looked(story, 1)
    watched.look(2, called=TimeCalled(TABLE, ANN, 1, 99, "", 2, "anna"))
    calls = [one for one in watched.heard if one.kind == "time called"]
    assert [(one.person, one.words) for one in calls] == [
        ("anna", "Your time ran out."),
        ("", "The time of Ann ran out. The seat of Ann was taken by dora."),
    ]


def test_nobody_takes_a_seat_over_without_being_spoken_to():
    watched = looked(opened().tell(ANN, e.SeatTaken(ANN, NOBODY, 2)), 1, 2)
    assert watched.kinds(ANN) == ["turn"]


def test_nobody_is_asked_to_agree_for_a_seat_that_was_given_up():
    story = opened().tell(BOB, e.SeatTaken(BOB, NOBODY, 2))
    story.tell(ANN, e.RequestMade(Request(FrameId("3.0"), "pause", ANN, (BOB, CID), None)))
    watched = looked(story, 1, 2, 3)
    assert (watched.kinds(BOB), watched.kinds(CID)) == (["begun"], ["begun", "consent"])


def test_time_that_ran_out_again_and_again_between_two_looks_is_told_once():
    """A turn without time of its own is called as soon as it comes, and so may many in a row."""
    watched = looked(opened(), 1)
    prompts = {f"c{n}": TimeCalled(TABLE, BOB, 1, 90 + n, "", 0, BOB) for n in range(22)}
    watched.look(**prompts)
    calls = [(one.player, one.words) for one in watched.heard if one.kind == "time called"]
    assert calls == [
        (BOB, "Your time ran out 22 times."),
        (None, "The time of Bob ran out 22 times."),
    ]
    assert watched.look(**prompts).notices == ()


def test_whose_program_stopped_hears_of_it_though_his_seat_was_given_up_with_it():
    watched = looked(opened().tell(BOB, e.SeatTaken(BOB, NOBODY, 2)), 1, 2)
    why = "Its player's time was called."
    watched.look(stopped=ProgramStopped(TABLE, BOB, "OnlyChoice", why, BOB))
    assert (watched.last(BOB).kind, watched.last(BOB).person) == ("program stopped", BOB)
    heard = len(watched.heard)
    watched.look(older=ProgramStopped(TABLE, BOB, "OnlyChoice", why))
    assert len(watched.heard) == heard


def test_a_prompt_that_is_repeated_after_other_looks_is_told_once():
    watched = looked(opened(), 1)
    prompt = ProgramStopped(TABLE, BOB, "Passing", "Moves were taken back.")
    watched.look(first=prompt)
    watched.look(other=ProgramStopped(TABLE, CID, "Passing", "Moves were taken back."))
    watched.look()
    assert watched.look(first=prompt).notices == ()


def test_a_program_is_called_as_it_was_set():
    for held, called in (("Passing", "pass"), ("Buying", "buy"), ("OnlyChoice", "only-choice")):
        watched = looked(opened(), 1)
        watched.look(stopped=ProgramStopped(TABLE, BOB, held, "Moves were taken back."))
        assert watched.last(BOB).words == f"Your program ({called}) stopped: Moves were taken back."

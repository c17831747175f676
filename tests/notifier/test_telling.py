"""Who is told what, once: by stories, and by whole games looked at at any moments."""

import doctest
import importlib
import random

import pytest

from contracts import events as e
from contracts.frames import Question, Request, SellDown, Turn
from contracts.ids import FrameId
from contracts.notices import Deadline, ProgramStopped, ReminderDue, TimeCalled
from contracts.people import NOBODY
from contracts.pieces import Standing
from contracts.views import Asked
from services.engine.table.agenda import awaited, current_turn
from services.engine.table.fold import tables
from services.engine.table.state import new_table
from services.notifier import telling
from services.notifier.taking_back import undone
from services.notifier.telling import BEGUN
from tests.notifier.looking import Watched
from tests.play.played import TITLE, played
from tests.tables import (
    ANN,
    BOB,
    CID,
    PRR,
    TABLE,
    bought,
    dealt,
    opened,
    operated,
    player_turn,
    turn_over,
)


@pytest.mark.parametrize(
    "name",
    [
        *("taking_back", "hours", "wording", "patience", "settings"),
        *("channels.addresses", "channels.answers", "channels.webhook"),
    ],
)
def test_the_examples_in_the_code_are_true(name):
    found = doctest.testmod(importlib.import_module(f"services.notifier.{name}"))
    assert found.attempted
    assert not found.failed


# --- becoming the one to act -----------------------------------------------------------------


def test_one_notice_when_a_person_becomes_the_one_to_act_and_none_while_he_stays_so():
    """C01: Ann lays, places nothing, runs, pays and buys; then it is Bob's company."""
    watched = Watched.of(operated())
    watched.look(5)
    before = watched.kinds(ANN)
    for version in range(6, 11):
        watched.look(version)
    assert watched.kinds(ANN) == [*before, "turn"]
    assert watched.kinds(BOB) == ["turn", "turn"]
    assert watched.last(BOB).version == 10


def test_who_directs_the_next_company_too_hears_nothing_new():
    story = operated()
    turn = current_turn(story.table)
    assert turn is not None
    following = Turn(FrameId("11.1"), turn.who, ("track",))
    story.tell(BOB, e.TurnEnded(turn.id, turn.who, "done"), e.TurnBegan(following))
    watched = Watched.of(story)
    watched.look(10)
    watched.look(11)
    assert watched.kinds(BOB) == ["turn"]


def test_a_second_look_tells_nothing():
    watched = Watched.of(dealt())
    watched.look()
    heard = len(watched.heard)
    assert watched.look().notices == ()
    assert (len(watched.heard), watched.withdrawn) == (heard, [])


def test_quick_moves_between_two_looks_tell_only_who_is_to_act_now():
    watched = Watched.of(dealt())
    watched.look(1)
    watched.look(4)
    # Ann was told, acted, and became the one to act again meanwhile: that is a new turn.
    assert watched.kinds(ANN) == ["turn", "turn"]
    assert watched.kinds(BOB) == [BEGUN]
    assert watched.kinds(CID) == [BEGUN]


def test_the_first_turn_and_the_beginning_are_one_notice():
    watched = Watched.of(opened())
    watched.look()
    assert watched.kinds(ANN) == ["turn"]
    assert "The game has begun." in watched.last(ANN).words
    assert watched.kinds(BOB) == watched.kinds(CID) == ["begun"]
    assert watched.last(BOB).words.endswith("Ann has to deal in shares or pass.")


def test_several_asked_at_once_are_told_each_and_who_remains_is_not_told_again():
    story = opened().tell(ANN, e.QuestionAsked(Question(FrameId("2.0"), SellDown(BOB), (BOB, CID))))
    story.tell(BOB, e.QuestionAnswered(FrameId("2.0"), BOB, "yes"))
    watched = Watched.of(story)
    for version in (1, 2, 3):
        watched.look(version)
    assert watched.kinds(BOB) == watched.kinds(CID) == ["begun", "turn"]
    assert watched.kinds(None) == ["turn", "turn"], "the room heard of Ann, then of both"
    assert watched.last(None).mentions == (BOB, CID)


def test_a_turn_that_goes_on_after_others_were_asked_is_told():
    story = opened().tell(ANN, e.QuestionAsked(Question(FrameId("2.0"), SellDown(BOB), (BOB,))))
    story.tell(BOB, e.QuestionClosed(FrameId("2.0"), "done"))
    watched = Watched.of(story)
    for version in (1, 2, 3):
        watched.look(version)
    assert watched.kinds(ANN) == ["turn", "turn"]


# --- what it says ----------------------------------------------------------------------------


def test_a_notice_says_what_is_to_be_done_since_and_until_when_and_what_happened():
    watched = Watched.of(dealt())
    watched.look(1)
    watched.look(4, deadlines={ANN: Deadline(4, 99_000_000), BOB: Deadline(2, 1)})
    notice = watched.last(ANN)
    assert notice.words == "You have to deal in shares or pass."
    assert (notice.since, notice.until) == (40_000_000, 99_000_000)
    assert [line.split(" ")[:2] for line in notice.happened] == [
        ["Bob", "started"],
        ["Cid", "bought"],
    ]


def test_the_room_hears_since_and_until_when_and_of_the_last_move():
    watched = Watched.of(dealt())
    watched.look(1)
    watched.look(4, deadlines={ANN: Deadline(4, 99_000_000)})
    notice = watched.last(None)
    assert (notice.since, notice.until) == (40_000_000, 99_000_000)
    assert [line.split(" ")[0] for line in notice.happened] == ["Cid"]


def test_a_company_is_named_once():
    over = "discard trains of PRR above the limit"
    for said, expected in (("run trains", "run trains for PRR"), (over, over)):
        asked = Asked(ANN, "Ann", PRR, "run", said, FrameId("1.0"), None, 1, 0)
        assert telling._for_whom(asked) == expected


def test_who_is_asked_to_agree_hears_until_when_and_nothing_of_the_times_of_his_own_turn():
    request = Request(FrameId("2.0"), "undo", BOB, (ANN,), 1)
    watched = Watched.of(opened().tell(BOB, e.RequestMade(request)))
    watched.look(1)
    watched.look(2, deadlines={ANN: Deadline(1, 99_000_000)})
    notice = watched.last(ANN)
    three_days = 3 * 24 * 3600 * 1_000_000
    assert (notice.kind, notice.happened) == ("consent", ())
    assert (notice.since, notice.until) == (20_000_000, 20_000_000 + three_days)


def test_the_deadline_of_another_turn_is_not_said():
    watched = Watched.of(dealt())
    watched.look(4, deadlines={ANN: Deadline(1, 99_000_000)})
    assert watched.last(ANN).until == 0


# --- undo ------------------------------------------------------------------------------------


def undone_by(player):
    """Ann acted (2), Bob is due and told; somebody takes Ann's move back (3)."""
    story = opened()
    story.tell(ANN, bought(ANN, PRR, 1, 67), turn_over("1.5", ANN), player_turn("2.4", BOB))
    return story.undo(player, 1)


def test_an_undo_withdraws_the_notice_of_who_is_not_to_act_any_more():
    """C02: Ann acts, Bob is due and told, Ann undoes: Bob's notice is answered by a correction."""
    watched = Watched.of(undone_by(ANN))
    for version in (1, 2, 3):
        watched.look(version)
    assert watched.kinds(BOB) == ["begun", "turn", "undone"]
    (correction,) = watched.corrections
    assert correction.corrects == watched.last(BOB).id
    assert correction.words == (
        "What you were told last holds no more. Ann took moves back. "
        "Ann has to deal in shares or pass."
    )
    assert correction.corrects in watched.withdrawn


def test_who_took_his_own_move_back_knows_it():
    watched = Watched.of(undone_by(ANN))
    for version in (1, 2, 3):
        watched.look(version)
    assert watched.kinds(ANN) == ["turn"]
    assert "Ann took moves back. Ann has to" in watched.last(None).words


def test_who_has_to_act_again_because_another_undid_is_told():
    watched = Watched.of(undone_by(CID))
    for version in (1, 2, 3):
        watched.look(version)
    assert watched.kinds(ANN) == ["turn", "undone"]
    assert watched.last(ANN).words.startswith("Cid took moves back, and you are to act again.")
    assert "to act again" in watched.last(ANN).words


def test_an_undo_between_two_looks_leaves_nothing_to_tell():
    watched = Watched.of(undone_by(ANN))
    watched.look(1)
    found = watched.look(3)
    assert (found.notices, found.withdrawn) == ((), ())


def test_redo_tells_who_is_to_act_after_all_and_redo_at_once_tells_nobody():
    story = undone_by(ANN).undo(ANN, 2)
    slowly, quickly = Watched.of(story), Watched.of(story)
    for version in (1, 2, 3, 4):
        slowly.look(version)
    assert [one.kind for one in slowly.heard if one.player == BOB] == ["begun", "turn", "undone"]
    assert len(slowly.corrections) == 1
    for version in (1, 2):
        quickly.look(version)
    found = quickly.look(4)
    assert (found.notices, found.withdrawn) == ((), ())


def test_another_turn_after_an_undo_is_told_and_the_notice_of_the_old_one_corrected_by_it():
    story = undone_by(ANN)
    story.tell(ANN, turn_over("1.5", ANN, "passed"), player_turn("4.1", BOB))
    watched = Watched.of(story)
    for version in (1, 2):
        watched.look(version)
    first = watched.last(BOB)
    watched.look(4)
    assert watched.last(BOB).corrects == first.id
    assert watched.corrections == []
    assert watched.withdrawn.count(first.id) == 1


def test_a_notice_that_was_answered_is_withdrawn_without_a_correction():
    watched = Watched.of(dealt())
    watched.look(1)
    told_ann = watched.last(ANN).id
    watched.look(2)
    assert told_ann in watched.withdrawn
    assert watched.corrections == []


# --- people ----------------------------------------------------------------------------------


def test_who_takes_a_seat_that_is_to_act_is_told_and_the_former_holder_no_more():
    story = opened().tell(ANN, e.SeatTaken(ANN, "dora", 2))
    watched = Watched.of(story)
    watched.look(1)
    first = watched.last(ANN)
    watched.look(2)
    assert (first.person, watched.last(ANN).person) == ("", "dora")
    assert watched.kinds(ANN) == ["turn", "turn"]
    assert watched.withdrawn[0] == first.id
    watched.look(2)
    assert watched.kinds(ANN) == ["turn", "turn"]


def test_a_seat_that_nobody_holds_is_not_told():
    story = opened().tell(ANN, e.SeatTaken(ANN, NOBODY, 2))
    watched = Watched.of(story)
    watched.look(1)
    watched.look(2)
    assert watched.kinds(ANN) == ["turn"]


def test_who_takes_a_seat_over_is_asked_what_the_seat_was_asked():
    request = Request(FrameId("2.0"), "undo", ANN, (BOB, CID), 1)
    story = opened().tell(ANN, e.RequestMade(request))
    story.tell(BOB, e.SeatTaken(BOB, "dora", 3))
    watched = Watched.of(story)
    for version in (1, 2, 3):
        watched.look(version)
    assert watched.kinds(BOB) == ["begun", "consent", "consent"]
    assert watched.last(BOB).person == "dora"


def test_that_time_ran_out_is_told_to_whose_time_it_was_and_not_to_who_has_the_seat_now():
    story = opened().tell(ANN, e.SeatTaken(ANN, "amy", 2), e.SeatTaken(ANN, "dora", 2))
    watched = Watched.of(story)
    watched.look(1)
    watched.look(2, called=TimeCalled(TABLE, ANN, 1, 99, "", 2, "amy"))
    heard = {one.kind: one.person for one in watched.heard if one.player == ANN}
    assert heard == {"turn": "dora", "time called": "amy"}
    assert watched.last(None).mentions == ("amy",)


# --- requests, the end -----------------------------------------------------------------------


def test_who_is_asked_to_agree_is_told_once_and_no_more_when_the_request_lapses():
    request = Request(FrameId("2.0"), "undo", ANN, (BOB, CID), 1)
    story = opened().tell(ANN, e.RequestMade(request))
    story.tell(BOB, e.RequestAnswered(FrameId("2.0"), BOB, yes=True))
    story.tell(ANN, e.RequestClosed(FrameId("2.0"), "lapsed"))
    watched = Watched.of(story)
    for version in (1, 2, 3, 4):
        watched.look(version)
    assert watched.kinds(BOB) == watched.kinds(CID) == ["begun", "consent"]
    assert "Ann asks to take the table back" in watched.last(CID).words
    assert watched.last(CID).id in watched.withdrawn


def test_the_end_is_told_to_all_once_and_corrected_if_it_is_taken_back():
    story = opened()
    standings = tuple(Standing(*one, ()) for one in ((BOB, 900), (ANN, 600), (CID, 300)))
    story.tell(ANN, e.GameEnded("the bank broke", standings))
    story.undo(BOB, 1)
    watched = Watched.of(story)
    for version in (1, 2):
        watched.look(version)
    watched.look(2)
    assert [watched.last(one).kind for one in (ANN, BOB, CID, None)] == ["ended"] * 4
    assert watched.last(ANN).words == (
        "The game ended (the bank broke). Bob was worth $900 and won. Ann was worth $600. "
        "Cid was worth $300."
    )
    watched.look(3)
    assert {one.player for one in watched.corrections} == {BOB, CID}
    assert watched.last(ANN).kind == "undone"


def test_the_end_is_told_to_no_seat_that_nobody_holds():
    story = opened().tell(ANN, e.SeatTaken(ANN, NOBODY, 2))
    story.tell(BOB, e.GameEnded("the bank broke", (Standing(BOB, 900, ()),)))
    watched = Watched.of(story)
    for version in (1, 2, 3):
        watched.look(version)
    assert "ended" not in watched.kinds(ANN)
    assert [watched.last(one).kind for one in (BOB, CID, None)] == ["ended"] * 3


# --- prompts ---------------------------------------------------------------------------------


def test_a_reminder_is_told_once_and_only_while_the_turn_lasts():
    watched = Watched.of(dealt())
    watched.look(1)
    prompt = ReminderDue(TABLE, ANN, 1, 99)
    assert [one.kind for one in watched.look(1, first=prompt).notices] == ["reminder"]
    assert watched.look(1, first=prompt).notices == ()
    reminder = watched.last(ANN).id
    watched.look(2, again=ReminderDue(TABLE, ANN, 1, 120))
    assert watched.kinds(ANN) == ["turn", "reminder"]
    assert reminder in watched.withdrawn, "it is not sent once the turn is over"


def test_a_reminder_of_an_end_that_is_no_more_is_not_told():
    """Ann's time was called after it, and whoever has her seat now has time of his own."""
    watched = Watched.of(operated())
    watched.look(1, deadlines={ANN: Deadline(1, 99)})
    watched.look(1, deadlines={ANN: Deadline(1, 199)}, late=ReminderDue(TABLE, ANN, 1, 99))
    assert "reminder" not in watched.kinds(ANN)
    watched.look(1, deadlines={ANN: Deadline(1, 199)}, due=ReminderDue(TABLE, ANN, 1, 199))
    assert watched.kinds(ANN)[-1] == "reminder"


def test_two_reminders_of_one_turn_are_two_notices():
    """The second was never written: it had the id of the first."""
    watched = Watched.of(opened())
    watched.look()
    for until in (50, 99):
        watched.look(**{f"until{until}": ReminderDue(TABLE, ANN, 1, until)})
    ids = {one.id for one in watched.heard if one.kind == "reminder"}
    assert len(ids) == 2


def test_time_called_is_told_to_the_player_and_to_the_room():
    watched = Watched.of(opened())
    watched.look()
    watched.look(called=TimeCalled(TABLE, ANN, 1, 99, "She passes."))
    assert watched.last(ANN).words == "Your time ran out. She passes."
    assert watched.last(None).words == "The time of Ann ran out. She passes."
    assert watched.last(None).mentions == (ANN,)


def called_and_passed_for():
    """Ann's time ran out in record 2, she passed, and in record 3 that was taken back."""
    first = opened()
    turn = current_turn(first.table)
    assert turn is not None
    following = Turn(FrameId("2.1"), BOB, turn.steps)
    story = first.tell(
        ANN,
        e.TimeCalled(ANN, turn.id, "neutral"),
        e.TurnEnded(turn.id, ANN, "done"),
        e.TurnBegan(following),
    )
    return story, TimeCalled(TABLE, ANN, 1, 99, "Neutral moves were made.", 2)


def test_that_time_ran_out_is_corrected_once_when_the_call_is_taken_back():
    story, prompt = called_and_passed_for()
    watched = Watched.of(story.undo(CID, 1))
    watched.look(1)
    watched.look(2, called=prompt)
    told = watched.last(ANN)
    assert told.kind == watched.last(None).kind == "time called"
    watched.look(3, called=prompt)
    assert told.id in watched.withdrawn
    assert watched.kinds(ANN) == ["turn", "time called", "undone"]
    assert watched.last(ANN).words.startswith("Cid took moves back, and you are to act again.")
    watched.look(3)
    assert watched.kinds(ANN) == ["turn", "time called", "undone"]


def test_who_is_told_too_late_that_his_time_ran_out_is_not_told_at_all():
    story, prompt = called_and_passed_for()
    watched = Watched.of(story.undo(CID, 1))
    watched.look(1)
    watched.look(3, called=prompt)
    assert "time called" not in watched.kinds(ANN)
    assert "time called" not in watched.kinds(None)


def test_a_call_that_stands_goes_on_holding_while_play_goes_on():
    story, prompt = called_and_passed_for()
    watched = Watched.of(story)
    for version in (1, 2):
        watched.look(version, **({"called": prompt} if version == 2 else {}))
    told = watched.last(ANN)
    watched.look(2)
    assert told.id not in watched.withdrawn


def test_a_program_that_stopped_says_why():
    watched = Watched.of(opened())
    watched.look()
    watched.look(stopped=ProgramStopped(TABLE, BOB, "pass", "Cid sold what you hold."))
    assert watched.kinds(BOB) == ["begun", "program stopped"]
    assert watched.last(BOB).words == "Your program (pass) stopped: Cid sold what you hold."


# --- whole games -----------------------------------------------------------------------------

GAMES = ((TITLE, 3, 101), (TITLE, 4, 117))


def whole(title, players, seed):
    game = played(title, players, seed)
    assert game.failure is None
    id = game.plan.name
    every = [new_table(id), *(after for _, after in tables(id, game.records))]
    return game.records[:400], every[:401], id


def newcomers(before, after):
    """The seats in which another person sits now."""
    return {one for one in after.order if before.people.get(one) != after.people.get(one)}


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_whoever_becomes_the_one_to_act_is_told_exactly_once_at_every_record(game):
    records, every, id = whole(*game)
    watched = Watched(id, records, every)
    for version in range(1, len(records) + 1):
        found = watched.look(version)
        is_undo = undone(records[version - 1]) is not None
        before, now = set(awaited(every[version - 1])), set(awaited(every[version]))
        news = [one.player for one in found.notices if one.kind in {"turn", "consent", "undone"}]
        people = [one for one in news if one is not None]
        assert len(people) == len(set(people)), "nobody is told twice by one look"
        if not is_undo:
            requested = {p for r in every[version].requests for p in r.waiting}
            given_up = {p for p, who in every[version].people.items() if who == NOBODY}
            assert (now - before) - given_up <= set(people), "nobody is left untold"
            taken = newcomers(every[version - 1], every[version])
            assert set(people) <= (now - before) | requested | taken, "nobody is told who stays so"
        else:
            assert set(people) <= now | {p for r in every[version].requests for p in r.waiting}


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("game", GAMES)
def test_at_whatever_moments_one_looks_all_who_are_to_act_have_been_told(game, seed):
    records, every, id = whole(*game)
    watched = Watched(id, records, every)
    draw = random.Random(seed)
    version = 0
    told: set[tuple[str, int, str]] = set()
    while version < len(records):
        version = min(len(records), version + draw.randint(1, 12))
        found = watched.look(version)
        holding = {(one.player, one.since) for one in found.memory.open}
        turn = {one.player for one in found.memory.open if one.reason.startswith("since ")}
        assert turn == set(awaited(every[version]))
        for notice in found.notices:
            if notice.kind == "turn" and notice.player is not None:
                since = next(one.since for one in found.memory.open if one.notice == notice.id)
                turn_of = (notice.player, since, notice.person)
                assert turn_of not in told, "a turn is told once"
                assert (notice.player, since) in holding
                told.add(turn_of)

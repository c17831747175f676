"""What became of a request, that time stands still or runs again, and who plays for whom now."""

import msgspec
import pytest

from contracts import events as e
from contracts.commands import AnswerRequest, ExpireRequest, MakeRequest, TradePrivate
from contracts.events import RequestClosed
from contracts.frames import Consent, Question, Request
from contracts.ids import FrameId
from contracts.notices import Deadline
from contracts.people import CLOCK
from services.notifier.telling import Memory
from tests.notifier.looking import Watched
from tests.tables import ANN, BOB, CID, SV, opened, turn_over

ID = FrameId("2.0")
PAUSED = "nobody's time runs, and until when turns have to be taken moves on meanwhile."
RESUMED = "time runs again, and until when turns have to be taken has moved on by the pause."


def asked(what, *, story=None, version=None):
    """Ann asks for something (2)."""
    story = opened() if story is None else story
    return story.tell(ANN, e.RequestMade(Request(ID, what, ANN, (BOB, CID), version)))


def sent(story, command=None, sender=None):
    """The story, whose last order was this command, or came from somebody else."""
    last = story.records[-1]
    order = msgspec.structs.replace(
        last.order, command=command or last.order.command, sender=sender or last.order.sender
    )
    story.records[-1] = msgspec.structs.replace(last, order=order)
    return story


def refused(what, version=None):
    story = asked(what, version=version)
    return story.tell(BOB, e.RequestAnswered(ID, BOB, yes=False), RequestClosed(ID, "refused"))


def expired(what, *more):
    story = asked(what).tell(ANN, RequestClosed(ID, "expired"), *more)
    return sent(story, ExpireRequest(ID), CLOCK)


def granted(what, *more, by=CID):
    story = asked(what)
    story.tell(by, e.RequestAnswered(ID, by, yes=True), RequestClosed(ID, "granted"), *more)
    return sent(story, AnswerRequest(ID, yes=True))


def looked(story, *versions, **more):
    watched = Watched.of(story)
    for version in versions:
        watched.look(version, **more)
    return watched


def news(watched, player):
    return [one.words for one in watched.heard if (one.player, one.kind) == (player, "news")]


# --- what became of a request ----------------------------------------------------------------


@pytest.mark.parametrize(
    ("what", "version", "wish"),
    [
        ("pause", None, "to pause play"),
        ("end", None, "to end the game by agreement"),
        ("undo", 1, "to take the table back to version 1"),
    ],
)
def test_whoever_asked_hears_once_who_refused(what, version, wish):
    watched = looked(refused(what, version), 1, 2, 3, 3)
    assert news(watched, ANN) == [f"Your request {wish} was refused by Bob."]
    assert news(watched, BOB) == news(watched, CID) == news(watched, None) == []


def test_what_was_asked_and_refused_between_two_looks_is_told():
    assert news(looked(refused("pause"), 1, 3), ANN) == [
        "Your request to pause play was refused by Bob."
    ]


def test_whoever_refused_his_own_request_by_another_seat_of_his_knows_it():
    story = opened().tell(ANN, e.SeatTaken(ANN, "anna", 2), e.SeatTaken(BOB, "anna", 2))
    story.tell(ANN, e.RequestMade(Request(FrameId("3.0"), "pause", ANN, (BOB, CID), None)))
    story.tell(
        BOB,
        e.RequestAnswered(FrameId("3.0"), BOB, yes=False),
        RequestClosed(FrameId("3.0"), "refused"),
    )
    watched = looked(sent(story, sender="anna"), 1, 2, 3, 4)
    assert not [one for one in news(watched, ANN) if "request" in one]


def test_whoever_asked_and_the_room_hear_once_that_a_request_expired():
    watched = looked(expired("pause"), 1, 2, 3, 3)
    end = "to pause play expired: not everybody answered in time."
    assert news(watched, ANN) == [f"Your request {end}"]
    assert news(watched, None) == [f"The request of Ann {end}"]
    assert [one.id for one in watched.heard if (one.player, one.kind) == (CID, "consent")] == [
        one for one in watched.withdrawn if "/cid/" in one.lower()
    ]


def test_a_refusal_that_was_undone_is_corrected_and_one_undone_at_once_not_told():
    story = refused("pause").undo(CID, 2)
    watched = looked(story, 1, 2, 3)
    (told,) = (one for one in watched.heard if one.kind == "news")
    watched.look(4)
    (correction,) = (one for one in watched.corrections if one.player == ANN)
    assert (correction.corrects, told.id in watched.withdrawn) == (told.id, True)
    assert news(looked(story, 1, 2, 4), ANN) == []


def test_of_a_request_that_lapsed_as_play_went_on_nobody_is_told():
    story = asked("pause").tell(ANN, RequestClosed(ID, "lapsed"), turn_over("1.5", ANN))
    assert news(looked(story, 1, 2, 3), ANN) == []


def test_whoever_asked_to_end_the_game_hears_it_with_the_end():
    ended = e.GameEnded("agreed", ())
    watched = looked(granted("end", ended), 1, 2, 3, 3)
    words = {one.player: one.words for one in watched.heard if one.kind == "ended"}
    assert words[ANN] == f"Your request to end the game by agreement was granted. {words[BOB]}"
    assert watched.kinds(ANN).count("ended") == 1
    assert news(watched, ANN) == []


def test_a_memory_from_before_requests_were_remembered_tells_nothing_wrong():
    watched = looked(refused("pause"), 1, 2)
    old = watched.memory
    watched.memory = Memory(old.version, old.undos, old.open, old.prompts, old.people, old.waits)
    watched.look(3)
    assert news(watched, ANN) == []


# --- time stands still, or runs again --------------------------------------------------------


def test_that_play_is_paused_everybody_hears_once_but_who_agreed_last():
    watched = looked(granted("pause", e.PlayPaused(paused=True)), 1, 2, 3, 3)
    assert news(watched, ANN) == [f"Play is paused, as you asked, and all agreed: {PAUSED}"]
    others = [f"Play is paused, as Ann asked, and all agreed: {PAUSED}"]
    assert news(watched, BOB) == news(watched, None) == others
    assert news(watched, CID) == []


def resumed(story, sender="olga"):
    """The host lets play go on."""
    return sent(story.tell(BOB, e.PlayPaused(paused=False)), MakeRequest("resume"), sender)


def named(story):
    return story.tell(ANN, *(e.SeatTaken(one, f"{one}.p", 2) for one in (ANN, BOB, CID)))


def test_what_the_host_did_everybody_else_hears_with_the_new_end_of_his_turn():
    story = named(opened()).tell(BOB, e.PlayPaused(paused=True))
    story = resumed(sent(story, MakeRequest("pause"), "olga"))
    watched = looked(story, 1, 2, 3)
    since = watched.last(None).version
    assert since == 3
    watched.look(4, deadlines={ANN: Deadline(1, 99_000_000)})
    for player in (ANN, BOB, CID, None):
        assert news(watched, player)[-2:] == [
            f"Play is paused, as the host wished: {PAUSED}",
            f"Play goes on, as the host wished: {RESUMED}",
        ]
    assert (watched.last(ANN).until, watched.last(BOB).until) == (99_000_000, 0)


def test_a_host_who_sits_at_the_table_knows_what_he_did():
    story = named(opened()).tell(BOB, e.PlayPaused(paused=True))
    watched = looked(sent(story, MakeRequest("pause"), f"{BOB}.p"), 1, 2, 3)
    assert not [one for one in news(watched, BOB) if "paused" in one]
    assert [one for one in news(watched, CID) if "paused" in one]


def test_a_pause_that_came_and_went_between_two_looks_is_told_to_nobody():
    watched = looked(resumed(granted("pause", e.PlayPaused(paused=True))), 1, 2, 4)
    assert [news(watched, one) for one in (ANN, BOB, CID, None)] == [[], [], [], []]


def test_a_pause_that_has_not_reached_anybody_is_not_told_once_it_is_over():
    watched = looked(resumed(granted("pause", e.PlayPaused(paused=True))), 1, 2, 3)
    pauses = {one.id for one in watched.heard if one.kind == "news"}
    watched.look(4)
    assert pauses <= set(watched.withdrawn)
    assert watched.corrections == []


def test_silence_lets_play_go_on_and_is_told_as_that_alone():
    story = opened().tell(BOB, e.PlayPaused(paused=True))
    story.tell(ANN, e.RequestMade(Request(FrameId("3.0"), "resume", ANN, (BOB, CID), None)))
    story.tell(ANN, RequestClosed(FrameId("3.0"), "expired"), e.PlayPaused(paused=False))
    watched = looked(sent(story, ExpireRequest(FrameId("3.0")), CLOCK), 1, 2, 3, 4)
    asked_for = f"Play goes on, as you asked, and nobody objected in time: {RESUMED}"
    assert news(watched, ANN)[-1] == asked_for
    assert news(watched, None)[-1] == asked_for.replace("you", "Ann")
    assert len(news(watched, ANN)) == 2


def test_an_undo_does_not_let_time_run_again_and_corrects_no_pause():
    watched = looked(granted("pause", e.PlayPaused(paused=True)).undo(CID, 1), 1, 2, 3, 4)
    assert len(news(watched, ANN)) == 1
    assert not [one for one in watched.corrections if "news" in one.corrects]


# --- who plays for whom ----------------------------------------------------------------------


def given(*people, story=None, sender="olga"):
    """Ann's seat is given to one person after the other."""
    story = opened() if story is None else story
    for person in people:
        sent(story.tell(ANN, e.SeatTaken(ANN, person, len(story.records) + 1)), sender=sender)
    return story


def lost(watched):
    return [(one.person, one.words) for one in watched.heard if "plays for you" in one.words]


def test_who_lost_his_seat_hears_it_once_and_his_turn_is_corrected_thereby():
    watched = looked(given("anna", "dora"), 1, 2)
    turn = next(one for one in reversed(watched.heard) if one.kind == "turn")
    watched.look(3)
    watched.look(3)
    assert lost(watched)[1:] == [("anna", "dora plays for you from now on.")]
    (told,) = (one for one in watched.heard if one.words.startswith("dora plays"))
    assert (turn.kind, told.corrects) == ("turn", turn.id)
    assert turn.id in watched.withdrawn
    assert watched.corrections == []


def test_where_nobody_was_named_the_player_himself_hears_it():
    assert lost(looked(given("dora"), 1, 2)) == [(ANN, "dora plays for you from now on.")]


def test_of_several_who_had_a_seat_between_two_looks_only_who_was_there_before_hears():
    watched = looked(given("anna", "dora", "emil"), 1, 2, 4)
    assert lost(watched)[1:] == [("anna", "emil plays for you from now on.")]


def test_who_has_his_seat_again_before_anybody_looked_hears_nothing():
    assert len(lost(looked(given("anna", "dora", "anna"), 1, 2, 4))) == 1


def test_what_was_not_delivered_is_dropped_once_he_has_his_seat_again():
    watched = looked(given("anna", "dora", "anna"), 1, 2, 3)
    (told,) = (one for one in watched.heard if one.words.startswith("dora plays"))
    watched.look(4)
    assert told.id in watched.withdrawn
    assert lost(watched)[-1] == ("dora", "anna plays for you from now on.")


def test_who_gave_his_own_seat_away_knows_it():
    story = given("dora", story=given("anna"), sender="anna")
    assert len(lost(looked(story, 1, 2, 3))) == 1


def test_an_undo_beside_it_gives_nobody_a_second_notice():
    story = given("anna").tell(ANN, turn_over("1.5", ANN))
    story = given("dora", story=story).undo(CID, 2)
    watched = looked(story, 1, 2, 5)
    assert lost(watched)[1:] == [("anna", "dora plays for you from now on.")]
    assert not [one for one in watched.corrections if one.player == ANN]


# --- what was proposed in the game -----------------------------------------------------------


def proposal_refused(*before):
    """Ann offers Bob a private (2), and he refuses, or his time runs out (3)."""
    matter = Consent(ANN, TradePrivate(SV, BOB, 30))
    question = Question(FrameId("2.0"), matter, (BOB,))
    answered = Question(FrameId("2.0"), matter, (), ((BOB, "no"),))
    story = opened().tell(ANN, e.QuestionAsked(question))
    return story.tell(
        BOB,
        *before,
        e.QuestionAnswered(question.id, BOB, "no"),
        e.ProposalRefused(answered),
        e.QuestionClosed(question.id, "refused"),
    )


def test_whoever_proposed_something_in_the_game_hears_with_his_next_turn_who_refused():
    """The notice of his turn said only that he had to act again."""
    watched = looked(proposal_refused(), 1, 2, 3, 3)
    assert watched.kinds(ANN) == ["turn", "turn"]
    (said,) = watched.last(ANN).happened
    assert said.startswith("Bob answered: no. The proposal that Schuylkill Valley ")
    assert said.endswith(" was refused.")
    assert watched.last(None).happened == (said,)


def test_whoever_proposed_something_hears_that_the_time_of_who_was_asked_ran_out():
    watched = looked(proposal_refused(e.TimeCalled(BOB, FrameId("2.0"), "neutral")), 1, 2, 3)
    (said,) = watched.last(ANN).happened
    assert said.startswith("The time of Bob was up; neutral moves are made. Bob answered: no. The ")

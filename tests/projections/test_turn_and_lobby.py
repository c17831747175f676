"""Who must act since when; the lobby's lines and each player's list."""

from contracts import events as e
from contracts.commands import BuyTrain
from contracts.frames import Consent, Question, Request, SellDown
from contracts.ids import FrameId, TrainKind
from contracts.pieces import Standing
from contracts.views import SeatView
from services.engine.projections.tables import of_player
from tests.projections.projected import view
from tests.tables import ANN, BOB, CID, NYC, PRR, TABLE, Story, dealt, opened, opening, operated


def test_a_players_turn_is_asked_of_him():
    shown = view(opened(), "turn")
    assert (shown.round, shown.phase, shown.over) == ("stock round 1", "2", False)
    assert shown.sentence == "Ann has to deal in shares or pass."
    (asked,) = shown.asked
    assert (asked.player, asked.party, asked.what, asked.question) == (ANN, ANN, "stock", None)
    assert (asked.frame, asked.since, asked.since_time) == ("1.5", 1, 10_000_000)


def test_a_companys_step_is_asked_of_whoever_acts_for_it():
    shown = view(operated(), "turn", 7)
    assert shown.sentence == "Ann (PRR) has to place a token."
    (asked,) = shown.asked
    assert (asked.player, asked.party, asked.what, asked.words) == (
        ANN,
        PRR,
        "token",
        "place a token",
    )


def test_a_question_that_waits_is_asked_since_it_was_put():
    matter = SellDown(BOB)
    story = opened().tell(ANN, e.QuestionAsked(Question(FrameId("2.0"), matter, (BOB, CID))))
    story.tell(BOB, e.QuestionAnswered(FrameId("2.0"), BOB, "yes"))
    story.tell(BOB, e.Passed(BOB, "chose to"))
    (asked,) = view(story, "turn").asked
    assert (asked.player, asked.what, asked.question) == (CID, "SellDown", "2.0")
    assert (asked.since, asked.since_time) == (2, 20_000_000)
    assert [one.player for one in view(story, "turn", 2).asked] == [BOB, CID]
    assert view(story, "turn", 2).sentence == (
        "Bob and Cid have to sell until no limit is exceeded."
    )


def test_a_turn_that_goes_on_after_a_question_is_asked_anew():
    story = opened().tell(ANN, e.QuestionAsked(Question(FrameId("2.0"), SellDown(BOB), (BOB,))))
    story.tell(BOB, e.QuestionClosed(FrameId("2.0"), "done"))
    (asked,) = view(story, "turn").asked
    assert (asked.player, asked.frame, asked.since) == (ANN, "1.5", 3)


def test_what_is_asked_after_an_undo_is_asked_since_it_first_was():
    story = operated().undo(ANN, 7)
    (asked,) = view(story, "turn").asked
    assert (asked.what, asked.since) == ("token", 7)


def test_consent_is_asked_for_in_words():
    consent = Consent(BOB, BuyTrain(TrainKind("2"), PRR, 100, "2-0"), NYC)
    story = operated().tell(BOB, e.QuestionAsked(Question(FrameId("11.0"), consent, (ANN,))))
    assert view(story, "turn").sentence == (
        "Ann has to say whether NYC buys train 2-0 from PRR for $100."
    )


def test_requests_lie_beside():
    request = Request(FrameId("2.0"), "undo", CID, (ANN, BOB), 1)
    shown = view(dealt().tell(CID, e.RequestMade(request)), "turn")
    (asked,) = shown.requests
    assert asked.words == "Cid asks to take the table back to version 1."
    assert (asked.waiting, asked.to_version) == ((ANN, BOB), 1)


def over() -> Story:
    standings = (Standing(ANN, 640, ()), Standing(CID, 640, ()), Standing(BOB, 600, ()))
    return operated().tell(BOB, e.GameEnded("agreed", standings))


def test_when_the_game_is_over_nobody_is_asked():
    shown = view(over(), "turn")
    assert (shown.over, shown.asked, shown.sentence) == (True, (), "The game is over.")


def test_the_lobby_shows_title_seats_round_and_whom_it_waits_for():
    line = view(operated(), "tables")
    assert (line.title, line.title_name) == ("1830", "1830: Railways & Robber Barons")
    assert line.seats == (SeatView(ANN, "Ann"), SeatView(BOB, "Bob"), SeatView(CID, "Cid"))
    assert (line.status, line.round, line.phase) == ("playing", "operating round 1.1", "2")
    assert (line.waiting, line.waiting_since, line.last_activity) == (
        (BOB,),
        100_000_000,
        100_000_000,
    )
    assert line.winners == ()


def test_a_table_that_is_over_names_all_who_won():
    line = view(over(), "tables")
    assert (line.status, line.winners, line.waiting) == ("over", (ANN, CID), ())


def test_an_undo_is_activity():
    line = view(operated().undo(ANN, 7), "tables")
    assert (line.waiting_since, line.last_activity) == (70_000_000, 110_000_000)


def test_a_players_list_has_the_tables_that_wait_for_him_longest_first():
    def at(name: str, story_of) -> Story:
        story = Story(name)
        for record in story_of().records:
            story.tell(record.order.player, *record.events)
        return story

    lines = [
        view(at(name, story), "tables")
        for name, story in (("d", dealt), ("b", opened), ("o", operated), ("a", over))
    ]
    mine = of_player(ANN, lines)
    assert [line.table for line in mine.waiting] == ["b", "d"]
    assert [line.table for line in mine.others] == ["a", "o"]
    assert of_player(TABLE, lines).waiting == ()


def test_the_words_of_an_opening_are_enough_for_a_view():
    story = Story().tell(ANN, *opening()[:1])
    assert view(story, "tables").status == "new"
    assert view(story, "turn").sentence == "Nobody is asked for anything."
    assert view(story, "wealth").players == ()

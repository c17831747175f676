"""The minutes: a sentence for everything that happened."""

from typing import get_args

import pytest

from contracts import events as e
from contracts.clocking import Hours
from contracts.commands import AnswerRequest, MakeRequest
from contracts.frames import Fines, Merging, PayFine, Question, SellDown, SurplusTokens
from contracts.ids import FrameId, Party, PlayerId
from contracts.pieces import Seat, Settings
from contracts.titles.load import facts
from services.engine.projections import minutes
from services.engine.projections.words import words_of
from services.engine.table.evolve import evolve
from tests.examples import EVENTS, MORE_EVENTS
from tests.projections.projected import view
from tests.tables import (
    ANN,
    BOB,
    CID,
    NYC,
    PRR,
    TITLE,
    Story,
    bought,
    dealt,
    opening,
    operated,
    player_turn,
)

SENTENCES = {
    "TableOpened": (
        "A table of 1830 (edition 1) was opened for Ann, Bob and Cid.",
        "Variant brown shares: pool.",
        "Ruling on auction order: clockwise.",
    ),
    "PiecesSetOut": (
        "The pieces were set out: Ann $600, Bob $600 and Cid $600, and $10,200 in the bank.",
    ),
    "LotsDrawn": ("Lots were drawn for seats: Bob, Ann and Cid.",),
    "OrderSet": ("The players sit in the order Bob, Ann and Cid; Bob is first.",),
    "PhaseBegan": ("Phase 3 began; a player may hold 14 certificates.",),
    "CompaniesOpened": ("PRR and NYC may be started from now on.",),
    "CounterMoved": ("PRR: loans is now 2.", "NYC: loans is now 0."),
    "GameEndTriggered": ("The end is in sight (bank); this set of rounds is the last.",),
    "GameEnded": (
        "The game ended (bank).",
        "Ann was worth $742 and won.",
        "Bob was worth $600.",
    ),
    "Undone": ("Ann took the table back to version 4.",),
    "RoundBegan": ("Operating round 2.1 began.",),
    "RoundEnded": ("The round ended (all passed).",),
    "TurnBegan": ("PRR began its turn.",),
    "StepEnded": ("PRR had nothing to do in laying track.",),
    "TurnEnded": ("PRR ended its turn.",),
    "Passed": ("Cid passed for PRR: laying track (cannot).",),
    "QuestionAsked": ("Bob was asked to say whether PRR buys train 3-0 from NYC for $100.",),
    "QuestionAnswered": ("Bob answered: yes.",),
    "QuestionClosed": ("A question fell away.",),
    "ProcedureSet": (
        "On sale, in this order: Schuylkill Valley at $20 and Champlain & St Lawrence at $40.",
    ),
    "ProcedureEnded": ("The sale ended (sold).",),
    "ProposalRefused": ("The proposal that PRR buys train 3-0 from NYC for $100 was refused.",),
    "RequestMade": ("Ann asked to take the table back to version 4.",),
    "RequestAnswered": ("Bob agreed.",),
    "RequestClosed": ("A request lapsed.",),
    "BidMade": ("Cid bid $50 for Champlain & St Lawrence.",),
    "LotWon": ("Ann bought Schuylkill Valley for $20.",),
    "AskingPriceSet": ("The asking price of Schuylkill Valley is now $15.",),
    "MoneyPaid": ("The bank paid $5 to Ann and $10 to PRR (income).",),
    "CompanyStarted": (
        "Ann started PRR at a par of $67 and took the director's certificate (20%) for $134.",
    ),
    "CompanyFloated": ("PRR floated and received $670.",),
    "CompanyBought": ("PRR bought Schuylkill Valley from Ann for $40.",),
    "CompanyClosed": ("Schuylkill Valley closed (phase 5).",),
    "SharesBought": ("Cid bought two 10% shares of PRR from the initial offering for $134.",),
    "SharesSold": (
        (
            "Ann sold the director's certificate (20%) of PRR to the bank pool for $67, "
            "taking back a 10% share."
        ),
    ),
    "CertificatesMoved": (
        "The director's certificate (20%) of PRR went from Ann to Cid (swap).",
        "Two 10% shares of PRR went from Cid to Ann (swap).",
    ),
    "DirectorChanged": ("Cid became director of PRR.",),
    "MarkerMoved": ("The price of PRR stayed at $71 (paid).",),
    "TileLaid": (
        (
            "PRR laid tile 14 on H12 (Altoona) over tile 57, turned by 2 for $120, "
            "by right of Schuylkill Valley."
        ),
    ),
    "TokenPlaced": (
        "PRR placed a token on F16 (Scranton) for $40, by right of Champlain & St Lawrence.",
    ),
    "TrainBought": (
        (
            "PRR bought a 3-train (3-0) from the supply for $180; Ann put in $30; "
            "train 2-0 was handed in."
        ),
    ),
    "TrainsMoved": ("Trains 2-0 and 2-1 went from PRR to the bank pool (discarded).",),
    "TrainsRusted": ("Trains 2-0 (PRR) and 2-1 (the supply) rusted.",),
    "RoutesRun": (
        "PRR earned $30, with $10 of subsidy and $5 of bonus.",
        "PRR ran 2-0: Altoona - Pittsburgh.",
    ),
    "EarningsDivided": ("PRR paid out $40, $10 of it added: $24 to Ann and $16 to PRR.",),
    "CharterTaken": ("Bob took the charter of NYC and is bound to float it.",),
    "CharterReturned": ("The charter of NYC is blank (fined) and may not be started yet.",),
    "ParSet": ("The par of PRR is $82 (chartered).",),
    "CompaniesMerged": ("NYC became part of PRR, which does not operate any more in this round.",),
    "TokensSet": ("PRR bought its tokens for $180 and has three unused tokens.",),
    "SmallStationPlaced": ("PRR placed a small station on F16 (Scranton), line 0-3.",),
    "TokenRemoved": ("The token of NYC on F16 (Scranton) went back to its charter.",),
    "SeatTaken": ("The seat of Bob was taken by dora.",),
    "TimeCalled": ("The time of Bob was up; neutral moves are made.",),
    "ProgrammeSet": (
        ("Bob lets the server buy PRR from the initial offering for at most $100 until it floats."),
    ),
    "ProgrammeStopped": (
        (
            "The server no longer moves for Bob (buy PRR from the initial offering for at most "
            "$100 until it floats): somebody else sold shares of the company (Cid)."
        ),
    ),
    "PlayPaused": ("Play is paused; nobody's time runs.",),
    "LeaveTaken": ("Bob takes leave from 2026-12-24 to 2026-12-27.",),
    "HoursSet": ("Bob plays from 18:00 to 01:00, Monday to Friday (Europe/Berlin).",),
    "WarrantiesSet": ("Of the trains of PRR, 2-0 has a warranty and 2-1 has no warranties left.",),
}

MORE = (
    "Phase 2 began.",
    "The marker of PRR left the market (closed).",
    "PRR has no director; Ann acts for it.",
    "Champlain & St Lawrence was put up for auction among Cid and Bob.",
    "Ann was asked to set the par of PRR.",
    "Ann and Bob were asked to sell until no limit is exceeded.",
    "Ann was asked to find what PRR lacks for its train.",
    "PRR was asked to discard trains of PRR above the limit.",
    "NYC was asked to choose the city on E11 (Dunkirk & Buffalo) for the home token of NYC.",
    "Bob was asked to say whether Schuylkill Valley changes hands between Ann and Bob, $30.",
    "Bob was asked to say whether PRR buys Schuylkill Valley for $30.",
    "Ann set the par of PRR at $100.",
    "Bob asked to end the game by agreement.",
    "Train 2-0 went from PRR to the box (discarded).",
    "PRR kept its earnings of $60.",
    "The shares of PRR and NYC at $92 are halved.",
    "The shares of NYC at $68 are halved.",
    "Fines are due: Ann for PRR and Bob for NYC.",
    "Ann was asked to set the par of PRR and buy its first certificate.",
    "Ann was asked to say whether to buy up to two more shares of PRR.",
    "PRR was asked to say how many tokens PRR buys.",
    "Ann was asked to sell shares until the fine for PRR is paid, $310.",
    "Ann was asked to say which of PRR and NYC remains.",
    "Bob was asked to redeem the option of Bob on PRR for $46 or relinquish it for $47.",
    "PRR was asked to say which two tokens of PRR leave the board.",
    "PRR was asked to raise the money for a train of PRR.",
    "PRR was asked to choose what the train of PRR is to run as.",
    "NYC was asked to say whether PRR and NYC merge.",
    "NYC was asked to say whether PRR acquires NYC.",
    "PRR bought an A-train (A-0) as freight with two warranties from the supply for $200.",
    "PRR laid tile 57 on F16 (Scranton), turned by 0.",
    "PRR has no unused tokens.",
    "The charter of NYC is blank (bankrupt) and may be started again.",
    "The token of PRR on H12 (Altoona) is out of the game.",
    "PRR became part of NYC, which still operates in this round.",
    "The par of NYC is $54.",
    "Ann lets the server pass until something touches what he holds.",
    "Ann lets the server do what is asked where there is only one thing to do.",
    "A table of 1830 (edition 1) was opened for Ann.",
)


def told(event, table=None):
    table = table or operating()
    return minutes.told(words_of(table, facts("1830")), table, event)


def operating():
    """PRR's turn in an operating round, which owns a train and is priced at 71."""
    story = operated()
    story.undo(ANN, 9)
    story.tell(ANN, *operated().records[9].events[:1])
    story.tell(ANN, e.TurnBegan(TURN))
    return story.table


TURN = next(event for event in EVENTS if isinstance(event, e.TurnBegan)).turn


@pytest.mark.parametrize("event", EVENTS, ids=lambda event: type(event).__name__)
def test_the_minutes_tell_each_event_in_plain_english(event):
    assert told(event) == SENTENCES[type(event).__name__]


@pytest.mark.parametrize(
    ("event", "sentence"), [*zip(MORE_EVENTS, MORE, strict=True)], ids=[*map(str, range(len(MORE)))]
)
def test_the_minutes_tell_other_shapes_of_events(event, sentence):
    assert told(event) == (sentence,)


def test_no_event_is_left_out():
    assert set(minutes.TELL) == set(get_args(e.AnyEvent))


@pytest.mark.parametrize(
    "event",
    [
        player_turn("9.0", ANN),
        e.TurnEnded(FrameId("9.0"), ANN, "done"),
        e.TurnEnded(FrameId("9.0"), ANN, "passed"),
        e.StepEnded(FrameId("6.3"), "track", "done"),
        e.StepEnded(FrameId("6.3"), "token", "passed"),
        e.QuestionClosed(FrameId("9.0"), "done"),
        e.StepEnded(FrameId("6.3"), "home", "nothing to do"),
        e.StepEnded(FrameId("6.3"), "dividend", "nothing to do"),
    ],
    ids=lambda event: type(event).__name__,
)
def test_what_another_sentence_has_told_is_not_told_twice(event):
    assert told(event) == ()


def test_a_player_who_could_do_nothing_is_told():
    assert told(e.TurnEnded(FrameId("9.0"), BOB, "nothing to do")) == ("Bob had nothing to do.",)


def test_a_players_step_is_told_with_his_turn():
    table = dealt().table
    assert told(e.StepEnded(FrameId("4.2"), "stock", "nothing to do"), table) == ()


def test_a_pass_after_a_deal_only_ends_the_turn():
    before = dealt().table
    assert told(e.Passed(ANN, "chose to"), before) == ("Ann passed.",)
    after = evolve(before, bought(ANN, PRR, 1, 67))
    assert told(e.Passed(ANN, "chose to"), after) == ("Ann did nothing more.",)


def test_a_company_that_earned_nothing_is_told_so():
    assert told(e.EarningsDivided(PRR, 0, 0, 0, 0, ())) == ("PRR earned nothing.",)


def test_an_end_that_a_later_release_knows_is_told_in_its_own_words():
    assert told(e.GameEndTriggered("bank", "two rounds")) == (
        "The end is in sight (bank); still to be played: two rounds.",
    )


def test_a_question_that_falls_away_is_told_with_what_it_asked():
    table = (
        dealt()
        .tell(ANN, e.QuestionAsked(Question(FrameId("5.0"), SellDown(BOB), (BOB, CID))))
        .table
    )
    assert told(e.QuestionClosed(FrameId("5.0"), "void"), table) == (
        "Bob and Cid no longer had to sell until no limit is exceeded.",
    )


def test_a_question_that_goes_on_with_less_is_not_told_again():
    asked = e.QuestionAsked(Question(FrameId("5.0"), PayFine(PRR, 310), (ANN,)))
    table = dealt().tell(ANN, asked).table
    assert told(e.QuestionAsked(Question(FrameId("5.0"), PayFine(PRR, 90), (ANN,))), table) == ()
    assert told(asked, dealt().table)


def test_a_token_that_has_to_leave_is_told_as_one():
    matter = SurplusTokens(PRR, 1)
    assert told(e.QuestionAsked(Question(FrameId("5.0"), matter, (PRR,)))) == (
        "PRR was asked to say which token of PRR leaves the board.",
    )


@pytest.mark.parametrize(
    ("procedure", "sentence"),
    [
        (
            Merging(FrameId("5.0"), "merge", ANN, PRR, NYC, 92, (), PRR),
            "All shares of PRR and NYC at $92 were halved.",
        ),
        (Fines(FrameId("5.0"), ()), "The fines are settled."),
    ],
    ids=["merging", "fines"],
)
def test_a_procedure_that_is_over_is_told_once(procedure, sentence):
    table = dealt().tell(ANN, e.ProcedureSet(procedure)).table
    assert told(e.ProcedureEnded(FrameId("5.0"), "done"), table) == (sentence,)


@pytest.mark.parametrize(
    ("to", "sentence"),
    [
        ("replaced", "The token of PRR on H12 (Altoona) was replaced."),
        ("swept", "The token of PRR on H12 (Altoona) left the board (swept)."),
    ],
)
def test_what_became_of_a_token_is_told_in_words_where_there_are_some(to, sentence):
    assert told(e.TokenRemoved(PRR, "H12", to)) == (sentence,)


def test_a_round_that_ends_is_called_by_its_name():
    assert told(e.RoundEnded(FrameId("1.4"), "done"), dealt().table) == ("Stock round 1 ended.",)


def test_a_price_that_changes_is_told_with_both_prices():
    lines = [line.text for line in view(operated(), "minutes").lines]
    assert "The marker of PRR was put on $67 (started)." in lines
    assert "The price of PRR rose from $67 to $71 (paid)." in lines


def test_lines_have_version_time_player_and_event():
    line = view(operated(), "minutes").lines[-1]
    assert (line.at_version, line.time, line.player) == (10, 100_000_000, ANN)
    assert (line.event, line.text) == ("TurnBegan", "NYC began its turn.")


def test_undone_lines_stay_and_are_marked_and_the_undo_is_told():
    lines = view(operated().undo(ANN, 8), "minutes").lines
    assert {line.at_version for line in lines if line.undone} == {9, 10}
    assert (lines[-1].text, lines[-1].undone) == ("Ann took the table back to version 8.", False)


YES = AnswerRequest(FrameId("2.0"), yes=True)


def peopled(**settings) -> Story:
    """Three records on; Ann and Bob are people of other names, and Olga is the host."""
    seats = (Seat(ANN, "Ann", "andrea"), Seat(BOB, "Bob", "boris"), Seat(CID, "Cid"))
    how = Settings(host=PlayerId(Party("olga")), **settings)
    begun = e.TableOpened(TITLE, "1", {}, {}, how, seats, 7)
    story = Story().tell(ANN, begun, *opening()[1:])
    return story.tell(ANN, e.Passed(ANN, "chose to")).tell(BOB, e.Passed(BOB, "chose to"))


@pytest.mark.parametrize(
    ("sender", "seat", "command", "sentence"),
    [
        ("boris", BOB, MakeRequest("undo", 2), "Bob took the table back to version 2."),
        ("boris/robot", BOB, MakeRequest("undo", 2), "Bob took the table back to version 2."),
        ("olga", BOB, MakeRequest("undo", 2), "The host took the table back to version 2."),
        ("olga", CID, MakeRequest("undo", 2), "The host took the table back to version 2."),
        ("anybody", CID, MakeRequest("undo", 2), "Cid took the table back to version 2."),
        ("andrea", ANN, YES, "The table was taken back to version 2, as all had agreed."),
    ],
)
def test_who_took_the_table_back_is_who_really_did(sender, seat, command, sentence):
    story = peopled(undo="free").tell(seat, e.Undone(2, seat), command=command, sender=sender)
    assert view(story, "minutes").lines[-1].text == sentence


def test_a_host_who_takes_his_own_seats_moves_back_is_named():
    seats = (Seat(ANN, "Ann", "andrea"), Seat(BOB, "Bob", "boris"), Seat(CID, "Cid"))
    begun = e.TableOpened(TITLE, "1", {}, {}, Settings(host=BOB), seats, 7)
    story = Story().tell(ANN, begun, *opening()[1:]).tell(ANN, e.Passed(ANN, "chose to"))
    story.tell(BOB, e.Undone(1, BOB), command=MakeRequest("undo", 1), sender="boris")
    assert view(story, "minutes").lines[-1].text == "Bob took the table back to version 1."


@pytest.mark.parametrize(
    ("hours", "sentence"),
    [
        (Hours("UTC"), "Bob plays from 00:00 to 24:00, every day (UTC)."),
        (Hours("UTC", 60, 1440, (6,)), "Bob plays from 01:00 to 24:00, Sunday (UTC)."),
        (
            Hours("America/New_York", 1080, 1470, (0, 1, 2, 3, 5)),
            "Bob plays from 18:00 to 00:30, Monday to Thursday and Saturday (America/New_York).",
        ),
    ],
)
def test_hours_are_told_with_their_days_and_midnight_as_the_end_of_a_day(hours, sentence):
    assert told(e.HoursSet(BOB, hours)) == (sentence,)


def test_lines_that_were_brought_back_are_marked_no_more():
    lines = view(operated().undo(ANN, 8).undo(ANN, 10), "minutes").lines
    assert not any(line.undone for line in lines)
    assert [line.text for line in lines[-2:]] == [
        "Ann took the table back to version 8.",
        "Ann took the table back to version 10.",
    ]


def test_every_sentence_of_a_story_begins_with_a_capital_and_ends_with_a_stop():
    for line in view(operated(), "minutes").lines:
        assert line.text[0].isupper()
        assert line.text.endswith(".")
        assert "  " not in line.text

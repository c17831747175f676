"""Evolve: rounds, turns, steps, questions, procedures, requests, and their tallies."""

from contracts import events as e
from contracts.commands import BuyCompany
from contracts.frames import (
    Auction,
    Consent,
    Lot,
    Question,
    Request,
    Round,
    SellDown,
    Turn,
    Waterfall,
)
from contracts.ids import FrameId
from services.engine.table.agenda import awaited, current_round, current_turn, top
from services.engine.table.evolve import evolve, evolve_all
from services.engine.table.state import Table
from tests.tables import ANN, BOB, CID, CS, NYC, PRR, SV, company_turn, dealt, opened, player_turn

TURN, ROUND = FrameId("1.5"), FrameId("1.4")


def playing(table: Table) -> Round:
    found = current_round(table)
    assert found is not None
    return found


def turn_of(table: Table) -> Turn:
    found = current_turn(table)
    assert found is not None
    return found


def test_a_round_lies_at_the_bottom_and_is_counted():
    table = opened().table
    assert [frame.id for frame in table.agenda] == [ROUND, TURN]
    assert table.rounds == {"stock": 1}
    again = evolve(table, e.RoundBegan(Round(FrameId("9.0"), "stock", 2, 1, 1)))
    assert again.rounds == {"stock": 2}


def test_the_end_of_a_round_closes_all_above_it():
    assert evolve(opened().table, e.RoundEnded(ROUND, "all passed")).agenda == ()


def test_a_turn_waits_for_its_player():
    assert awaited(opened().table) == (ANN,)


def test_a_companys_turn_waits_for_whoever_acts_for_it():
    table = evolve(dealt().table, company_turn("9.0", PRR))
    assert awaited(table) == (ANN,)
    assert awaited(evolve(table, e.DirectorChanged(PRR, CID, CID))) == (CID,)


def test_a_step_ends_in_its_own_turn_only():
    table = evolve(dealt().table, company_turn("9.0", PRR))
    assert turn_of(table).steps[0] == "track"
    after = evolve(table, e.StepEnded(FrameId("9.0"), "track", "done"))
    assert turn_of(after).steps[0] == "token"
    assert evolve(table, e.StepEnded(FrameId("8.0"), "track", "done")) == table


def test_a_turn_that_ends_is_counted_by_its_round():
    after = evolve(opened().table, e.TurnEnded(TURN, ANN, "done"))
    assert current_turn(after) is None
    assert (playing(after).turns, playing(after).passes) == (1, ())


def test_passes_in_a_row_are_remembered_until_somebody_does_something():
    table = evolve(opened().table, e.TurnEnded(TURN, ANN, "passed"))
    table = evolve_all(
        table, (player_turn("2.0", BOB), e.TurnEnded(FrameId("2.0"), BOB, "nothing to do"))
    )
    assert playing(table).passes == (ANN, BOB)
    table = evolve_all(table, (player_turn("3.0", CID), e.TurnEnded(FrameId("3.0"), CID, "done")))
    assert (playing(table).passes, playing(table).turns) == ((), 3)


def test_a_company_whose_turn_ends_has_operated():
    table = evolve_all(
        dealt().table,
        (
            e.RoundEnded(ROUND, "all passed"),
            e.RoundBegan(Round(FrameId("9.0"), "operating", 1, 1, 1)),
            company_turn("9.1", PRR),
            e.TurnEnded(FrameId("9.1"), PRR, "done"),
        ),
    )
    assert playing(table).operated == (PRR,)
    assert (table.charters[PRR].has_operated, table.charters[NYC].has_operated) == (True, False)


def test_a_pass_by_itself_moves_nothing():
    table = opened().table
    assert evolve(table, e.Passed(ANN, "chose to")) == table


def test_a_question_waits_for_all_who_are_asked_until_each_has_answered():
    table = evolve(
        opened().table, e.QuestionAsked(Question(FrameId("2.0"), SellDown(BOB), (BOB, CID)))
    )
    assert awaited(table) == (BOB, CID)
    table = evolve(table, e.QuestionAnswered(FrameId("2.0"), BOB, "yes"))
    assert awaited(table) == (CID,)
    frame = top(table)
    assert isinstance(frame, Question)
    assert frame.answers == ((BOB, "yes"),)
    assert evolve(table, e.QuestionAnswered(FrameId("7.0"), CID, "no")) == table


def test_a_question_that_is_closed_gives_the_turn_back():
    table = evolve(opened().table, e.QuestionAsked(Question(FrameId("2.0"), SellDown(BOB), (BOB,))))
    assert awaited(evolve(table, e.QuestionClosed(FrameId("2.0"), "done"))) == (ANN,)


def test_a_refused_proposal_is_remembered_by_the_turn():
    proposal = BuyCompany(SV, 30)
    question = Question(FrameId("2.0"), Consent(ANN, proposal, PRR), (BOB,))
    assert turn_of(evolve(opened().table, e.ProposalRefused(question))).refused == (proposal,)
    other = Question(FrameId("2.0"), SellDown(BOB), (BOB,))
    assert evolve(opened().table, e.ProposalRefused(other)) == opened().table


def waterfall() -> Table:
    lots = (Lot(SV, 20), Lot(CS, 40))
    return evolve(opened().table, e.ProcedureSet(Waterfall(FrameId("2.0"), lots)))


def test_a_procedure_stands_as_it_was_last_set():
    table = waterfall()
    assert awaited(table) == ()
    again = evolve(table, e.ProcedureSet(Waterfall(FrameId("2.0"), (Lot(CS, 40),), 1)))
    assert len(again.agenda) == len(table.agenda)
    assert top(again) == Waterfall(FrameId("2.0"), (Lot(CS, 40),), 1)
    assert top(evolve(table, e.ProcedureEnded(FrameId("2.0"), "sold"))) == top(opened().table)


def test_a_player_has_one_bid_a_lot_and_the_dearest_lies_last():
    table = evolve_all(waterfall(), (e.BidMade(CS, ANN, 45), e.BidMade(CS, BOB, 50)))
    table = evolve(table, e.BidMade(CS, ANN, 55))
    frame = top(table)
    assert isinstance(frame, Waterfall)
    assert frame.lots == (Lot(SV, 20), Lot(CS, 40, ((BOB, 50), (ANN, 55))))
    assert turn_of(table).acted


def test_a_bid_stands_in_the_auction_of_its_lot_too():
    table = evolve_all(
        waterfall(),
        (e.ProcedureSet(Auction(FrameId("3.0"), Lot(CS, 40), (ANN, BOB))), e.BidMade(CS, ANN, 45)),
    )
    frame = top(table)
    assert isinstance(frame, Auction)
    assert frame.lot.bids == ((ANN, 45),)


def test_who_passes_in_an_auction_is_out_of_it():
    table = evolve_all(
        waterfall(),
        (
            e.ProcedureSet(Auction(FrameId("3.0"), Lot(CS, 40), (ANN, BOB))),
            player_turn("3.1", ANN),
            e.TurnEnded(FrameId("3.1"), ANN, "passed"),
        ),
    )
    frame = top(table)
    assert isinstance(frame, Auction)
    assert frame.bidders == (BOB,)
    assert playing(table).passes == ()


def test_an_asking_price_is_changed_for_one_lot():
    frame = top(evolve(waterfall(), e.AskingPriceSet(SV, 15)))
    assert isinstance(frame, Waterfall)
    assert frame.lots == (Lot(SV, 15), Lot(CS, 40))


def test_a_request_lies_beside_the_agenda_until_it_is_closed():
    request = Request(FrameId("2.0"), "end", ANN, (BOB, CID))
    table = evolve(opened().table, e.RequestMade(request))
    assert (table.requests, awaited(table)) == ((request,), (ANN,))
    table = evolve(table, e.RequestAnswered(FrameId("2.0"), BOB, yes=True))
    assert table.requests[0].waiting == (CID,)
    assert evolve(table, e.RequestAnswered(FrameId("9.0"), CID, yes=True)) == table
    assert evolve(table, e.RequestClosed(FrameId("2.0"), "lapsed")).requests == ()

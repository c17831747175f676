"""Buying trains: 3.7.1 to 3.7.5, 3.9 and points 12 and 14 of the rules."""

import pytest

from contracts import events as e
from contracts.choices import Interval
from contracts.commands import Answer, BuyTrain, DiscardTrain, Pass
from contracts.frames import Consent, DiscardTrains, Question
from contracts.ids import BANK, BOX, POOL, SUPPLY, PhaseId, TrainId, TrainKind
from contracts.money import pay
from contracts.pieces import Train
from contracts.rejections import Code
from services.engine.rules.trains.owned import trains_of
from services.engine.table.agenda import current_turn, top
from services.engine.table.state import Table
from tests.given import Given, given
from tests.operating import board, trains, turn_of
from tests.positions import At, at, company, party, position

PRR, NYC = company("PRR"), company("NYC")
OPEN = ("SV", "CS", "DH", "MH", "CA", "BO")


def buy(kind: str, price: int, seller: str = SUPPLY, **more: str | int) -> BuyTrain:
    card = {key: TrainId(value) if isinstance(value, str) else value for key, value in more.items()}
    return BuyTrain(TrainKind(kind), party(seller), price, **card)


def turn(
    cash: int,
    owned: dict[str, list[str]] | None = None,
    *,
    left: str | None = None,
    phase: str = "2",
    others: tuple[At, ...] = (),
    closed: tuple[str, ...] = OPEN,
    track: bool = True,
    rulings: dict[str, str] | None = None,
) -> Given:
    """PRR, directed by Ann, at its step of trains."""
    prr = at("PRR", "0,6", director="ann", ann=6, cash=cash)
    table = position(companies=[prr, *others], phase=phase, closed=closed, rulings=rulings)
    tiles = {"H14": ("9", 1), "H16": ("57", 1)} if track else {}
    lying = board(table, tiles, {"PRR": ["H12"], "NYC": ["E19"], "CPR": ["A19"]})
    return given(turn_of(trains(lying, owned, left), "PRR", "trains"))


def nyc(director: str = "bob", cash: int = 0) -> At:
    return at("NYC", "1,6", director=director, cash=cash, **{director: 6})


def cpr(director: str = "bob", cash: int = 0) -> At:
    return at("CPR", "2,6", director=director, cash=cash, **{director: 6})


def owned(table: Table, owner: str) -> list[str]:
    return [train.id for train in trains_of(table, party(owner))]


def who(now: Given) -> str:
    playing = current_turn(now.table)
    assert playing is not None
    return playing.who


def step(now: Given) -> str:
    playing = current_turn(now.table)
    assert playing is not None
    return playing.steps[0]


# --- from the bank ---------------------------------------------------------------------------


def test_the_bank_sells_the_lowest_train_left_at_face_value():
    now = turn(500)
    now.when("ann", buy("2", 80)).then(
        e.TrainBought(PRR, Train(TrainId("2-0"), TrainKind("2")), SUPPLY, pay(PRR, BANK, 80))
    )
    now.when("ann", buy("3", 180)).then(Code.NO_SUCH_TRAIN)
    now.when("ann", buy("2", 79)).then(Code.BAD_PRICE)
    turn(100).when("ann", buy("2", 80)).accepted()


def test_any_number_may_be_bought():
    now = turn(500).when("ann", buy("2", 80), buy("2", 80), buy("2", 80)).accepted()
    assert owned(now.table, "PRR") == ["2-0", "2-1", "2-2"]
    now.when("ann", Pass()).accepted()


def test_at_the_limit_none_is_bought_and_the_step_is_over():
    now = turn(500, {"PRR": ["2", "2", "2"]}).when("ann", buy("2", 80)).accepted()
    assert owned(now.table, "PRR") == ["2-0", "2-1", "2-2", "2-3"]
    now.when("ann", buy("2", 80)).then(Code.WRONG_STEP)
    four = turn(500, {"PRR": ["3", "3"]}, phase="4", left="4").when("ann", buy("4", 300))
    assert owned(four.accepted().table, "PRR") == ["3-0", "3-1", "4-0"]


def test_without_money_for_any_train_the_step_is_passed_over():
    # With a dollar a train of NYC could be had.
    penniless = turn(0, {"PRR": ["2"], "NYC": ["2"]}, others=(nyc(cash=5),))
    assert who(penniless) == NYC
    rich = turn(1, {"PRR": ["2"], "NYC": ["2"]}, others=(nyc(cash=5),))
    assert who(rich) == PRR


# --- trade-in, and what comes after the first 6 ----------------------------------------------


def test_after_the_first_6_a_d_stands_beside_the_6():
    early = turn(2000, {"PRR": ["5"]}, phase="5", left="6")
    early.when("ann", buy("D", 1100)).then(Code.NO_SUCH_TRAIN)
    late = turn(2000, {"PRR": ["5"], "NYC": ["6"]}, phase="6", left="6", others=(nyc(),))
    late.when("ann", buy("D", 1100)).begins(
        e.TrainBought(PRR, Train(TrainId("D-0"), TrainKind("D")), SUPPLY, pay(PRR, BANK, 1100)),
        e.PhaseBegan(PhaseId("D")),
    )
    late.when("ann", buy("6", 630)).accepted()


def test_d_trains_have_no_end():
    now = turn(5000, {"NYC": ["D", "D"], "CPR": ["D"]}, phase="D", left="D", others=(nyc(), cpr()))
    after = now.when("ann", buy("D", 1100), buy("D", 1100)).accepted()
    assert owned(after.table, "PRR") == ["D-3", "D-4"]


@pytest.mark.parametrize("given_in", ["4", "5", "6"])
def test_a_d_costs_300_less_with_a_4_5_or_6_which_goes_to_the_pool(given_in):
    now = turn(800, {"PRR": [given_in], "NYC": ["6"]}, phase="6", left="6", others=(nyc(),))
    after = now.when("ann", buy("D", 800, handed_in=f"{given_in}-0"))
    after.begins(
        e.TrainBought(
            PRR,
            Train(TrainId("D-0"), TrainKind("D")),
            SUPPLY,
            pay(PRR, BANK, 800),
            TrainId(f"{given_in}-0"),
        ),
        e.PhaseBegan(PhaseId("D")),
    )
    # The first D rusts the 4s, the one just given in too.
    assert owned(after.table, POOL) == ([] if given_in == "4" else [f"{given_in}-0"])


def test_nothing_else_is_taken_in_part_payment():
    now = turn(2000, {"PRR": ["3"], "NYC": ["6", "5"]}, phase="6", left="6", others=(nyc(),))
    now.when("ann", buy("D", 800, handed_in="3-0")).then(Code.NO_SUCH_TRAIN)
    now.when("ann", buy("D", 800, handed_in="5-0")).then(Code.NO_SUCH_TRAIN)
    now.when("ann", buy("6", 330, handed_in="3-0")).then(Code.NO_SUCH_TRAIN)
    now.when("ann", buy("D", 1100, handed_in="3-0")).then(Code.NO_SUCH_TRAIN)


def test_at_the_limit_a_train_given_in_makes_room_for_the_d():
    now = turn(2000, {"PRR": ["5", "5"], "NYC": ["6"]}, phase="6", left="6", others=(nyc(),))
    now.when("ann", buy("D", 1100)).then(Code.TRAIN_LIMIT)
    after = now.when("ann", buy("D", 800, handed_in="5-1")).accepted()
    assert owned(after.table, "PRR") == ["5-0", "D-0"]


# --- the pool --------------------------------------------------------------------------------


def test_a_train_in_the_pool_costs_its_face_value():
    # Point 14: a 5 given in for a D may be bought by others in the same round.
    now = turn(500, {"pool": ["5"]}, phase="D", left="D")
    now.when("ann", buy("5", 450, POOL, train="5-0")).begins(
        e.TrainBought(PRR, Train(TrainId("5-0"), TrainKind("5")), POOL, pay(PRR, BANK, 450))
    )
    now.when("ann", buy("5", 300, POOL, train="5-0")).then(Code.BAD_PRICE)
    now.when("ann", buy("5", 450, POOL, train="5-1")).then(Code.NO_SUCH_TRAIN)
    now.when("ann", buy("5", 450, POOL)).then(Code.NO_SUCH_TRAIN)


# --- from another company --------------------------------------------------------------------


def test_another_companys_train_is_bought_at_any_price_if_its_director_agrees():
    now = turn(100, {"PRR": ["2"], "NYC": ["3"]}, phase="3", others=(nyc(),))
    asked = now.when("ann", buy("3", 1, "NYC", train="3-0")).awaits("bob")
    question = top(asked.table)
    assert isinstance(question, Question)
    assert isinstance(question.matter, Consent)
    asked.when("ann", Answer(yes=True)).then(Code.NOT_YOUR_TURN)
    asked.when("bob", Answer(yes=True)).begins(
        e.QuestionAnswered,
        e.QuestionClosed,
        e.TrainBought(PRR, Train(TrainId("3-0"), TrainKind("3")), NYC, pay(PRR, NYC, 1)),
    )


def test_a_refused_offer_is_not_made_again_in_the_turn_but_another_is():
    now = turn(100, {"PRR": ["2"], "NYC": ["3"]}, phase="3", others=(nyc(),))
    no = now.when("ann", buy("3", 50, "NYC", train="3-0")).when("bob", Answer(yes=False))
    no.awaits("ann").when("ann", buy("3", 50, "NYC", train="3-0")).then(Code.ALREADY_REFUSED)
    no.when("ann", buy("3", 51, "NYC", train="3-0")).awaits("bob")


def test_one_director_of_both_companies_is_not_asked():
    now = turn(100, {"PRR": ["2"], "NYC": ["3"]}, phase="3", others=(nyc("ann"),))
    now.when("ann", buy("3", 100, "NYC", train="3-0")).begins(e.TrainBought)


def test_the_price_of_another_companys_train_is_at_least_1_and_in_the_treasury():
    now = turn(100, {"PRR": ["2"], "NYC": ["3"]}, phase="3", others=(nyc(),))
    now.when("ann", buy("3", 0, "NYC", train="3-0")).then(Code.BAD_PRICE)
    now.when("ann", buy("3", 101, "NYC", train="3-0")).then(Code.TOO_LITTLE_CASH)
    now.when("ann", buy("2", 1, "PRR", train="2-0")).then(Code.NO_SUCH_TRAIN)
    offers = [one for one in now.listed("ann") if one.open and isinstance(one.command, BuyTrain)]
    assert [choice.open for choice in offers] == [Interval("price", 1, 100, 1)]


# --- phases ----------------------------------------------------------------------------------


def test_the_first_3_begins_phase_3():
    now = turn(500, left="3").when("ann", buy("3", 180))
    now.begins(e.TrainBought, e.PhaseBegan(PhaseId("3")))
    now.when("ann", buy("3", 180)).then(e.TrainBought)


def test_the_first_4_rusts_every_2_at_once_everywhere():
    now = turn(
        500, {"PRR": ["2"], "NYC": ["2"], "pool": ["2"]}, left="4", phase="3", others=(nyc(),)
    )
    after = now.when("ann", buy("4", 300)).begins(
        e.TrainBought,
        e.PhaseBegan(PhaseId("4")),
        e.TrainsRusted((TrainId("2-0"), TrainId("2-1"), TrainId("2-2"))),
    )
    assert owned(after.table, "PRR") == ["4-0"]
    assert {"2-0", "2-1", "2-2"} <= set(owned(after.table, BOX))


def test_what_rusts_is_gone_before_anybody_is_asked_to_discard():
    # NYC has four trains at the limit of phase 3, two of which rust: it keeps the others unasked.
    now = turn(
        500,
        {"PRR": ["3"], "NYC": ["2", "2", "3", "3"]},
        left="4",
        phase="3",
        others=(nyc(),),
    )
    bought = now.when("ann", buy("4", 300))
    assert not [event for event in bought.happened() if isinstance(event, e.QuestionAsked)]
    after = bought.accepted()
    assert owned(after.table, "NYC") == ["3-1", "3-2"]
    assert (who(after), step(after)) == ("PRR", "trains")


def test_the_first_5_closes_the_privates():
    now = turn(500, {"PRR": ["4"]}, left="5", phase="4", closed=())
    after = now.when("ann", buy("5", 450)).begins(
        e.TrainBought, e.PhaseBegan(PhaseId("5")), *[e.CompanyClosed] * 6
    )
    assert all(after.table.charters[company(name)].status == "closed" for name in OPEN)


def test_companies_above_the_new_limit_discard_before_anything_goes_on():
    # Points 12: PRR, then NYC, then CPR in operating order; PRR goes on buying afterwards.
    now = turn(
        2000,
        {"NYC": ["4", "4", "3"], "CPR": ["3", "3", "3"]},
        left="5",
        phase="4",
        others=(nyc("bob"), cpr("cid")),
    )
    first = now.when("ann", buy("5", 450)).awaits("bob")
    question = top(first.table)
    assert isinstance(question, Question)
    assert question.matter == DiscardTrains(NYC)
    first.when("ann", buy("5", 450)).then(Code.NOT_YOUR_TURN)
    first.when("bob", Pass()).then(Code.TRAIN_LIMIT)
    first.when("bob", DiscardTrain(TrainId("3-1"))).then(Code.NO_SUCH_TRAIN)
    second = first.when("bob", DiscardTrain(TrainId("3-0"))).then(
        e.TrainsMoved((TrainId("3-0"),), NYC, POOL, "discarded"), e.QuestionClosed
    )
    third = second.awaits("cid").when("cid", DiscardTrain(TrainId("3-2"))).accepted().awaits("ann")
    assert owned(third.table, POOL) == ["3-0", "3-2"]
    third.when("ann", buy("5", 450)).accepted()


def test_the_company_that_operates_discards_first_though_others_have_passed_its_marker():
    # NYC's marker lies ahead of PRR's by now; a company that has operated is none the later for it.
    now = turn(
        2000,
        {"PRR": ["4", "4"], "NYC": ["4", "3", "3"]},
        left="5",
        phase="4",
        others=(at("NYC", "0,9", director="bob", bob=6),),
    )
    first = now.when("ann", buy("5", 450)).awaits("ann")
    question = top(first.table)
    assert isinstance(question, Question)
    assert question.matter == DiscardTrains(PRR)
    second = first.when("ann", DiscardTrain(TrainId("4-0"))).accepted().awaits("bob")
    third = second.when("bob", DiscardTrain(TrainId("3-0"))).accepted()
    assert owned(third.table, POOL) == ["4-0", "3-0"]


def test_as_printed_the_companies_discard_in_the_order_of_the_rules():
    now = turn(
        2000,
        {"PRR": ["4"], "B&O": ["4", "4", "3"], "CPR": ["3", "3", "3"]},
        left="5",
        phase="4",
        others=(at("B&O", "1,6", director="bob", bob=6), at("CPR", "2,6", director="cid", cid=6)),
        rulings={"discard order": "as printed"},
    )
    now.when("ann", buy("5", 450)).awaits("cid")


def test_a_company_far_above_the_limit_discards_one_by_one():
    now = turn(2000, {"NYC": ["3", "3", "3", "4"]}, left="5", phase="3", others=(nyc(),))
    first = now.when("ann", buy("5", 450)).awaits("bob")
    second = first.when("bob", DiscardTrain(TrainId("3-0"))).accepted().awaits("bob")
    second.when("bob", DiscardTrain(TrainId("3-2"))).accepted().awaits("ann")


def test_the_bo_closes_when_the_baltimore_buys_its_first_train():
    table = position(
        companies=[at("B&O", "0,6", director="ann", ann=6, cash=500)],
        privates={"BO": "ann"},
        closed=("SV", "CS", "DH", "MH", "CA"),
    )
    lying = board(table, {"J14": ("57", 0)}, {"B&O": ["I15"]})
    now = given(turn_of(trains(lying), "B&O", "trains"))
    now.when("ann", buy("2", 80)).begins(
        e.TrainBought, e.CompanyClosed(company("BO"), "first train")
    )
    assert turn(500, closed=()).when("ann", buy("2", 80)).table.charters[company("BO")].status != (
        "closed"
    )


# --- must own --------------------------------------------------------------------------------


def test_a_company_with_a_possible_route_and_no_train_does_not_pass():
    turn(500).when("ann", Pass()).then(Code.MUST_BUY_TRAIN)
    turn(500, track=False).when("ann", Pass()).accepted()
    turn(500, {"PRR": ["2"]}).when("ann", Pass()).accepted()


def test_a_track_to_one_other_station_is_a_possible_route():
    # Point 11: two stations joined from a token, whatever train; a lone home is none.
    lone = turn(500, track=False)
    assert step(lone) == "trains"
    lone.when("ann", Pass()).accepted()

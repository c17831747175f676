"""What house players care for: useful before useless, one duty at a time, home tokens last."""

from collections import Counter
from random import Random

import pytest

from contracts import commands as c
from contracts import events as e
from contracts.choices import Choice, Interval
from contracts.ids import BANK, SUPPLY, FrameId
from contracts.money import pay
from services.engine.rules.parts.registry import ANYTIME, ASIDES, ASKINGS, STEPS
from services.engine.rules.ruleset import composed
from services.engine.table.evolve import evolve, evolve_all
from services.players.leanings import LEANINGS
from services.players.play import filled, preferred
from services.players.weighing import UNIT, weight_of, worth_doing
from tests.tables import ANN, BOB, CS, NYC, ONE, PRR, TITLE, company_turn, dealt, operated

BUILDER = LEANINGS[0]
RULES = composed(TITLE, {}, {})


def lots_of(table, command, player=ANN):
    return worth_doing(RULES, table, BUILDER, Choice(player, command))


def nyc_operates():
    """NYC's turn; it may run express trains."""
    table = operated().tables[5]
    events = (company_turn("9.0", NYC), e.CounterMoved("permit express", {NYC: 1}))
    return evolve_all(table, events)


@pytest.mark.parametrize("leaning", LEANINGS, ids=lambda leaning: leaning.name)
def test_every_leaning_has_a_weight_for_every_command_of_the_game(leaning):
    acts = [act for acts in (*ANYTIME.values(), ASIDES) for act in acts]
    acts += [act for step in STEPS.values() for act in step.acts]
    acts += [act for asking in ASKINGS.values() for act in asking.acts]
    every = {act.command.__name__ for act in acts} | {"Pass"}
    # Whether he agrees is drawn by how generous he is.
    assert set(leaning.weights) == every - {"Answer"}
    assert min(leaning.weights.values()) > 0


def test_a_train_that_may_not_run_is_seldom_bought():
    table = nyc_operates()
    useful = lots_of(table, c.BuyTrain("A", SUPPLY, 100, side="express"))
    useless = lots_of(table, c.BuyTrain("A", SUPPLY, 100, side="freight"))
    insured = lots_of(table, c.BuyTrain("A", SUPPLY, 100, side="express", warranties=2))
    assert useful > insured > useless > 0


def test_without_permits_every_side_is_as_good():
    table = evolve(nyc_operates(), e.CounterMoved("permit express", {NYC: 0}))
    sides = {lots_of(table, c.BuyTrain("A", SUPPLY, 1, side=s)) for s in ("freight", "local")}
    assert sides == {100}


def test_whoever_is_bound_to_float_a_company_seldom_bids_for_another():
    table = dealt().table
    bid = Choice(ANN, c.Bid(CS, 0))
    bound = evolve(table, e.CharterTaken(NYC, ANN, "duty"))
    assert weight_of(RULES, "Bid", [bid], table, BUILDER) > 10 * weight_of(
        RULES, "Bid", [bid], bound, BUILDER
    )


def test_a_sale_at_half_the_price_is_the_last_thing_done():
    eastern = composed("1862", {}, {})
    table = dealt().table
    sales = [Choice(ANN, c.SellShares(PRR, {ONE: 1})), Choice(ANN, c.SellShares(NYC, {ONE: 1}))]
    trained = evolve(table, e.TrainBought(PRR, table.trains[SUPPLY][0], SUPPLY, ()))
    weights = [weight_of(eastern, "SellShares", sales, t, BUILDER) for t in (table, trained)]
    assert weights == [BUILDER.weights["SellShares"], UNIT * BUILDER.weights["SellShares"]]
    assert [worth_doing(eastern, trained, BUILDER, sale) for sale in sales] == [UNIT, 1]


def charter_bid(amount, player=ANN):
    most = 20 * amount + 200
    return Choice(player, c.Bid(NYC, amount), Interval("amount", amount, most, 5))


def test_nobody_pays_a_good_part_of_his_cash_for_a_charter():
    table = dealt().table
    cheap, dear = (weight_of(RULES, "Bid", [charter_bid(n)], table, BUILDER) for n in (0, 100))
    assert cheap > 10 * dear


def test_nobody_bids_for_a_charter_without_the_money_to_float_its_company():
    charters = composed("1862", {}, {})
    table = dealt().table
    just = evolve(table, e.MoneyPaid("fine", pay(ANN, BANK, table.cash[ANN] - 5 * 54)))
    short = evolve(just, e.MoneyPaid("fine", pay(ANN, BANK, 1)))
    bid = [charter_bid(0)]
    assert weight_of(charters, "Bid", bid, just, BUILDER) == UNIT * BUILDER.weights["Bid"]
    assert weight_of(charters, "Bid", bid, short, BUILDER) == UNIT


@pytest.mark.parametrize("leaning", LEANINGS, ids=lambda leaning: leaning.name)
def test_a_bid_for_a_charter_is_never_raised_by_much(leaning):
    table = dealt().table
    for seed in range(40):
        bid = filled(table, charter_bid(10), leaning, Random(seed))
        assert bid in [c.Bid(NYC, amount) for amount in (10, 15, 20, 25)]


def test_whoever_is_bound_buys_its_shares_before_any_other():
    bound = evolve(dealt().table, e.CharterTaken(NYC, BOB, "duty"))
    duty = lots_of(bound, c.BuyShares(NYC, "offering", {ONE: 1}), BOB)
    assert duty > 3 * lots_of(bound, c.BuyShares(PRR, "offering", {ONE: 1}), BOB)


def test_ones_own_company_is_the_likelier_partner():
    table = dealt().table
    own, others = (lots_of(table, c.ProposeJoining("merge", pair), ANN) for pair in PAIRS)
    assert own > others


PAIRS = ((NYC, PRR), (PRR, NYC))


def test_a_home_token_is_the_last_to_leave_the_board():
    table = operated().table
    home = next(token.place for token in table.board.tokens if token.kind == "home")
    assert lots_of(table, c.ChooseTokens((home,))) < lots_of(table, c.ChooseTokens(("F16",)))


def test_an_option_is_kept_more_often_than_given_up():
    both = [Choice(ANN, c.SettleOption(yes), question=FrameId("1.0")) for yes in (True, False)]
    table = dealt().table
    drawn = Counter(
        preferred(RULES, table, both, BUILDER, Random(seed)).command == both[0].command
        for seed in range(300)
    )
    assert drawn[True] > drawn[False] > 0

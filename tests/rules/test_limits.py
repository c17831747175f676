"""Limits and selling down: 3.2.5, 4.6."""

from contracts import events as e
from contracts.commands import BuyShares, Pass, SellShares
from contracts.frames import Question, SellDown
from contracts.ids import OFFERING
from contracts.rejections import Code
from services.engine.rules.ruleset import ruleset_of
from services.engine.rules.shares.limits import certificates_counted
from services.engine.table.agenda import current_turn, top
from services.engine.table.state import Table
from tests.given import given
from tests.positions import At, at, company, ones, player, position, stock_round

ANN = player("ann")


def sell(name: str, number: int = 1) -> SellShares:
    return SellShares(company(name), ones(number))


def crowded(*more: At, turn: str = "ann", pool: int = 0) -> Table:
    """Ann has 17 certificates that count, of at most 16: twelve shares, five privates."""
    return stock_round(
        position(
            companies=[
                at("PRR", "0,6", director="bob", bob=5, ann=5, pool=pool),
                at("NYC", "0,7", director="bob", bob=5, ann=5),
                at("C&O", "0,8", director="bob", bob=3, ann=2),
                *more,
            ],
            privates={"SV": "ann", "CS": "ann", "DH": "ann", "MH": "ann", "CA": "ann"},
            closed=("BO",),
        ),
        turn=turn,
    )


def test_whoever_is_over_the_limit_sells_before_anything_else():
    there = crowded()
    assert certificates_counted(ruleset_of(there), there, ANN) == 17
    now = given(there).awaits("ann")
    now.when("ann", Pass()).then(Code.OVER_LIMIT)
    now.when("ann", BuyShares(company("C&O"), OFFERING, ones(1))).then(Code.WRONG_STEP)
    sold = now.when("ann", sell("C&O")).then(e.SharesSold, e.MarkerMoved, e.QuestionClosed)
    turn = current_turn(sold.table)
    assert turn is not None
    assert turn.sold == {"C&O": 1}
    # It was a sale of his turn: he may go on selling, and may not buy what he sold.
    sold.when("ann", BuyShares(company("C&O"), OFFERING, ones(1))).then(Code.SOLD_THIS_ROUND)
    sold.when("ann", sell("NYC")).accepted()


def test_the_limit_is_looked_at_when_a_turn_begins_not_when_prices_move():
    there = crowded(turn="dan")
    given(there).awaits("dan")
    question = top(given(there).when("dan", Pass()).accepted().table)
    assert isinstance(question, Question)
    assert question.matter == SellDown(ANN)


def test_a_sale_that_does_not_help_leaves_the_question_open():
    there = crowded(at("ERIE", "2,1", director="bob", bob=3, ann=2))
    now = given(there).when("ann", sell("ERIE")).then(e.SharesSold, e.MarkerMoved)
    now.when("ann", Pass()).then(Code.OVER_LIMIT)


def test_who_has_too_much_of_one_company_sells_down_to_sixty_percent():
    there = stock_round(position(companies=[at("PRR", "0,6", director="ann", ann=7, bob=2)]))
    now = given(there).awaits("ann")
    now.when("ann", Pass()).then(Code.OVER_LIMIT)
    now.when("ann", sell("PRR")).then(e.SharesSold, e.MarkerMoved, e.QuestionClosed)


def test_too_much_may_be_kept_in_orange_and_brown():
    there = stock_round(position(companies=[at("PRR", "4,1", director="ann", ann=7, bob=2)]))
    given(there).awaits("ann").when("ann", Pass()).accepted()


def test_only_what_is_legally_possible_is_asked_for():
    """The pool is full of each company that Ann could sell: she is passed over."""
    names = ("PRR", "NYC", "C&O", "ERIE")
    there = stock_round(
        position(
            companies=[
                at(name, f"0,{6 + place}", director="bob", bob=2, ann=3, pool=5)
                for place, name in enumerate(names)
            ],
            privates={"SV": "ann", "CS": "ann", "DH": "ann", "MH": "ann", "CA": "ann"},
            closed=("BO",),
        )
    )
    assert certificates_counted(ruleset_of(there), there, ANN) == 17
    given(there).awaits("bob")


def test_uncounted_companies_do_not_count_and_privates_do():
    there = stock_round(
        position(
            companies=[
                at("PRR", "2,1", director="bob", bob=5, ann=5),
                at("NYC", "0,7", director="ann", ann=4),
            ],
            privates={"SV": "ann", "CS": "ann"},
            unstarted={"ERIE": {"ann": 1}},
        )
    )
    # Three of NYC, two privates, and one of a company that has no marker yet.
    assert certificates_counted(ruleset_of(there), there, ANN) == 6

"""What a command can say for other titles is refused where a title has no such thing."""

import msgspec

from contracts.commands import BuyTrain, MakeRequest, PayDividend, SellShares
from contracts.ids import SUPPLY, TrainKind
from contracts.rejections import Code, Rejection
from services.engine.rules.decide import decide
from services.engine.rules.ruleset import ruleset_of
from services.engine.table.state import Table
from services.soak.probes import order_of
from tests.given import given
from tests.operating import board, run, trains, turn_of
from tests.positions import at, company, ones, opened, player, position, stock_round


def operating(step: str) -> Table:
    """PRR of Ann has 500, a train 2 and a route of two cities; its turn stands at a step."""
    table = position(companies=[at("PRR", "0,6", director="ann", ann=6, cash=500)])
    lying = board(table, {"H14": ("9", 1), "H16": ("57", 1)}, {"PRR": ["H12"]})
    return turn_of(trains(lying, {"PRR": ["2"]}, "2"), "PRR", step)


def test_a_sale_takes_no_change_back():
    table = stock_round(position(companies=[at("PRR", "0,6", director="bob", bob=4, ann=3)]))
    sale = SellShares(company("PRR"), ones(2))
    given(table).when("ann", sale).accepted()
    for change in (ones(1), ones(2), ones(0)):
        given(table).when("ann", msgspec.structs.replace(sale, taken=change)).then(Code.NOT_YOURS)


def test_a_train_has_no_sides_and_no_warranties():
    table = operating("trains")
    plain = BuyTrain(TrainKind("2"), SUPPLY, 80)
    given(table).when("ann", plain).accepted()
    for other in ({"side": "front"}, {"warranties": 1}, {"warranties": -1}):
        bought = msgspec.structs.replace(plain, **other)
        given(table).when("ann", bought).then(Code.NO_SUCH_TRAIN)


def test_nothing_is_added_to_a_dividend():
    table = operating("run")
    ran = given(table).when("ann", run(table, "PRR", t2_0="H12-H14-H16"))
    ran.when("ann", PayDividend("all")).accepted()
    for added in (10, -10):
        ran.when("ann", PayDividend("all", added)).then(Code.BAD_DIVIDEND)


def test_the_end_is_asked_for_without_a_version():
    table = opened()
    for version in (0, 1, 2):
        order = order_of(table, player("ann"), MakeRequest("end", version), None)
        refusal = decide(ruleset_of(table), table, order)
        assert isinstance(refusal, Rejection)
        assert refusal.code == Code.BAD_REQUEST

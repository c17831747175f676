"""Selling shares and changing directors: 3.2.2, 3.2.6, 3.2.7, 4.3, 4.7."""

import pytest

from contracts import events as e
from contracts.commands import BuyShares, Pass, SellShares
from contracts.ids import BANK, POOL, CertificateKind
from contracts.money import Payment
from contracts.pieces import CertificateMove
from contracts.rejections import Code
from services.engine.rules.decide import choices
from services.engine.rules.ruleset import ruleset_of
from services.engine.table.state import Table
from tests.given import given
from tests.positions import At, at, company, ones, player, position, stock_round

PRR = company("PRR")
ANN, BOB, CID, DAN = map(player, ("ann", "bob", "cid", "dan"))


def sell(number: int, name: str = "PRR") -> SellShares:
    return SellShares(company(name), ones(number))


def table(*companies: At, **more: object) -> Table:
    """Ann's turn in the second stock round."""
    return stock_round(position(companies=companies, **more))


def swapped(old: str, new: str) -> e.CertificatesMoved:
    moves = (
        CertificateMove(CertificateKind("2d"), 1, player(old), player(new)),
        CertificateMove(CertificateKind("1"), 2, player(new), player(old)),
    )
    return e.CertificatesMoved(PRR, moves, "swap")


def test_the_worked_example_of_a_sale():
    """At 100 three are sold: 300 paid, down to 76; with two in the pool three is the most."""
    there = table(at("PRR", "0,6", director="bob", bob=4, ann=4, pool=2))
    given(there).when("ann", sell(4)).then(Code.POOL_LIMIT)
    now = (
        given(there)
        .when("ann", sell(3))
        .then(
            e.SharesSold(ANN, PRR, POOL, ones(3), {}, (Payment(BANK, ANN, 300),)),
            e.MarkerMoved(PRR, "3,6", 76, 0, "sold"),
        )
    )
    assert now.table.certificates[PRR][POOL] == ones(5)


def test_nothing_is_sold_in_the_first_stock_round():
    there = stock_round(
        position(companies=[at("PRR", "0,6", director="bob", bob=4, ann=4)]), number=1
    )
    given(there).when("ann", sell(1)).then(Code.NO_SALES_YET)


def test_the_second_sale_of_a_turn_fetches_the_fallen_price():
    there = table(at("PRR", "0,6", director="bob", bob=4, ann=4))
    now = given(there).when("ann", sell(1), sell(1)).accepted()
    assert now.table.cash[ANN] == 600 + 100 + 90


def test_one_sells_what_one_has():
    there = table(at("PRR", "0,6", director="bob", bob=4, ann=2))
    for command in (
        sell(3),
        sell(0),
        SellShares(PRR, {}),
        SellShares(PRR, {CertificateKind("2d"): 1}),
    ):
        given(there).when("ann", command).then(Code.NOT_YOURS)
    given(there).when("ann", sell(1, "NYC")).then(Code.NOT_STARTED)
    given(there).when("ann", sell(1, "SV")).then(Code.NO_SUCH_COMPANY)


def test_refusals_of_a_sale_come_in_the_order_of_the_rules():
    there = stock_round(
        position(companies=[at("PRR", "0,6", director="ann", ann=4, pool=4)]), number=1
    )
    now = given(there).when("ann", sell(3))
    now.refused_for(Code.NO_SALES_YET, Code.POOL_LIMIT, Code.NO_NEW_DIRECTOR)


def test_a_director_keeps_his_certificate_while_nobody_has_twenty_percent():
    there = table(at("PRR", "0,6", director="ann", ann=4, bob=1, cid=1))
    given(there).when("ann", sell(3)).then(Code.NO_NEW_DIRECTOR)
    given(there).when("ann", sell(4)).then(Code.NO_NEW_DIRECTOR)
    now = given(there).when("ann", sell(2)).then(e.SharesSold, e.MarkerMoved)
    assert now.table.certificates[PRR][ANN] == {"2d": 1}


def test_selling_down_through_the_exchange():
    """Ann has the certificate and one share and sells two: Bob takes it for two of his."""
    there = table(at("PRR", "0,6", director="ann", ann=3, bob=2))
    now = (
        given(there)
        .when("ann", sell(2))
        .then(
            swapped("ann", "bob"),
            e.SharesSold,
            e.DirectorChanged(PRR, BOB, BOB),
            e.MarkerMoved(PRR, "2,6", 82, 0, "sold"),
        )
    )
    assert now.table.certificates[PRR][ANN] == ones(1)
    assert now.table.certificates[PRR][BOB] == {"2d": 1}
    assert now.table.charters[PRR].acting == BOB


def test_a_director_may_sell_out_altogether():
    there = table(at("PRR", "0,6", director="ann", ann=2, bob=2))
    now = given(there).when("ann", sell(2)).accepted()
    assert ANN not in now.table.certificates[PRR]
    assert now.table.charters[PRR].director == BOB


def test_the_shares_exchanged_do_not_pass_through_the_pool():
    """With three in the pool Ann may sell two more, whatever goes between her and Bob."""
    there = table(at("PRR", "0,6", director="ann", ann=3, bob=2, pool=3))
    given(there).when("ann", sell(2)).accepted()
    given(there).when("ann", sell(3)).then(Code.POOL_LIMIT)


def test_an_equal_holder_does_not_take_over():
    there = table(at("PRR", "0,6", director="ann", ann=4, bob=3))
    now = given(there).when("ann", sell(1)).then(e.SharesSold, e.MarkerMoved)
    now.when("ann", sell(1)).then(
        swapped("ann", "bob"), e.SharesSold, e.DirectorChanged, e.MarkerMoved
    )


@pytest.mark.parametrize(
    ("director", "new"), [("ann", "bob"), ("bob", "dan"), ("cid", "dan"), ("dan", "bob")]
)
def test_among_equals_the_first_to_the_old_directors_left_takes_over(director: str, new: str):
    holders = {"bob": 3, "dan": 3, **({"ann": 1} if director != "ann" else {})}
    holders[director] = 3
    seller = director
    there = stock_round(
        position(companies=[at("PRR", "0,6", director=director, **holders)]), turn=seller
    )
    now = given(there).when(seller, sell(1)).accepted()
    assert now.table.charters[PRR].director == new


def test_a_director_who_sells_may_not_buy_it_back():
    there = table(at("PRR", "0,6", director="ann", ann=4, bob=3))
    now = given(there).when("ann", sell(1)).accepted()
    now.when("ann", BuyShares(PRR, POOL, ones(1))).then(Code.SOLD_THIS_ROUND)


def test_every_number_listed_is_legal_and_every_legal_number_is_listed():
    there = table(at("PRR", "0,6", director="ann", ann=5, bob=3, pool=1))
    listed = [
        choice.command.given[CertificateKind("1")]
        for choice in choices(ruleset_of(there), there, ANN)
        if isinstance(choice.command, SellShares)
    ]
    assert listed == [1, 2, 3, 4]


def test_a_sale_is_something_done_so_the_round_goes_on():
    there = table(at("PRR", "0,6", director="bob", bob=4, ann=2))
    now = given(there).when("ann", sell(1), Pass()).awaits("bob")
    (ended,) = (event for event in now.happened() if isinstance(event, e.TurnEnded))
    assert (ended.who, ended.because) == (ANN, "done")


# Known faults, B13: the director's certificate in a sale.


def fifty_and_forty() -> Table:
    return table(at("PRR", "1,5", director="ann", ann=5, bob=4, pool=1))


def test_the_forty_percent_holder_takes_over_when_the_director_sells_thirty():
    now = given(fifty_and_forty()).when("ann", sell(3))
    now.then(
        swapped("ann", "bob"),
        e.SharesSold(ANN, PRR, POOL, ones(3), {}, (Payment(BANK, ANN, 246),)),
        e.DirectorChanged(PRR, BOB, BOB),
        e.MarkerMoved,
    )
    assert now.table.certificates[PRR] == {
        ANN: ones(2),
        BOB: {"2d": 1, "1": 2},
        POOL: ones(4),
    }


def test_selling_to_a_tie_changes_nothing():
    now = given(fifty_and_forty()).when("ann", sell(1)).then(e.SharesSold, e.MarkerMoved)
    assert now.table.charters[PRR].director == ANN

"""Selling in a stock round with a zigzag market: 6.2 to 6.4 (1862.md 4.13 to 4.19, 4.27, 4.28)."""

import msgspec
import pytest

from contracts import events as e
from contracts.commands import BuyShares, Pass, SellShares, StartCompany
from contracts.ids import OFFERING, POOL
from contracts.rejections import Code
from services.engine.table.state import Table
from tests.eastern import DIRECTORS, position, railway, shares
from tests.given import Given, given
from tests.positions import company, ones, player, stock_round

EUR, ESR, ECR = map(company, ("EUR", "ESR", "ECR"))
RICH = {"ann": 800, "bob": 800, "cid": 800}
TRAIN = ("A local",)


def sell(number: int, name: str = "EUR") -> SellShares:
    return SellShares(company(name), ones(number))


def buy(name: str, source: str) -> BuyShares:
    return BuyShares(company(name), company(source), ones(1))


def table(price: int = 74, trains: tuple[str, ...] = TRAIN, **holds: int) -> Table:
    """Ann's turn in the second stock round; she directs EUR."""
    holds = holds or {"ann": 5, "bob": 3, "cid": 2}
    cash = dict(RICH)
    return stock_round(
        position(railway("EUR", price, director="ann", trains=trains, **holds), cash=cash)
    )


def on_turn_of(who: str, **more: object) -> Given:
    return given(stock_round(table(**more), who))


@pytest.mark.parametrize(
    ("price", "sold", "after"),
    [
        (74, 3, 65),
        (232, 3, 210),
        (220, 1, 220),
        (220, 2, 210),
        (210, 3, 191),
        (430, 2, 430),
        (430, 3, 400),
        (400, 2, 400),
        (36, 1, 36),
        (200, 1, 191),
        (40, 1, 36),
    ],
)
def test_zones_forgive_who_is_not_director(price: int, sold: int, after: int):
    """6.4.2, 1862.md part 5, known fault A12: at 40 and at 200 there is no zone."""
    now = on_turn_of("bob", price=price).when("bob", sell(sold))
    assert now.table.markers[EUR].price == after
    assert now.table.cash[player("bob")] == 800 + sold * price


@pytest.mark.parametrize(
    ("price", "sold", "after"), [(232, 3, 200), (430, 3, 350), (36, 2, 26), (220, 3, 191)]
)
def test_a_directors_block_counts_in_full(price: int, sold: int, after: int):
    """Director is who was it before the sale, even if it ends it (1862.md 4.27)."""
    now = given(table(price=price)).when("ann", sell(sold))
    assert now.table.markers[EUR].price == after
    if sold == 3:
        assert now.table.charters[EUR].director == player("bob")


def test_a_company_without_a_train_fetches_half():
    """6.4.1: half, rounded down for each share; a train it may not run is a train."""
    now = on_turn_of("bob", price=71, trains=()).when("bob", sell(3))
    assert now.table.cash[player("bob")] == 800 + 3 * 35
    assert now.table.markers[EUR].price == 62
    now = on_turn_of("bob", price=71, trains=("A freight",)).when("bob", sell(3))
    assert now.table.cash[player("bob")] == 800 + 3 * 71


def test_one_block_of_each_company_a_turn():
    """6.4: all shares of a company in one block; blocks of others may follow."""
    there = stock_round(
        position(
            railway("EUR", 74, director="ann", trains=TRAIN, ann=5, bob=3),
            railway("ESR", 68, director="bob", trains=TRAIN, bob=4, ann=2),
            cash=RICH,
        )
    )
    now = given(there).when("ann", sell(1))
    now.when("ann", sell(1)).then(Code.NOT_ALLOWED)
    now.when("ann", sell(1, "ESR")).accepted().awaits("ann")


def test_sales_come_before_the_purchase_that_ends_the_turn():
    """6.2."""
    there = table(ann=4, bob=3, cid=1)
    now = given(there).when("ann", buy("EUR", OFFERING)).awaits("bob")
    assert shares(now.table, "EUR")["ann"] == 5


def test_what_was_sold_is_not_bought_again_in_the_round():
    """6.5.1."""
    now = on_turn_of("bob").when("bob", sell(1))
    now.when("bob", buy("EUR", POOL)).then(Code.SOLD_THIS_ROUND)


def test_what_was_bought_in_this_round_is_kept():
    """6.4 (1862.md 4.14): counted; shares held before may be sold."""
    now = on_turn_of("bob", ann=4, bob=3, cid=1)
    now = now.when("bob", buy("EUR", OFFERING)).when("cid", Pass()).when("ann", Pass())
    now.awaits("bob").when("bob", sell(4)).then(Code.NOT_ALLOWED)
    now.when("bob", sell(3)).accepted()


def test_the_certificate_goes_to_who_has_more_and_three():
    """6.3, 1862.md 4.20: the exchange comes first, then the sale."""
    now = given(table()).when("ann", sell(3))
    assert shares(now.table, "EUR") == {"ann": 2, "bob": 3, "cid": 2, "pool": 3}
    assert now.table.charters[EUR].director == player("bob")


def test_equal_holdings_change_nothing():
    now = given(table()).when("ann", sell(2))
    assert now.table.charters[EUR].director == player("ann")


@pytest.mark.parametrize(
    ("ann", "keeps", "pool", "given_", "taken"),
    [
        (3, 2, 2, {DIRECTORS: 1}, {"1": 2}),
        (3, 1, 1, {DIRECTORS: 1}, {"1": 1}),
        (3, 0, 0, {DIRECTORS: 1}, {}),
        (4, 2, 1, {DIRECTORS: 1}, {"1": 1}),
        (4, 1, 0, {DIRECTORS: 1}, {}),
        (4, 0, 0, {DIRECTORS: 1, "1": 1}, {}),
        (5, 2, 0, {DIRECTORS: 1}, {}),
        (5, 1, 0, {DIRECTORS: 1, "1": 1}, {}),
    ],
)
def test_the_certificate_goes_to_the_pool_and_change_comes_back(
    ann: int, keeps: int, pool: int, given_: dict[str, int], taken: dict[str, int]
):
    """6.3, 1862.md 4.19: what is kept comes from the block itself or from the pool."""
    there = table(ann=ann, bob=2, **({"pool": pool} if pool else {}))
    sale = SellShares(EUR, given_, taken)
    now = given(there).when("ann", sale)
    assert shares(now.table, "EUR").get("ann", 0) == keeps
    assert now.table.charters[EUR].director is None
    assert now.table.cash[player("ann")] == 800 + (ann - keeps) * 74
    if taken:
        less = table(ann=ann, bob=2, **({"pool": pool - 1} if pool > 1 else {}))
        given(less).when("ann", sale).then(Code.NO_NEW_DIRECTOR)


def test_other_certificates_than_these_are_not_given():
    """One way to write each sale: the rejection says which."""
    there = table(ann=4, bob=2, pool=2)
    given(there).when("ann", sell(2)).then(Code.NOT_YOURS)
    given(there).when("ann", SellShares(EUR, {DIRECTORS: 1}, ones(2))).then(Code.NOT_YOURS)
    given(there).when("ann", SellShares(EUR, {DIRECTORS: 1, "1": 1}, ones(2))).then(Code.NOT_YOURS)
    given(there).when("ann", SellShares(EUR, {DIRECTORS: 1}, ones(1))).accepted()
    given(table()).when("bob", sell(4)).refused_for(Code.NOT_YOUR_TURN)


def test_a_price_that_falls_to_nothing_closes_the_company():
    """7.12, 1862.md 4.28: two sold at 7; the seller has been paid, nobody else is."""
    now = on_turn_of("bob", price=7).when("bob", sell(2))
    assert now.table.cash[player("bob")] == 814
    assert now.table.cash[player("ann")] == 800
    assert EUR not in now.table.markers
    assert now.table.charters[EUR].status == "open"
    assert shares(now.table, "EUR") == {"offering": 10}


def test_shares_of_a_company_that_has_not_floated_move_nothing():
    """6.4.2, 1862.md 4.18."""
    there = position(cash=RICH)
    free = next(c for c, charter in there.charters.items() if charter.status == "open")
    now = given(stock_round(there)).when("ann", StartCompany(free, 71))
    there = msgspec.structs.replace(now.table, agenda=())
    now = given(stock_round(there)).when("ann", SellShares(free, {DIRECTORS: 1}))
    assert now.table.cash[player("ann")] == 800 - 213 + 3 * 35
    assert now.table.markers[free].price == 71
    assert now.table.charters[free].director is None


def test_a_chartered_company_without_a_marker_sells_at_half_of_par():
    """1862.md 4.18."""
    there = position(cash=RICH)
    free = next(c for c, charter in there.charters.items() if charter.status == "open")
    charter = msgspec.structs.replace(
        there.charters[free],
        status="started",
        par=65,
        column="chartered",
        director=player("ann"),
        acting=player("ann"),
        bound=player("ann"),
    )
    held = {OFFERING: ones(6), player("ann"): {DIRECTORS: 1, "1": 1}}
    there = msgspec.structs.replace(
        there,
        charters={**there.charters, free: charter},
        certificates={**there.certificates, free: held},
    )
    now = given(stock_round(there)).when("ann", sell(1, free))
    assert now.table.cash[player("ann")] == 832
    assert free not in now.table.markers
    now = now.when("ann", Pass()).when("bob", BuyShares(free, POOL, ones(1)))
    assert now.table.cash[player("bob")] == 735


def test_a_share_is_bought_from_the_company_at_the_markets_price():
    """6.5.1, known fault A11: the last share of a chartered company lies on its charter."""
    there = stock_round(
        position(
            railway("EUR", 90, director="ann", trains=TRAIN, ann=6, bob=3, treasury=1),
            cash={"ann": 0, "bob": 90, "cid": 800},
        ),
        "bob",
    )
    now = given(there).when("bob", buy("EUR", "EUR"))
    now.begins(e.SharesBought)
    assert now.table.cash[EUR] == 90
    assert now.table.cash[player("bob")] == 0

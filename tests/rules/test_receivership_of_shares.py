"""Companies whose director's certificate lies in the pool: 6.3, 8.0 (1862.md 4.20-4.22, 4.78)."""

from contracts import events as e
from contracts.commands import BuyShares, Pass, SellShares
from contracts.ids import POOL
from contracts.rejections import Code
from services.engine.rules.companies.director import caretaker
from services.engine.table.state import Table
from tests.eastern import DIRECTORS, position, railway, shares
from tests.given import given
from tests.positions import company, ones, player, stock_round

EUR = company("EUR")
TRAIN = ("A local",)


def buy(source: str = POOL) -> BuyShares:
    return BuyShares(EUR, company(source), ones(1))


def without_director(turn: str = "ann", cash: int = 100, **holds: int) -> Table:
    there = position(
        railway("EUR", 100, director=None, trains=TRAIN, **holds),
        cash={"ann": cash, "bob": cash, "cid": cash},
    )
    return stock_round(there, turn)


def test_the_third_share_brings_the_certificate():
    """Known fault A09a: the swap is no purchase; one share is paid for."""
    now = given(without_director(ann=2, bob=1, pool=1)).when("ann", buy())
    assert now.table.charters[EUR].director == player("ann")
    assert now.table.cash[player("ann")] == 0
    assert now.table.certificates[EUR][player("ann")] == {DIRECTORS: 1}
    assert shares(now.table, "EUR")["pool"] == 3


def test_the_certificate_itself_is_never_bought():
    """6.3, known fault A09b: with no other share left the company stays as it is."""
    there = without_director(ann=2, bob=2, cid=2, treasury=1, cash=400)
    given(there).when("ann", BuyShares(EUR, POOL, {DIRECTORS: 1})).then(Code.NOT_ON_SALE)
    given(there).when("ann", buy()).then(Code.NOT_ON_SALE)


def test_the_largest_holder_acts_until_somebody_directs():
    """8.0: of equals who is first from the priority deal."""
    there = without_director(turn="bob", ann=1, bob=1, cid=2, pool=3)
    assert caretaker(there, EUR) == player("cid")
    now = given(there).when("bob", buy())
    assert shares(now.table, "EUR")["bob"] == 2
    assert now.table.charters[EUR].acting == player("bob")
    assert now.table.charters[EUR].director is None


def test_where_nobody_holds_a_share_the_priority_deal_acts():
    """1862.md 4.78."""
    assert caretaker(without_director(turn="cid", pool=7), EUR) == player("cid")


def test_selling_the_certificate_leaves_the_largest_holder_to_act():
    there = stock_round(
        position(
            railway("EUR", 100, director="ann", trains=TRAIN, ann=3, bob=2, cid=1),
            cash={"ann": 0, "bob": 100, "cid": 100},
        )
    )
    now = given(there).when("ann", SellShares(EUR, {DIRECTORS: 1}))
    assert (now.table.charters[EUR].director, now.table.charters[EUR].acting) == (
        None,
        player("bob"),
    )
    assert now.table.charters[EUR].last_director == player("ann")
    assert now.table.markers[EUR].price == 86


def test_of_equal_holders_who_sits_nearest_to_the_last_director_takes_it():
    """6.3: bob has three, cid has four in the meantime; the most shares come first."""
    there = without_director(turn="cid", ann=0, bob=2, cid=2, pool=3)
    now = given(there).when("cid", buy())
    assert now.table.charters[EUR].director == player("cid")


def test_a_new_priority_deal_may_change_who_acts():
    """8.0: bob and cid hold one each; cid began the passes and has the deal."""
    there = without_director(turn="bob", cash=0, bob=1, cid=1, pool=5)
    sold = SellShares(EUR, ones(1))
    now = given(there).when("bob", Pass()).when("cid", Pass())
    assert any(isinstance(one, e.OrderSet) for one in now.happened())
    now = given(without_director(turn="bob", cash=0, ann=1, bob=2, cid=1, pool=3))
    now = now.when("bob", sold)
    assert now.table.charters[EUR].acting == player("bob")

"""Redeeming shares: 7.13, fault A11."""

from contracts import events as e
from contracts.commands import BuyShares, Pass, RedeemShares
from contracts.ids import BANK, POOL, CertificateKind
from contracts.money import Payment
from contracts.rejections import Code
from services.engine.table.agenda import current_turn
from tests.eastern import position, railway, shares
from tests.given import Given, given
from tests.operating import turn_of
from tests.positions import company, ones, party, stock_round

EUR = company("EUR")


def at_the_redeeming(cash: int = 200, pool: int = 2, **variants: str) -> Given:
    table = position(
        railway("EUR", 90, director="ann", cash=cash, trains=("B local",), ann=5, pool=pool),
        railway("ECR", 86, director="bob", bob=5, pool=1, trains=("B local",)),
        variants={name.replace("_", " "): choice for name, choice in variants.items()},
    )
    return given(turn_of(table, "EUR", "redeem"))


def test_one_share_of_the_pool_at_the_market_price_which_does_not_move():
    now = at_the_redeeming().when("ann", RedeemShares(1))
    (bought, *_) = now.happened()
    assert bought == e.SharesBought(EUR, EUR, POOL, ones(1), {}, (Payment(EUR, BANK, 90),))
    assert shares(now.table, "EUR") == {"ann": 5, "pool": 1, "EUR": 1, "offering": 3}
    assert now.table.cash[EUR] == 110
    assert now.table.markers[EUR].price == 90
    turn = current_turn(now.table)
    assert turn is None or turn.who != EUR or turn.steps == ("acquire",)


def test_not_two_in_a_turn():
    at_the_redeeming().when("ann", RedeemShares(2)).then(Code.NOT_ALLOWED)


def test_it_may_be_passed():
    at_the_redeeming().when("ann", Pass()).accepted()


def waits(now: Given) -> bool:
    turn = current_turn(now.table)
    return turn is not None and turn.who == EUR and turn.steps[:1] == ("redeem",)


def test_nothing_is_asked_where_the_pool_has_none_or_the_treasury_too_little():
    assert waits(at_the_redeeming())
    assert not waits(at_the_redeeming(cash=89))
    assert not waits(at_the_redeeming(pool=0))


def test_new_players_redeem_nothing():
    """11.3."""
    assert not waits(at_the_redeeming(train_types="express", new_players="yes"))


def test_the_last_share_of_a_chartered_company_is_bought_from_its_treasury():
    """A11: 6.5.1, at the market's price, paid to the company."""
    table = position(
        railway("EUR", 90, director="ann", trains=("B local",), ann=6, cid=3, treasury=1),
        cash={"bob": 90},
    )
    now = given(stock_round(table, "bob"))
    after = now.when("bob", BuyShares(EUR, EUR, {CertificateKind("1"): 1}))
    assert after.table.cash[party("bob")] == 0
    assert after.table.cash[EUR] == 90
    assert shares(after.table, "EUR") == {"ann": 6, "cid": 3, "bob": 1}

"""Dividends by multiples of the price, and the Hudson manoeuvre: 7.1, 7.8.5, 7.8.6, A13."""

import pytest

from contracts import events as e
from contracts.commands import PayDividend
from contracts.frames import Round, Turn
from contracts.ids import FrameId
from contracts.rejections import Code
from services.engine.rules.ruleset import ruleset_of
from services.engine.table.state import Table
from tests.eastern import Railway, position, railway, space_of
from tests.given import Given, given
from tests.positions import company, party, playing_on

EUR = company("EUR")
ALL, NONE = PayDividend("all"), PayDividend("none")


def earning(earned: int, price: int, *others: Railway, treasury: int = 0, **more: str) -> Given:
    """EUR at its dividend: ann has five shares, bob two, the pool two, the treasury one."""
    table = position(
        railway(
            "EUR",
            price,
            director="ann",
            cash=treasury,
            trains=("B local",),
            ann=5,
            bob=2,
            pool=2,
            treasury=1,
        ),
        *others,
        rulings={"marker that stays": more.pop("ruling")} if "ruling" in more else {},
        variants={name.replace("_", " "): choice for name, choice in more.items()},
    )
    return given(turn_with(table, earned))


def turn_with(table: Table, earned: int) -> Table:
    """The turn of EUR once its trains have run."""
    turns = ruleset_of(table).facts.turns
    steps = turns.operating[turns.operating.index("dividend") :]
    playing = Round(FrameId("10.0"), "operating", 2, 1, 1)
    return playing_on(table, playing, Turn(FrameId("10.1"), EUR, steps, earned=earned))


def price_after(earned: int, price: int, dividend: PayDividend) -> int:
    return earning(earned, price).when("ann", dividend).table.markers[EUR].price


@pytest.mark.parametrize(
    ("price", "earned", "after"),
    [
        (95, 90, 95),
        (95, 100, 105),
        (95, 180, 105),
        (100, 200, 122),
        (100, 300, 134),
        (100, 400, 150),
        (100, 900, 150),
        (900, 1000, 1000),
        (950, 2000, 1000),
    ],
)
def test_a_dividend_moves_the_price_right_by_how_many_times_it_reaches_it(price, earned, after):
    assert price_after(earned, price, ALL) == after


@pytest.mark.parametrize(("price", "after"), [(95, 86), (40, 31), (20, 7)])
def test_earnings_kept_move_it_left(price, after):
    assert price_after(90, price, NONE) == after


def test_shares_of_players_and_of_the_treasury_are_paid_and_no_others():
    now = earning(100, 90, treasury=7)
    before = now.table.cash
    after = now.when("ann", ALL).table.cash
    gained = {who: after[who] - before[who] for who in after if after[who] != before[who]}
    assert gained == {party("ann"): 50, party("bob"): 20, EUR: 10, party("bank"): -80}


def test_all_that_is_kept_goes_to_the_treasury():
    assert earning(100, 90, treasury=7).when("ann", NONE).table.cash[EUR] == 107


@pytest.mark.parametrize("price", [7, 14])
def test_a_price_that_falls_to_the_bottom_is_bankruptcy(price):
    now = earning(90, price).when("ann", NONE)
    assert now.table.charters[EUR].status == "open"
    assert EUR not in now.table.markers


class TestMarkersThatStay:
    """7.1, 1862.md 2.13."""

    def stack(self, now: Given, price: int = 100) -> tuple[str, ...]:
        return now.table.market[space_of(now.table, price)]

    def other(self) -> Railway:
        return railway("ECR", 100, director="bob", bob=5, trains=("B local",))

    def test_a_marker_that_stays_goes_under_the_others(self):
        now = earning(50, 100, self.other())
        assert self.stack(now) == ("EUR", "ECR")
        assert self.stack(now.when("ann", ALL)) == ("ECR", "EUR")

    def test_by_ruling_it_keeps_its_place(self):
        now = earning(50, 100, self.other(), ruling="keeps its place").when("ann", ALL)
        assert self.stack(now) == ("EUR", "ECR")

    def test_alone_on_its_space_it_does_not_move_at_all(self):
        now = earning(50, 100).when("ann", ALL)
        assert not [one for one in now.happened() if isinstance(one, e.MarkerMoved)]


class TestHudson:
    """7.8.6: the least that lifts the earnings to the price comes out of the treasury."""

    def test_the_worked_example(self):
        """1862.md part 5: price 95, revenue 70; the treasury has 50 with the subsidy."""
        now = earning(70, 95, treasury=50).when("ann", PayDividend("all", 30))
        (divided, *_) = now.happened()
        assert isinstance(divided, e.EarningsDivided)
        assert (divided.earnings, divided.added, divided.dividend, divided.kept) == (70, 30, 100, 0)
        assert now.table.markers[EUR].price == 105
        # Twenty are left, and its own share pays ten.
        assert now.table.cash[EUR] == 30

    def test_the_least_multiple_of_ten_and_no_other(self):
        now = earning(50, 71, treasury=100)
        for wrong in (10, 20, 25, 40, 100):
            now.when("ann", PayDividend("all", wrong)).then(Code.BAD_DIVIDEND)
        after = now.when("ann", PayDividend("all", 30))
        assert after.table.markers[EUR].price == 78
        assert after.table.cash[party("ann")] - now.table.cash[party("ann")] == 5 * 8

    def test_the_treasury_must_have_it(self):
        now = earning(50, 71, treasury=20)
        now.when("ann", PayDividend("all", 30)).then(Code.TOO_LITTLE_CASH)
        earning(50, 71, treasury=30).when("ann", PayDividend("all", 30)).accepted()

    def test_it_must_be_paid_out(self):
        now = earning(50, 71, treasury=100)
        now.when("ann", PayDividend("none", 30)).then(Code.BAD_DIVIDEND)

    def test_earnings_that_reach_the_price_are_not_lifted(self):
        now = earning(80, 71, treasury=100)
        now.when("ann", PayDividend("all", 10)).then(Code.BAD_DIVIDEND)

    def test_without_earnings_nothing_is_asked(self):
        assert earning(0, 71, treasury=100).table.markers[EUR].price == 65

    def test_new_players_do_without(self):
        """11.3."""
        now = earning(50, 71, treasury=100, train_types="express", new_players="yes")
        now.when("ann", PayDividend("all", 30)).then(Code.BAD_DIVIDEND)

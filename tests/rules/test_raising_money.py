"""A company without a train: its own shares sold, or refinanced, or bankrupt (7.11, 7.12)."""

from contracts.commands import BuyTrain, Pass, Refinance, SellTreasuryShares, SettleOption
from contracts.frames import BankTrain, CompanyMoney, OptionShare, Question
from contracts.ids import SUPPLY, TrainKind
from contracts.rejections import Code
from services.engine.table.agenda import top
from services.engine.table.state import Table
from tests.eastern import position, railway, shares, sold_up_to
from tests.given import Given, given
from tests.operating import turn_of
from tests.positions import company, player

KEEP = SettleOption(redeem=True)
GIVE_UP = SettleOption(redeem=False)
EUR = company("EUR")


def asked(now: Given) -> object:
    """What is asked."""
    frame = top(now.table)
    assert isinstance(frame, Question), frame
    return frame.matter


def without_a_train(table: Table, name: str = "EUR") -> Given:
    """The company comes to the step in which it must have a train."""
    return given(turn_of(table, name, "money"))


def bank_train(kind: str, price: int, side: str = "local", warranties: int = 0) -> BuyTrain:
    return BuyTrain(TrainKind(kind), SUPPLY, price, side=side, warranties=warranties)


def worked_example(**pool: int) -> Table:
    """Refinancing, 1862.md part 5: price 68, par 62, treasury 90, the next train C at 280."""
    table = position(
        railway("EUR", 68, par=62, director="ann", cash=90, ann=4, bob=3, cid=1, **pool),
        cash={"ann": 200, "bob": 200, "cid": 200},
        phase="C",
    )
    return sold_up_to(table, "C")


def test_it_is_refinanced_where_it_has_no_shares_to_sell() -> None:
    """7.11.2, 5.2.4: below 60 per cent with two in the pool, the certificate is the option."""
    now = without_a_train(worked_example(pool=2))
    assert asked(now) == OptionShare(player("ann"), EUR, 68, 136)
    now = now.when("ann", KEEP).awaits("bob")
    assert asked(now) == OptionShare(player("bob"), EUR, 34, 34)
    now = now.when("bob", GIVE_UP).awaits("cid").when("cid", KEEP)
    assert shares(now.table, "EUR") == {"ann": 3, "bob": 1, "cid": 1, "pool": 5}
    assert now.table.cash[EUR] == 710
    assert asked(now) == BankTrain(EUR)
    now = now.awaits("ann").when("ann", bank_train("C", 280))
    assert now.table.cash[EUR] == 430
    assert [train.kind for train in now.table.trains[EUR]] == ["C"]


def test_three_shares_of_the_pool_are_taken_for_the_certificate() -> None:
    """5.2.4, 7.11: nobody has three then, and the railway in receivership buys by its permits."""
    table = position(
        railway("EUR", 68, par=62, director="ann", cash=90, ann=4, bob=2, cid=1, pool=3),
        cash={"ann": 200, "bob": 200, "cid": 200},
        phase="C",
    )
    now = without_a_train(sold_up_to(table, "C")).awaits("cid").when("cid", KEEP)
    assert shares(now.table, "EUR") == {"ann": 2, "bob": 1, "cid": 1, "pool": 6}
    charter = now.table.charters[EUR]
    assert (charter.director, charter.acting) == (None, "ann")
    assert [train.side for train in now.table.trains[EUR]] == ["local"]
    assert now.table.cash[EUR] == 430


def test_a_certificate_is_an_option_at_half_one_and_one_and_a_half_times_the_price() -> None:
    """5.2.4: 50, 40 and 30 per cent at 71 (1862.md part 5) and at 100 (fault A04)."""
    for price, held, redeem, relinquish in (
        (71, 5, 35, 177),
        (71, 4, 71, 142),
        (71, 3, 106, 106),
        (100, 5, 50, 250),
        (100, 4, 100, 200),
        (100, 3, 150, 150),
    ):
        table = position(
            railway("EUR", price, director="ann", ann=held, bob=held, cid=10 - 2 * held),
            cash={"ann": 300, "bob": 300, "cid": 300},
        )
        now = without_a_train(table)
        assert asked(now) == OptionShare(player("ann"), EUR, redeem, relinquish)


def test_a_director_is_asked_once_about_his_certificate() -> None:
    """5.2.4, 5.2.5: one question, one payment, and the tie stays with him (fault A04)."""
    table = position(
        railway("EUR", 100, director="ann", ann=5, bob=5), cash={"ann": 300, "bob": 300}
    )
    now = without_a_train(table).when("ann", KEEP).awaits("bob")
    assert asked(now) == OptionShare(player("bob"), EUR, 50, 50)
    assert now.table.cash[player("ann")] == 250
    now = now.when("bob", KEEP)
    assert shares(now.table, "EUR") == {"ann": 3, "bob": 3, "pool": 4}
    assert now.table.charters[EUR].director == "ann"
    assert asked(now) == BankTrain(EUR)


def test_refinanced_into_receivership_it_buys_its_train_in_the_same_turn() -> None:
    """7.11, 8.0, 7.10.1: of its permits F comes before L, and the warranty is free (fault A06)."""
    table = position(
        railway(
            "WNR",
            62,
            par=58,
            director="ann",
            cash=40,
            permits=["freight", "local"],
            ann=3,
            bob=3,
            cid=2,
            pool=2,
        ),
        cash={"ann": 100, "bob": 100, "cid": 100},
        phase="D",
    )
    now = without_a_train(sold_up_to(table, "D"), "WNR").when("ann", GIVE_UP).when("bob", KEEP)
    wnr = company("WNR")
    assert shares(now.table, "WNR") == {"bob": 2, "cid": 1, "pool": 7}
    assert now.table.cash[player("ann")] == 193
    assert now.table.cash[player("bob")] == 69
    assert now.table.charters[wnr].director is None
    (train,) = now.table.trains[wnr]
    assert (train.kind, train.side, train.warranties) == ("D", "freight", 1)
    assert now.table.cash[wnr] == 260


def test_where_refinancing_would_not_pay_the_company_is_bankrupt() -> None:
    """7.11.2, 7.12: at band H par 54 and 200 are too little; holders get half the price."""
    table = position(
        railway("EUR", 68, par=54, director="ann", cash=200, ann=6, bob=2, pool=2),
        cash={"ann": 100, "bob": 100},
        phase="G",
    )
    now = without_a_train(sold_up_to(table, "H"))
    assert now.table.cash[player("ann")] == 100 + 6 * 34
    assert now.table.cash[player("bob")] == 100 + 2 * 34
    assert shares(now.table, "EUR") == {"offering": 10}
    assert now.table.charters[EUR].status == "open"
    assert now.table.cash[EUR] == 0
    assert EUR not in now.table.markers


def forced_sale(treasury: int, price: int = 68) -> Table:
    """A worked example: treasury 90, some own shares, the next train at 280."""
    table = position(
        railway("EUR", price, director="ann", cash=90, ann=7, treasury=treasury, pool=3 - treasury),
        cash={"ann": 200},
        phase="C",
    )
    return sold_up_to(table, "C")


def test_a_company_sells_as_many_shares_as_pay_for_the_train() -> None:
    """7.11.1: at full price, all before the fall, and one space down for each."""
    now = without_a_train(forced_sale(3)).awaits("ann")
    assert asked(now) == CompanyMoney(EUR)
    now.when("ann", SellTreasuryShares(2)).then(Code.TOO_LITTLE_CASH)
    now.when("ann", SellTreasuryShares(4)).then(Code.SELLS_TOO_MUCH)
    now.when("ann", Pass()).then(Code.WRONG_STEP)
    now = now.when("ann", SellTreasuryShares(3))
    assert now.table.cash[EUR] == 294
    assert now.table.markers[EUR].price == 60
    assert shares(now.table, "EUR") == {"ann": 7, "pool": 3}
    now.when("ann", Pass()).then(Code.WRONG_STEP)
    now = now.when("ann", bank_train("C", 280, "freight"))
    assert now.table.cash[EUR] == 14


def test_none_are_sold_where_all_are_too_few() -> None:
    """7.11.1: two shares bring 136; it is refinanced instead."""
    now = without_a_train(forced_sale(2))
    assert asked(now) == OptionShare(player("ann"), EUR, 34, 34)
    assert now.table.markers[EUR].price == 68
    assert shares(now.table, "EUR")["EUR"] == 2


def test_no_share_is_ignored_when_a_company_sells() -> None:
    """7.11.1, 6.4.2: as if the director sold, so 31 falls to 26 and 20."""
    table = position(railway("EUR", 31, director="ann", cash=240, ann=7, treasury=3), phase="C")
    now = without_a_train(sold_up_to(table, "C")).when("ann", SellTreasuryShares(2))
    assert now.table.markers[EUR].price == 20


def test_the_two_ways_are_not_combined() -> None:
    """7.11: once refinanced it does not sell, and the other way round."""
    now = without_a_train(forced_sale(3)).when("ann", Refinance())
    assert isinstance(asked(now), OptionShare)
    now.when("ann", SellTreasuryShares(1)).then(Code.WRONG_STEP)


def test_refinancing_brings_ten_times_the_par_and_not_the_price() -> None:
    """7.11.2: at most 1,000, since no par is above 100 (fault A24)."""
    table = position(
        railway("EUR", 200, par=100, director="ann", cash=5, ann=10), cash={"ann": 500}, phase="C"
    )
    now = without_a_train(sold_up_to(table, "C"))
    assert now.table.cash[EUR] == 1005
    assert now.table.markers[EUR].price == 200
    assert shares(now.table, "EUR") == {"ann": 5, "pool": 5}


def test_the_companys_own_option_is_redeemed_only_if_the_train_can_still_be_bought() -> None:
    """1862.md 4.76: by the ruling of another place it may be redeemed with its last money."""
    railways = railway("EUR", 200, par=54, director="ann", cash=110, ann=8, treasury=1, pool=1)
    for rulings, asks in (({}, False), ({"company's option": "as it can"}, True)):
        table = position(railways, cash={"ann": 500}, phase="F", rulings=rulings)
        now = without_a_train(sold_up_to(table, "F"))
        assert isinstance(asked(now), OptionShare if asks else BankTrain)


def test_a_company_that_can_pay_buys_the_banks_train() -> None:
    """7.11: there is nothing to raise; it must only be bought."""
    table = position(railway("EUR", 68, director="ann", cash=300, ann=7), phase="C")
    now = without_a_train(sold_up_to(table, "C"))
    assert asked(now) == BankTrain(EUR)


def test_warranties_come_with_the_train_where_there_is_money() -> None:
    """7.10: it is bought of the bank as any other."""
    now = without_a_train(forced_sale(3)).when("ann", Refinance(), KEEP, KEEP)
    now = now.when("ann", bank_train("C", 280, "freight", 3))
    assert now.table.trains[EUR][0].warranties == 3


def test_a_company_that_spent_its_trains_money_on_an_option_is_bankrupt() -> None:
    """7.11.2, 7.12: 60 and 740 pay for a train at 800, but not after 50 for a half of a share."""
    table = position(
        railway("EUR", 100, par=74, director="ann", cash=60, treasury=1, ann=6, bob=2, pool=1),
        cash={"ann": 100, "bob": 100},
        phase="G",
        rulings={"company's option": "as it can"},
    )
    now = without_a_train(sold_up_to(table, "H"))
    assert asked(now) == OptionShare(EUR, EUR, 50, 50)
    spent = now.when("ann", KEEP)
    assert spent.table.charters[EUR].status == "open"
    assert spent.table.cash[EUR] == 0
    assert spent.table.cash[player("ann")] == 100 + 3 * 50
    assert asked(now.when("ann", GIVE_UP)) == BankTrain(EUR)

"""Shares merged two for one: 5.2 of the rulebook, with its worked examples (1862.md, part 5)."""

from contracts import events as e
from contracts.commands import Answer, ChooseSurvivor, ProposeJoining, SettleOption
from contracts.frames import OptionShare, Question
from services.engine.rules.joining.price import joined_par, joined_price
from services.engine.rules.ruleset import ruleset_of
from services.engine.table.agenda import top
from services.engine.table.state import Table
from tests.eastern import position, railway, shares
from tests.given import Given, given
from tests.operating import board, turn_of
from tests.positions import company

KEEP = SettleOption(redeem=True)
GIVE_UP = SettleOption(redeem=False)
EUR_AND_ESR = (company("EUR"), company("ESR"))
TOGETHER = {"EUR": ["E12"], "ESR": ["F11", "E12"]}
"""Both have a token at Colchester."""


def at_the_merger(table: Table, who: str = "ann", survivor: str = "EUR") -> Given:
    """The merger of the two is proposed by EUR, and the survivor is named."""
    lying = board(table, {"E12": ("790", 0)}, TOGETHER)
    begun = given(turn_of(lying, "EUR", "merge"))
    return begun.when(who, ProposeJoining("merge", EUR_AND_ESR), ChooseSurvivor(company(survivor)))


def option(now: Given) -> OptionShare:
    """The option that is asked about."""
    frame = top(now.table)
    assert isinstance(frame, Question)
    assert isinstance(frame.matter, OptionShare)
    return frame.matter


def trains_unless(trainless: bool) -> tuple[str, ...]:
    """One train, or none."""
    return () if trainless else ("A local",)


def price_of_two(one: int, other: int, *trainless: str) -> tuple[int, int]:
    """Price and par of EUR at one price and ESR at another."""
    table = position(
        railway("EUR", one, director="ann", ann=5, trains=trains_unless("EUR" in trainless)),
        railway("ESR", other, director="ann", ann=5, trains=trains_unless("ESR" in trainless)),
    )
    ruleset = ruleset_of(table)
    price = joined_price(ruleset, table, *EUR_AND_ESR)
    return price, joined_par(ruleset, price)


def test_the_price_is_the_lower_and_half_the_higher() -> None:
    """7.5.3: down to a price of the market; par as near below it as the chart goes (fault A24)."""
    assert price_of_two(100, 68) == (116, 100)
    assert price_of_two(95, 74) == (116, 100)


def test_a_price_without_a_train_counts_half() -> None:
    """7.5.3, 7.5.4: halved first, rounded down; par is 54 at least (fault A24)."""
    assert price_of_two(100, 68, "ESR") == (82, 82)
    assert price_of_two(100, 68, "EUR") == (82, 82)
    assert price_of_two(100, 68, "EUR", "ESR") == (58, 58)
    assert price_of_two(95, 71, "ESR") == (82, 82)
    assert price_of_two(95, 74, "ESR") == (82, 82)
    assert price_of_two(54, 47, "EUR", "ESR") == (36, 54)
    assert price_of_two(60, 62, "EUR", "ESR") == (44, 54)


def whole_merger() -> Table:
    """The worked example of a whole merger."""
    return position(
        railway("EUR", 100, director="ann", trains=["A local"], ann=4, bob=2, treasury=2, pool=2),
        railway("ESR", 68, director="bob", trains=["A express"], bob=4, ann=2, cid=3),
        cash={"ann": 300, "bob": 300, "cid": 300},
    )


def agreed(table: Table) -> Given:
    """The same with the other director asked for his consent."""
    lying = board(table, {"E12": ("790", 0)}, TOGETHER)
    begun = given(turn_of(lying, "EUR", "merge"))
    asked = begun.when("ann", ProposeJoining("merge", EUR_AND_ESR)).awaits("bob")
    return (
        asked.when("bob", Answer(yes=True))
        .awaits("ann")
        .when("ann", ChooseSurvivor(company("EUR")))
    )


def test_a_whole_merger_where_the_option_is_redeemed() -> None:
    """5.2.4, 5.2.5: equal holdings leave the director of the company that began it."""
    now = agreed(whole_merger()).awaits("cid")
    assert option(now) == OptionShare(company("cid"), company("EUR"), 58, 58)
    now = now.when("cid", KEEP)
    assert shares(now.table, "EUR") == {"ann": 3, "bob": 3, "cid": 2, "EUR": 1, "pool": 1}
    assert shares(now.table, "ESR") == {"offering": 10}
    assert now.table.cash[company("cid")] == 242
    assert now.table.charters[company("EUR")].director == "ann"
    assert now.table.markers[company("EUR")].price == 116
    assert now.table.charters[company("EUR")].par == 100


def test_a_whole_merger_where_the_option_is_relinquished() -> None:
    """5.2.4 step 4: the option is paid for and lies in the pool."""
    now = agreed(whole_merger()).when("cid", GIVE_UP)
    assert shares(now.table, "EUR") == {"ann": 3, "bob": 3, "cid": 1, "EUR": 1, "pool": 2}
    assert now.table.cash[company("cid")] == 358


def test_three_odd_holders_are_asked_one_after_the_other() -> None:
    """5.2.4 step 4: clockwise from the initiator, the companies' own holding last (fault A01)."""
    table = position(
        railway("EUR", 90, director="ann", trains=["A local"], ann=6, bob=1, treasury=3),
        railway("ESR", 86, director="ann", trains=["A local"], ann=5, bob=2, cid=1),
        cash={"ann": 100, "bob": 100, "cid": 100},
    )
    now = at_the_merger(table).awaits("ann")
    assert now.table.markers[company("EUR")].price == 128
    now = now.when("ann", KEEP).awaits("bob").when("bob", KEEP).awaits("cid").when("cid", KEEP)
    assert shares(now.table, "EUR") == {"ann": 6, "bob": 2, "cid": 1, "EUR": 1}
    assert shares(now.table, "ESR") == {"offering": 10}
    assert [now.table.cash[company(name)] for name in ("ann", "bob", "cid", "EUR")] == [
        36,
        36,
        36,
        64,
    ]


def test_the_companies_own_shares_are_merged_as_those_of_one_holder() -> None:
    """5.2.2, 5.2.4: only what lies in the offering goes to the pool (fault A03)."""
    table = position(
        railway("EUR", 90, director="ann", trains=["A local"], ann=7, treasury=2),
        railway(
            "ESR", 90, director="ann", trains=["A local"], column="not chartered", ann=6, treasury=4
        ),
        cash={"ann": 200},
    )
    now = at_the_merger(table, survivor="ESR").when("ann", KEEP)
    assert shares(now.table, "ESR")["ESR"] == 3
    assert sum(shares(now.table, "ESR").values()) == 10
    assert shares(now.table, "EUR") == {"offering": 10}
    assert now.table.charters[company("ESR")].column == "not chartered"


def test_an_odd_own_holding_leaves_an_option_for_the_treasuries() -> None:
    """5.2.4: two of five are kept, and a third if it is paid for out of both treasuries."""
    table = position(
        railway("EUR", 90, director="ann", trains=["A local"], cash=30, ann=8, treasury=1),
        railway("ESR", 90, director="ann", trains=["A local"], cash=50, ann=6, treasury=4),
        cash={"ann": 200},
    )
    now = at_the_merger(table, survivor="ESR").awaits("ann")
    asked = option(now)
    assert (asked.holder, asked.redeem) == (company("EUR"), 67)
    kept, given_up = now.when("ann", KEEP).table, now.when("ann", GIVE_UP).table
    assert shares(kept, "ESR")["ESR"] == 3
    assert kept.cash[company("ESR")] == 30 + 50 - 67
    assert shares(given_up, "ESR")["ESR"] == 2
    assert given_up.cash[company("ESR")] == 30 + 50 + 67


def test_who_cannot_pay_gives_his_option_up() -> None:
    """5.2.4 step 4: where there is no choice nobody is asked."""
    poor = position(
        railway("EUR", 100, director="ann", trains=["A local"], ann=4, bob=2, treasury=2, pool=2),
        railway("ESR", 68, director="bob", trains=["A express"], bob=4, ann=2, cid=3),
        cash={"cid": 57},
    )
    now = agreed(poor)
    assert now.table.cash[company("cid")] == 115
    assert shares(now.table, "EUR")["cid"] == 1


def test_a_director_with_too_few_shares_takes_ordinary_ones_of_both_companies() -> None:
    """5.2.4: three of the pool for the certificate if there are, the survivor's first."""
    table = position(
        railway("EUR", 90, director="ann", trains=["A local"], ann=5, bob=3, pool=2),
        railway("ESR", 90, director="bob", trains=["A local"], bob=9),
        cash={"ann": 300, "bob": 300},
    )
    now = agreed(table)
    # Two of EUR and the one of ESR that was in the offering: he has five ordinary shares.
    moved = [m for m in now.happened() if isinstance(m, e.CertificatesMoved)]
    assert [m.because for m in moved[:3]] == ["to be merged", "exchange", "exchange"]
    assert option(now).redeem == 67
    now.awaits("ann")

"""Views of a table with charters, permits, sides of trains and companies without a director."""

import pytest

from contracts.titles.load import facts
from contracts.views import SharesWorth, TrainView
from services.engine.projections import companies, market, order, turn, wealth
from services.engine.projections.words import words_of
from services.engine.rules.ruleset import ruleset_of
from services.engine.table.change import changed
from tests.eastern import position, railway
from tests.positions import company, player


@pytest.fixture
def table():
    """EUR runs a local with two warranties; ESR owns no train and nobody directs it."""
    return position(
        railway("EUR", 100, director="ann", trains=["A local 2"], permits=["local"], ann=5, bob=2),
        railway("ESR", 71, director=None, permits=["freight"], bob=3, pool=2),
        cash={"ann": 100, "bob": 100, "cid": 100},
        phase="A",
    )


def test_shares_of_a_company_without_a_train_count_half_in_wealth(table):
    ruleset = ruleset_of(table)
    bob = wealth.owned(ruleset, words_of(table, ruleset.facts), table, player("bob"))
    assert bob.shares == {
        company("EUR"): SharesWorth(2, 100, 200),
        company("ESR"): SharesWorth(3, 71, 3 * 35),
    }
    assert bob.total == 100 + 200 + 105


def test_a_company_is_shown_with_permits_side_warranties_and_receivership(table):
    eastern = facts(table.title)
    eur, esr = (companies.company_view(eastern, table, company(id), None) for id in ("EUR", "ESR"))
    assert [(one.kind, one.side, one.warranties) for one in eur.trains] == [("A", "local", 2)]
    assert isinstance(eur.trains[0], TrainView)
    assert (eur.permits, eur.in_receivership, eur.column) == (("local",), False, "chartered")
    assert (esr.permits, esr.in_receivership, esr.director) == (("freight",), True, None)
    assert (esr.pool, esr.name) == (5, "East Suffolk Railway")


def test_the_first_permit_of_a_company_is_shown_before_it_starts(table):
    views = [companies.company_view(facts(table.title), table, id, None) for id in table.charters]
    waiting = [one for one in views if one.status in {"open", "waiting"}]
    assert waiting
    assert all(len(one.permits) <= 1 for one in waiting)
    assert sum(len(one.permits) for one in waiting) >= len(waiting) - 4


def test_the_market_is_one_line_with_its_zones(table):
    shown = market.view(facts(table.title), (), changed(table, version=0))
    spaces = {one.price: one for one in shown.spaces}
    assert len(shown.spaces) == 67
    assert {one.row for one in shown.spaces} == {0}
    assert (spaces[0].zone, spaces[1000].zone) == ("close", "end")
    assert (spaces[36].zone, spaces[40].zone) == ("ignore_one_sale", None)
    assert (spaces[400].zone, spaces[100].stack) == ("ignore_two_sales", (company("EUR"),))


def test_the_operating_order_names_who_acts_for_a_company_without_a_director(table):
    shown = order.view(ruleset_of(table), table)
    assert [(one.company, one.price) for one in shown.next_round] == [("EUR", 100), ("ESR", 71)]
    assert shown.next_round[1].acting is not None


def test_nobody_is_asked_between_two_rounds(table):
    assert turn.asks(table) == ()

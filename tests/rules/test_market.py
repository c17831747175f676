"""The market: 3.2.6, 3.2.10, 3.6.4, 3.6.5, and the ragged rows of 4.1."""

import pytest

from contracts.titles.load import FactsError, all_titles, facts
from services.engine.rules.acts import selling
from services.engine.rules.companies.order import operating_order
from services.engine.rules.families import (
    capital,
    director_ties,
    marker_moves,
    merging,
    priorities,
    sale_prices,
    zone_effects,
)
from services.engine.rules.families.phrase import picked
from services.engine.rules.families.zone_effects import Effect
from services.engine.rules.ruleset import ruleset_of
from services.engine.rules.shares import market
from services.engine.table.state import Table
from tests.positions import at, company, position

PRR = company("PRR")


def lying(space: str) -> Table:
    return position(companies=[at("PRR", space, director="ann", ann=3)])


def goes(space: str, how: str, shares: int = 1) -> tuple[str, int]:
    """Where PRR's marker goes, and the price there."""
    table = lying(space)
    ruleset = ruleset_of(table)
    moves = {
        "paid": lambda: market.paid(ruleset, table, PRR, 100),
        "withheld": lambda: market.withheld(ruleset, table, PRR),
        "sold": lambda: market.sold(ruleset, table, PRR, shares),
        "sold out": lambda: market.sold_out(ruleset, table, PRR),
    }[how]()
    if not moves:
        return space, table.markers[PRR].price
    assert moves[0].because == how
    assert moves[0].space is not None
    return moves[0].space, moves[0].price


@pytest.mark.parametrize(
    ("space", "how", "to", "price"),
    [
        ("3,11", "paid", "3,12", 130),
        ("3,12", "paid", "2,12", 155),  # the row's end: up
        ("0,18", "paid", "0,18", 350),  # the top right corner
        ("0,6", "withheld", "0,5", 90),
        ("0,0", "withheld", "1,0", 53),  # the row's start: down
        ("7,0", "withheld", "7,0", 10),  # below is no space
        ("8,1", "withheld", "8,1", 10),  # neither left nor below
        ("10,3", "withheld", "10,3", 10),
        ("7,7", "sold", "7,7", 68),  # below is no space
        ("0,6", "sold", "1,6", 90),
        ("0,9", "sold out", "0,9", 142),  # the top row
        ("1,6", "sold out", "0,6", 100),
        ("9,2", "sold out", "8,2", 20),
    ],
)
def test_a_marker_moves(space: str, how: str, to: str, price: int):
    assert goes(space, how) == (to, price)


def test_a_sale_of_three_falls_three_rows():
    assert goes("0,6", "sold", 3) == ("3,6", 76)


def test_a_fall_stops_where_no_space_is_below():
    assert goes("6,8", "sold", 5) == ("6,8", 70)
    assert goes("5,7", "sold", 5) == ("7,7", 68)


def test_a_newcomer_goes_under_the_others():
    table = position(
        companies=[
            at("PRR", "0,6", director="ann", ann=3),
            at("NYC", "0,7", director="bob", bob=3),
            at("ERIE", "0,7", director="bob", bob=3),
        ]
    )
    (move,) = market.paid(ruleset_of(table), table, PRR, 100)
    assert (move.space, move.place) == ("0,7", 2)


def test_a_marker_that_stays_keeps_its_place():
    table = lying("0,18")
    assert market.paid(ruleset_of(table), table, PRR, 100) == ()


def test_companies_operate_by_price_then_right_then_row_then_stack():
    table = position(
        companies=[
            at("PRR", "6,6", director="ann", ann=6),  # 67, column 6, row 6
            at("NYC", "5,6", director="ann", ann=6),  # 67, column 6, row 5
            at("CPR", "0,6", director="ann", ann=6),  # 100, column 6
            at("B&O", "1,7", director="ann", ann=6),  # 100, column 7
            at("C&O", "2,8", director="ann", ann=6),  # 100, column 8
            at("B&M", "2,8", director="ann", ann=6),  # under C&O
            at("ERIE", "0,18", director="ann", ann=6, floated=False),
        ]
    )
    order = operating_order(ruleset_of(table), table)
    assert order == ("C&O", "B&M", "B&O", "CPR", "NYC", "PRR")


def test_zones_have_the_effects_of_those_before_them():
    one = facts(lying("0,6").title)
    assert zone_effects.effects_at(one, (0, 6)) == frozenset()
    assert zone_effects.effects_at(one, (0, 0)) == {Effect.UNCOUNTED}
    assert zone_effects.effects_at(one, (3, 0)) == {Effect.UNCOUNTED, Effect.UNLIMITED}
    assert zone_effects.effects_at(one, (7, 1)) == {
        Effect.UNCOUNTED,
        Effect.UNLIMITED,
        Effect.SEVERAL,
    }


@pytest.mark.parametrize("title", all_titles())
def test_every_phrase_of_a_title_is_known(title: str):
    one = facts(title)
    picked("paid", marker_moves.PAID, one.market.paid)
    picked("withheld", marker_moves.WITHHELD, one.market.withheld)
    picked("sold", marker_moves.SOLD, one.market.sold)
    picked("sold out", marker_moves.SOLD_OUT, one.market.sold_out)
    picked("arrives", marker_moves.ARRIVES, one.market.arrives)
    ways = [way.capital for way in one.starting.values()] or [one.share_rules.capital]
    for phrase in ways:
        picked("capital", capital.CAPITALS, phrase)
    picked("sale price", sale_prices.SALE_PRICES, one.share_rules.sale_price)
    if one.share_rules.merging is not None:
        picked("merging", merging.MERGED, one.share_rules.merging)
    picked("sale moves", selling.SALES, one.share_rules.sale_moves)
    picked("priority", priorities.PRIORITIES, one.setup.priority)
    picked("director tie", director_ties.DIRECTOR_TIES, one.share_rules.director_tie)
    for phrase in one.market.zone_effects.values():
        picked("zone effects", zone_effects.ZONE_EFFECTS, phrase)


def test_an_unknown_phrase_is_named_with_those_that_are_known():
    with pytest.raises(FactsError, match="paid: 'sideways' is none of: 'right 1, at the end"):
        picked("paid", marker_moves.PAID, "sideways")

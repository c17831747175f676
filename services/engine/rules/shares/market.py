"""Markers on the market: where they lie, what that changes, where they go."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from msgspec.structs import replace

from contracts import events as e
from contracts.ids import CompanyId, Money, Space
from contracts.titles.facts import Facts
from services.engine.rules.families import marker_moves
from services.engine.rules.families.marker_moves import Cell, Move, price_at
from services.engine.rules.families.phrase import picked
from services.engine.rules.families.zone_effects import Effect, effects_at
from services.engine.rules.ruleset import Ruleset
from services.engine.table.state import Table

STAYS: Final = "marker that stays"
"""The ruling on the stack where a dividend does not move the marker."""
GOES_UNDER: Final = "goes under"
PAR = "par"
"""The zone in which companies start."""


@lru_cache(maxsize=4096)
def cell_of(space: str) -> Cell:
    """Row and column of a space.

    >>> cell_of("3,12")
    (3, 12)
    """
    row, column = space.split(",")
    return int(row), int(column)


def space_of(cell: Cell) -> Space:
    """The space of a row and column."""
    return Space(f"{cell[0]},{cell[1]}")


def has_effect(ruleset: Ruleset, table: Table, company: CompanyId, effect: Effect) -> bool:
    """Whether a zone effect holds for a company; never for one without a marker (3.2.5)."""
    marker = table.markers.get(company)
    return marker is not None and effect in effects_at(ruleset.facts, cell_of(marker.space))


def start_spaces(ruleset: Ruleset) -> Mapping[Money, Cell]:
    """The spaces on which a company may start, by price, as the title lists them.

    They are a zone of the market, or those with the prices of a way to start.
    """
    return _start_spaces(ruleset.facts)


@lru_cache(maxsize=64)
def _start_spaces(facts: Facts) -> Mapping[Money, Cell]:
    market = facts.market
    named = {price for way in facts.starting.values() for price in way.prices}
    everywhere = (
        (row, column) for row, line in enumerate(market.rows) for column in range(len(line))
    )
    prices: dict[Money, Cell] = {}
    for cell in everywhere if named else market.zones[PAR]:
        price = price_at(market.rows, cell)
        if price is not None and (not named or price in named):
            prices[price] = cell
    return prices


def started(ruleset: Ruleset, table: Table, company: CompanyId, price: Money) -> e.MarkerMoved:
    """The marker of a company that starts at a price."""
    return _arrival(ruleset, table, company, start_spaces(ruleset)[price], "started")


def paid(
    ruleset: Ruleset, table: Table, company: CompanyId, dividend: Money
) -> tuple[e.MarkerMoved, ...]:
    """What a dividend does to the marker (3.6.4).

    Where a marker that stays goes under the others, it does so now: its company has operated.
    """
    market = ruleset.facts.market
    move = picked("paid", marker_moves.PAID, market.paid)
    steps = steps_right(market.multiples_right, table.markers[company].price, dividend)
    moved = _moved(ruleset, table, company, move, "paid", steps * market.row_step)
    if moved or ruleset.rulings.get(STAYS) != GOES_UNDER:
        return moved
    return _gone_under(ruleset, table, company)


def withheld(ruleset: Ruleset, table: Table, company: CompanyId) -> tuple[e.MarkerMoved, ...]:
    """What earnings kept, or nothing earned, do to the marker (3.6.5)."""
    market = ruleset.facts.market
    move = picked("withheld", marker_moves.WITHHELD, market.withheld)
    return _moved(ruleset, table, company, move, "withheld", market.row_step)


def steps_right(multiples: Mapping[int, int], price: Money, dividend: Money) -> int:
    """The steps right for a dividend, by how many times the price it reaches (7.8.5).

    >>> [steps_right({1: 1, 2: 2, 3: 3, 4: 4}, 95, paid) for paid in (90, 95, 189, 190, 950)]
    [0, 1, 1, 2, 4]
    """
    reached = (steps for times, steps in multiples.items() if dividend >= times * price)
    return max(reached, default=0)


def sold(
    ruleset: Ruleset, table: Table, company: CompanyId, shares: int
) -> tuple[e.MarkerMoved, ...]:
    """What a sale of shares does to the marker (3.2.6)."""
    move = picked("sold", marker_moves.SOLD, ruleset.facts.market.sold)
    return _moved(ruleset, table, company, move, "sold", shares)


def sold_out(ruleset: Ruleset, table: Table, company: CompanyId) -> tuple[e.MarkerMoved, ...]:
    """What it does to the marker that players hold the whole company (3.2.10)."""
    move = picked("sold out", marker_moves.SOLD_OUT, ruleset.facts.market.sold_out)
    return _moved(ruleset, table, company, move, "sold out")


def moved_to(
    ruleset: Ruleset, table: Table, company: CompanyId, cell: Cell, because: str
) -> e.MarkerMoved:
    """A marker's move to a space that is named; it leaves its own stack before it joins another."""
    arrival = _arrival(ruleset, table, company, cell, because)
    stays = table.markers[company].space == arrival.space
    return replace(arrival, place=arrival.place - 1) if stays else arrival


def _moved(
    ruleset: Ruleset,
    table: Table,
    company: CompanyId,
    move: Move,
    because: str,
    shares: int = 1,
) -> tuple[e.MarkerMoved, ...]:
    """The move of a marker, or none where it stays: then it keeps its place in the stack too."""
    before = cell_of(table.markers[company].space)
    after = move(ruleset.facts.market.rows, before, shares)
    if after == before:
        return ()
    return (_arrival(ruleset, table, company, after, because),)


def _gone_under(ruleset: Ruleset, table: Table, company: CompanyId) -> tuple[e.MarkerMoved, ...]:
    """A marker that stays on its space and goes under the others there, if there are any (7.1)."""
    marker = table.markers[company]
    others = [one for one in table.market[Space(marker.space)] if one != company]
    if table.market[Space(marker.space)] == (*others, company):
        return ()
    arrives = picked("arrives", marker_moves.ARRIVES, ruleset.facts.market.arrives)
    place = arrives(len(others))
    return (e.MarkerMoved(company, Space(marker.space), marker.price, place, "paid"),)


def _arrival(
    ruleset: Ruleset, table: Table, company: CompanyId, cell: Cell, because: str
) -> e.MarkerMoved:
    """A marker's arrival on a space, in its place of the stack there."""
    market = ruleset.facts.market
    price = price_at(market.rows, cell)
    assert price is not None  # moves and starts lead to spaces only
    space = space_of(cell)
    arrives = picked("arrives", marker_moves.ARRIVES, market.arrives)
    place = arrives(len(table.market.get(space, ())))
    return e.MarkerMoved(company, space, price, place, because)

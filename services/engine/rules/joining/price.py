"""The price and the par of joined companies (7.5.3, 7.5.4)."""

from contracts.ids import CompanyId, Money
from services.engine.rules.families.marker_moves import Cell, price_at
from services.engine.rules.ruleset import Ruleset
from services.engine.rules.trains.owned import trains_of
from services.engine.table.state import Table


def joined_price(ruleset: Ruleset, table: Table, one: CompanyId, other: CompanyId) -> Money:
    """The lower price and half the higher, each halved first if there is no train (7.5.3).

    Rounded down to a price of the market.
    """
    lower, higher = sorted((counted_price(table, one), counted_price(table, other)))
    return highest_space(ruleset, lower + higher // 2)[0]


def counted_price(table: Table, company: CompanyId) -> Money:
    """What a company's price counts as: half, rounded down, without a train."""
    price = table.markers[company].price
    return price if trains_of(table, company) else price // 2


def highest_space(ruleset: Ruleset, most: Money) -> tuple[Money, Cell]:
    """The space of the market with the highest price not above an amount."""
    rows = ruleset.facts.market.rows
    spaces = (
        (price, (row, column))
        for row, cells in enumerate(rows)
        for column in range(len(cells))
        if (price := price_at(rows, (row, column))) is not None and price <= most
    )
    return max(spaces)


def joined_par(ruleset: Ruleset, price: Money) -> Money:
    """The highest space of the par chart not above a price, or its lowest (7.5.4).

    The chart has the prices of the way of starting whose shares are sold at par.
    """
    ways = ruleset.facts.starting.values()
    chart = next(way.prices for way in ways if way.unsold_shares == "offering")
    return max((par for par in chart if par <= price), default=min(chart))


def joined_column(ruleset: Ruleset, table: Table, *companies: CompanyId) -> str | None:
    """The part of the par chart: that of shares sold at par if both were started so (7.5.4)."""
    columns = [table.charters[company].column for company in companies]
    ways = ruleset.facts.starting
    others = (c for c in columns if c is not None and ways[c].unsold_shares != "offering")
    return next(others, columns[0])

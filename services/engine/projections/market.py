"""The stock market: every space and stack, and every movement."""

from contracts import events as e
from contracts.ids import Space
from contracts.titles.facts import Facts
from contracts.views import MarketView, Movement, SpaceView
from services.engine.projections.pages import Page, standing
from services.engine.table.state import Table


def movement(table: Table, version: int, event: e.MarkerMoved) -> Movement:
    """A marker's movement, from where it lies on the table."""
    old = table.markers.get(event.company)
    return Movement(
        version,
        event.company,
        None if old is None else Space(old.space),
        0 if old is None else old.price,
        event.space,
        event.price if event.space is not None else 0,
        event.because,
    )


def view(facts: Facts, pages: tuple[Page, ...], table: Table) -> MarketView:
    """The market of the title with the table's markers on it."""
    zones = {place: zone for zone, places in facts.market.zones.items() for place in places}
    spaces = [
        SpaceView(
            space,
            row,
            column,
            price,
            zones.get((row, column)),
            table.market.get(space, ()),
        )
        for row, prices in enumerate(facts.market.rows)
        for column, price in enumerate(prices)
        if price is not None
        for space in (Space(f"{row},{column}"),)
    ]
    movements = [one for page in standing(pages, table.version) for one in page.movements]
    return MarketView(table.id, table.version, tuple(spaces), tuple(movements))

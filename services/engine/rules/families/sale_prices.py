"""What a share that is sold brings."""

from collections.abc import Callable, Mapping
from typing import Final

from contracts.ids import CompanyId, Money
from services.engine.rules.families.phrase import picked
from services.engine.rules.ruleset import Ruleset
from services.engine.rules.shares.counting import market_price
from services.engine.rules.trains.owned import trains_of
from services.engine.table.state import Table

SalePrice = Callable[[Table, CompanyId], Money]


def the_price(table: Table, company: CompanyId) -> Money:
    """The market's price."""
    return market_price(table, company)


def half_without_a_train(table: Table, company: CompanyId) -> Money:
    """Half of it, rounded down for each share, where the company owns no train at all (6.4.1)."""
    price = market_price(table, company)
    return price if trains_of(table, company) else price // 2


SALE_PRICES: Final[Mapping[str, SalePrice]] = {
    "the market's price": the_price,
    "the market's price, half without a train": half_without_a_train,
}


def sale_price(ruleset: Ruleset, table: Table, company: CompanyId) -> Money:
    """What each share of a started company brings when it is sold."""
    phrase = ruleset.facts.share_rules.sale_price
    return picked("sale price", SALE_PRICES, phrase)(table, company)

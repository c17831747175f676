"""The way in which shares are sold in a title."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from contracts.commands import SellShares
from contracts.ids import Party
from contracts.rejections import Rejection
from services.engine.rules.acts.sell_block import SELL_BLOCK
from services.engine.rules.acts.sell_shares import SELL as SELL_ORDINARY
from services.engine.rules.draft import Draft
from services.engine.rules.families.phrase import picked
from services.engine.rules.parts.kinds import Act, Offer
from services.engine.rules.ruleset import Ruleset
from services.engine.table.state import Table

SALES: Final[Mapping[str, Act]] = {
    "one row down for each 10% sold": SELL_ORDINARY,
    "a space down the zigzag for each share; zones forgive outsiders": SELL_BLOCK,
}


def way(ruleset: Ruleset) -> Act:
    """How shares are sold at this table."""
    return picked("sale moves", SALES, ruleset.facts.share_rules.sale_moves)


def offers(ruleset: Ruleset, table: Table, who: Party) -> Iterable[Offer]:
    """What might be sold."""
    return way(ruleset).offers(ruleset, table, who)


def objections(
    ruleset: Ruleset, table: Table, who: Party, command: SellShares
) -> Iterator[Rejection]:
    """What speaks against a sale."""
    return way(ruleset).objections(ruleset, table, who, command)


def performed(ruleset: Ruleset, draft: Draft, who: Party, command: SellShares) -> None:
    """Sell the shares."""
    way(ruleset).perform(ruleset, draft, who, command)


SELL = Act(SellShares, offers, objections, performed)

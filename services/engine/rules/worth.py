"""What a player is worth, part by part."""

from contracts.ids import Money, PlayerId
from contracts.pieces import WorthPart
from services.engine.rules.ruleset import Ruleset
from services.engine.table.on_money import shares_in
from services.engine.table.state import Table


def worth(ruleset: Ruleset, table: Table, player: PlayerId) -> tuple[WorthPart, ...]:
    """Cash, shares at their market price, and open privates at their printed price."""
    parts = [WorthPart("cash", "", table.cash[player])]
    for company, charter in table.charters.items():
        certificates = table.certificates[company].get(player)
        if not certificates or charter.status == "closed":
            continue
        if charter.kind == "private":
            parts.append(WorthPart("private", company, ruleset.facts.privates[company].price))
        elif company in table.markers:
            amount = shares_in(certificates) * table.markers[company].price
            parts.append(WorthPart("shares", company, amount))
    return tuple(parts)


def total_worth(ruleset: Ruleset, table: Table, player: PlayerId) -> Money:
    """The sum of all parts."""
    return sum(part.amount for part in worth(ruleset, table, player))

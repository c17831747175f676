"""What a player is worth, part by part."""

from contracts.ids import CompanyId, Money, PlayerId, shares_of
from contracts.pieces import Certificates, WorthPart
from services.engine.rules.families.sale_prices import sale_price
from services.engine.rules.ruleset import Ruleset
from services.engine.rules.shares.counting import market_price
from services.engine.rules.trains.owned import trains_of
from services.engine.table.on_money import shares_in
from services.engine.table.state import Table


def worth(ruleset: Ruleset, table: Table, player: PlayerId) -> tuple[WorthPart, ...]:
    """Cash, shares at what they would be sold for, and open privates at their printed price."""
    parts = [WorthPart("cash", "", table.cash[player])]
    for company, charter in table.charters.items():
        certificates = table.certificates[company].get(player)
        if not certificates or charter.status == "closed":
            continue
        if charter.kind == "private":
            parts.append(WorthPart("private", company, ruleset.facts.privates[company].price))
        elif charter.par is not None:
            amount = worth_of(ruleset, table, company, certificates)
            parts.append(WorthPart("shares", company, amount))
    return tuple(parts)


def worth_of(
    ruleset: Ruleset, table: Table, company: CompanyId, certificates: Certificates
) -> Money:
    """What certificates of a started company count: as a sale would fetch, or the market's price.

    Ruling "trainless worth": a half is rounded down for each share, or for each certificate.
    """
    if ruleset.rulings.get("trainless worth") != "by certificate" or trains_of(table, company):
        return shares_in(certificates) * sale_price(ruleset, table, company)
    price = market_price(table, company)
    return sum(shares_of(kind) * price // 2 * number for kind, number in certificates.items())


def total_worth(ruleset: Ruleset, table: Table, player: PlayerId) -> Money:
    """The sum of all parts."""
    return sum(part.amount for part in worth(ruleset, table, player))

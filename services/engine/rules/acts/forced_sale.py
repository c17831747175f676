"""Selling shares to pay for a train that one's company must have (3.7.6)."""

from collections.abc import Iterable, Iterator

from contracts.commands import SellShares
from contracts.ids import CompanyId, Party
from contracts.rejections import Code, Rejection
from services.engine.rules.acts import sell_shares
from services.engine.rules.parts.kinds import Act, Offer
from services.engine.rules.ruleset import Ruleset, refused
from services.engine.rules.trains.help import keeps_directorship, lacking
from services.engine.table.agenda import current_turn
from services.engine.table.on_money import shares_in
from services.engine.table.state import Table


def buyer(table: Table) -> CompanyId:
    """The company whose turn it is: it has to have the train."""
    turn = current_turn(table)
    assert turn is not None  # trains are bought in a company's turn
    return CompanyId(turn.who)


def offers(ruleset: Ruleset, table: Table, who: Party) -> Iterable[Offer]:
    """All that could be sold at all."""
    return sell_shares.offers(ruleset, table, who)


def objections(
    ruleset: Ruleset, table: Table, who: Party, command: SellShares
) -> Iterator[Rejection]:
    """What speaks against any sale, and what only speaks against a forced one."""
    against = list(sell_shares.objections(ruleset, table, who, command))
    yield from against
    if against:
        return
    company = buyer(table)
    yield from keeps_directorship(ruleset, table, company, command)
    missing = lacking(ruleset, table, company)
    shares = shares_in(command.given)
    price = table.markers[command.company].price
    if (shares - 1) * price >= missing:
        needed = -(-missing // price)  # rounded up
        yield refused(
            ruleset,
            Code.SELLS_TOO_MUCH,
            "help",
            f"Only {ruleset.money(missing)} is lacking for the cheapest train.",
            f"At most {needed} shares of {command.company} may be sold.",
        )


FORCED_SALE = Act(SellShares, offers, objections, sell_shares.performed)

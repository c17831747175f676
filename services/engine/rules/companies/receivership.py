"""The bank's next train for a company in receivership, which has no director who could choose."""

from collections.abc import Iterator

from contracts.commands import BuyTrain
from contracts.ids import SUPPLY, CompanyId
from services.engine.rules.acts import buy_train
from services.engine.rules.draft import Draft
from services.engine.rules.ruleset import Ruleset
from services.engine.rules.trains.sided import next_of_bank, permitted_types, set_price
from services.engine.table.state import Table


def buy_for(ruleset: Ruleset, draft: Draft, company: CompanyId) -> bool:
    """Buy it without warranties, as the first side that may be, if the treasury pays (7.3, 8.0).

    Says whether it was bought.
    """
    card = next_of_bank(ruleset, draft.table)
    price = set_price(ruleset, draft.table, card.kind)
    for side in sides_in_order(ruleset, draft.table, company):
        command = BuyTrain(card.kind, SUPPLY, price, side=side)
        against = buy_train.objections(ruleset, draft.table, company, command)
        if next(against, None) is None:
            buy_train.bought(ruleset, draft, company, command)
            return True
    return False


def sides_in_order(ruleset: Ruleset, table: Table, company: CompanyId) -> Iterator[str]:
    """The sides that a company without a director buys, of those it may run (8.0)."""
    rules = ruleset.facts.receivership
    permitted = permitted_types(ruleset, table, company)
    yield from (side for side in (rules.permit_order if rules else ()) if side in permitted)

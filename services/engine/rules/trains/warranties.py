"""Warranties: tokens that keep a train from rusting for a run each (7.10)."""

from contracts import events as e
from contracts.ids import CompanyId, Money
from contracts.pieces import Train
from services.engine.rules.draft import Draft
from services.engine.rules.ruleset import Ruleset
from services.engine.rules.trains.owned import rusted_kinds, trains_of
from services.engine.table.state import Table

USED = "warranties go"
"""The ruling on when they are used."""
AFTER_RUN, AFTER_DIVIDEND = "after the run", "after the dividend"
NEW_PLAYERS = "new players"
"""The variant in which none are bought (11.3)."""


def use_up(ruleset: Ruleset, draft: Draft, company: CompanyId, when: str) -> None:
    """Each of a company's trains loses a warranty, run or not, where a turn has come so far.

    One whose kind has rusted goes with its last (7.10).
    """
    if ruleset.facts.warranties is None or ruleset.rulings[USED] != when:
        return
    owned = trains_of(draft.table, company)
    left = {train.id: train.warranties - 1 for train in owned if train.warranties}
    if not left:
        return
    draft.emit(e.WarrantiesSet(company, left))
    rusted = rusted_kinds(ruleset, draft.table)
    gone = tuple(train.id for train in owned if train.kind in rusted and not left.get(train.id))
    if gone:
        draft.emit(e.TrainsRusted(gone))


def most_for(ruleset: Ruleset, card: Train) -> int:
    """The most warranties that may be bought with a card of the bank; free ones count (7.10)."""
    rules = ruleset.facts.warranties
    if rules is None or ruleset.variants.get(NEW_PLAYERS) == "yes":
        return 0
    return rules.most - ruleset.facts.trains[card.kind].free_warranties


def most_affordable(ruleset: Ruleset, table: Table, company: CompanyId, card: Train) -> int:
    """The most that a company can pay for besides the card; none if it cannot pay the card."""
    rules = ruleset.facts.warranties
    if rules is None:
        return 0
    left = table.cash[company] - ruleset.facts.trains[card.kind].price
    return max(0, min(most_for(ruleset, card), left // rules.price))


def price_of(ruleset: Ruleset, number: int) -> Money:
    """What so many warranties cost."""
    rules = ruleset.facts.warranties
    return 0 if rules is None else rules.price * number

"""Private companies: who owns one, what it blocks, what is left of its powers (3.8)."""

from contracts import events as e
from contracts.ids import BOX, CompanyId, HexId, Party
from contracts.titles.facts import Private
from services.engine.rules.draft import Draft
from services.engine.rules.ruleset import Ruleset
from services.engine.table.state import Table

LAYS = "lays"
"""Counter of a private: tiles laid by its right."""


def is_open(table: Table, private: CompanyId) -> bool:
    """Whether a private is still in the game."""
    return table.charters[private].status != "closed"


def owner_of(table: Table, private: CompanyId) -> Party | None:
    """Who owns an open private."""
    if not is_open(table, private):
        return None
    return next((holder for holder in table.certificates[private] if holder != BOX), None)


def blocked_hexes(ruleset: Ruleset, table: Table) -> tuple[HexId, ...]:
    """The hexes that nobody may build on, since a player owns the private that blocks them."""
    return tuple(
        hex_id
        for private in ruleset.facts.privates.values()
        if private.blocks and owner_of(table, private.id) in table.order
        for hex_id in private.blocks
    )


def right_of(
    ruleset: Ruleset, table: Table, company: CompanyId, right: CompanyId | None
) -> Private | None:
    """The private whose right a company names, if the company owns it."""
    private = ruleset.facts.privates.get(right) if right is not None else None
    if private is None or owner_of(table, private.id) != company:
        return None
    return private


def lays_left(table: Table, private: Private) -> int:
    """How many tiles may still be laid by a private's right."""
    if private.lay is None:
        return 0
    return private.lay.count - table.counters.get(private.id, {}).get(LAYS, 0)


def close_privates(ruleset: Ruleset, draft: Draft, because: str) -> None:
    """All privates still open close (3.8.3)."""
    for private in ruleset.facts.privates:
        if is_open(draft.table, private):
            draft.emit(e.CompanyClosed(private, because))


def close_by_train_of(ruleset: Ruleset, draft: Draft, company: CompanyId) -> None:
    """What closes when a company buys its first train, closes (3.8.2)."""
    for private in ruleset.facts.privates.values():
        trigger = private.closes_on
        if trigger and trigger.first_train_of == company and is_open(draft.table, private.id):
            draft.emit(e.CompanyClosed(private.id, "first train"))

"""The last step: privates may still be bought, now that the trains are (3.3.3, 3.8.1)."""

from collections.abc import Collection

from contracts.ids import CompanyId, Party
from services.engine.rules.acts.buy_private import BUY_PRIVATE
from services.engine.rules.acts.lay_by_right import LAY_BY_RIGHT
from services.engine.rules.acts.token_by_right import TOKEN_BY_RIGHT
from services.engine.rules.companies.privates import lays_left, right_of
from services.engine.rules.parts.kinds import Act, Step
from services.engine.rules.ruleset import Ruleset
from services.engine.table.state import Table


def has_a_right(ruleset: Ruleset, table: Table, who: Party) -> bool:
    """Whether a right keeps the turn open: a token, or an extra lay that is left (3.8.2).

    By ruling "rights left" the lay keeps it open even where it cannot be made any more.
    """
    if _some_legal(ruleset, table, who, TOKEN_BY_RIGHT):
        return True
    left = [
        private.id
        for private in ruleset.facts.privates.values()
        if private.lay is not None
        and private.lay.extra
        and right_of(ruleset, table, CompanyId(who), private.id)
        and lays_left(table, private)
    ]
    if not left or ruleset.rulings["rights left"] == "not used up":
        return bool(left)
    return _some_legal(ruleset, table, who, LAY_BY_RIGHT, left)


def _some_legal(
    ruleset: Ruleset,
    table: Table,
    who: Party,
    act: Act,
    rights: Collection[CompanyId] | None = None,
) -> bool:
    """Whether anything that an act offers, by one of some rights, may be done."""
    return any(
        next(act.objections(ruleset, table, who, offer.command), None) is None
        for offer in act.offers(ruleset, table, who)
        if rights is None or getattr(offer.command, "right", None) in rights
    )


PRIVATES = Step((BUY_PRIVATE,), waits=has_a_right)

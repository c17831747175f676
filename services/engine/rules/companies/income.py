"""What private companies bring their owners."""

from contracts import events as e
from contracts.ids import BANK, OFFERING
from contracts.money import Payment
from services.engine.rules.draft import Draft
from services.engine.rules.ruleset import Ruleset


def pay_incomes(ruleset: Ruleset, draft: Draft) -> None:
    """Every open private that has an owner pays him, or the company that owns it (3.3.1)."""
    table = draft.table
    payments = tuple(
        Payment(BANK, owner, private.income)
        for id, private in ruleset.facts.privates.items()
        if table.charters[id].status != "closed"
        for owner in table.certificates[id]
        if owner != OFFERING
    )
    if payments:
        draft.emit(e.MoneyPaid("income", payments))

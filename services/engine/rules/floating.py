"""Floating: a company receives its capital once enough of it is out of the bank."""

from contracts import events as e
from contracts.ids import BANK, OFFERING, CompanyId
from contracts.money import pay
from services.engine.rules.draft import Draft
from services.engine.rules.families.capital import CAPITALS
from services.engine.rules.families.phrase import picked
from services.engine.rules.ruleset import Ruleset
from services.engine.rules.shares import percent, shares_held


def float_if_due(ruleset: Ruleset, draft: Draft, company: CompanyId) -> None:
    """Float a started company once enough of it is out of the offering (3.2.8)."""
    table = draft.table
    charter = table.charters[company]
    if charter.status != "started" or charter.par is None:
        return
    rules = ruleset.facts.share_rules
    unsold = percent(table, company, shares_held(table, company, OFFERING))
    if 100 - unsold < rules.float_percent:
        return
    capital = picked("capital", CAPITALS, rules.capital)(charter.par)
    draft.emit(e.CompanyFloated(company, pay(BANK, company, capital)))

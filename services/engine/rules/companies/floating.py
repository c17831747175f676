"""Floating: a company receives its capital once enough of it has been bought."""

from contracts import events as e
from contracts.frames import Question, TokensToBuy
from contracts.ids import BANK, OFFERING, CompanyId
from contracts.money import pay
from contracts.titles.facts import Starting
from services.engine.rules.companies.starting import way_of
from services.engine.rules.draft import Draft
from services.engine.rules.families.capital import CAPITALS
from services.engine.rules.families.phrase import picked
from services.engine.rules.ruleset import Ruleset
from services.engine.rules.shares.counting import percent, shares_held
from services.engine.rules.shares.market import started


def float_if_due(ruleset: Ruleset, draft: Draft, company: CompanyId) -> None:
    """Float a started company once enough of it is out of the offering (3.2.8).

    What lies unsold on its own charter is not out either (6.5.4).
    """
    table = draft.table
    charter = table.charters[company]
    if charter.status != "started" or charter.par is None:
        return
    rules = ruleset.facts.share_rules
    left = sum(shares_held(table, company, holder) for holder in (OFFERING, company))
    if 100 - percent(table, company, left) < rules.float_percent:
        return
    way = way_of(ruleset, table, company)
    phrase = rules.capital if way is None else way.capital
    capital = picked("capital", CAPITALS, phrase)(charter.par)
    draft.emit(e.CompanyFloated(company, pay(BANK, company, capital)))
    if way is not None:
        equip(ruleset, draft, company, way)


def equip(ruleset: Ruleset, draft: Draft, company: CompanyId, way: Starting) -> None:
    """The company buys its tokens, and has its marker on the market from now on (6.5.4)."""
    par = draft.table.charters[company].par
    assert par is not None  # it floats
    fewest, most = way.tokens
    if company not in draft.table.markers:
        draft.emit(started(ruleset, draft.table, company, par))
    if fewest == most:
        payments = pay(company, BANK, most * way.token_cost)
        draft.emit(e.TokensSet(company, most, payments))
    else:
        draft.emit(e.QuestionAsked(Question(draft.next_frame(), TokensToBuy(company), (company,))))

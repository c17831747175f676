"""The step of trains: any number, up to the limit; with a possible route at least one (3.7)."""

from contracts.frames import Turn
from contracts.ids import CompanyId, Party
from contracts.rejections import Rejection
from services.engine.rules.acts.buy_train import BUY_TRAIN
from services.engine.rules.companies.bankrupt import bankrupt
from services.engine.rules.companies.director import is_in_receivership
from services.engine.rules.companies.receivership import buy_for
from services.engine.rules.draft import Draft
from services.engine.rules.parts.kinds import Step
from services.engine.rules.questions.raise_money import ask
from services.engine.rules.ruleset import Ruleset
from services.engine.rules.trains.help import director_helps, must_buy, must_buy_refusal, needs_help
from services.engine.rules.trains.owned import cheapest, trains_of
from services.engine.table.state import Table


def did(turn: Turn) -> bool:
    """Whether trains were bought."""
    return bool(turn.trains)


def by_itself(ruleset: Ruleset, draft: Draft, who: Party) -> str | None:
    """Where the treasury pays for no train that must be bought, the director is asked for help.

    In receivership the bank sells it a train, or it is bankrupt without one (7.3, 8.0).
    """
    company = CompanyId(who)
    if is_in_receivership(draft.table, company):
        bought = buy_for(ruleset, draft, company)
        if not trains_of(draft.table, company):
            bankrupt(ruleset, draft, company, "no train")
        return "done" if bought else "nothing to do"
    if director_helps(ruleset) and needs_help(ruleset, draft.table, company):
        ask(draft, company)
    return None


def no_pass(ruleset: Ruleset, table: Table, who: Party) -> Rejection | None:
    """A company that must own a train does not pass, unless it comes by the money later (7.11)."""
    company = CompanyId(who)
    if not must_buy(ruleset, table, company):
        return None
    if not director_helps(ruleset) and table.cash[company] < cheapest(ruleset, table):
        return None
    return must_buy_refusal(ruleset, company)


def says_so(ruleset: Ruleset, table: Table, who: Party) -> bool:
    """Whether a director has to pass before money is raised (ruling "raising money")."""
    waits = ruleset.rulings.get("raising money") == "once trains are passed"
    return waits and not trains_of(table, CompanyId(who))


TRAINS = Step((BUY_TRAIN,), did, no_pass, by_itself, says_so)

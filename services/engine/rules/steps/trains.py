"""The step of trains: any number, up to the limit; with a possible route at least one (3.7)."""

from contracts.frames import Turn
from contracts.ids import CompanyId, Party
from contracts.rejections import Rejection
from services.engine.rules.acts.buy_train import BUY_TRAIN
from services.engine.rules.draft import Draft
from services.engine.rules.help import must_buy, must_buy_refusal, needs_help
from services.engine.rules.parts import Step
from services.engine.rules.questions.raise_money import ask
from services.engine.rules.ruleset import Ruleset
from services.engine.table.state import Table


def did(turn: Turn) -> bool:
    """Whether trains were bought."""
    return bool(turn.trains)


def by_itself(ruleset: Ruleset, draft: Draft, who: Party) -> str | None:
    """Where the treasury pays for no train that must be bought, the director is asked."""
    company = CompanyId(who)
    if needs_help(ruleset, draft.table, company):
        ask(draft, company)
    return None


def no_pass(ruleset: Ruleset, table: Table, who: Party) -> Rejection | None:
    """A company that must own a train does not pass."""
    company = CompanyId(who)
    return must_buy_refusal(ruleset, company) if must_buy(ruleset, table, company) else None


TRAINS = Step((BUY_TRAIN,), did, no_pass, by_itself)

"""A company without a train is refinanced: its shares are merged, and it is paid (7.11.2)."""

from collections.abc import Iterable, Iterator

from contracts.commands import Refinance
from contracts.ids import CompanyId, Party
from contracts.rejections import Code, Rejection
from services.engine.rules.draft import Draft
from services.engine.rules.parts.kinds import Act, Offer
from services.engine.rules.procedures import merging
from services.engine.rules.questions import bank_train
from services.engine.rules.questions.answering import answered
from services.engine.rules.ruleset import Ruleset, refused
from services.engine.table.state import Table


def offers(_ruleset: Ruleset, _table: Table, _who: Party) -> Iterable[Offer]:
    """There is one way to be refinanced."""
    return (Offer(Refinance()),)


def objections(
    ruleset: Ruleset, table: Table, who: Party, _command: Refinance
) -> Iterator[Rejection]:
    """The train must be paid for afterwards."""
    company = CompanyId(who)
    would = table.cash[company] + merging.capital(ruleset, table, company)
    price = bank_train.bank_price(ruleset, table)
    if would < price:
        yield refused(
            ruleset,
            Code.TOO_LITTLE_CASH,
            "refinancing",
            f"{company} would have {ruleset.money(would)}, and a train is {ruleset.money(price)}.",
        )


def perform(_ruleset: Ruleset, draft: Draft, who: Party, _command: Refinance) -> None:
    """It is what the director chose."""
    answered(draft, "refinance")
    merging.refinance(draft, CompanyId(who))


REFINANCE = Act(Refinance, offers, objections, perform)

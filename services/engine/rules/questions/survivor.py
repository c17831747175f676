"""Which of the joining companies remains: the director of the one whose turn it is says (5.2.1)."""

from collections.abc import Iterable, Iterator

from contracts.commands import ChooseSurvivor
from contracts.frames import Survivor
from contracts.ids import CompanyId, Party
from contracts.rejections import Code, Rejection
from services.engine.rules.draft import Draft
from services.engine.rules.parts.kinds import Act, Asking, Offer
from services.engine.rules.procedures.merging import join
from services.engine.rules.questions.answering import (
    answered,
    must_choose,
    question_on_top,
    waits_for_its_act,
)
from services.engine.rules.ruleset import Ruleset, refused
from services.engine.table.state import Table


def matter_of(table: Table) -> Survivor:
    """What is asked."""
    matter = question_on_top(table).matter
    assert isinstance(matter, Survivor)  # this is how the registry files it
    return matter


def offers(_ruleset: Ruleset, table: Table, _who: Party) -> Iterable[Offer]:
    """Either of the two."""
    return tuple(Offer(ChooseSurvivor(company)) for company in matter_of(table).companies)


def objections(
    ruleset: Ruleset, table: Table, _who: Party, command: ChooseSurvivor
) -> Iterator[Rejection]:
    """It is one of the two."""
    companies = matter_of(table).companies
    if command.company not in companies:
        yield refused(
            ruleset,
            Code.NO_SUCH_COMPANY,
            "survivor",
            f"{command.company} does not join.",
            f"One of {' and '.join(companies)} remains.",
        )


def perform(ruleset: Ruleset, draft: Draft, who: Party, command: ChooseSurvivor) -> None:
    """The joining begins."""
    matter = matter_of(draft.table)
    answered(draft, command.company)
    absorbed = next(company for company in matter.companies if company != command.company)
    join(
        ruleset,
        draft,
        matter.kind,
        CompanyId(who),
        survivor=command.company,
        absorbed=absorbed,
    )


def no_pass(ruleset: Ruleset, _table: Table, who: Party) -> Rejection:
    """One of them has to remain."""
    return must_choose(ruleset, "survivor", who, "Name the company that remains.")


SURVIVOR = Asking((Act(ChooseSurvivor, offers, objections, perform),), waits_for_its_act, no_pass)

"""Proposing that companies join: asked of the other director, if he is another (7.5.1)."""

from collections.abc import Iterable, Iterator

from contracts import events as e
from contracts.commands import ProposeJoining
from contracts.frames import Question, Survivor
from contracts.ids import CompanyId, Party
from contracts.rejections import Rejection
from services.engine.rules.acts.consent import Proposed, ask, refused_before
from services.engine.rules.draft import Draft
from services.engine.rules.joining.conditions import (
    ACQUIRE,
    MERGE,
    joining_objections,
    possible_partners,
)
from services.engine.rules.parts.kinds import Act, Offer
from services.engine.rules.ruleset import Ruleset
from services.engine.table.state import Table


def proposing(kind: str) -> Act:
    """The act of proposing one kind of joining."""

    def offers(_ruleset: Ruleset, table: Table, who: Party) -> Iterable[Offer]:
        """Each company that operates beside the one whose turn it is."""
        company = CompanyId(who)
        for partner in possible_partners(table, company):
            yield Offer(ProposeJoining(kind, (company, partner)))

    def fits(command: ProposeJoining) -> bool:
        return command.kind == kind

    return Act(ProposeJoining, offers, objections, perform, fits)


def objections(
    ruleset: Ruleset, table: Table, who: Party, command: ProposeJoining
) -> Iterator[Rejection]:
    """What speaks against a proposal (7.5, 7.5.1, 7.5.2)."""
    yield from joining_objections(ruleset, table, CompanyId(who), command)
    yield from refused_before(table, command)


def perform(ruleset: Ruleset, draft: Draft, who: Party, command: ProposeJoining) -> None:
    """Go on at once where one person directs both, else ask the other."""
    charters = draft.table.charters
    proposer = charters[CompanyId(who)].acting
    partner = command.companies[1]
    assert proposer is not None  # the objections saw to it
    if charters[partner].acting == proposer:
        agreed(ruleset, draft, who, command)
    else:
        ask(ruleset, draft, proposer, command, CompanyId(who), partner)


def agreed(_ruleset: Ruleset, draft: Draft, who: Party, command: ProposeJoining) -> None:
    """The director of the company whose turn it is says which remains (5.2.1)."""
    matter = Survivor(command.kind, command.companies)
    draft.emit(e.QuestionAsked(Question(draft.next_frame(), matter, (who,))))


PROPOSE_MERGER = proposing(MERGE)
PROPOSE_ACQUISITION = proposing(ACQUIRE)
PROPOSED = Proposed(objections, agreed)

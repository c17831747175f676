"""Consent: a proposal waits for the yes of whoever else it concerns.

Who performs which kind of proposal is told by the registry, so this knows none of them.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from msgspec import Struct

from contracts import events as e
from contracts.commands import Answer, BuyCompany, BuyTrain, ProposeJoining, TradePrivate
from contracts.frames import Consent, Question
from contracts.ids import CompanyId, Party, PlayerId
from contracts.rejections import Code, Rejection
from services.engine.rules.draft import Draft
from services.engine.rules.parts.kinds import Act, Asking, Offer
from services.engine.rules.ruleset import Ruleset
from services.engine.table.agenda import current_turn, top
from services.engine.table.state import Table

Proposal = BuyTrain | BuyCompany | TradePrivate | ProposeJoining


class Proposed(Struct, frozen=True):
    """What happens to one kind of proposal: its legality, and what is done once all agree.

    Both are told the party that proposes: the company where it is one, else the player.
    """

    objections: Callable[[Ruleset, Table, Party, Any], Iterator[Rejection]]
    agreed: Callable[[Ruleset, Draft, Party, Any], None]


Proposals = Mapping[type, Proposed]


def ask(
    ruleset: Ruleset,
    draft: Draft,
    proposer: PlayerId,
    proposal: Proposal,
    company: CompanyId | None,
    other: Party,
) -> None:
    """Ask the other side. Where one person decides for both sides, do not ask: perform at once."""
    matter = Consent(proposer, proposal, company)
    draft.emit(e.QuestionAsked(Question(draft.next_frame(), matter, (other,))))


def refused_before(table: Table, proposal: Proposal) -> Iterator[Rejection]:
    """What was refused may not be proposed again in the same turn."""
    turn = current_turn(table)
    if turn is not None and proposal in turn.refused:
        yield Rejection(
            Code.ALREADY_REFUSED,
            "design",
            "This was proposed and refused in this turn.",
            "Propose something else, or wait for another turn.",
        )


def answers(_ruleset: Ruleset, _table: Table, _who: Party) -> Iterable[Offer]:
    """Yes or no."""
    return (Offer(Answer(yes=True)), Offer(Answer(yes=False)))


def answer_objections(
    _ruleset: Ruleset, table: Table, who: Party, _command: Answer
) -> Iterator[Rejection]:
    """Only whoever is asked may answer."""
    question = top(table)
    if not isinstance(question, Question) or who not in question.asked:
        yield Rejection(Code.WRONG_STEP, "design", f"Nothing is asked of {who}.")


def answered(_ruleset: Ruleset, draft: Draft, who: Party, command: Answer) -> None:
    """One answer is recorded; what follows from it is settled with the question."""
    question = top(draft.table)
    assert isinstance(question, Question)  # the objections saw to it
    draft.emit(e.QuestionAnswered(question.id, who, "yes" if command.yes else "no"))


ANSWER = Act(Answer, answers, answer_objections, answered)


def must_answer(_ruleset: Ruleset, _table: Table, who: Party) -> Rejection:
    """A proposal is not passed over."""
    return Rejection(
        Code.WRONG_STEP, "design", f"{who} is asked for his consent.", "Answer yes or no."
    )


def asking(proposals: Proposals) -> Asking:
    """The question of consent, for these kinds of proposal.

    One no ends it. When all have agreed the proposal is looked at again, and is void if it is not
    legal any more.
    """

    def settled(ruleset: Ruleset, draft: Draft, question: Question) -> bool:
        matter = question.matter
        assert isinstance(matter, Consent)  # this is how the registry files it
        if any(answer == "no" for _, answer in question.answers):
            draft.emit(e.ProposalRefused(question), e.QuestionClosed(question.id, "refused"))
            return True
        if question.asked:
            return False
        proposed = proposals[type(matter.proposal)]
        party: Party = matter.proposer if matter.company is None else matter.company
        objection = next(proposed.objections(ruleset, draft.table, party, matter.proposal), None)
        if objection is not None:
            draft.emit(e.QuestionClosed(question.id, "void"))
            return True
        draft.emit(e.QuestionClosed(question.id, "answered"))
        proposed.agreed(ruleset, draft, party, matter.proposal)
        return True

    return Asking((ANSWER,), settled, must_answer)

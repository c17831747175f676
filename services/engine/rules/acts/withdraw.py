"""Withdraw a proposal of one's own that still waits for consent."""

from collections.abc import Iterable, Iterator

from contracts import events as e
from contracts.commands import Withdraw
from contracts.frames import Consent, Question
from contracts.ids import Party
from contracts.rejections import Code, Rejection
from services.engine.rules.draft import Draft
from services.engine.rules.parts.kinds import Act, Offer
from services.engine.rules.ruleset import Ruleset
from services.engine.table.agenda import top
from services.engine.table.state import Table


def offers(_ruleset: Ruleset, table: Table, who: Party) -> Iterable[Offer]:
    """The one proposal that waits, where it is one's own."""
    frame = top(table)
    if isinstance(frame, Question) and is_proposer(frame, who):
        yield Offer(Withdraw(frame.id))


def is_proposer(question: Question, who: Party) -> bool:
    """Whether somebody proposed what a question asks consent for."""
    return isinstance(question.matter, Consent) and question.matter.proposer == who


def objections(
    _ruleset: Ruleset, table: Table, who: Party, command: Withdraw
) -> Iterator[Rejection]:
    """The proposal has to be one's own, and to wait still."""
    frame = top(table)
    if not isinstance(frame, Question) or frame.id != command.question:
        sentence = f"Question {command.question} is not open any more."
        yield Rejection(Code.QUESTION_CLOSED, "design", sentence)
    elif not is_proposer(frame, who):
        yield Rejection(Code.NOT_YOURS, "design", f"{who} did not propose this.")


def withdrawn(_ruleset: Ruleset, draft: Draft, _who: Party, command: Withdraw) -> None:
    """The question is closed; the same may be proposed again."""
    draft.emit(e.QuestionClosed(command.question, "withdrawn"))


WITHDRAW = Act(Withdraw, offers, objections, withdrawn)

"""Questions that are settled by the act that answers them."""

from contracts import events as e
from contracts.frames import Question
from contracts.ids import Party
from contracts.rejections import Code, Rejection
from services.engine.rules.draft import Draft
from services.engine.rules.ruleset import Ruleset, refused
from services.engine.table.agenda import top
from services.engine.table.state import Table


def waits_for_its_act(_ruleset: Ruleset, _draft: Draft, _question: Question) -> bool:
    """The act that answers closes the question, so an open one waits."""
    return False


def question_on_top(table: Table) -> Question:
    """The question that is being answered."""
    question = top(table)
    assert isinstance(question, Question)  # an act that answers is tried for whoever is asked
    return question


def answered(draft: Draft, answer: str) -> Question:
    """Record the only answer and close the question."""
    question = question_on_top(draft.table)
    draft.emit(e.QuestionAnswered(question.id, question.asked[0], answer))
    draft.emit(e.QuestionClosed(question.id, "answered"))
    return question


def must_choose(ruleset: Ruleset, topic: str, who: Party, what: str) -> Rejection:
    """The refusal of a pass where something has to be chosen."""
    return refused(ruleset, Code.WRONG_STEP, topic, f"{who} has to choose.", what)

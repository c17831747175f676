"""Discarding: a company above the train limit says which trains go (3.7.3)."""

from contracts import events as e
from contracts.frames import DiscardTrains, Question
from contracts.ids import Party
from contracts.rejections import Code, Rejection
from services.engine.rules.acts.discard_train import DISCARD_TRAIN
from services.engine.rules.draft import Draft
from services.engine.rules.parts.kinds import Asking
from services.engine.rules.ruleset import Ruleset, refused
from services.engine.rules.trains.owned import surplus, train_limit
from services.engine.table.state import Table


def settled(ruleset: Ruleset, draft: Draft, question: Question) -> bool:
    """It is settled once the company is not above the limit any more."""
    matter = question.matter
    assert isinstance(matter, DiscardTrains)  # this is how the registry files it
    if surplus(ruleset, draft.table, matter.company):
        return False
    draft.emit(e.QuestionClosed(question.id, "done"))
    return True


def no_pass(ruleset: Ruleset, table: Table, who: Party) -> Rejection:
    """Trains above the limit do not stay."""
    return refused(
        ruleset,
        Code.TRAIN_LIMIT,
        "train limit",
        f"{who} may have {train_limit(ruleset, table)} trains.",
        f"It discards {surplus(ruleset, table, who)} more.",
    )


DISCARD_TRAINS = Asking((DISCARD_TRAIN,), settled, no_pass)

"""Giving up trains above the limit (3.7.3)."""

from collections.abc import Iterable, Iterator

from contracts import events as e
from contracts.commands import DiscardTrain
from contracts.frames import Question
from contracts.ids import POOL, Party
from contracts.rejections import Code, Rejection
from services.engine.rules.draft import Draft
from services.engine.rules.parts.kinds import Act, Offer
from services.engine.rules.ruleset import Ruleset, refused
from services.engine.rules.trains.owned import surplus, trains_of
from services.engine.table.agenda import top
from services.engine.table.state import Table


def offers(_ruleset: Ruleset, table: Table, who: Party) -> Iterable[Offer]:
    """Each train of the company."""
    return tuple(Offer(DiscardTrain(train.id)) for train in trains_of(table, who))


def objections(
    ruleset: Ruleset, table: Table, who: Party, command: DiscardTrain
) -> Iterator[Rejection]:
    """A company above the limit discards what it has, in its turn to be asked (3.7.3)."""
    question = top(table)
    is_asked = isinstance(question, Question) and who in question.asked
    if not is_asked and ruleset.rulings["discard order"] == "operating order":
        yield refused(
            ruleset,
            Code.WRONG_STEP,
            "train limit",
            f"{who} is not asked yet what it discards.",
            "Companies discard one after the other.",
        )
    if not surplus(ruleset, table, who):
        yield refused(
            ruleset, Code.NOT_ALLOWED, "train limit", f"{who} has no train above the limit."
        )
    owned = [train.id for train in trains_of(table, who)]
    if command.train not in owned:
        yield refused(
            ruleset,
            Code.NO_SUCH_TRAIN,
            "train limit",
            f"{who} has no train {command.train}.",
            f"It has: {', '.join(owned)}.",
        )


def perform(_ruleset: Ruleset, draft: Draft, who: Party, command: DiscardTrain) -> None:
    """Put the train into the pool, unpaid."""
    draft.emit(e.TrainsMoved((command.train,), who, POOL, "discarded"))


DISCARD_TRAIN = Act(DiscardTrain, offers, objections, perform)

"""Giving up trains above the limit (3.7.3)."""

from collections.abc import Iterable, Iterator

from contracts import events as e
from contracts.commands import DiscardTrain
from contracts.ids import POOL, Party
from contracts.rejections import Code, Rejection
from services.engine.rules.draft import Draft
from services.engine.rules.parts import Act, Offer
from services.engine.rules.ruleset import Ruleset, refused
from services.engine.rules.trains import trains_of
from services.engine.table.state import Table


def offers(_ruleset: Ruleset, table: Table, who: Party) -> Iterable[Offer]:
    """Each train of the company."""
    return tuple(Offer(DiscardTrain(train.id)) for train in trains_of(table, who))


def objections(
    ruleset: Ruleset, table: Table, who: Party, command: DiscardTrain
) -> Iterator[Rejection]:
    """A company discards what it has."""
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

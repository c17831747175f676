"""The opening round: the privates are sold, then the priority deal is fixed (3.1)."""

from contracts import events as e
from contracts.frames import Round
from services.engine.rules.draft import Draft
from services.engine.rules.parts.kinds import RoundKind
from services.engine.rules.procedures import waterfall
from services.engine.rules.ruleset import Ruleset
from services.engine.rules.seating import next_in_turn


def begin(ruleset: Ruleset, draft: Draft, _playing: Round) -> None:
    """Put the privates up."""
    waterfall.begun(ruleset, draft)


def advance(_ruleset: Ruleset, draft: Draft, playing: Round) -> str:
    """All are sold; the priority deal is left of the last who bought at the asking price (3.1.7).

    His was the last turn that was not one of an auction.
    """
    table = draft.table
    draft.emit(e.OrderSet(table.order, next_in_turn(table, playing)))
    return "all sold"


OPENING = RoundKind(begin, advance)

"""The step of track: one tile, or what a private's right allows in its place (3.4.1)."""

from contracts.ids import Party
from services.engine.rules.acts.lay_by_right import LAY_BY_RIGHT
from services.engine.rules.acts.lay_tile import LAY_TILE, has_lays_left
from services.engine.rules.draft import Draft
from services.engine.rules.parts import Step
from services.engine.rules.ruleset import Ruleset
from services.engine.table.agenda import current_turn
from services.engine.table.state import Table


def by_itself(ruleset: Ruleset, draft: Draft, _who: Party) -> str | None:
    """The step is over once the turn's lays are used up; an extra one may still be made later."""
    turn = current_turn(draft.table)
    return "done" if turn is not None and not has_lays_left(ruleset, turn) else None


def says_so(ruleset: Ruleset, _table: Table, _who: Party) -> bool:
    """Whether a president has to say that he lays nothing (ruling "nothing to lay")."""
    return ruleset.rulings["nothing to lay"] == "must say so"


TRACK = Step((LAY_TILE, LAY_BY_RIGHT), by_itself=by_itself, waits=says_so)

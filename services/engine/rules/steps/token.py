"""The step of the token: one a turn (3.5.2).

Whoever built nothing may still link to an area: that is as if he had in the step before (7.6.5).
"""

from contracts.ids import Party
from services.engine.rules.acts.build_link import BUILD_LINK
from services.engine.rules.acts.place_token import PLACE_TOKEN
from services.engine.rules.acts.token_by_right import TOKEN_BY_RIGHT
from services.engine.rules.draft import Draft
from services.engine.rules.parts.kinds import Step
from services.engine.rules.ruleset import Ruleset
from services.engine.table.agenda import current_turn


def by_itself(_ruleset: Ruleset, draft: Draft, _who: Party) -> str | None:
    """The step is over once the turn's token is placed."""
    turn = current_turn(draft.table)
    return "done" if turn is not None and turn.placed else None


TOKEN = Step((PLACE_TOKEN, TOKEN_BY_RIGHT, BUILD_LINK), by_itself=by_itself)

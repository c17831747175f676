"""The step of track: the turn's tiles, or what may be built in their place (3.4.1, 7.6)."""

from typing import Final

from contracts.ids import CompanyId, Party
from contracts.rejections import Rejection
from services.engine.rules.acts.build_link import BUILD_LINK
from services.engine.rules.acts.lay_by_right import LAY_BY_RIGHT
from services.engine.rules.acts.lay_tile import LAY_TILE, has_lays_left
from services.engine.rules.acts.place_small_station import PLACE_SMALL_STATION
from services.engine.rules.draft import Draft
from services.engine.rules.parts.kinds import Step
from services.engine.rules.ruleset import Ruleset
from services.engine.rules.track.first_build import DISPLACE, displaced, duty_of, must_build
from services.engine.table.agenda import current_turn
from services.engine.table.state import Table

BARE: Final = "bare home"
"""The ruling on passing while the home token lies on a hex without a tile."""


def by_itself(ruleset: Ruleset, draft: Draft, who: Party) -> str | None:
    """The step is over once the turn's lays are used up; an extra one may still be made later.

    A token for which nothing makes room takes another's circle first (7.2).
    """
    duty = duty_of(ruleset, draft.table, CompanyId(who))
    if duty is not None and duty.kind == DISPLACE:
        displaced(ruleset, draft, duty)
        return None
    turn = current_turn(draft.table)
    return "done" if turn is not None and not has_lays_left(ruleset, turn) else None


def no_pass(ruleset: Ruleset, table: Table, who: Party) -> Rejection | None:
    """Nobody passes who must make room for a token (7.2), but for the ruling "bare home"."""
    duty = duty_of(ruleset, table, CompanyId(who))
    if duty is None or (duty.kind == "lay" and ruleset.rulings.get(BARE) == "may be left"):
        return None
    return must_build(ruleset, CompanyId(who), duty)


def says_so(ruleset: Ruleset, _table: Table, _who: Party) -> bool:
    """Whether a director has to say that he lays nothing (ruling "nothing to lay")."""
    return ruleset.rulings.get("nothing to lay") == "must say so"


TRACK = Step(
    (LAY_TILE, LAY_BY_RIGHT, PLACE_SMALL_STATION, BUILD_LINK),
    no_pass=no_pass,
    by_itself=by_itself,
    waits=says_so,
)

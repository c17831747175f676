"""The parliament round: charters are put up one by one until all decline in a row (4.1)."""

from contracts import events as e
from contracts.frames import Round, Turn
from contracts.ids import PlayerId
from services.engine.rules.draft import Draft
from services.engine.rules.parts.kinds import RoundKind
from services.engine.rules.ruleset import Ruleset
from services.engine.rules.seating import all_passed, from_left_of
from services.engine.table.state import Table


def begin(_ruleset: Ruleset, _draft: Draft, _playing: Round) -> None:
    """Nothing happens before the first turn."""


def advance(ruleset: Ruleset, draft: Draft, playing: Round) -> str | None:
    """The next player's turn; the priority deal does not move."""
    if all_passed(draft.table, playing):
        return "all passed"
    who = next_to_open(draft.table, playing)
    draft.emit(e.TurnBegan(Turn(draft.next_frame(), who, ruleset.facts.turns.parliament)))
    return None


def next_to_open(table: Table, playing: Round) -> PlayerId:
    """Who speaks: it goes on to the left of the last winner, or begins at the priority deal."""
    if playing.last_dealer is not None:
        return from_left_of(table, playing.last_dealer)[len(playing.passes)]
    seat = table.order.index(table.first) + len(playing.passes)
    return table.order[seat % len(table.order)]


PARLIAMENT = RoundKind(begin, advance)

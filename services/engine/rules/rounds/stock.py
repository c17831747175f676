"""The stock round: turns go round until all pass in a row (3.2)."""

from contracts import events as e
from contracts.frames import Round, Turn
from services.engine.rules import market
from services.engine.rules.draft import Draft
from services.engine.rules.order import operating_order
from services.engine.rules.parts import RoundKind
from services.engine.rules.questions.sell_down import ask_if_due
from services.engine.rules.ruleset import Ruleset
from services.engine.rules.seating import all_passed, from_left_of, next_in_turn
from services.engine.rules.shares import in_players_hands


def begin(_ruleset: Ruleset, _draft: Draft, _playing: Round) -> None:
    """Nothing happens before the first turn."""


def advance(ruleset: Ruleset, draft: Draft, playing: Round) -> str | None:
    """Begin the next turn; a limit exceeded is seen to first (3.2.5)."""
    if all_passed(draft.table, playing):
        end(ruleset, draft, playing)
        return "all passed"
    who = next_in_turn(draft.table, playing)
    turns = ruleset.facts.turns
    draft.emit(e.TurnBegan(Turn(draft.next_frame(), who, turns.stock, turns.stock_anytime)))
    ask_if_due(ruleset, draft, who)
    return None


def end(ruleset: Ruleset, draft: Draft, playing: Round) -> None:
    """What is sold out rises; the priority deal goes left of the last dealer (3.2.10)."""
    for company in operating_order(ruleset, draft.table):
        if in_players_hands(draft.table, company) == draft.table.charters[company].whole:
            draft.emit(*market.sold_out(ruleset, draft.table, company))
    table = draft.table
    dealer = playing.last_dealer
    first = table.first if dealer is None else from_left_of(table, dealer)[0]
    draft.emit(e.OrderSet(table.order, first))


STOCK = RoundKind(begin, advance)

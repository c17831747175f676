"""The stock round: turns go round until all pass in a row (3.2)."""

from contracts import events as e
from contracts.frames import Round, Turn
from services.engine.rules.companies import last_operations
from services.engine.rules.companies.director import review_all
from services.engine.rules.companies.groups import open_waiting
from services.engine.rules.companies.order import operating_order
from services.engine.rules.draft import Draft
from services.engine.rules.families.phrase import picked
from services.engine.rules.families.priorities import PRIORITIES
from services.engine.rules.parts.kinds import RoundKind
from services.engine.rules.procedures import fines
from services.engine.rules.questions.sell_down import ask_if_due
from services.engine.rules.ruleset import Ruleset
from services.engine.rules.seating import all_passed, next_in_turn
from services.engine.rules.shares import market
from services.engine.rules.shares.counting import in_players_hands


def begin(ruleset: Ruleset, draft: Draft, _playing: Round) -> None:
    """Charters that were returned for a fine may be taken again (4.3)."""
    open_waiting(ruleset, draft)


def advance(ruleset: Ruleset, draft: Draft, playing: Round) -> str | None:
    """Begin the next turn; a limit exceeded is seen to first (3.2.5).

    Once all have passed, fines are paid before the round is over (4.3).
    """
    if all_passed(draft.table, playing):
        if fines.begun(draft):
            return None
        end(ruleset, draft, playing)
        return "all passed"
    who = next_in_turn(draft.table, playing)
    turns = ruleset.facts.turns
    draft.emit(e.TurnBegan(Turn(draft.next_frame(), who, turns.stock, turns.stock_anytime)))
    ask_if_due(ruleset, draft, who)
    return None


def end(ruleset: Ruleset, draft: Draft, playing: Round) -> None:
    """What is sold out rises; the priority deal goes on (3.2.10)."""
    for company in operating_order(ruleset, draft.table):
        if in_players_hands(draft.table, company) == draft.table.charters[company].whole:
            draft.emit(*market.sold_out(ruleset, draft.table, company))
    table = draft.table
    first = picked("priority", PRIORITIES, ruleset.facts.setup.priority)
    draft.emit(e.OrderSet(table.order, first(table, playing)))
    review_all(ruleset, draft)
    last_operations.after_stock(draft)


STOCK = RoundKind(begin, advance)

"""The operating round: privates pay, then each company has a turn, dearest first (3.3)."""

from contracts import events as e
from contracts.frames import Round, Turn
from services.engine.rules.draft import Draft
from services.engine.rules.income import pay_incomes
from services.engine.rules.order import operating_order
from services.engine.rules.parts import RoundKind
from services.engine.rules.ruleset import Ruleset


def begin(ruleset: Ruleset, draft: Draft, _playing: Round) -> None:
    """Every open private pays its owner (3.3.1)."""
    pay_incomes(ruleset, draft)


def advance(ruleset: Ruleset, draft: Draft, playing: Round) -> str | None:
    """The next turn, the order looked up afresh; none operates twice (3.3.2).

    A company that floats in this round operates from the next one on (3.2.8).
    """
    turns = ruleset.facts.turns
    for company in operating_order(ruleset, draft.table):
        if company not in playing.operated and company not in playing.floated:
            turn = Turn(draft.next_frame(), company, turns.operating, turns.operating_anytime)
            draft.emit(e.TurnBegan(turn))
            return None
    return "done"


OPERATING = RoundKind(begin, advance)

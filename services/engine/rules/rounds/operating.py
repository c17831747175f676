"""The operating round: privates pay, then each company has a turn, dearest first (3.3)."""

from contracts import events as e
from contracts.frames import Round, Turn
from contracts.ids import CompanyId
from services.engine.rules.companies import last_operations
from services.engine.rules.companies.income import pay_incomes
from services.engine.rules.companies.order import operating_order
from services.engine.rules.draft import Draft
from services.engine.rules.parts.kinds import RoundKind
from services.engine.rules.ruleset import Ruleset
from services.engine.rules.track.home import HOME
from services.engine.table.state import Table


def begin(ruleset: Ruleset, draft: Draft, _playing: Round) -> None:
    """Every open private pays its owner (3.3.1)."""
    pay_incomes(ruleset, draft)


def advance(ruleset: Ruleset, draft: Draft, playing: Round) -> str | None:
    """The next turn, the order looked up afresh; none operates twice (3.3.2).

    A company that floats in this round operates from the next one on (3.2.8).
    """
    for company in operating_order(ruleset, draft.table):
        if company not in playing.operated and company not in playing.floated:
            steps = steps_of(ruleset, draft.table, company)
            anytime = ruleset.facts.turns.operating_anytime
            draft.emit(e.TurnBegan(Turn(draft.next_frame(), company, steps, anytime)))
            return None
    if playing.which == playing.of and last_operations.are_next(draft.table):
        last_operations.begin(ruleset, draft)
    return "done"


def steps_of(ruleset: Ruleset, table: Table, company: CompanyId) -> tuple[str, ...]:
    """The steps of a company's turn: fewer without a director, and in the last operations.

    By the ruling "late home" a company may float and place its home token even then.
    """
    turns = ruleset.facts.turns
    if table.charters[company].director is None:
        return turns.in_receivership
    if not last_operations.have_begun(table):
        return turns.operating
    late = ruleset.rulings.get("late home") == "placed"
    return (HOME, *turns.last_operations) if late else turns.last_operations


OPERATING = RoundKind(begin, advance)

"""A new phase, at once and everywhere: rusting, closing, and trains above the limit (3.9)."""

from contracts import events as e
from contracts.frames import DiscardTrains, Question
from contracts.ids import BOX, CompanyId, PhaseId, TrainKind
from services.engine.rules.companies import groups, last_operations
from services.engine.rules.companies.order import operating_order
from services.engine.rules.companies.privates import close_privates
from services.engine.rules.draft import Draft
from services.engine.rules.ruleset import Ruleset
from services.engine.rules.trains.owned import never_rusts, surplus
from services.engine.table.agenda import current_turn
from services.engine.table.state import Table


def train_sold(ruleset: Ruleset, draft: Draft, kind: TrainKind) -> None:
    """Begin the phase that the first sale of a kind brings, with all that follows from it.

    Trains with warranties rust later, as their last one goes (7.10).
    """
    phase = phase_of(ruleset, draft.table, kind)
    if phase is None:
        return
    draft.emit(e.PhaseBegan(phase, last_operations.limit_in(ruleset, draft.table, phase)))
    groups.open_phase(ruleset, draft, phase)
    facts = ruleset.facts.phases[phase]
    rusted = tuple(
        train.id
        for owner, trains in draft.table.trains.items()
        if owner != BOX
        for train in trains
        if train.kind in facts.rusts
        and not never_rusts(ruleset, train.kind)
        and not train.warranties
    )
    if rusted:
        draft.emit(e.TrainsRusted(rusted))
    if facts.closes_privates:
        close_privates(ruleset, draft, "phase")
    last_operations.triggered(ruleset, draft, phase)
    ask_for_discards(ruleset, draft)


def phase_of(ruleset: Ruleset, table: Table, kind: TrainKind) -> PhaseId | None:
    """The later phase that a train of this kind begins, or None if there is none."""
    names = list(ruleset.facts.phases)
    for phase in names[names.index(table.phase) + 1 :]:
        if ruleset.facts.phases[phase].first_train == kind:
            return phase
    return None


def ask_for_discards(ruleset: Ruleset, draft: Draft) -> None:
    """Ask each company above the limit what it discards, before anything else goes on (3.7.3)."""
    crowded = [
        company
        for company in discard_order(ruleset, draft.table)
        if surplus(ruleset, draft.table, company)
    ]
    # The agenda is a stack: who is asked first lies on top.
    for company in reversed(crowded):
        question = Question(draft.next_frame(), DiscardTrains(company), (company,))
        draft.emit(e.QuestionAsked(question))


def discard_order(ruleset: Ruleset, table: Table) -> tuple[CompanyId, ...]:
    """The companies in the order in which they discard."""
    if ruleset.rulings.get("discard order") == "as printed":
        return tuple(ruleset.facts.publics)
    # Whoever operates now has a marker that others may have passed; he is asked with the rest.
    order = operating_order(ruleset, table)
    turn = current_turn(table)
    first = tuple(company for company in order if turn is not None and company == turn.who)
    return first + tuple(company for company in order if company not in first)

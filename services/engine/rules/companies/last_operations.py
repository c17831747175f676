"""The last operations: an end of the game that first changes what is played (10.3).

Once it has been brought about, the set of operating rounds is finished. Then nothing can be built,
started or joined any more; one stock round and some operations of every company end the game.
"""

from typing import Final

from contracts import events as e
from contracts.ids import BANK, OFFERING, POOL, PhaseId
from contracts.titles.facts import Phase
from services.engine.rules.draft import Draft
from services.engine.rules.ruleset import Ruleset
from services.engine.rules.shares.counting import held, moves, publics, shares_held
from services.engine.table.state import Table

LNER: Final = "lner"
"""The end that is brought about by a train, and the counter of the bank that says it has come."""
LAST: Final = "last operations"
"""What is still played once it has been brought about."""
OPERATIONS: Final = 3
"""How often every company operates then."""


def have_begun(table: Table) -> bool:
    """Whether nothing is built, started or joined any more."""
    return bool(table.counters.get(BANK, {}).get(LNER))


def are_next(table: Table) -> bool:
    """Whether the last operations follow on this set of operating rounds."""
    return table.ending is not None and table.ending.last == LAST and not have_begun(table)


def brings(ruleset: Ruleset, phase: Phase) -> bool:
    """Whether a phase brings them about, with the variants that are played (10.3, 11.2)."""
    chosen = phase.triggers_when.items()
    return phase.triggers == LNER and all(ruleset.variants[id] == wish for id, wish in chosen)


def largest_holding(table: Table) -> int:
    """The most shares that a player holds, of all companies together (6.5.2)."""
    return max(
        sum(shares_held(table, company, player) for company in publics(table))
        for player in table.order
    )


def limit_in(ruleset: Ruleset, table: Table, phase: PhaseId) -> int | None:
    """The certificate limit that a phase begins with, where it is not that of the set-up."""
    early = ruleset.rulings.get("lner limit") == "as it is triggered"
    if early and brings(ruleset, ruleset.facts.phases[phase]) and table.certificate_limit is None:
        return largest_holding(table)
    return table.certificate_limit


def triggered(ruleset: Ruleset, draft: Draft, phase: PhaseId) -> None:
    """Bring them about where a phase does, unless the end is in sight already."""
    if brings(ruleset, ruleset.facts.phases[phase]) and draft.table.ending is None:
        draft.emit(e.GameEndTriggered(LNER, LAST))


def begin(ruleset: Ruleset, draft: Draft) -> None:
    """What the offering has goes to the pool, what has not started out of the game (10.3)."""
    for company in publics(draft.table):
        table = draft.table
        status = table.charters[company].status
        if status in {"open", "waiting"}:
            draft.emit(e.CompanyClosed(company, LNER))
        elif unsold := held(table, company, OFFERING):
            draft.emit(e.CertificatesMoved(company, moves(unsold, OFFERING, POOL), LNER))
    table = draft.table
    draft.emit(e.CounterMoved(LNER, {BANK: 1}))
    if table.certificate_limit is None:
        draft.emit(e.PhaseBegan(table.phase, largest_holding(table)))


def after_stock(draft: Draft) -> None:
    """The stock round of the last operations is over: the set that follows is the last."""
    if have_begun(draft.table):
        draft.emit(e.GameEndTriggered(LNER, "this set"))

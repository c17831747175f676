"""Groups of companies: dealt by lot at the opening, opened one after the other (2.4, 3.2)."""

from collections.abc import Iterator, Mapping
from typing import Final

from contracts import events as e
from contracts.ids import CompanyId, Party, PhaseId
from services.engine.rules.draft import Draft
from services.engine.rules.ruleset import Ruleset
from services.engine.table.state import Table

COMPANIES: Final = "companies"
"""What the draw is for that deals the companies into groups."""
START: Final = "start"
"""The group that is open from the beginning."""
REMOVED: Final = "removed"
"""The group that is out of the game."""
WAITING: Final = "waiting"
"""The status of a charter that may not be taken yet."""
FEWER_SEATS: Final = 6
"""The most players for whom there are no extra companies."""


def column(ruleset: Ruleset, players: int) -> int:
    """The number of players by which companies and permits are dealt (2.4.2)."""
    without = ruleset.variants.get("extra companies") == "no"
    return min(players, FEWER_SEATS) if without else players


def dealt(ruleset: Ruleset, players: int, drawn: tuple[str, ...]) -> Mapping[CompanyId, str]:
    """The group of each company, by the order in which they were drawn."""
    sizes = ruleset.facts.setup.company_groups
    seats = column(ruleset, players)
    names = [group for group, size in sizes.items() for _ in range(size[seats])]
    return {CompanyId(Party(company)): group for company, group in zip(drawn, names, strict=True)}


def groups_of(ruleset: Ruleset, table: Table) -> Mapping[CompanyId, str]:
    """The group of each company; none where they are not dealt."""
    drawn = table.lots.get(COMPANIES)
    return {} if drawn is None else dealt(ruleset, len(table.order), drawn.outcome)


def open_groups(ruleset: Ruleset, phase: PhaseId) -> Iterator[str]:
    """The groups that may be started in a phase."""
    yield START
    for id, facts in ruleset.facts.phases.items():
        yield from facts.opens
        if id == phase:
            return


def waiting(ruleset: Ruleset, table: Table) -> tuple[CompanyId, ...]:
    """Companies that wait although their group is open."""
    is_open = frozenset(open_groups(ruleset, table.phase)) if table.phase else frozenset()
    return tuple(
        company
        for company, group in groups_of(ruleset, table).items()
        if table.charters[company].status == WAITING and group in is_open
    )


def open_phase(ruleset: Ruleset, draft: Draft, phase: PhaseId) -> None:
    """Open the groups of companies that a new phase brings (3.2).

    A company of another group that waits has its own time to be opened.
    """
    brings = ruleset.facts.phases[phase].opens
    groups = groups_of(ruleset, draft.table)
    opened = tuple(c for c in waiting(ruleset, draft.table) if groups[c] in brings)
    if opened:
        draft.emit(e.CompaniesOpened(opened))


def open_waiting(ruleset: Ruleset, draft: Draft) -> None:
    """Open what waits although its group is open: charters returned for a fine (4.3)."""
    opened = waiting(ruleset, draft.table)
    if opened:
        draft.emit(e.CompaniesOpened(opened))

"""Permits: the types of trains that a company may run.

They are counters of the company, one kind for each type. Its first one is known from the draw, so
that a company which starts again begins with that one alone (6.5.4.3, 7.5.7).
"""

from typing import Final

from contracts import events as e
from contracts.ids import CompanyId
from services.engine.rules.companies.groups import COMPANIES
from services.engine.rules.draft import Draft
from services.engine.table.state import Table

PERMIT: Final = "permit "
"""How the kinds of counters begin that are permits."""
DRAWN: Final = "permits"
"""What the draw of first permits is for."""


def permits_of(table: Table, company: CompanyId) -> tuple[str, ...]:
    """The types of trains that a company has a permit for."""
    counted = table.counters.get(company, {})
    return tuple(sorted(kind.removeprefix(PERMIT) for kind in counted if kind.startswith(PERMIT)))


def first_permits(table: Table, company: CompanyId) -> tuple[str, ...]:
    """The permit that was dealt to a company at the start, if there were permits."""
    companies, permits = table.lots.get(COMPANIES), table.lots.get(DRAWN)
    if companies is None or permits is None or company not in companies.outcome:
        return ()
    place = companies.outcome.index(company)
    return permits.outcome[place : place + 1]


def set_permits(draft: Draft, company: CompanyId, wanted: tuple[str, ...]) -> None:
    """A company has permits for these types and no others."""
    has = permits_of(draft.table, company)
    for permit in sorted({*has, *wanted}):
        if (permit in has) != (permit in wanted):
            draft.emit(e.CounterMoved(PERMIT + permit, {company: int(permit in wanted)}))


def blank_permits(draft: Draft, company: CompanyId) -> None:
    """A company has its first permit alone."""
    set_permits(draft, company, first_permits(draft.table, company))

"""Who directs a company once its shares have been merged (5.2.5)."""

from contracts import events as e
from contracts.ids import CompanyId, PlayerId, shares_of
from services.engine.rules.companies.director import caretaker, directors_certificate, swap
from services.engine.rules.draft import Draft
from services.engine.rules.seating import from_left_of
from services.engine.rules.shares.counting import shares_held
from services.engine.table.state import Table


def direct_afterwards(draft: Draft, company: CompanyId, initiator: PlayerId) -> None:
    """Whoever has most shares directs, if they make a director's certificate (5.2.5).

    Of equals it is who comes first from the initiator clockwise. If nobody has enough, the company
    is in receivership.
    """
    table = draft.table
    kind, place = directors_certificate(table, company)
    director = _most(table, company, initiator, shares_of(kind))
    if director is not None and director != place:
        draft.emit(swap(table, company, director))
    acting = caretaker(table, company) if director is None else director
    charter = table.charters[company]
    if (charter.director, charter.acting) != (director, acting):
        draft.emit(e.DirectorChanged(company, director, acting))


def _most(table: Table, company: CompanyId, initiator: PlayerId, least: int) -> PlayerId | None:
    """Who has most shares and at least so many."""
    seats = (initiator, *from_left_of(table, initiator)[:-1])
    first = max(seats, key=lambda player: shares_held(table, company, player))
    return first if shares_held(table, company, first) >= least else None

"""Who directs a company, and what changes hands when another does.

Where a title allows it the director's certificate may lie in the pool: the company is then in
receivership, somebody acts for it, and whoever comes to hold enough shares takes the certificate.
"""

from contracts import events as e
from contracts.ids import POOL, CertificateKind, CompanyId, Party, PlayerId, is_directors, shares_of
from contracts.pieces import CertificateMove
from services.engine.rules.draft import Draft
from services.engine.rules.families.director_ties import DIRECTOR_TIES
from services.engine.rules.families.phrase import picked
from services.engine.rules.ruleset import Ruleset
from services.engine.rules.shares.counting import held, shares_held, smallest_kind
from services.engine.table.state import Table


def successor(ruleset: Ruleset, table: Table, company: CompanyId, sold: int = 0) -> PlayerId | None:
    """Who holds more than the director, once he has sold so many shares; None if nobody (3.2.7).

    Equal holdings change nothing; who follows has enough for the director's certificate.
    """
    director = table.charters[company].director
    if director is None:
        return None
    keeps = shares_held(table, company, director) - sold
    others = {
        player: shares_held(table, company, player) for player in table.order if player != director
    }
    most = max(others.values(), default=0)
    if most <= keeps or most < directors_shares(table, company):
        return None
    equals = [player for player, shares in others.items() if shares == most]
    tie = picked("director tie", DIRECTOR_TIES, ruleset.facts.share_rules.director_tie)
    return tie(table, director, equals)


def directors_shares(table: Table, company: CompanyId) -> int:
    """The shares on the director's certificate of a company."""
    return shares_of(directors_certificate(table, company)[0])


def directors_certificate(table: Table, company: CompanyId) -> tuple[CertificateKind, Party]:
    """The kind of a company's director's certificate, and who or what holds it."""
    return next(
        (kind, holder)
        for holder, certificates in table.certificates[company].items()
        for kind in certificates
        if is_directors(kind)
    )


def swap(table: Table, company: CompanyId, new: PlayerId) -> e.CertificatesMoved:
    """The new director gives ordinary certificates for the director's.

    They pass from one to the other, never through the pool (4.3), unless it lies there.
    """
    kind, old = directors_certificate(table, company)
    return e.CertificatesMoved(
        company,
        (
            CertificateMove(kind, 1, old, new),
            CertificateMove(smallest_kind(), shares_of(kind), new, old),
        ),
        "swap",
    )


def changed(company: CompanyId, new: PlayerId) -> e.DirectorChanged:
    """Another player decides for a company."""
    return e.DirectorChanged(company, new, new)


def review(ruleset: Ruleset, draft: Draft, company: CompanyId) -> None:
    """Change the director at once if somebody holds more, or enough where there is none (3.2.7).

    Where there still is none, somebody else may act for the company now.
    """
    table = draft.table
    in_pool = is_in_receivership(table, company)
    new = (rescuer if in_pool else successor)(ruleset, table, company)
    if new is not None:
        draft.emit(swap(table, company, new), changed(company, new))
    elif in_pool:
        goes_on_without(draft, company)


def review_all(ruleset: Ruleset, draft: Draft) -> None:
    """Look again who acts for companies without a director: the priority deal has moved (8.0)."""
    for company, charter in draft.table.charters.items():
        if charter.status in {"started", "floated"} and is_in_receivership(draft.table, company):
            review(ruleset, draft, company)


def is_in_receivership(table: Table, company: CompanyId) -> bool:
    """Whether a started company's director's certificate lies in the pool (8.0)."""
    return any(is_directors(kind) for kind in held(table, company, POOL))


def goes_on_without(draft: Draft, company: CompanyId) -> None:
    """A company has no director; say who acts for it, if that is news."""
    charter = draft.table.charters[company]
    acting = caretaker(draft.table, company)
    if charter.director is not None or charter.acting != acting:
        draft.emit(e.DirectorChanged(company, None, acting))


def caretaker(table: Table, company: CompanyId) -> PlayerId:
    """Who acts for a company without a director: its largest holder (8.0).

    Of equals, and where nobody holds any, it is the first clockwise from the priority deal.
    """
    seat = table.order.index(table.first)
    seats = (*table.order[seat:], *table.order[:seat])
    return max(seats, key=lambda player: shares_held(table, company, player))


def rescuer(ruleset: Ruleset, table: Table, company: CompanyId) -> PlayerId | None:
    """Who takes the director's certificate out of the pool: the largest holder of enough (6.3)."""
    holdings = {player: shares_held(table, company, player) for player in table.order}
    most = max(holdings.values())
    if most < directors_shares(table, company):
        return None
    equals = [player for player, shares in holdings.items() if shares == most]
    old = table.charters[company].last_director or table.first
    tie = picked("director tie", DIRECTOR_TIES, ruleset.facts.share_rules.director_tie)
    return tie(table, old, equals)

"""Who directs a company, and what changes hands when another does."""

from contracts import events as e
from contracts.ids import CompanyId, PlayerId, is_directors, shares_of
from contracts.pieces import CertificateMove
from services.engine.rules.draft import Draft
from services.engine.rules.families.director_ties import DIRECTOR_TIES
from services.engine.rules.families.phrase import picked
from services.engine.rules.ruleset import Ruleset
from services.engine.rules.shares import held, shares_held, smallest_kind
from services.engine.table.state import Table


def successor(ruleset: Ruleset, table: Table, company: CompanyId, sold: int = 0) -> PlayerId | None:
    """Who holds more than the director, once he has sold so many shares; None if nobody (3.2.7).

    Equal holdings change nothing.
    """
    director = table.charters[company].director
    if director is None:
        return None
    keeps = shares_held(table, company, director) - sold
    others = {
        player: shares_held(table, company, player) for player in table.order if player != director
    }
    most = max(others.values(), default=0)
    if most <= keeps:
        return None
    equals = [player for player, shares in others.items() if shares == most]
    tie = picked("director tie", DIRECTOR_TIES, ruleset.facts.share_rules.director_tie)
    return tie(table, director, equals)


def directors_shares(table: Table, company: CompanyId) -> int:
    """The shares on the director's certificate of a company that has a director."""
    director = table.charters[company].director
    assert director is not None  # only started companies are asked about
    return next(shares_of(k) for k in held(table, company, director) if is_directors(k))


def swap(table: Table, company: CompanyId, new: PlayerId) -> e.CertificatesMoved:
    """The new director gives ordinary certificates for the director's.

    They pass from player to player, never through the pool (4.3).
    """
    old = table.charters[company].director
    assert old is not None  # a company without a director has no certificate to swap
    kind = next(kind for kind in held(table, company, old) if is_directors(kind))
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
    """Change the director at once if somebody holds more now (3.2.7)."""
    new = successor(ruleset, draft.table, company)
    if new is not None:
        draft.emit(swap(draft.table, company, new), changed(company, new))

"""Counting shares and certificates."""

from contracts.ids import (
    OFFERING,
    CertificateKind,
    CompanyId,
    Money,
    Party,
    is_directors,
)
from contracts.pieces import CertificateMove, Certificates
from services.engine.table.on_money import shares_in
from services.engine.table.state import Table


def is_public(table: Table, company: CompanyId) -> bool:
    """Whether there is a public company of that name."""
    charter = table.charters.get(company)
    return charter is not None and charter.kind == "public"


def publics(table: Table) -> tuple[CompanyId, ...]:
    """All public companies, in the order of the title."""
    return tuple(id for id, charter in table.charters.items() if charter.kind == "public")


def held(table: Table, company: CompanyId, holder: Party) -> Certificates:
    """The certificates of a company that somebody holds."""
    return table.certificates[company].get(holder, {})


def shares_held(table: Table, company: CompanyId, holder: Party) -> int:
    """The shares of a company that somebody holds."""
    return shares_in(held(table, company, holder))


def percent(table: Table, company: CompanyId, shares: int) -> int:
    """Shares as a part of the whole, in percent."""
    return 100 * shares // table.charters[company].whole


def ordinary(certificates: Certificates) -> Certificates:
    """The certificates without the director's."""
    return {kind: number for kind, number in certificates.items() if not is_directors(kind)}


def directors_kind(table: Table, company: CompanyId, holder: Party) -> CertificateKind | None:
    """The kind of the director's certificate, if the holder has it."""
    return next((kind for kind in held(table, company, holder) if is_directors(kind)), None)


def smallest_kind(shares: int = 1) -> CertificateKind:
    """The kind of an ordinary certificate of so many shares."""
    return CertificateKind(str(shares))


def price_in(table: Table, company: CompanyId, source: Party) -> Money:
    """What a share of a started company costs: par in the offering, else the market's price."""
    par = table.charters[company].par
    if source == OFFERING and par is not None:
        return par
    return market_price(table, company)


def market_price(table: Table, company: CompanyId) -> Money:
    """The price of a started company.

    One that is in a column of the par chart is worth its par until it has a marker on the market;
    any other without a marker is worth nothing.
    """
    marker, charter = table.markers.get(company), table.charters[company]
    if marker is not None:
        return marker.price
    return 0 if charter.column is None else charter.par or 0


def moves(certificates: Certificates, source: Party, target: Party) -> tuple[CertificateMove, ...]:
    """The moves of certificates from one holder to another."""
    return tuple(
        CertificateMove(kind, number, source, target) for kind, number in certificates.items()
    )


def in_players_hands(table: Table, company: CompanyId) -> int:
    """The shares of a company that players hold."""
    return sum(shares_held(table, company, player) for player in table.order)

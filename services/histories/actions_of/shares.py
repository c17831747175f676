"""Shares bought and sold, and a private exchanged for one."""

from collections.abc import Iterable

from contracts.commands import BuyShares, ExchangePrivate, SellShares
from contracts.ids import CertificateKind, CompanyId, Party
from services.histories.certificates import company_of
from services.histories.errors import HistoryError
from services.histories.game import Game, Orders
from services.histories.kinds import BuyOf, SellOf


def company_in(action: BuyOf | SellOf) -> CompanyId:
    """The company whose certificates an action names."""
    if not action.shares:
        raise HistoryError("no certificate is named")
    return company_of(action.shares[0])


def kinds(game: Game, certificates: Iterable[str]) -> dict[CertificateKind, int]:
    """The kinds of some certificates of one company, as we write them."""
    counted: dict[CertificateKind, int] = {}
    for certificate in certificates:
        shares = game.certificates.percent((certificate,)) // share_of(game, certificate)
        suffix = "d" if game.certificates.is_directors(certificate) else ""
        kind = CertificateKind(f"{shares}{suffix}")
        counted[kind] = counted.get(kind, 0) + 1
    return counted


def share_of(game: Game, certificate: str) -> int:
    """How many per cent one share of the certificate's company is."""
    return 100 // game.table.charters[company_of(certificate)].whole


def source_of(game: Game, certificate: str, company: CompanyId) -> Party:
    """Where a certificate is bought: as its number says, or the only place that has its kind."""
    named = game.certificates.holder(certificate)
    kind = next(iter(kinds(game, (certificate,))))
    having = [
        party
        for party, held in game.table.certificates[company].items()
        if kind in held and party not in game.table.order
    ]
    return named if named in having or len(having) != 1 else having[0]


def buy(game: Game, action: BuyOf) -> Orders:
    """Certificates bought by a player, or taken for a private."""
    company = company_in(action)
    source = source_of(game, action.shares[0], company)
    player = game.player(game.party(action))
    taken = kinds(game, action.shares)
    # What is bought is the buyer's before a director's certificate is exchanged for it.
    for certificate in action.shares:
        game.certificates.moved(certificate, player)
    if action.entity_type == "company":
        private = CompanyId(game.party(action))
        yield game.order(player, ExchangePrivate(private, company, source))
    else:
        yield game.order(player, BuyShares(company, source, taken))


def percent_sold(game: Game, action: SellOf) -> int:
    """What was paid for: all that the certificates say, unless the action says less."""
    if action.percent is not None:
        return action.percent
    return game.certificates.percent(action.shares)


def sell(game: Game, action: SellOf) -> Orders:
    """Certificates sold in one block; where the director's is among them, the shares paid for."""
    company = company_in(action)
    player = game.player(game.party(action))
    if any(map(game.certificates.is_directors, action.shares)):
        share = share_of(game, action.shares[0])
        given = {CertificateKind("1"): percent_sold(game, action) // share}
    else:
        given = kinds(game, action.shares)
    yield game.order(player, SellShares(company, given))

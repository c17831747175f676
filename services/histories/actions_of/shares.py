"""Shares bought and sold, and a private exchanged for one."""

from collections.abc import Iterable

from contracts.commands import BuyShares, ExchangePrivate, RedeemShares, SellShares
from contracts.ids import CertificateKind, CompanyId, Party
from services.engine.rules.acts.sell_block import block_of
from services.engine.rules.ruleset import ruleset_of
from services.engine.rules.shares.counting import smallest_kind
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
    party = game.party(action)
    player = game.player(party)
    taken = kinds(game, action.shares)
    if action.entity_type == "corporation":
        for certificate in action.shares:
            game.certificates.moved(certificate, party)
        yield game.order(player, RedeemShares(sum(taken.values())))
        return
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
        number = percent_sold(game, action) // share_of(game, action.shares[0])
        block = block_of(ruleset_of(game.table), game.table, player, company, number)
        yield game.order(player, block or SellShares(company, {smallest_kind(): number}))
        return
    yield game.order(player, SellShares(company, kinds(game, action.shares)))

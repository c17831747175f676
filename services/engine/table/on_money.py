"""Money and paper: companies, shares, directors, markers."""

from collections.abc import Mapping
from typing import Any, Final

from contracts import events as e
from contracts.frames import Purchase, Round, Turn
from contracts.ids import (
    BOX,
    OFFERING,
    CompanyId,
    Party,
    PlayerId,
    Space,
    shares_of,
)
from contracts.money import total
from contracts.pieces import CertificateMove, Certificates, Charter, Holdings, Marker
from services.engine.table.agenda import Agenda, replaced
from services.engine.table.agenda import changed as frame_changed
from services.engine.table.change import changed, moved, paid, with_entry, with_holdings
from services.engine.table.on_agenda import dealt, has_acted, has_bids, lot_gone, sale_counted
from services.engine.table.state import Table


def shares_in(certificates: Certificates) -> int:
    """Shares on certificates of one company."""
    shares = 0
    for kind, number in certificates.items():
        shares += shares_of(kind) * number
    return shares


def all_moved(holdings: Holdings, moves: tuple[CertificateMove, ...]) -> Holdings:
    """One company's holdings after several moves in their order."""
    for move in moves:
        holdings = moved(holdings, move.source, move.target, {move.kind: move.number})
    return holdings


def money_paid(table: Table, event: e.MoneyPaid) -> Table:
    """Money changed hands."""
    return changed(table, cash=paid(table.cash, event.payments))


def lot_won(table: Table, event: e.LotWon) -> Table:
    """A lot and its certificates are the winner's.

    He has dealt if he paid for it and nobody had bid for it before; who has to take it has not.
    """
    holdings = all_moved(table.certificates[event.lot], event.certificates)
    agenda = has_acted(table.agenda)
    if event.payments and not has_bids(agenda, event.lot):
        agenda = dealt(agenda, event.player, table.order)
    return changed(
        table,
        cash=paid(table.cash, event.payments),
        certificates=with_holdings(table, event.lot, holdings),
        charters=with_charter(
            table, event.lot, status="floated", director=event.player, acting=event.player
        ),
        agenda=lot_gone(agenda, event.lot),
    )


def with_charter(table: Table, company: CompanyId, **fields: object) -> dict[CompanyId, Charter]:
    """All charters, with some fields of one changed."""
    charter: Charter = changed(table.charters[company], **fields)
    return with_entry(table.charters, company, charter)


def company_started(table: Table, event: e.CompanyStarted) -> Table:
    """A company has a par and its first certificates are sold."""
    holdings = all_moved(table.certificates[event.company], event.certificates)
    sold = sum(
        shares_of(move.kind) * move.number
        for move in event.certificates
        if move.target == event.player
    )
    agenda = dealt(table.agenda, event.player, table.order) if sold else table.agenda
    if sold:
        agenda = purchase_counted(agenda, event.player, Purchase(event.company, OFFERING, sold))
    return changed(
        table,
        cash=paid(table.cash, event.payments),
        certificates=with_holdings(table, event.company, holdings),
        charters=with_charter(table, event.company, status="started", par=event.price),
        agenda=agenda,
    )


def purchase_counted(agenda: Agenda, who: Party, purchase: Purchase) -> Agenda:
    """The turn remembers what was bought in it, and the round by whom."""

    def in_round(round: Round) -> Round:
        mine = round.bought.get(PlayerId(who), {})
        mine = with_entry(mine, purchase.company, mine.get(purchase.company, 0) + purchase.shares)
        return replaced(round, bought=with_entry(round.bought, PlayerId(who), mine))

    agenda = frame_changed(agenda, Round, in_round)
    return frame_changed(agenda, Turn, lambda turn: replaced(turn, bought=(*turn.bought, purchase)))


def company_floated(table: Table, event: e.CompanyFloated) -> Table:
    """A company has its capital, and the round remembers that it floated in it."""
    agenda = frame_changed(
        table.agenda, Round, lambda round: replaced(round, floated=(*round.floated, event.company))
    )
    return changed(
        table,
        cash=paid(table.cash, event.payments),
        charters=with_charter(table, event.company, status="floated", bound=None),
        agenda=agenda,
    )


def company_bought(table: Table, event: e.CompanyBought) -> Table:
    """A private or minor is the buyer's, who also acts for it if he is a player."""
    holdings = table.certificates[event.company]
    holdings = moved(holdings, event.seller, event.buyer, holdings.get(event.seller, {}))
    player = event.buyer if event.buyer in table.order else None
    return changed(
        table,
        cash=paid(table.cash, event.payments),
        certificates=with_holdings(table, event.company, holdings),
        charters=with_charter(table, event.company, director=player, acting=player),
        agenda=has_acted(table.agenda),
    )


def company_closed(table: Table, event: e.CompanyClosed) -> Table:
    """A company is closed; its certificates are in the box, and its charter names nobody."""
    holdings = table.certificates[event.company]
    for holder, certificates in tuple(holdings.items()):
        if holder != BOX:
            holdings = moved(holdings, holder, BOX, certificates)
    return changed(
        table,
        certificates=with_holdings(table, event.company, holdings),
        charters=with_charter(table, event.company, status="closed", acting=None),
    )


def shares_bought(table: Table, event: e.SharesBought) -> Table:
    """Certificates are the buyer's."""
    holdings = moved(table.certificates[event.company], event.source, event.who, event.taken)
    holdings = moved(holdings, event.who, event.source, event.given)
    bought = shares_in(event.taken) - shares_in(event.given)
    agenda = dealt(table.agenda, event.who, table.order)
    return changed(
        table,
        cash=paid(table.cash, event.payments),
        certificates=with_holdings(table, event.company, holdings),
        agenda=purchase_counted(agenda, event.who, Purchase(event.company, event.source, bought)),
    )


def shares_sold(table: Table, event: e.SharesSold) -> Table:
    """Certificates lie in the pool, and the sale is remembered."""
    holdings = moved(table.certificates[event.company], event.who, event.target, event.given)
    holdings = moved(holdings, event.target, event.who, event.taken)
    sold = shares_in(event.given) - shares_in(event.taken)
    agenda = dealt(table.agenda, event.who, table.order)
    agenda = sale_counted(agenda, event.who, event.company, sold)
    raised = total(event.payments) // sold if sold else 0
    return changed(
        table,
        cash=paid(table.cash, event.payments),
        certificates=with_holdings(table, event.company, holdings),
        agenda=frame_changed(agenda, Turn, lambda turn: replaced(turn, raised=raised)),
    )


def certificates_moved(table: Table, event: e.CertificatesMoved) -> Table:
    """Certificates changed places unpaid."""
    holdings = all_moved(table.certificates[event.company], event.moves)
    return changed(table, certificates=with_holdings(table, event.company, holdings))


def director_changed(table: Table, event: e.DirectorChanged) -> Table:
    """Another player decides for a company."""
    old = table.charters[event.company]
    last = old.last_director if old.director is None else old.director
    charters = with_charter(
        table,
        event.company,
        director=event.director,
        acting=event.acting,
        last_director=None if event.director is not None else last,
    )
    return changed(table, charters=charters)


def marker_moved(table: Table, event: e.MarkerMoved) -> Table:
    """A marker lies in its place of a stack, or is off the market."""
    market: dict[Space, tuple[CompanyId, ...]] = dict(table.market)
    markers = dict(table.markers)
    old = markers.pop(event.company, None)
    if old is not None:
        space = Space(old.space)
        market[space] = tuple(c for c in market[space] if c != event.company)
        if not market[space]:
            del market[space]
    if event.space is not None:
        stack = market.get(event.space, ())
        market[event.space] = (*stack[: event.place], event.company, *stack[event.place :])
        markers[event.company] = Marker(event.space, event.price)
    return changed(table, market=market, markers=markers)


APPLY: Final[Mapping[type, Any]] = {
    e.MoneyPaid: money_paid,
    e.LotWon: lot_won,
    e.CompanyStarted: company_started,
    e.CompanyFloated: company_floated,
    e.CompanyBought: company_bought,
    e.CompanyClosed: company_closed,
    e.SharesBought: shares_bought,
    e.SharesSold: shares_sold,
    e.CertificatesMoved: certificates_moved,
    e.DirectorChanged: director_changed,
    e.MarkerMoved: marker_moved,
}

"""Sentences about money, companies, shares, directors and markers."""

from collections.abc import Mapping
from typing import Any, Final

from contracts import events as e
from contracts.ids import CompanyId, Party
from contracts.money import Payments, total
from contracts.pieces import CertificateMove, Certificates
from services.engine.projections.words import Words, listed, reason
from services.engine.table.state import Table

Lines = tuple[str, ...]


def price(words: Words, payments: Payments) -> str:
    """What something cost, as the end of a clause; nothing where it was free."""
    return f" for {words.money(total(payments))}" if payments else ""


def received(words: Words, moves: tuple[CertificateMove, ...], who: Party) -> Certificates:
    """The certificates that moves bring to somebody."""
    gained: Certificates = {}
    for move in moves:
        if move.target == who:
            gained[move.kind] = gained.get(move.kind, 0) + move.number
    return gained


def money_paid(words: Words, table: Table, event: e.MoneyPaid) -> Lines:
    """Who paid whom, and what for: one sentence for each payer."""
    lines = []
    for payer in dict.fromkeys(payment.payer for payment in event.payments):
        shares = [
            f"{words.money(payment.amount)} to {words.party(payment.payee)}"
            for payment in event.payments
            if payment.payer == payer
        ]
        lines.append(f"{words.party(payer)} paid {listed(shares)}{reason(event.because)}")
    return tuple(lines)


def lot_won(words: Words, table: Table, event: e.LotWon) -> Lines:
    """Who bought what, and for how much."""
    bought = f"{words.party(event.player)} bought {words.party(event.lot)}"
    return (f"{bought}{price(words, event.payments)}",)


def company_started(words: Words, table: Table, event: e.CompanyStarted) -> Lines:
    """The price, and the certificate taken with it."""
    who, company = words.party(event.player), words.party(event.company)
    amount = words.money(event.price)
    taken = received(words, event.certificates, event.player)
    if not taken:
        return (f"{who} set the par of {company} at {amount}",)
    papers = words.papers(event.company, taken)
    paid = price(words, event.payments)
    return (f"{who} started {company} at a par of {amount} and took {papers}{paid}",)


def company_floated(words: Words, table: Table, event: e.CompanyFloated) -> Lines:
    """A company that may operate, and its capital."""
    capital = total(p for p in event.payments if p.payee == event.company)
    tail = f" and received {words.money(capital)}" if capital else ""
    return (f"{words.party(event.company)} floated{tail}",)


def company_bought(words: Words, table: Table, event: e.CompanyBought) -> Lines:
    """A private or minor with a new owner."""
    buyer, seller = words.party(event.buyer), words.party(event.seller)
    what = words.party(event.company)
    return (f"{buyer} bought {what} from {seller}{price(words, event.payments)}",)


def company_closed(words: Words, table: Table, event: e.CompanyClosed) -> Lines:
    """A company that is out of the game."""
    return (f"{words.party(event.company)} closed{reason(event.because)}",)


def change(words: Words, company: CompanyId, certificates: Certificates, verb: str) -> str:
    """What went the other way, as the end of a clause."""
    return f", {verb} {words.papers(company, certificates)}" if certificates else ""


def shares_bought(words: Words, table: Table, event: e.SharesBought) -> Lines:
    """Who bought which certificates, from where, for how much."""
    what = words.certificates(event.company, event.taken)
    source, paid = words.party(event.source), price(words, event.payments)
    back = change(words, event.company, event.given, "giving")
    return (f"{words.party(event.who)} bought {what} from {source}{paid}{back}",)


def shares_sold(words: Words, table: Table, event: e.SharesSold) -> Lines:
    """Who sold which certificates, to where, for how much."""
    what = words.certificates(event.company, event.given)
    target, paid = words.party(event.target), price(words, event.payments)
    back = change(words, event.company, event.taken, "taking back")
    return (f"{words.party(event.who)} sold {what} to {target}{paid}{back}",)


def certificates_moved(words: Words, table: Table, event: e.CertificatesMoved) -> Lines:
    """Certificates that changed places unpaid, move by move."""
    lines = []
    for move in event.moves:
        what = words.certificates(event.company, {move.kind: move.number})
        source, target = words.party(move.source), words.party(move.target)
        lines.append(f"{what} went from {source} to {target}{reason(event.because)}")
    return tuple(lines)


def director_changed(words: Words, table: Table, event: e.DirectorChanged) -> Lines:
    """Who directs a company, and who acts for it if somebody else does."""
    company = words.party(event.company)
    acting = event.acting if event.acting != event.director else None
    tail = f"; {words.party(acting)} acts for it" if acting is not None else ""
    if event.director is None:
        return (f"{company} has no director{tail}",)
    return (f"{words.party(event.director)} became director of {company}{tail}",)


def marker_moved(words: Words, table: Table, event: e.MarkerMoved) -> Lines:
    """From which price to which."""
    company, why = words.party(event.company), reason(event.because)
    old, new = table.markers.get(event.company), words.money(event.price)
    if event.space is None:
        return (f"the marker of {company} left the market{why}",)
    if old is None:
        return (f"the marker of {company} was put on {new}{why}",)
    if old.price == event.price:
        return (f"the price of {company} stayed at {new}{why}",)
    verb = "rose" if event.price > old.price else "fell"
    return (f"the price of {company} {verb} from {words.money(old.price)} to {new}{why}",)


TELL: Final[Mapping[type, Any]] = {
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

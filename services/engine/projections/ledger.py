"""The ledger: each movement of money with its reason."""

from contracts import events as e
from contracts.ids import Money, Party
from contracts.money import Payments
from contracts.views import LedgerEntry, LedgerView
from services.engine.projections.minutes_money import received
from services.engine.projections.pages import Page, standing
from services.engine.projections.words import Words
from services.engine.table.state import Table


def entries(words: Words, version: int, place: int, event: e.AnyEvent) -> tuple[LedgerEntry, ...]:
    """The movements of money in an event that is the `place`th of its record."""
    payments: Payments = getattr(event, "payments", ())
    if not payments:
        return ()
    because = reason(words, event)
    return tuple(
        LedgerEntry(version, place, payment.payer, payment.payee, payment.amount, because)
        for payment in payments
    )


def reason(words: Words, event: e.AnyEvent) -> str:
    """What an event pays for."""
    match event:
        case e.MoneyPaid():
            return event.because
        case e.LotWon():
            return f"auction of {words.party(event.lot)}"
        case e.CompanyStarted():
            taken = received(words, event.certificates, event.player)
            return words.certificates(event.company, taken)
        case e.CompanyFloated():
            return f"capital of {words.party(event.company)}"
        case e.CompanyBought():
            return f"purchase of {words.party(event.company)}"
        case e.SharesBought():
            return f"purchase of {words.certificates(event.company, event.taken)}"
        case e.SharesSold():
            return f"sale of {words.certificates(event.company, event.given)}"
        case e.TileLaid():
            return f"tile {event.tile} on {words.place(event.hex)}"
        case e.TokenPlaced():
            return f"token on {words.place(event.token.place)}"
        case e.TokensSet():
            return f"tokens of {words.party(event.company)}"
        case e.TrainBought():
            return f"train {event.train.id}"
        case e.EarningsDivided():
            return f"earnings of {words.party(event.company)}"
        case _:
            return type(event).__name__


def view(pages: tuple[Page, ...], table: Table) -> LedgerView:
    """All movements that stand, and the balances they lead to."""
    opening: dict[Party, Money] = {}
    found: list[LedgerEntry] = []
    for page in standing(pages, table.version):
        if page.opening is not None:
            opening = dict(page.opening)
        found.extend(page.entries)
    balances = dict(opening)
    for entry in found:
        balances[entry.payer] = balances.get(entry.payer, 0) - entry.amount
        balances[entry.payee] = balances.get(entry.payee, 0) + entry.amount
    return LedgerView(table.id, table.version, opening, tuple(found), balances)

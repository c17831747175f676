"""The ledger: every payment, with what it was for."""

import pytest

from contracts import events as e
from contracts.titles.load import facts
from services.engine.projections import ledger
from services.engine.projections.words import words_of
from tests.examples import EVENTS
from tests.projections.projected import view
from tests.tables import operated

PAYING = {
    "MoneyPaid": "income",
    "LotWon": "auction of Schuylkill Valley",
    "CompanyStarted": "the director's certificate (20%) of PRR",
    "CompanyFloated": "capital of PRR",
    "CompanyBought": "purchase of Schuylkill Valley",
    "SharesBought": "purchase of two 10% shares of PRR",
    "SharesSold": "sale of the director's certificate (20%) of PRR",
    "TileLaid": "tile 14 on H12 (Altoona)",
    "TokenPlaced": "token on F16 (Scranton)",
    "TokensSet": "tokens of PRR",
    "TrainBought": "train 3-0",
    "EarningsDivided": "earnings of PRR",
}


def test_the_opening_and_the_entries_make_the_cash_on_the_table():
    shown = view(operated(), "ledger")
    assert shown.opening == operated().tables[1].cash
    assert shown.balances == operated().table.cash


def test_entries_come_in_order_with_their_place_in_the_record():
    entries = view(operated(), "ledger").entries
    assert [(one.at_version, one.event, one.amount) for one in entries] == [
        (2, 0, 134),
        (3, 0, 152),
        (4, 0, 134),
        (5, 0, 134),
        (6, 4, 670),
        (7, 0, 120),
        (9, 1, 24),
        (9, 1, 12),
        (10, 0, 80),
    ]


@pytest.mark.parametrize("event", EVENTS, ids=lambda event: type(event).__name__)
def test_every_event_that_pays_is_entered_with_its_reason(event):
    words = words_of(operated().table, facts("1830"))
    entries = ledger.entries(words, 4, 2, event)
    paid = getattr(event, "payments", ())
    assert [(one.payer, one.payee, one.amount) for one in entries] == [
        (payment.payer, payment.payee, payment.amount) for payment in paid
    ]
    assert {one.reason for one in entries} == ({PAYING[type(event).__name__]} if paid else set())


def test_every_event_with_payments_is_among_those_with_a_reason():
    paying = {type(event).__name__ for event in EVENTS if hasattr(event, "payments")}
    assert paying == set(PAYING)
    assert e.MoneyPaid.__name__ in paying

"""Money changing hands."""

from collections.abc import Iterable

from msgspec import Struct

from contracts.ids import Money, Party


class Payment(Struct, frozen=True, array_like=True):
    """One payer, one payee, one amount of at least 1, in whole pounds or dollars."""

    payer: Party
    payee: Party
    amount: Money


Payments = tuple[Payment, ...]


def pay(payer: Party, payee: Party, amount: Money) -> Payments:
    """The payment of an amount, or none where nothing is due.

    >>> pay(Party("ann"), Party("bank"), 0)
    ()
    """
    return (Payment(payer, payee, amount),) if amount else ()


def total(payments: Iterable[Payment]) -> Money:
    """The sum of all payments."""
    return sum(payment.amount for payment in payments)

"""Small copies: what an event touches is copied, the rest of the table is shared."""

from collections.abc import Iterable, Mapping
from typing import Final, TypeVar

import msgspec

from contracts.ids import CertificateKind, CompanyId, Money, Party, TrainId
from contracts.money import Payment
from contracts.pieces import Certificates, Holdings, Train
from services.engine.table.state import Table

K = TypeVar("K")
V = TypeVar("V")


class NotThereError(LookupError):
    """An event takes a piece from where it is not: the log is damaged."""


changed: Final = msgspec.structs.replace
"""The table, or another struct, with some fields changed. Each event does it several times."""


def with_entry(mapping: Mapping[K, V], key: K, value: V) -> dict[K, V]:
    """A copy with one entry set."""
    copy = dict(mapping)
    copy[key] = value
    return copy


def paid(cash: dict[Party, Money], payments: Iterable[Payment]) -> dict[Party, Money]:
    """The accounts after payments. The sum of all accounts stays the same."""
    copy = dict(cash)
    for payment in payments:
        copy[payment.payer] -= payment.amount
        copy[payment.payee] += payment.amount
    return copy


def moved(
    holdings: Holdings, source: Party, target: Party, certificates: Mapping[CertificateKind, int]
) -> Holdings:
    """One company's holdings after certificates went from one holder to another."""
    if not certificates:
        return holdings
    copy = dict(holdings)
    giving: Certificates = dict(copy.get(source, {}))
    taking: Certificates = dict(copy.get(target, {}))
    for kind, number in certificates.items():
        left = giving.get(kind, 0) - number
        if left < 0:
            raise NotThereError(f"{source} has not {number} certificates of kind {kind}")
        giving[kind] = left
        if not left:
            del giving[kind]
        taking[kind] = taking.get(kind, 0) + number
    copy[target] = taking
    copy[source] = giving
    if not giving:
        del copy[source]
    return copy


def with_holdings(
    table: Table, company: CompanyId, holdings: Holdings
) -> dict[CompanyId, Holdings]:
    """All certificates, with one company's holdings changed."""
    return with_entry(table.certificates, company, holdings)


def trains_moved(
    trains: dict[Party, tuple[Train, ...]], ids: Iterable[TrainId], source: Party, target: Party
) -> dict[Party, tuple[Train, ...]]:
    """Trains after some went from one owner to another, in the order named."""
    wanted = tuple(ids)
    there = {train.id: train for train in trains.get(source, ())}
    for id in wanted:
        if id not in there:
            raise NotThereError(f"{source} has no train {id}")
    copy = dict(trains)
    copy[source] = tuple(train for train in copy.get(source, ()) if train.id not in wanted)
    copy[target] = copy.get(target, ()) + tuple(there[id] for id in wanted)
    return copy

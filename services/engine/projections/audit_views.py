"""The views, worked out anew; and the players' wealth, added up on another path.

The other path is straight from the amounts and moves in the events that stand: no table, no page,
no projection is used, so a fault in any of those shows as a difference.
"""

from collections import Counter
from collections.abc import Mapping, Sequence

from contracts import events as e
from contracts.ids import CompanyId, Money, Party, TableId, shares_of
from contracts.money import Payments
from contracts.pieces import CertificateMove, Certificates
from contracts.records import Record
from contracts.views import AnyView, Fault, WealthView
from services.engine.projections import api
from services.engine.table.fold import effective, table_at, tables
from services.engine.table.state import Table, new_table


def views_fault(
    records: Sequence[Record],
    state: api.State,
    table: Table,
    stored: Mapping[api.Name, AnyView],
    checks: dict[str, int],
) -> Fault | None:
    """The first view that is not what it should be."""
    version = records[-1].version
    if table_at(table.id, records) != table:
        sentence = f"Version {version}: the table, worked out from what stands, is another."
        return Fault("view", version, sentence)
    anew = worked_out(table.id, records)
    for name in api.NAMES:
        kept = api.view(api.decoded(api.encoded(state)), table, name)
        right = api.view(anew, table, name)
        checks["views"] = checks.get("views", 0) + 1
        if kept != right or stored.get(name, right) != right:
            sentence = f"Version {version}: the view {name} is not what the records lead to."
            return Fault("view", version, sentence)
        if isinstance(right, WealthView):
            fault = wealth_fault(records, right)
            checks["wealth"] = len(right.players)
            if fault is not None:
                return fault
    return None


def worked_out(table_id: TableId, records: Sequence[Record]) -> api.State:
    """The state of the projections from nothing."""
    state = api.start(table_id)
    before = new_table(table_id)
    for record, after in tables(table_id, records):
        state = api.project(state, record, before, after)
        before = after
    return state


def wealth_fault(records: Sequence[Record], view: WealthView) -> Fault | None:
    """Where the wealth shown is not the sum of what was paid and moved."""
    sums = added_up(records)
    version = view.version
    for one in view.players:
        shares = {
            company: number
            for (holder, company), number in sums.shares.items()
            if holder == one.player and number and company not in one.privates
        }
        shown = {company: worth.shares for company, worth in one.shares.items()}
        privates = {
            company
            for (holder, company), number in sums.shares.items()
            if holder == one.player and number and company in one.privates
        }
        worth = sum(
            holding.amount
            for company, holding in one.shares.items()
            if sums.may_count(company, shares.get(company, 0), holding.amount)
        )
        total = (
            sums.cash[one.player]
            + worth
            + sum(one.privates[company] for company in privates)
            + sum(one.other.values())
            - one.loans
        )
        if (one.cash, shown, one.total) != (sums.cash[one.player], shares, total):
            sentence = (
                f"Version {version}: {one.player} is shown with {one.cash} cash, {shown} and "
                f"{one.total} in all; payments and moves add up to {sums.cash[one.player]}, "
                f"{shares} and {total}."
            )
            return Fault("wealth", version, sentence)
    return None


class Sums:
    """Cash, shares and prices, added up from events."""

    def __init__(self) -> None:
        self.cash: Counter[Party] = Counter()
        self.shares: Counter[tuple[Party, CompanyId]] = Counter()
        self.prices: dict[CompanyId, Money] = {}
        self.pars: dict[CompanyId, Money] = {}

    def may_count(self, company: CompanyId, number: int, amount: Money) -> bool:
        """Whether so many shares may count for an amount: their price, or half of it.

        Halves may be rounded down for each share or for several. Without a price par stands in for
        it, or nothing.
        """
        price = self.prices.get(company, 0)
        whole = price or self.pars.get(company, 0)
        if amount == number * whole or (not price and not amount):
            return True
        return number * (whole // 2) <= amount <= number * whole // 2

    def pay(self, payments: Payments) -> None:
        """Count payments."""
        for payment in payments:
            self.cash[payment.payer] -= payment.amount
            self.cash[payment.payee] += payment.amount

    def move(self, company: CompanyId, moves: Sequence[CertificateMove]) -> None:
        """Count certificates that moved."""
        for move in moves:
            number = shares_of(move.kind) * move.number
            self.shares[move.source, company] -= number
            self.shares[move.target, company] += number

    def give(
        self, company: CompanyId, source: Party, target: Party, certificates: Certificates
    ) -> None:
        """Count certificates that somebody gave."""
        self.move(
            company,
            [CertificateMove(kind, n, source, target) for kind, n in certificates.items()],
        )


def added_up(records: Sequence[Record]) -> Sums:
    """The sums over all events that stand."""
    sums = Sums()
    for version in effective(records):
        for event in records[version - 1].events:
            sums.pay(getattr(event, "payments", ()))
            count(sums, event)
    return sums


def count(sums: Sums, event: e.AnyEvent) -> None:
    """Count the paper and the prices of one event."""
    match event:
        case e.PiecesSetOut():
            sums.cash.update(event.cash)
            for company, holdings in event.certificates.items():
                for holder, certificates in holdings.items():
                    for kind, number in certificates.items():
                        sums.shares[holder, company] += shares_of(kind) * number
        case e.LotWon():
            sums.move(event.lot, event.certificates)
        case e.CompanyStarted():
            sums.move(event.company, event.certificates)
            sums.pars[event.company] = event.price
        case e.ParSet():
            sums.pars[event.company] = event.par
        case e.CertificatesMoved():
            sums.move(event.company, event.moves)
        case e.SharesBought():
            sums.give(event.company, event.source, event.who, event.taken)
            sums.give(event.company, event.who, event.source, event.given)
        case e.SharesSold():
            sums.give(event.company, event.who, event.target, event.given)
            sums.give(event.company, event.target, event.who, event.taken)
        case e.CompanyBought():
            held = sums.shares.pop((event.seller, event.company), 0)
            sums.shares[event.buyer, event.company] += held
        case e.CompanyClosed():
            for holder, company in tuple(sums.shares):
                if company == event.company:
                    del sums.shares[holder, company]
        case e.MarkerMoved():
            sums.prices[event.company] = event.price if event.space is not None else 0
        case _:
            pass

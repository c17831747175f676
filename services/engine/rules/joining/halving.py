"""What one holder does with his shares of the companies that join, or of one that is refinanced.

Strictly one holder at a time (5.2.4): the exchange of a director's certificate, the return of half,
the swap for shares of the survivor, the sale of what cannot be swapped, and then his option. The
companies themselves are one holder: the one whose turn it is holds what both have.
"""

from msgspec import Struct

from contracts import events as e
from contracts.frames import Merging
from contracts.ids import (
    BANK,
    POOL,
    CertificateKind,
    CompanyId,
    Money,
    Party,
    is_directors,
    shares_of,
)
from contracts.money import Payments, pay
from contracts.pieces import CertificateMove
from services.engine.rules.draft import Draft
from services.engine.rules.families.merging import MERGED
from services.engine.rules.families.phrase import picked
from services.engine.rules.ruleset import Ruleset
from services.engine.rules.shares.counting import directors_kind, held, shares_held, smallest_kind
from services.engine.table.state import Table

ONE = smallest_kind()


class Option(Struct, frozen=True):
    """An option still to be settled: what keeping it costs, what giving it up pays."""

    kind: CertificateKind
    redeem: Money
    relinquish: Money


def companies_of(merging: Merging) -> tuple[CompanyId, ...]:
    """The companies whose shares are merged, the non-surviving one first."""
    absorbed = merging.absorbed
    return (merging.survivor,) if absorbed is None else (absorbed, merging.survivor)


def singles(table: Table, holder: Party, company: CompanyId) -> int:
    """The ordinary shares of a company that a holder or the pool has."""
    return held(table, company, holder).get(ONE, 0)


def merging_shares(table: Table, merging: Merging, holder: Party) -> int:
    """All shares of a holder that are merged."""
    return sum(shares_held(table, company, holder) for company in companies_of(merging))


def settled(ruleset: Ruleset, draft: Draft, merging: Merging, holder: Party) -> Option | None:
    """Do all that a holder does not choose, and say what option he has then."""
    total = merging_shares(draft.table, merging, holder)
    for company in companies_of(merging):
        kind = directors_kind(draft.table, company, holder)
        if kind is not None and total < 2 * shares_of(kind):
            if not _exchange(draft, merging, holder, company, kind):
                return _certificate_option(ruleset, draft, merging, holder, company, kind, total)
            break
    merged = picked("merging", MERGED, ruleset.facts.share_rules.merging or "")
    returned, has_option = merged(total)
    _return(draft, merging, holder, returned)
    has_option = _swap(ruleset, draft, merging, holder, has_option=has_option)
    half = merging.price // 2
    return Option(ONE, half, half) if has_option else None


def _exchange(
    draft: Draft, merging: Merging, holder: Party, company: CompanyId, kind: CertificateKind
) -> bool:
    """A director with too few shares takes ordinary ones out of the pool, the survivor's first.

    False if the pool has not enough of them.
    """
    wanted = shares_of(kind)
    table = draft.table
    there = {one: singles(table, POOL, one) for one in companies_of(merging)}
    if sum(there.values()) < wanted:
        return False
    into_pool = CertificateMove(kind, 1, holder, POOL)
    for one in reversed(companies_of(merging)):
        taken = min(wanted, there[one])
        wanted -= taken
        out = (CertificateMove(ONE, taken, POOL, holder),) if taken else ()
        moves = (into_pool, *out) if one == company else out
        if moves:
            draft.emit(e.CertificatesMoved(one, moves, "exchange"))
    return True


def _certificate_option(
    ruleset: Ruleset,
    draft: Draft,
    merging: Merging,
    holder: Party,
    company: CompanyId,
    kind: CertificateKind,
    total: int,
) -> Option | None:
    """The director's certificate itself is the option; his other shares go into the pool.

    That of the non-surviving company is swapped for the survivor's first; else it is sold.
    """
    for one in companies_of(merging):
        number = singles(draft.table, holder, one)
        if number:
            move = CertificateMove(ONE, number, holder, POOL)
            draft.emit(e.CertificatesMoved(one, (move,), "returned"))
    survivor = merging.survivor
    if company != survivor:
        source = _certificate_at(draft.table, merging, survivor)
        if source is None:
            _sell(draft, merging, holder, company, kind, 1, _half(ruleset, total * merging.price))
            return None
        _swap_with(draft, merging, holder, source, kind, 1)
    redeem = (2 * shares_of(kind) - total) * merging.price // 2
    return Option(kind, redeem, total * merging.price // 2)


def _certificate_at(table: Table, merging: Merging, company: CompanyId) -> Party | None:
    """Where a director's certificate can be swapped: in the pool, or with who has still to act."""
    for source in (POOL, *merging.holders[1:]):
        if directors_kind(table, company, source) is not None:
            return source
    return None


def _return(draft: Draft, merging: Merging, holder: Party, number: int) -> None:
    """Return so many shares: the non-surviving first, and of them a director's certificate."""
    for company in companies_of(merging):
        moves = []
        for kind in _in_order(draft.table, merging, company, holder):
            there = held(draft.table, company, holder)[kind]
            going = min(there, number // shares_of(kind))
            if going:
                moves.append(CertificateMove(kind, going, holder, POOL))
                number -= going * shares_of(kind)
        if moves:
            draft.emit(e.CertificatesMoved(company, tuple(moves), "returned"))


def _in_order(
    table: Table, merging: Merging, company: CompanyId, holder: Party
) -> list[CertificateKind]:
    """Kinds of certificates in the order of returning; the survivor's director's is kept."""
    kinds = held(table, company, holder)
    directors = [kind for kind in kinds if is_directors(kind) and company != merging.survivor]
    return [*directors, *(kind for kind in kinds if not is_directors(kind))]


def _swap(
    ruleset: Ruleset, draft: Draft, merging: Merging, holder: Party, *, has_option: bool
) -> bool:
    """Swap what is left of the non-surviving company, and sell what cannot be; the option last.

    True if there is still an option to settle.
    """
    absorbed = merging.absorbed
    if absorbed is None:
        return has_option
    left = singles(draft.table, holder, absorbed)
    option_among_them = has_option and left > 0
    for source in (POOL, *merging.holders[1:]):
        number = min(left, singles(draft.table, source, merging.survivor))
        if number:
            _swap_with(draft, merging, holder, source, ONE, number)
            left -= number
    if not left:
        return has_option
    whole = left - option_among_them
    if whole:
        _sell(draft, merging, holder, absorbed, ONE, whole, whole * merging.price)
    if option_among_them:
        _sell(draft, merging, holder, absorbed, ONE, 1, _half(ruleset, merging.price))
    return has_option and not option_among_them


def _half(ruleset: Ruleset, amount: Money) -> Money:
    """Half of an amount, for an option that cannot be swapped (ruling "unswapped option")."""
    return amount // 2 if ruleset.rulings["unswapped option"] == "rounded down" else -(-amount // 2)


def _swap_with(
    draft: Draft, merging: Merging, holder: Party, source: Party, kind: CertificateKind, number: int
) -> None:
    """Swap certificates of the non-surviving company for the survivor's."""
    absorbed, survivor = merging.absorbed, merging.survivor
    assert absorbed is not None  # nothing is swapped where there is one company
    given = CertificateMove(kind, number, holder, source)
    taken = CertificateMove(kind, number, source, holder)
    draft.emit(e.CertificatesMoved(absorbed, (given,), "swap"))
    draft.emit(e.CertificatesMoved(survivor, (taken,), "swap"))


def _sell(
    draft: Draft,
    merging: Merging,
    holder: Party,
    company: CompanyId,
    kind: CertificateKind,
    number: int,
    amount: Money,
) -> None:
    """The bank buys what cannot be swapped."""
    move = CertificateMove(kind, number, holder, POOL)
    draft.emit(e.CertificatesMoved(company, (move,), "not swapped"))
    payments = pay(BANK, holder, amount)
    if payments:
        draft.emit(e.MoneyPaid("not swapped", payments))


def purse(table: Table, merging: Merging, holder: Party) -> Money:
    """What a holder can pay with; the companies have the money of both."""
    if holder != merging.operator:
        return table.cash[holder]
    return sum(table.cash[company] for company in companies_of(merging))


def settle_option(
    draft: Draft, merging: Merging, holder: Party, option: Option, *, redeem: bool
) -> None:
    """Pay for an option and keep it, or give it up and be paid."""
    if redeem:
        payments = _paid_by(draft.table, merging, holder, option.redeem)
        if payments:
            draft.emit(e.MoneyPaid("option redeemed", payments))
        return
    survivor = merging.survivor
    move = CertificateMove(option.kind, 1, holder, POOL)
    draft.emit(e.CertificatesMoved(survivor, (move,), "option relinquished"))
    payments = pay(BANK, holder, option.relinquish)
    if payments:
        draft.emit(e.MoneyPaid("option relinquished", payments))


def _paid_by(table: Table, merging: Merging, holder: Party, amount: Money) -> Payments:
    """A holder's payment to the bank; both companies' treasuries pay for what they hold."""
    if holder != merging.operator:
        return pay(holder, BANK, amount)
    payments: Payments = ()
    for company in reversed(companies_of(merging)):
        part = min(amount, table.cash[company])
        payments += pay(company, BANK, part)
        amount -= part
    return payments

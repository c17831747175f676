"""Dividing earnings, and what that does to the marker (3.6.4, 3.6.5)."""

from collections.abc import Iterable, Iterator

from contracts import events as e
from contracts.commands import PayDividend
from contracts.ids import BANK, POOL, CompanyId, Money, Party
from contracts.money import Payments, pay
from contracts.rejections import Code, Rejection
from services.engine.rules.companies.bankrupt import bankrupt_if_fallen_out
from services.engine.rules.draft import Draft
from services.engine.rules.families.dividends import (
    ALL,
    DIVIDENDS,
    POOL_SHARES_PAY,
    Dividends,
)
from services.engine.rules.families.phrase import picked
from services.engine.rules.parts.kinds import Act, Offer
from services.engine.rules.ruleset import Ruleset, refused
from services.engine.rules.shares import market
from services.engine.rules.shares.counting import shares_held
from services.engine.rules.trains.warranties import AFTER_DIVIDEND, NEW_PLAYERS, use_up
from services.engine.table.agenda import current_turn
from services.engine.table.state import Table


def dividends(ruleset: Ruleset) -> Dividends:
    """What may be chosen."""
    return picked("dividend", DIVIDENDS, ruleset.facts.operating_rules.dividend)


def offers(ruleset: Ruleset, table: Table, who: Party) -> Iterable[Offer]:
    """Each of the title's dividends, and all of the earnings with what lifts them to the price."""
    for name in dividends(ruleset):
        yield Offer(PayDividend(name))
    added = least_added(ruleset, table, CompanyId(who))
    if added:
        yield Offer(PayDividend(ALL, added))


def least_added(ruleset: Ruleset, table: Table, company: CompanyId) -> Money:
    """What a company may add to its earnings, so that they reach its price; 0 if nothing (7.8.6).

    It is the least multiple that does.
    """
    unit = ruleset.facts.operating_rules.top_up
    turn = current_turn(table)
    earned, price = 0 if turn is None else turn.earned, table.markers[company].price
    if not unit or not unit <= earned < price or ruleset.variants.get(NEW_PLAYERS) == "yes":
        return 0
    return -(-(price - earned) // unit) * unit


def objections(
    ruleset: Ruleset, table: Table, who: Party, command: PayDividend
) -> Iterator[Rejection]:
    """Only the title's dividends are paid, with nothing added but what lifts them to the price."""
    if command.dividend not in dividends(ruleset):
        yield refused(
            ruleset,
            Code.BAD_DIVIDEND,
            "dividend",
            f"A dividend cannot be {command.dividend!r}.",
            f"It is: {' or '.join(dividends(ruleset))}.",
        )
    if command.added:
        yield from _added_objections(ruleset, table, CompanyId(who), command)


def _added_objections(
    ruleset: Ruleset, table: Table, company: CompanyId, command: PayDividend
) -> Iterator[Rejection]:
    """What speaks against money added out of the treasury (7.8.6)."""
    added = least_added(ruleset, table, company)
    if not added or command.dividend != ALL:
        yield refused(
            ruleset,
            Code.BAD_DIVIDEND,
            "dividend",
            "Nothing out of the treasury is added to this dividend.",
        )
    elif command.added != added:
        yield refused(
            ruleset,
            Code.BAD_DIVIDEND,
            "addition",
            f"{ruleset.money(command.added)} is not the least with which the earnings reach it.",
            f"That is {ruleset.money(added)}.",
        )
    elif added > (has := table.cash[company]):
        yield refused(
            ruleset,
            Code.TOO_LITTLE_CASH,
            "addition",
            f"{company} has {ruleset.money(has)} of the {ruleset.money(added)}.",
        )


def perform(ruleset: Ruleset, draft: Draft, who: Party, command: PayDividend) -> None:
    """Divide what was earned, move the marker, and end the step."""
    turn = current_turn(draft.table)
    assert turn is not None  # a company divides in its turn
    dividend = dividends(ruleset)[command.dividend](turn.earned) + command.added
    if divided(ruleset, draft, CompanyId(who), dividend, command.added):
        draft.emit(e.StepEnded(turn.id, turn.steps[0], "done"))


def divided(
    ruleset: Ruleset, draft: Draft, company: CompanyId, dividend: Money, added: Money
) -> bool:
    """Pay a dividend out of the turn's earnings and what is added; the company keeps the rest.

    False if its marker has fallen so low that it is bankrupt (7.12).
    """
    table = draft.table
    turn = current_turn(table)
    assert turn is not None  # earnings are those of a turn
    kept = turn.earned + added - dividend
    payments = (
        *pay(company, BANK, added),
        *shared_out(ruleset, table, company, dividend),
        *pay(BANK, company, kept),
    )
    draft.emit(e.EarningsDivided(company, turn.earned, added, dividend, kept, payments))
    if dividend:
        draft.emit(*market.paid(ruleset, draft.table, company, dividend))
    else:
        draft.emit(*market.withheld(ruleset, draft.table, company))
    use_up(ruleset, draft, company, AFTER_DIVIDEND)
    return not bankrupt_if_fallen_out(ruleset, draft, company)


def shared_out(ruleset: Ruleset, table: Table, company: CompanyId, dividend: Money) -> Payments:
    """What each holder is paid: the players in order, the company, whoever is for the pool.

    Shares still in the offering get nothing.
    """
    per_share, rest = divmod(dividend, table.charters[company].whole)
    assert not rest  # stations pay in tens, and a whole is ten shares
    pool = picked("pool shares pay", POOL_SHARES_PAY, ruleset.facts.operating_rules.pool_shares_pay)
    recipients: list[tuple[Party, Party | None]] = [
        *((player, player) for player in table.order),
        (company, company),
        (POOL, pool(company)),
    ]
    return tuple(
        payment
        for holder, recipient in recipients
        if recipient is not None
        for payment in pay(BANK, recipient, per_share * shares_held(table, company, holder))
    )


PAY_DIVIDEND = Act(PayDividend, offers, objections, perform)

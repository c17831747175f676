"""Dividing earnings, and what that does to the marker (3.6.4, 3.6.5)."""

from collections.abc import Iterable, Iterator

from contracts import events as e
from contracts.commands import PayDividend
from contracts.ids import BANK, POOL, CompanyId, Money, Party
from contracts.money import Payments, pay
from contracts.rejections import Code, Rejection
from services.engine.rules import market
from services.engine.rules.draft import Draft
from services.engine.rules.families.dividends import DIVIDENDS, POOL_SHARES_PAY, Dividends
from services.engine.rules.families.phrase import picked
from services.engine.rules.parts import Act, Offer
from services.engine.rules.ruleset import Ruleset, refused
from services.engine.rules.shares import shares_held
from services.engine.table.agenda import current_turn
from services.engine.table.state import Table


def dividends(ruleset: Ruleset) -> Dividends:
    """What may be chosen."""
    return picked("dividend", DIVIDENDS, ruleset.facts.operating_rules.dividend)


def offers(ruleset: Ruleset, _table: Table, _who: Party) -> Iterable[Offer]:
    """Each of the title's dividends."""
    return tuple(Offer(PayDividend(name)) for name in dividends(ruleset))


def objections(
    ruleset: Ruleset, _table: Table, _who: Party, command: PayDividend
) -> Iterator[Rejection]:
    """Only the title's dividends are paid."""
    if command.dividend not in dividends(ruleset):
        yield refused(
            ruleset,
            Code.BAD_DIVIDEND,
            "dividend",
            f"A dividend cannot be {command.dividend!r}.",
            f"It is: {' or '.join(dividends(ruleset))}.",
        )
    if command.added:
        yield refused(
            ruleset,
            Code.BAD_DIVIDEND,
            "dividend",
            "Nothing out of the treasury is added to a dividend.",
        )


def perform(ruleset: Ruleset, draft: Draft, who: Party, command: PayDividend) -> None:
    """Divide what was earned, move the marker, and end the step."""
    turn = current_turn(draft.table)
    assert turn is not None  # a company divides in its turn
    divided(ruleset, draft, CompanyId(who), dividends(ruleset)[command.dividend](turn.earned))
    draft.emit(e.StepEnded(turn.id, turn.steps[0], "done"))


def divided(ruleset: Ruleset, draft: Draft, company: CompanyId, dividend: Money) -> None:
    """Pay a dividend out of the turn's earnings; the company keeps the rest."""
    table = draft.table
    turn = current_turn(table)
    assert turn is not None  # earnings are those of a turn
    kept = turn.earned - dividend
    payments = (*shared_out(ruleset, table, company, dividend), *pay(BANK, company, kept))
    draft.emit(e.EarningsDivided(company, turn.earned, 0, dividend, kept, payments))
    moves = market.paid if dividend else market.withheld
    draft.emit(*moves(ruleset, draft.table, company))


def shared_out(ruleset: Ruleset, table: Table, company: CompanyId, dividend: Money) -> Payments:
    """What each holder is paid, the players in order; shares still in the offering get nothing."""
    per_share, rest = divmod(dividend, table.charters[company].whole)
    assert not rest  # stations pay in tens, and a whole is ten shares
    pool = picked("pool shares pay", POOL_SHARES_PAY, ruleset.facts.operating_rules.pool_shares_pay)
    recipients = [*((player, player) for player in table.order), (POOL, pool(company))]
    return tuple(
        payment
        for holder, recipient in recipients
        for payment in pay(BANK, recipient, per_share * shares_held(table, company, holder))
    )


PAY_DIVIDEND = Act(PayDividend, offers, objections, perform)

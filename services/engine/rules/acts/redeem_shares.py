"""Redeeming: a company takes a share of its own out of the pool, at the market's price (7.13)."""

from collections.abc import Iterable, Iterator

from contracts import events as e
from contracts.commands import RedeemShares
from contracts.ids import BANK, POOL, CompanyId, Money, Party
from contracts.money import pay
from contracts.rejections import Code, Rejection
from services.engine.rules.companies.director import is_in_receivership
from services.engine.rules.draft import Draft
from services.engine.rules.parts.kinds import Act, Offer
from services.engine.rules.ruleset import Ruleset, refused
from services.engine.rules.shares.counting import held, smallest_kind
from services.engine.rules.trains.warranties import NEW_PLAYERS
from services.engine.table.agenda import current_turn
from services.engine.table.state import Table

MOST = 1
"""Shares that a company may redeem in a turn."""


def offers(_ruleset: Ruleset, _table: Table, _who: Party) -> Iterable[Offer]:
    """One share."""
    return (Offer(RedeemShares(MOST)),)


def objections(
    ruleset: Ruleset, table: Table, who: Party, command: RedeemShares
) -> Iterator[Rejection]:
    """What speaks against redeeming: the variant, receivership, the number, the pool, the money."""
    company = CompanyId(who)
    if ruleset.variants.get(NEW_PLAYERS) == "yes" or is_in_receivership(table, company):
        yield refused(ruleset, Code.NOT_ALLOWED, "redeeming", f"{company} redeems no shares.")
        return
    if command.number != MOST:
        yield refused(
            ruleset, Code.NOT_ALLOWED, "redeeming", f"A company redeems {MOST} share a turn."
        )
    if not held(table, company, POOL).get(smallest_kind()):
        yield refused(
            ruleset, Code.NOT_ON_SALE, "redeeming", f"The pool has no share of {company}."
        )
    price, cash = price_of(table, company), table.cash[company]
    if price > cash:
        yield refused(
            ruleset,
            Code.TOO_LITTLE_CASH,
            "redeeming",
            f"A share costs {ruleset.money(price)}; {company} has {ruleset.money(cash)}.",
        )


def price_of(table: Table, company: CompanyId) -> Money:
    """What a company pays for a share of its own: the full price, even without a train."""
    return table.markers[company].price


def perform(_ruleset: Ruleset, draft: Draft, who: Party, command: RedeemShares) -> None:
    """The share is the company's, and the step is over."""
    company = CompanyId(who)
    payments = pay(company, BANK, price_of(draft.table, company) * command.number)
    taken = {smallest_kind(): command.number}
    draft.emit(e.SharesBought(company, company, POOL, taken, {}, payments))
    turn = current_turn(draft.table)
    assert turn is not None  # a company redeems in its turn
    draft.emit(e.StepEnded(turn.id, turn.steps[0], "done"))


REDEEM_SHARES = Act(RedeemShares, offers, objections, perform)

"""A company without a train sells shares of its own: just so many as pay for one (7.11.1)."""

from collections.abc import Iterable, Iterator

from contracts import events as e
from contracts.commands import SellTreasuryShares
from contracts.ids import BANK, POOL, CompanyId, Party
from contracts.money import pay
from contracts.rejections import Code, Rejection
from services.engine.rules.companies.bankrupt import bankrupt_if_fallen_out
from services.engine.rules.companies.last_operations import have_begun
from services.engine.rules.draft import Draft
from services.engine.rules.parts.kinds import Act, Offer
from services.engine.rules.questions import bank_train
from services.engine.rules.questions.answering import answered
from services.engine.rules.ruleset import Ruleset, refused
from services.engine.rules.shares.counting import shares_held, smallest_kind
from services.engine.rules.shares.market import sold
from services.engine.table.state import Table


def needed(ruleset: Ruleset, table: Table, company: CompanyId) -> int:
    """The least number of shares that pays for the bank's next train.

    The price is the full one, though the company has no train, and that before the fall. Shares
    that are worth nothing never pay for it, however many.
    """
    lacking = bank_train.bank_price(ruleset, table) - table.cash[company]
    price = table.markers[company].price
    return max(0, -(-lacking // price)) if price else table.charters[company].whole + 1


def offers(ruleset: Ruleset, table: Table, who: Party) -> Iterable[Offer]:
    """As many as are needed."""
    return (Offer(SellTreasuryShares(needed(ruleset, table, CompanyId(who)))),)


def objections(
    ruleset: Ruleset, table: Table, who: Party, command: SellTreasuryShares
) -> Iterator[Rejection]:
    """It sells what is needed, or nothing where all that it has is too little."""
    company = CompanyId(who)
    number = needed(ruleset, table, company)
    has = shares_held(table, company, company)
    if number > has:
        yield refused(
            ruleset,
            Code.NOT_YOURS,
            "company sells",
            f"{company} has {has} shares of its own; that is too little for the train.",
            f"It would have to sell {number}.",
        )
    elif command.number != number:
        yield refused(
            ruleset,
            Code.SELLS_TOO_MUCH if command.number > number else Code.TOO_LITTLE_CASH,
            "company sells",
            f"{company} sells as many shares as pay for the train, and no more.",
            f"That is {number}.",
        )


def perform(ruleset: Ruleset, draft: Draft, who: Party, command: SellTreasuryShares) -> None:
    """It is what the director chose."""
    answered(draft, "sell")
    sell(ruleset, draft, CompanyId(who), command.number)


def sell(ruleset: Ruleset, draft: Draft, company: CompanyId, number: int) -> None:
    """Sell into the pool; the price falls as if the director sold; then the train is bought."""
    amount = number * draft.table.markers[company].price
    draft.emit(
        e.SharesSold(
            who=company,
            company=company,
            target=POOL,
            given={smallest_kind(): number},
            taken={},
            payments=pay(BANK, company, amount),
        )
    )
    if not have_begun(draft.table) or ruleset.rulings["company's last sale"] == "moves the price":
        draft.emit(*sold(ruleset, draft.table, company, number))
    if not bankrupt_if_fallen_out(ruleset, draft, company):
        bank_train.buy_or_ask(ruleset, draft, company)


SELL_TREASURY = Act(SellTreasuryShares, offers, objections, perform)

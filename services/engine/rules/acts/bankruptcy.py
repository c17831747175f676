"""Bankruptcy: all that one may sell does not pay for the train that one's company must have."""

from collections.abc import Iterable, Iterator

from contracts import events as e
from contracts.commands import DeclareBankruptcy
from contracts.ids import BANK, Party
from contracts.money import pay
from contracts.rejections import Code, Rejection
from services.engine.rules.acts import sell_shares
from services.engine.rules.acts.forced_sale import buyer
from services.engine.rules.draft import Draft
from services.engine.rules.ending import end_game
from services.engine.rules.parts.kinds import Act, Offer
from services.engine.rules.ruleset import Ruleset, refused
from services.engine.rules.shares.counting import publics
from services.engine.rules.trains.help import lacking, largest_sale, sellable
from services.engine.table.state import Table


def offers(_ruleset: Ruleset, _table: Table, _who: Party) -> Iterable[Offer]:
    """One may always look whether one is bankrupt."""
    return (Offer(DeclareBankruptcy()),)


def objections(
    ruleset: Ruleset, table: Table, who: Party, _command: DeclareBankruptcy
) -> Iterator[Rejection]:
    """Nobody is bankrupt who can still pay (3.7.7)."""
    company = buyer(table)
    missing = lacking(ruleset, table, company)
    could = sellable(ruleset, table, company)
    if could >= missing:
        yield refused(
            ruleset,
            Code.NOT_BANKRUPT,
            "bankruptcy",
            f"{who} lacks {ruleset.money(missing)} and can sell shares for {ruleset.money(could)}.",
            "Buy the train, or sell shares for it.",
        )


def perform(ruleset: Ruleset, draft: Draft, who: Party, _command: DeclareBankruptcy) -> None:
    """Everything that may be sold is sold, all cash is gone, and the game is over."""
    company = buyer(draft.table)
    for other in publics(draft.table):
        sale = largest_sale(ruleset, draft.table, company, other)
        if sale is not None:
            sell_shares.performed(ruleset, draft, who, sale)
    payments = pay(who, BANK, draft.table.cash[who])
    if payments:
        draft.emit(e.MoneyPaid("bankruptcy", payments))
    end_game(ruleset, draft, "bankrupt")


BANKRUPTCY = Act(DeclareBankruptcy, offers, objections, perform)

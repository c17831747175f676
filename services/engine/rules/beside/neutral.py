"""The neutral move: what is done for somebody whose time is up.

In this order: refuse what is proposed; withhold; pass; else the first of `LAST_TO_FIRST` that is
possible, the cheapest of its kind, the first of equals in the order of the choices. What is offered
open is done for the least, and runs are the best set found. As it is one of the choices, it is
always legal.
"""

from collections.abc import Iterator
from typing import Final

from contracts import commands as c
from contracts.choices import Choice, Interval, filled
from contracts.frames import Consent, Question
from contracts.ids import Money, PlayerId
from services.engine.rules import passing
from services.engine.rules.offers import offered
from services.engine.rules.permitted import permits
from services.engine.rules.ruleset import Ruleset
from services.engine.table.agenda import top
from services.engine.table.state import Table

LAST_TO_FIRST: Final[tuple[type, ...]] = (
    c.DeclareBankruptcy,
    c.ProposeJoining,
    c.TradePrivate,
    c.BuyCompany,
    c.ExchangePrivate,
    c.Refinance,
    c.SellTreasuryShares,
    c.BuyShares,
    c.Bid,
    c.BuyTrain,
    c.SellShares,
)
"""What nobody would have done for him while there is anything else, the most unwelcome first."""


def neutral_command(ruleset: Ruleset, table: Table, player: PlayerId) -> Choice | None:
    """What is done for a player, or None where nothing is asked of him."""
    frame = top(table)
    question = frame.id if isinstance(frame, Question) else None
    if not any(permit.asked for permit in permits(table, player)):
        return None
    if isinstance(frame, Question) and isinstance(frame.matter, Consent):
        return Choice(player, c.Answer(yes=False), question=question)
    if passing.objection(ruleset, table, player) is None:
        withheld = withholding(ruleset, table, player)
        return Choice(player, c.Pass(), question=question) if withheld is None else withheld
    asked = list(asked_for(ruleset, table, player))
    if not asked:
        return None
    best = min(asked, key=lambda choice: (rank(choice), price(choice.command)))
    command = best.command
    if isinstance(best.open, Interval):
        command = filled(command, best.open, best.open.least)
    return Choice(player, command, question=best.question)


def asked_for(ruleset: Ruleset, table: Table, player: PlayerId) -> Iterator[Choice]:
    """What a player may do in answer to what is asked of him, nothing that lies beside it."""
    for permit in permits(table, player):
        if permit.asked:
            for act in permit.acts:
                yield from offered(ruleset, table, player, permit, act)


def withholding(ruleset: Ruleset, table: Table, player: PlayerId) -> Choice | None:
    """To withhold, where a dividend may be passed over but paying nothing is a choice too."""
    for permit in permits(table, player):
        for act in permit.acts:
            if act.command is c.PayDividend and permit.asked:
                found = offered(ruleset, table, player, permit, act)
                return next((one for one in found if is_withheld(one.command)), None)
    return None


def is_withheld(command: c.AnyCommand) -> bool:
    """Whether nothing is paid."""
    return isinstance(command, c.PayDividend) and command.dividend == "none"


def rank(choice: Choice) -> int:
    """Low for what is done first."""
    kind = type(choice.command)
    if is_withheld(choice.command):
        return 0
    return len(LAST_TO_FIRST) - LAST_TO_FIRST.index(kind) + 1 if kind in LAST_TO_FIRST else 1


def price(command: c.AnyCommand) -> Money:
    """What a command costs, or how much it gives up, as far as it says."""
    match command:
        case c.BuyTrain():
            return command.price + command.director_pays
        case c.StartCompany(_, amount) | c.Bid(_, amount):
            return amount
        case c.SellShares(_, given):
            return sum(int(kind.removesuffix("d")) * number for kind, number in given.items())
        case c.BuyTokens(number) | c.SellTreasuryShares(number):
            return number
        case _:
            return 0

"""Buying a train, as the title's cards are: plain ones, or such as run as one of several sides."""

from collections.abc import Iterable, Iterator

from contracts.commands import BuyTrain
from contracts.ids import CompanyId, Party
from contracts.rejections import Rejection
from services.engine.rules.acts import buy_plain_train, buy_sided_train
from services.engine.rules.acts.consent import Proposed, ask
from services.engine.rules.draft import Draft
from services.engine.rules.parts.kinds import Act, Offer
from services.engine.rules.ruleset import Ruleset
from services.engine.rules.trains.sided import have_sides
from services.engine.table.state import Table


def offers(ruleset: Ruleset, table: Table, who: Party) -> Iterable[Offer]:
    """All trains that are for sale somewhere."""
    if have_sides(ruleset.facts):
        return buy_sided_train.offers(ruleset, table, who)
    return buy_plain_train.offers(ruleset, table, who)


def objections(
    ruleset: Ruleset, table: Table, who: Party, command: BuyTrain
) -> Iterator[Rejection]:
    """What speaks against a purchase."""
    if have_sides(ruleset.facts):
        return buy_sided_train.objections(ruleset, table, who, command)
    return buy_plain_train.objections(ruleset, table, who, command)


def perform(ruleset: Ruleset, draft: Draft, who: Party, command: BuyTrain) -> None:
    """Buy, or ask the director of the selling company, if he is another."""
    charters = draft.table.charters
    buyer = charters[CompanyId(who)].acting
    seller = charters.get(CompanyId(command.seller))
    assert buyer is not None  # somebody acts for a company in its turn
    if seller is None or seller.acting == buyer:
        bought(ruleset, draft, who, command)
    else:
        ask(ruleset, draft, buyer, command, CompanyId(who), command.seller)


def bought(ruleset: Ruleset, draft: Draft, who: Party, command: BuyTrain) -> None:
    """The train and the money change hands."""
    if have_sides(ruleset.facts):
        buy_sided_train.bought(ruleset, draft, who, command)
    else:
        buy_plain_train.bought(ruleset, draft, who, command)


BUY_TRAIN = Act(BuyTrain, offers, objections, perform)
PROPOSED = Proposed(objections, bought)

"""Buying a card that runs as one of its sides, at a price that is set (7.9).

From the bank the side is chosen for good and warranties may come with it; from another company the
card comes as it is, with what warranties it has left.
"""

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from contracts import events as e
from contracts.commands import BuyTrain
from contracts.ids import BANK, SUPPLY, CompanyId, Party
from contracts.money import pay
from contracts.pieces import Train
from contracts.rejections import Code, Rejection
from services.engine.rules.acts.consent import refused_before
from services.engine.rules.companies.director import is_in_receivership
from services.engine.rules.companies.last_operations import have_begun
from services.engine.rules.draft import Draft
from services.engine.rules.parts.kinds import Offer
from services.engine.rules.ruleset import Ruleset, refused
from services.engine.rules.trains.owned import sellers, trains_of
from services.engine.rules.trains.phases import train_sold
from services.engine.rules.trains.sided import (
    has_room,
    limit_now,
    next_of_bank,
    set_price,
    types_of,
)
from services.engine.rules.trains.warranties import most_affordable, most_for, price_of
from services.engine.table.state import Table


def offers(ruleset: Ruleset, table: Table, who: Party) -> Iterable[Offer]:
    """The bank's next card as each type, with and without warranties; every company's trains.

    Only such as there is room for, and of the bank's only what can be paid.
    """
    company = CompanyId(who)
    card = next_of_bank(ruleset, table)
    price = set_price(ruleset, table, card.kind)
    for side in types_of(ruleset) if price <= table.cash[company] else ():
        if not has_room(ruleset, table, company, side):
            continue
        for number in range(most_affordable(ruleset, table, company, card) + 1):
            yield Offer(BuyTrain(card.kind, SUPPLY, price, side=side, warranties=number))
    for seller in sellers(table, company):
        for train in trains_of(table, seller):
            if not has_room(ruleset, table, company, train.side):
                continue
            price = set_price(ruleset, table, train.kind)
            yield Offer(BuyTrain(train.kind, seller, price, train.id))


def objections(
    ruleset: Ruleset, table: Table, who: Party, command: BuyTrain
) -> Iterator[Rejection]:
    """What speaks against a purchase: the train, the seller, the limit, warranties, the price."""
    company = CompanyId(who)
    train = wanted(ruleset, table, company, command)
    if train is None:
        seller = "The bank" if command.seller == SUPPLY else command.seller
        yield refused(
            ruleset,
            Code.NO_SUCH_TRAIN,
            "train sales",
            f"{seller} sells no such train: {command.kind}.",
            "The bank sells the next of its band as a type that is played; companies sell theirs.",
        )
        return
    if command.seller != SUPPLY:
        yield from _seller_objections(ruleset, table, CompanyId(command.seller))
    if not has_room(ruleset, table, company, train.side):
        yield _at_the_limit(ruleset, table, company, train)
    most = 0 if command.seller != SUPPLY else most_for(ruleset, train)
    if command.warranties not in range(most + 1):
        yield refused(
            ruleset,
            Code.NOT_ALLOWED,
            "warranties",
            f"{command.warranties} warranties cannot be bought with this train.",
            f"At most {most}; free ones count, and only the bank sells any.",
        )
    yield from refused_before(table, command)
    yield from _price_objections(ruleset, table, company, command)


def wanted(ruleset: Ruleset, table: Table, company: CompanyId, command: BuyTrain) -> Train | None:
    """The train that a command asks for, as it would be the company's; None if there is none."""
    if command.handed_in is not None or command.director_pays:
        return None
    if command.seller != SUPPLY:
        owned = trains_of(table, command.seller)
        if command.seller not in sellers(table, company) or command.side is not None:
            return None
        return next((t for t in owned if (t.id, t.kind) == (command.train, command.kind)), None)
    card = next_of_bank(ruleset, table)
    if command.train is not None or (command.kind, command.side) not in [
        (card.kind, side) for side in types_of(ruleset)
    ]:
        return None
    free = ruleset.facts.trains[card.kind].free_warranties
    bought: Train = replace(card, side=command.side, warranties=free + command.warranties)
    return bought


def _seller_objections(ruleset: Ruleset, table: Table, seller: CompanyId) -> Iterator[Rejection]:
    """Neither a company in receivership sells, nor any in the last operations (8.0, 10.3).

    By the ruling "trains in receivership" whoever acts for such a company may sell them.
    """
    sells = ruleset.rulings.get("trains in receivership") == "sold by who acts for it"
    if is_in_receivership(table, seller) and not sells:
        yield refused(
            ruleset,
            Code.NOT_ALLOWED,
            "receivership",
            f"{seller} has no director and sells no train.",
        )
    if have_begun(table):
        yield refused(
            ruleset,
            Code.NOT_ALLOWED,
            "last operations",
            "Trains are bought from the bank alone now.",
        )


def _at_the_limit(ruleset: Ruleset, table: Table, company: CompanyId, train: Train) -> Rejection:
    """The refusal of one train too many, even if its purchase would rust others (7.9)."""
    limit = limit_now(ruleset, table)
    allowed = f"{limit.total} trains in all" if limit.each is None else f"{limit.each} of each type"
    return refused(
        ruleset,
        Code.TRAIN_LIMIT,
        "train limit",
        f"{company} has no room for another {train.side}: it may have {allowed}.",
    )


def _price_objections(
    ruleset: Ruleset, table: Table, company: CompanyId, command: BuyTrain
) -> Iterator[Rejection]:
    """The price is set, and the treasury alone pays it, with the warranties (7.9, 7.10)."""
    price = set_price(ruleset, table, command.kind)
    if command.price != price:
        yield refused(
            ruleset,
            Code.BAD_PRICE,
            "train sales",
            f"A train {command.kind} is not bought for {ruleset.money(command.price)}.",
            f"It costs {ruleset.money(price)}.",
        )
    due, cash = price + price_of(ruleset, command.warranties), table.cash[company]
    if due > cash:
        yield refused(
            ruleset,
            Code.TOO_LITTLE_CASH,
            "train sales",
            f"That costs {ruleset.money(due)}; {company} has {ruleset.money(cash)}.",
        )


def bought(ruleset: Ruleset, draft: Draft, who: Party, command: BuyTrain) -> None:
    """The train and the money change hands; what a new band brings follows at once."""
    company = CompanyId(who)
    train = wanted(ruleset, draft.table, company, command)
    assert train is not None  # the objections saw to it
    payee = BANK if command.seller == SUPPLY else command.seller
    due = command.price + price_of(ruleset, command.warranties)
    draft.emit(e.TrainBought(company, train, command.seller, pay(company, payee, due)))
    if command.seller == SUPPLY:
        train_sold(ruleset, draft, train.kind)

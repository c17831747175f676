"""Buying a card without sides: from the bank, the pool or another company, and the help for it.

Who helps, and when, is in `help.py`; who must buy is in the step of trains (3.7).
"""

from collections.abc import Iterable, Iterator

import msgspec

from contracts import events as e
from contracts.choices import Interval
from contracts.commands import BuyTrain
from contracts.ids import BANK, POOL, SUPPLY, CompanyId, Money, Party
from contracts.money import pay
from contracts.pieces import Train
from contracts.rejections import Code, Rejection
from services.engine.rules.acts.consent import refused_before
from services.engine.rules.amounts import open_amounts
from services.engine.rules.companies.privates import close_by_train_of
from services.engine.rules.draft import Draft
from services.engine.rules.parts.kinds import Offer
from services.engine.rules.ruleset import Ruleset, refused
from services.engine.rules.trains.help import (
    Purse,
    help_objections,
    purse_of,
    sale_was_needless,
    too_little_in_the_treasury,
)
from services.engine.rules.trains.owned import (
    bank_sells,
    face_value,
    pool_sells,
    sellers,
    train_limit,
    trains_of,
)
from services.engine.rules.trains.phases import train_sold
from services.engine.table.agenda import current_turn
from services.engine.table.state import Table


def offers(ruleset: Ruleset, table: Table, who: Party) -> Iterable[Offer]:
    """What the bank and the pool sell, and each train of another company at an open price.

    At the limit only what another train is given in for.
    """
    company = CompanyId(who)
    has_room = len(trains_of(table, company)) < train_limit(ruleset, table)
    purse = purse_of(ruleset, table, company)
    for train in bank_sells(ruleset, table):
        price = face_value(ruleset, train.kind)
        if has_room:
            adds = purse.director_adds(price)
            yield Offer(BuyTrain(train.kind, SUPPLY, price, director_pays=adds))
        for own in trains_of(table, company):
            discount = trade_in(ruleset, train, own)
            if discount is not None:
                yield Offer(BuyTrain(train.kind, SUPPLY, price - discount, handed_in=own.id))
    if not has_room:
        return
    for train in pool_sells(table):
        price = face_value(ruleset, train.kind)
        yield Offer(
            BuyTrain(train.kind, POOL, price, train.id, director_pays=purse.director_adds(price))
        )
    for seller in sellers(table, company):
        for train in trains_of(table, seller):
            yield from _between(ruleset, table, purse, seller, train)


def _between(
    ruleset: Ruleset, table: Table, purse: Purse, seller: CompanyId, train: Train
) -> Iterator[Offer]:
    """A train of another company: out of the treasury, and with the director's help."""
    turn = current_turn(table)
    refused_now = () if turn is None else turn.refused
    without = [
        old.price
        for old in refused_now
        if isinstance(old, BuyTrain) and (old.seller, old.train) == (seller, train.id)
    ]
    for interval in open_amounts("price", purse.least, purse.treasury, without):
        yield Offer(BuyTrain(train.kind, seller, interval.least, train.id), interval)
    if not purse.helped:
        return
    least = max(purse.least, purse.treasury + 1)
    most = min(face_value(ruleset, train.kind), purse.treasury + purse.director)
    for interval in open_amounts("price", least, most, without):
        together: Interval = msgspec.structs.replace(interval, also="director_pays")
        adds = interval.least - purse.treasury
        command = BuyTrain(train.kind, seller, interval.least, train.id, director_pays=adds)
        yield Offer(command, together)


def objections(
    ruleset: Ruleset, table: Table, who: Party, command: BuyTrain
) -> Iterator[Rejection]:
    """What speaks against a purchase: the train, the limit, the trade-in, the price, the money."""
    company = CompanyId(who)
    train = wanted(ruleset, table, company, command)
    if train is None:
        yield _not_sold(ruleset, command)
        return
    yield from _at_the_limit(ruleset, table, company, command)
    discount = 0
    if command.handed_in is not None:
        given = _handed_in(table, company, command)
        saved = trade_in(ruleset, train, given) if given and command.seller == SUPPLY else None
        if saved is None:
            yield _no_trade(ruleset, command)
            return
        discount = saved
    yield from refused_before(table, command)
    price = _price_objection(ruleset, command, discount)
    if price is not None:
        yield price
        return
    if command.director_pays:
        yield from help_objections(ruleset, table, company, command)
    else:
        yield from too_little_in_the_treasury(ruleset, table, company, command.price)
    if command.seller not in (SUPPLY, POOL):
        yield from sale_was_needless(ruleset, table, company, command.price)


def wanted(ruleset: Ruleset, table: Table, company: CompanyId, command: BuyTrain) -> Train | None:
    """The train that a command asks for, if it is sold there; no card has sides or warranties."""
    if command.side is not None or command.warranties:
        return None
    if command.seller == SUPPLY:
        on_sale = bank_sells(ruleset, table) if command.train is None else ()
        return next((train for train in on_sale if train.kind == command.kind), None)
    if command.seller != POOL and command.seller not in sellers(table, company):
        return None
    owned = trains_of(table, command.seller)
    return next((t for t in owned if (t.id, t.kind) == (command.train, command.kind)), None)


def trade_in(ruleset: Ruleset, train: Train, given: Train) -> Money | None:
    """What handing in a train saves on another, or None if it is not taken (3.7.2)."""
    rule = ruleset.facts.trains[train.kind].trade_in
    return rule.discount if rule is not None and given.kind in rule.trains else None


def _handed_in(table: Table, company: CompanyId, command: BuyTrain) -> Train | None:
    owned = trains_of(table, company)
    return next((train for train in owned if train.id == command.handed_in), None)


def _not_sold(ruleset: Ruleset, command: BuyTrain) -> Rejection:
    """The refusal of a train that is not for sale there."""
    card = "" if command.train is None else f" ({command.train})"
    return refused(
        ruleset,
        Code.NO_SUCH_TRAIN,
        "train sales",
        f"No train {command.kind}{card} is sold by {_called(command.seller)}.",
        "The bank sells the lowest kind left; trains of the pool and of companies are named.",
    )


def _called(seller: Party) -> str:
    """A seller as players call it."""
    return "the bank" if seller == SUPPLY else seller


def _no_trade(ruleset: Ruleset, command: BuyTrain) -> Rejection:
    """The refusal of a train given in part payment."""
    return refused(
        ruleset,
        Code.NO_SUCH_TRAIN,
        "trade-in",
        f"{command.handed_in} cannot be given in for a {command.kind} "
        f"from {_called(command.seller)}.",
    )


def _at_the_limit(
    ruleset: Ruleset, table: Table, company: CompanyId, command: BuyTrain
) -> Iterator[Rejection]:
    """At the limit none may be bought, unless one is given in for it (3.7.2, 3.7.3)."""
    limit = train_limit(ruleset, table)
    keeps = len(trains_of(table, company)) - (command.handed_in is not None)
    if keeps >= limit:
        yield refused(
            ruleset,
            Code.TRAIN_LIMIT,
            "train limit",
            f"{company} has as many trains as it may have: {limit}.",
        )


def _price_objection(ruleset: Ruleset, command: BuyTrain, discount: Money) -> Rejection | None:
    """Bank and pool sell at face value, less a trade-in; a company from 1 up (3.7.1, 3.7.2)."""
    if command.seller not in (SUPPLY, POOL):
        if command.price >= 1:
            return None
        legal = f"At least {ruleset.money(1)}."
    else:
        price = face_value(ruleset, command.kind) - discount
        if command.price == price:
            return None
        legal = f"It costs {ruleset.money(price)}."
    return refused(
        ruleset,
        Code.BAD_PRICE,
        "train sales",
        f"A {command.kind} from {_called(command.seller)} is not bought for "
        f"{ruleset.money(command.price)}.",
        legal,
    )


def bought(ruleset: Ruleset, draft: Draft, who: Party, command: BuyTrain) -> None:
    """The train and the money change hands; what a new kind of train brings follows at once."""
    company = CompanyId(who)
    table = draft.table
    train = wanted(ruleset, table, company, command)
    director = table.charters[company].acting
    assert train is not None  # the objections saw to it
    payee = BANK if command.seller in (SUPPLY, POOL) else command.seller
    payments = pay(company, payee, command.price - command.director_pays)
    if director is not None:
        payments += pay(director, payee, command.director_pays)
    draft.emit(e.TrainBought(company, train, command.seller, payments, command.handed_in))
    close_by_train_of(ruleset, draft, company)
    if command.seller == SUPPLY:
        train_sold(ruleset, draft, train.kind)

"""Private companies changing hands between players (3.2.9)."""

from collections.abc import Iterable, Iterator

from contracts import events as e
from contracts.commands import TradePrivate
from contracts.ids import CompanyId, Money, Party, PlayerId
from contracts.money import pay
from contracts.rejections import Code, Rejection
from services.engine.rules.acts.consent import Proposed, ask, refused_before
from services.engine.rules.amounts import open_amounts
from services.engine.rules.companies.privates import owner_of
from services.engine.rules.draft import Draft
from services.engine.rules.parts.kinds import Act, Offer
from services.engine.rules.ruleset import Ruleset, refused
from services.engine.rules.shares.limits import certificate_objection
from services.engine.rules.turns import has_bought
from services.engine.table.agenda import current_round, current_turn
from services.engine.table.state import Table

LEAST: Money = 1
"""A price is at least one."""


def sides(table: Table, who: Party, command: TradePrivate) -> tuple[PlayerId, PlayerId]:
    """Who sells and who buys: the owner sells, whichever of the two proposes."""
    proposer, other = PlayerId(who), command.other
    return (proposer, other) if owner_of(table, command.company) == who else (other, proposer)


def offers(ruleset: Ruleset, table: Table, who: Party) -> Iterable[Offer]:
    """Each private of his to every other player, and each of theirs, for what the buyer has."""
    if next(not_now(ruleset, table), None) is not None:
        return
    turn = current_turn(table)
    refused_now = () if turn is None else turn.refused
    for private in ruleset.facts.privates:
        owner = owner_of(table, private)
        if owner not in table.order:
            continue
        others = [player for player in table.order if player != who]
        for other in others if owner == who else [PlayerId(owner)]:
            buyer = other if owner == who else who
            without = [
                old.price
                for old in refused_now
                if isinstance(old, TradePrivate) and (old.company, old.other) == (private, other)
            ]
            for interval in open_amounts("price", LEAST, table.cash[buyer], without):
                yield Offer(TradePrivate(private, other, interval.least), interval)


def objections(
    ruleset: Ruleset, table: Table, who: Party, command: TradePrivate
) -> Iterator[Rejection]:
    """What speaks against a trade; a sale is not the buyer's purchase, so that does not matter."""
    yield from not_now(ruleset, table)
    company: CompanyId = command.company
    if company not in ruleset.facts.privates:
        yield refused(
            ruleset, Code.NO_SUCH_COMPANY, "private trades", f"{company} is no private company."
        )
        return
    owner = owner_of(table, company)
    if command.other not in table.order or command.other == who:
        yield refused(
            ruleset,
            Code.NOT_SEATED,
            "private trades",
            f"A private is traded with another player, not with {command.other}.",
        )
        return
    if owner not in (who, command.other):
        yield refused(
            ruleset,
            Code.NOT_YOURS,
            "private trades",
            f"{company} belongs neither to {who} nor to {command.other}.",
        )
        return
    yield from not_the_buyers_turn(ruleset, table, who, command)
    _, buyer = sides(table, who, command)
    if command.price < LEAST:
        yield refused(
            ruleset,
            Code.BAD_PRICE,
            "private trades",
            f"{ruleset.money(command.price)} is no price.",
            f"At least {ruleset.money(LEAST)}.",
        )
    if table.cash[buyer] < command.price:
        yield refused(
            ruleset,
            Code.TOO_LITTLE_CASH,
            "private trades",
            f"{buyer} has {ruleset.money(table.cash[buyer])}.",
        )
    # Where a private is bought on the buyer's turn only, the limit is looked at afterwards.
    limit = certificate_objection(ruleset, table, buyer, company, 1)
    if limit is not None and ruleset.rulings["private trades"] == "allowed":
        yield limit
    yield from refused_before(table, command)


def not_now(ruleset: Ruleset, table: Table) -> Iterator[Rejection]:
    """Never in the first stock round; not at all by ruling."""
    if ruleset.rulings["private trades"] == "not offered":
        yield refused(
            ruleset,
            Code.NOT_ALLOWED,
            "private trades",
            "At this table players do not sell privates to each other.",
        )
    playing = current_round(table)
    first = ruleset.facts.share_rules.first_sale_round
    if playing is not None and playing.kind == "stock" and playing.number < first:
        yield refused(
            ruleset,
            Code.NO_SALES_YET,
            "private trades",
            "No privates are sold in this stock round.",
            f"They may be from stock round {first} on.",
        )


def not_the_buyers_turn(
    ruleset: Ruleset, table: Table, who: Party, command: TradePrivate
) -> Iterator[Rejection]:
    """A buyer asks before his own purchase, and never for what no company may buy (by ruling)."""
    if ruleset.rulings["private trades"] != "on the buyer's turn":
        return
    turn = current_turn(table)
    too_late = turn is not None and has_bought(ruleset, turn)
    barred = ruleset.facts.privates[command.company].company_price is None
    if owner_of(table, command.company) == who or too_late or barred:
        yield refused(
            ruleset,
            Code.NOT_ALLOWED,
            "private trades",
            "At this table a private is bought on the buyer's turn, before his purchase.",
        )


def may_buy_one(ruleset: Ruleset, table: Table, who: Party) -> bool:
    """Whether a turn stays open because its player may still ask for a private (by ruling)."""
    if ruleset.rulings["private trades"] != "on the buyer's turn":
        return False
    for offer in offers(ruleset, table, who):
        trade = offer.command
        assert isinstance(trade, TradePrivate)  # what is offered here
        if next(objections(ruleset, table, who, trade), None) is None:
            return True
    return False


def proposed(ruleset: Ruleset, draft: Draft, who: Party, command: TradePrivate) -> None:
    """The other player is asked."""
    ask(ruleset, draft, PlayerId(who), command, None, command.other)


def agreed(_ruleset: Ruleset, draft: Draft, who: Party, command: TradePrivate) -> None:
    """The private and the money change hands."""
    seller, buyer = sides(draft.table, who, command)
    payments = pay(buyer, seller, command.price)
    draft.emit(e.CompanyBought(command.company, seller, buyer, payments))


TRADE = Act(TradePrivate, offers, objections, proposed)
PROPOSED = Proposed(objections, agreed)

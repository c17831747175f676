"""The director's help with a train that his company must have (3.7.5 to 3.7.7).

All of the treasury goes first, then his cash, then shares that he sells: no more than needed.
"""

from collections.abc import Iterator

from msgspec import Struct

from contracts.commands import BuyTrain, SellShares
from contracts.ids import POOL, SUPPLY, CompanyId, Money, PlayerId
from contracts.rejections import Code, Rejection
from services.engine.rules.acts import sell_shares
from services.engine.rules.families.duties import DIRECTOR_HELPS, MUST_OWN_TRAIN
from services.engine.rules.families.phrase import picked
from services.engine.rules.ruleset import Ruleset, refused
from services.engine.rules.shares.counting import publics
from services.engine.rules.trains.owned import cheapest, face_value, trains_of
from services.engine.table.agenda import current_turn
from services.engine.table.on_money import shares_in
from services.engine.table.state import Table


class Purse(Struct, frozen=True):
    """What a company may spend on a train.

    `least` is the lowest price of another company's train, `director` what the director has, and
    `helped` whether he may add it.
    """

    treasury: Money
    director: Money
    helped: bool
    least: Money

    def director_adds(self, price: Money) -> Money:
        """What the director adds to all of the treasury's money."""
        return max(0, price - self.treasury) if self.helped else 0


def must_buy(ruleset: Ruleset, table: Table, company: CompanyId) -> bool:
    """Whether a company has to buy a train before its turn ends (3.7.5)."""
    if trains_of(table, company):
        return False
    rules = ruleset.facts.operating_rules
    return picked("must own train", MUST_OWN_TRAIN, rules.must_own_train)(ruleset, table, company)


def director_helps(ruleset: Ruleset) -> bool:
    """Whether the director adds what the treasury lacks (3.7.6)."""
    rules = ruleset.facts.operating_rules
    return picked("must own train", DIRECTOR_HELPS, rules.must_own_train)


def must_buy_refusal(ruleset: Ruleset, company: CompanyId) -> Rejection:
    """A company without a train that must have one does not pass (3.7.5)."""
    return refused(
        ruleset,
        Code.MUST_BUY_TRAIN,
        "must own",
        f"{company} has no train and must have one.",
        "Buy a train.",
    )


def needs_help(ruleset: Ruleset, table: Table, company: CompanyId) -> bool:
    """Whether a company must buy a train and its treasury pays for none (3.7.6)."""
    # What costs least to find out is asked first; most companies have a train.
    if trains_of(table, company):
        return False
    return table.cash[company] < cheapest(ruleset, table) and must_buy(ruleset, table, company)


def director_of(table: Table, company: CompanyId) -> PlayerId:
    """The director of a company that operates."""
    director = table.charters[company].director
    assert director is not None  # a company that operates has one
    return director


def purse_of(ruleset: Ruleset, table: Table, company: CompanyId) -> Purse:
    """What a company may spend on a train now."""
    helped = needs_help(ruleset, table, company)
    treasury, director = table.cash[company], table.cash[director_of(table, company)]
    turn = current_turn(table)
    # Shares sold must have been needed for the price that is then paid.
    raised = turn.raised if helped and turn is not None and turn.sold else None
    least = 1 if raised is None else max(1, treasury + director - raised + 1)
    return Purse(treasury, director, helped, least)


def too_little_in_the_treasury(
    ruleset: Ruleset, table: Table, company: CompanyId, price: Money
) -> Iterator[Rejection]:
    """Without help a train is paid for out of the treasury."""
    cash = table.cash[company]
    if price > cash:
        yield refused(
            ruleset,
            Code.TOO_LITTLE_CASH,
            "train sales",
            f"{ruleset.money(price)} is more than the {ruleset.money(cash)} of {company}.",
        )


def help_objections(
    ruleset: Ruleset, table: Table, company: CompanyId, command: BuyTrain
) -> Iterator[Rejection]:
    """What speaks against the director's adding money."""
    purse = purse_of(ruleset, table, company)
    if not purse.helped or command.handed_in is not None:
        yield refused(
            ruleset,
            Code.NOT_ALLOWED,
            "help",
            f"The director may not add to the treasury of {company}.",
            "He does if it must have a train and cannot pay for any of the bank or the pool.",
        )
        return
    adds = purse.director_adds(command.price)
    if command.director_pays != adds:
        yield refused(
            ruleset,
            Code.TREASURY_FIRST,
            "help",
            f"The treasury of {company} pays all it has: {ruleset.money(purse.treasury)}.",
            f"The director adds {ruleset.money(adds)}.",
        )
    if command.seller in (SUPPLY, POOL):
        lowest = cheapest(ruleset, table)
        if command.price > lowest:
            yield refused(
                ruleset,
                Code.CHEAPEST_TRAIN,
                "help",
                "With the director's money the cheapest train of bank and pool is bought.",
                f"There is one for {ruleset.money(lowest)}.",
            )
    elif command.price > face_value(ruleset, command.kind):
        yield refused(
            ruleset,
            Code.BAD_PRICE,
            "help",
            "With the director's money a company's train costs at most its face value.",
            f"At most {ruleset.money(face_value(ruleset, command.kind))}.",
        )
    if command.director_pays > purse.director:
        yield refused(
            ruleset,
            Code.TOO_LITTLE_CASH,
            "help",
            f"The director has {ruleset.money(purse.director)}.",
        )


def sale_was_needless(
    ruleset: Ruleset, table: Table, company: CompanyId, price: Money
) -> Iterator[Rejection]:
    """Once shares were sold, the train costs more than there was without the last of them."""
    purse = purse_of(ruleset, table, company)
    if price < purse.least:
        yield refused(
            ruleset,
            Code.SELLS_TOO_MUCH,
            "help",
            f"For {ruleset.money(price)} the last share need not have been sold.",
            f"At least {ruleset.money(purse.least)}.",
        )


def lacking(ruleset: Ruleset, table: Table, company: CompanyId) -> Money:
    """What treasury and director together lack for the cheapest train of bank and pool."""
    has = table.cash[company] + table.cash[director_of(table, company)]
    return max(0, cheapest(ruleset, table) - has)


def keeps_directorship(
    ruleset: Ruleset, table: Table, company: CompanyId, sale: SellShares
) -> Iterator[Rejection]:
    """The company that buys keeps its director; others may lose theirs (2.9, 3.7.6)."""
    if sale.company != company:
        return
    director = director_of(table, company)
    if sell_shares.new_director(ruleset, table, director, sale) is not None:
        yield refused(
            ruleset,
            Code.KEEPS_DIRECTORSHIP,
            "help",
            f"{director} would not direct {company} any more.",
        )


def largest_sale(
    ruleset: Ruleset, table: Table, company: CompanyId, of: CompanyId
) -> SellShares | None:
    """The largest block of one company's shares that the director may sell for another's train."""
    director = director_of(table, company)
    largest: SellShares | None = None
    for offer in sell_shares.offers(ruleset, table, director):
        sale = offer.command
        assert isinstance(sale, SellShares)  # what selling offers
        if sale.company != of:
            continue
        legal = next(sell_shares.objections(ruleset, table, director, sale), None) is None
        keeps = next(keeps_directorship(ruleset, table, company, sale), None) is None
        if legal and keeps and (largest is None or _more(sale, largest)):
            largest = sale
    return largest


def _more(one: SellShares, other: SellShares) -> bool:
    return shares_in(one.given) > shares_in(other.given)


def sellable(ruleset: Ruleset, table: Table, company: CompanyId) -> Money:
    """What all that the director may sell would bring, each company's shares in one block."""
    total = 0
    for other in publics(table):
        sale = largest_sale(ruleset, table, company, other)
        if sale is not None:
            total += shares_in(sale.given) * table.markers[other].price
    return total

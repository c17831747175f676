"""A company buys a private from a player (3.8.1)."""

from collections.abc import Iterable, Iterator

from contracts import events as e
from contracts.commands import BuyCompany
from contracts.ids import CompanyId, Party, PlayerId
from contracts.money import pay
from contracts.rejections import Code, Rejection
from services.engine.rules.acts.consent import Proposed, ask, refused_before
from services.engine.rules.amounts import open_amounts
from services.engine.rules.companies.privates import owner_of
from services.engine.rules.draft import Draft
from services.engine.rules.parts.kinds import Act, Offer
from services.engine.rules.ruleset import Ruleset, refused
from services.engine.table.agenda import current_turn
from services.engine.table.state import Table


def offers(ruleset: Ruleset, table: Table, who: Party) -> Iterable[Offer]:
    """Each private that a player owns, at an open price."""
    if not ruleset.facts.phases[table.phase].companies_may_buy_privates:
        return
    turn = current_turn(table)
    refused_now = () if turn is None else turn.refused
    for private in ruleset.facts.privates.values():
        if private.company_price is None or owner_of(table, private.id) not in table.order:
            continue
        without = [
            old.price
            for old in refused_now
            if isinstance(old, BuyCompany) and old.company == private.id
        ]
        least, most = private.company_price
        for interval in open_amounts("price", least, min(most, table.cash[who]), without):
            yield Offer(BuyCompany(private.id, interval.least), interval)


def objections(
    ruleset: Ruleset, table: Table, who: Party, command: BuyCompany
) -> Iterator[Rejection]:
    """What speaks against a purchase: the private, the phase, its owner, the price, the money."""
    private = ruleset.facts.privates.get(command.company)
    if private is None:
        yield refused(
            ruleset,
            Code.NO_SUCH_COMPANY,
            "private to company",
            f"{command.company} is no private company.",
        )
        return
    if private.company_price is None:
        yield not_sold(ruleset, f"No company may buy {private.id}.")
        return
    if owner_of(table, private.id) not in table.order:
        yield not_sold(ruleset, f"No player owns {private.id}.")
        return
    if not ruleset.facts.phases[table.phase].companies_may_buy_privates:
        yield not_sold(ruleset, f"Companies buy no privates in phase {table.phase}.")
    yield from refused_before(table, command)
    least, most = private.company_price
    if not least <= command.price <= most:
        yield refused(
            ruleset,
            Code.BAD_PRICE,
            "private to company",
            f"{private.id} is not sold for {ruleset.money(command.price)}.",
            f"It costs {ruleset.money(least)} to {ruleset.money(most)}.",
        )
    if command.price > table.cash[who]:
        yield refused(
            ruleset,
            Code.TOO_LITTLE_CASH,
            "private to company",
            f"{who} has {ruleset.money(table.cash[who])}.",
        )


def not_sold(ruleset: Ruleset, sentence: str) -> Rejection:
    """The refusal of a private that is not for sale to a company."""
    return refused(ruleset, Code.NOT_ON_SALE, "private to company", sentence)


def perform(ruleset: Ruleset, draft: Draft, who: Party, command: BuyCompany) -> None:
    """Buy, or ask the owner, if he is not the buyer's own director."""
    company = CompanyId(who)
    acting = draft.table.charters[company].acting
    owner = owner_of(draft.table, command.company)
    assert acting is not None and owner is not None  # noqa: PT018 - the objections saw to both
    if owner == acting:
        bought(ruleset, draft, who, command)
    else:
        ask(ruleset, draft, acting, command, company, PlayerId(owner))


def bought(_ruleset: Ruleset, draft: Draft, who: Party, command: BuyCompany) -> None:
    """The private and the money change hands; from now on it blocks no hex."""
    owner = owner_of(draft.table, command.company)
    assert owner is not None  # the objections saw to it
    payments = pay(who, owner, command.price)
    draft.emit(e.CompanyBought(command.company, owner, who, payments))


BUY_PRIVATE = Act(BuyCompany, offers, objections, perform)
PROPOSED = Proposed(objections, bought)

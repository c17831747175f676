"""Selling shares into the pool, in one block.

Everything here also serves sales that are forced: to get below a limit, or to pay for a train.
"""

from collections.abc import Iterable, Iterator

from contracts import events as e
from contracts.commands import SellShares
from contracts.ids import BANK, POOL, CompanyId, Party, PlayerId, is_directors
from contracts.money import pay
from contracts.rejections import Code, Rejection
from services.engine.rules.companies.director import changed, directors_shares, successor, swap
from services.engine.rules.draft import Draft
from services.engine.rules.parts.kinds import Act, Offer
from services.engine.rules.ruleset import Ruleset, refused
from services.engine.rules.shares.counting import (
    held,
    is_public,
    ordinary,
    percent,
    publics,
    shares_held,
    smallest_kind,
)
from services.engine.rules.shares.market import sold
from services.engine.table.agenda import current_round
from services.engine.table.on_money import shares_in
from services.engine.table.state import Table


def offers(_ruleset: Ruleset, table: Table, who: Party) -> Iterable[Offer]:
    """Every number of shares that the seller holds, as ordinary certificates.

    A director may name those of his own certificate too: the exchange gives him them.
    """
    for company in publics(table):
        for number in range(1, shares_held(table, company, who) + 1):
            yield Offer(SellShares(company, {smallest_kind(): number}))


def objections(
    ruleset: Ruleset, table: Table, who: Party, command: SellShares
) -> Iterator[Rejection]:
    """What speaks against a sale (3.2.2, 3.2.6)."""
    company = command.company
    if not is_public(table, company):
        yield refused(
            ruleset, Code.NO_SUCH_COMPANY, "selling", f"{company} is no company with shares."
        )
        return
    if company not in table.markers:
        yield refused(
            ruleset, Code.NOT_STARTED, "selling", f"{company} has no price yet.",
        )  # fmt: skip
        return
    if not could_give(table, who, command):
        has = shares_held(table, company, who)
        yield refused(
            ruleset,
            Code.NOT_YOURS,
            "selling",
            f"{who} has not these certificates of {company}.",
            f"He has {has} shares; ordinary certificates are named.",
        )
        return
    yield from no_sales_yet(ruleset, table)
    yield from pool_too_full(ruleset, table, command)
    yield from nobody_to_follow(ruleset, table, who, command)


def could_give(table: Table, who: Party, command: SellShares) -> bool:
    """Whether a holder has the certificates named, once a director's might be exchanged.

    No change is taken back: a director's certificate is never sold for some of its shares.
    """
    given = command.given
    if (
        command.taken
        or not given
        or any(number < 1 or is_directors(kind) for kind, number in given.items())
    ):
        return False
    has = held(table, command.company, who)
    there = dict(ordinary(has))
    if ordinary(has) != has:
        exchanged = smallest_kind()
        shares = directors_shares(table, command.company)
        there[exchanged] = there.get(exchanged, 0) + shares
    return all(number <= there.get(kind, 0) for kind, number in given.items())


def no_sales_yet(ruleset: Ruleset, table: Table) -> Iterator[Rejection]:
    """Nothing is sold in the first stock round (3.2.2)."""
    playing = current_round(table)
    first = ruleset.facts.share_rules.first_sale_round
    if playing is not None and playing.kind == "stock" and playing.number < first:
        yield refused(
            ruleset,
            Code.NO_SALES_YET,
            "first sales",
            "No shares are sold in this stock round.",
            f"They are from stock round {first} on.",
        )


def pool_too_full(ruleset: Ruleset, table: Table, command: SellShares) -> Iterator[Rejection]:
    """The pool takes no more than its part of a company (3.2.6)."""
    company = command.company
    there = shares_held(table, company, POOL)
    most = ruleset.facts.share_rules.pool_limit_percent
    would = percent(table, company, there + shares_in(command.given))
    if would > most:
        room = most - percent(table, company, there)
        yield refused(
            ruleset,
            Code.POOL_LIMIT,
            "selling",
            f"The pool would have {would}% of {company}, of at most {most}%.",
            f"It takes {room}% more." if room > 0 else "It takes no more.",
        )


def nobody_to_follow(
    ruleset: Ruleset, table: Table, who: Party, command: SellShares
) -> Iterator[Rejection]:
    """A director's certificate never goes to the pool: somebody must take it (3.2.6)."""
    company = command.company
    if table.charters[company].director != who:
        return
    needed = directors_shares(table, company)
    given = shares_in(command.given)
    if shares_held(table, company, who) - given >= needed:
        return
    new = successor(ruleset, table, company, given)
    if new is None or shares_held(table, company, new) < needed:
        part = percent(table, company, needed)
        yield refused(
            ruleset,
            Code.NO_NEW_DIRECTOR,
            "directorship",
            f"Nobody else has {part}% of {company} to take the director's certificate.",
            f"The director keeps at least {part}%.",
        )


def new_director(
    ruleset: Ruleset, table: Table, who: Party, command: SellShares
) -> PlayerId | None:
    """Who directs the company after a sale, if it is somebody else."""
    if table.charters[command.company].director != who:
        return None
    return successor(ruleset, table, command.company, shares_in(command.given))


def performed(ruleset: Ruleset, draft: Draft, who: Party, command: SellShares) -> None:
    """All shares of a block fetch the price before the fall; a director may change (3.2.6, 3.2.7).

    The exchange with a new director comes before the sale, so that the seller has what he sells.
    """
    company: CompanyId = command.company
    new = new_director(ruleset, draft.table, who, command)
    if new is not None:
        draft.emit(swap(draft.table, company, new))
    shares = shares_in(command.given)
    fetched = shares * draft.table.markers[company].price
    draft.emit(
        e.SharesSold(
            who=who,
            company=company,
            target=POOL,
            given=command.given,
            taken={},
            payments=pay(BANK, who, fetched),
        )
    )
    if new is not None:
        draft.emit(changed(company, new))
    draft.emit(*sold(ruleset, draft.table, company, shares))


SELL = Act(SellShares, offers, objections, performed)

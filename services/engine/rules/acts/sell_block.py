"""Selling shares where the director's certificate may go to the pool (6.3, 6.4).

Whoever ends below the director's certificate, with nobody to follow him, hands it in and takes
change: the block is then that certificate and what he does not keep.
"""

from collections.abc import Iterator

from contracts import events as e
from contracts.commands import SellShares
from contracts.ids import BANK, POOL, CompanyId, Party, PlayerId, is_directors, shares_of
from contracts.money import pay
from contracts.rejections import Code, Rejection
from services.engine.rules.acts.sell_shares import no_sales_yet, pool_too_full
from services.engine.rules.companies.bankrupt import bankrupt_if_fallen_out
from services.engine.rules.companies.director import (
    changed,
    directors_certificate,
    goes_on_without,
    review,
    successor,
    swap,
)
from services.engine.rules.companies.last_operations import have_begun
from services.engine.rules.draft import Draft
from services.engine.rules.families.sale_prices import sale_price
from services.engine.rules.families.zone_effects import Effect
from services.engine.rules.parts.kinds import Act, Offer
from services.engine.rules.ruleset import Ruleset, refused
from services.engine.rules.shares.counting import (
    held,
    is_public,
    publics,
    shares_held,
    smallest_kind,
)
from services.engine.rules.shares.market import has_effect, sold
from services.engine.table.agenda import current_round, current_turn
from services.engine.table.on_money import shares_in
from services.engine.table.state import Table


def net(command: SellShares) -> int:
    """The shares that are really sold: those given less those taken back."""
    return shares_in(command.given) - shares_in(command.taken)


def block_of(
    ruleset: Ruleset, table: Table, who: Party, company: CompanyId, shares: int
) -> SellShares | None:
    """The certificates that are given and taken to sell so many shares; None if it cannot be.

    The pool may have too few ordinary certificates to give as change (6.3).
    """
    single = smallest_kind()
    kind, holder = directors_certificate(table, company)
    if holder != who or successor(ruleset, table, company, shares) is not None:
        return SellShares(company, {single: shares})
    mine = held(table, company, who).get(single, 0)
    keeps = shares_held(table, company, who) - shares
    if keeps >= shares_of(kind):
        return SellShares(company, {single: shares})
    change = max(0, keeps - mine)
    if held(table, company, POOL).get(single, 0) < change:
        return None
    given = {kind: 1, single: mine - keeps} if mine > keeps else {kind: 1}
    return SellShares(company, given, {single: change} if change else {})


def offers(ruleset: Ruleset, table: Table, who: Party) -> Iterator[Offer]:
    """Every number of shares that the seller holds, in one block."""
    for company in publics(table):
        for number in range(1, shares_held(table, company, who) + 1):
            block = block_of(ruleset, table, who, company, number)
            if block is not None:
                yield Offer(block)


def offers_in_turn(ruleset: Ruleset, table: Table, who: Party) -> Iterator[Offer]:
    """What may be sold in a turn: nothing after a purchase, no company twice (6.2)."""
    turn = current_turn(table)
    if turn is not None and turn.bought:
        return
    sold_before = () if turn is None else turn.sold
    for offer in offers(ruleset, table, who):
        if getattr(offer.command, "company", None) not in sold_before:
            yield offer


def any_objections(
    ruleset: Ruleset, table: Table, who: Party, command: SellShares
) -> Iterator[Rejection]:
    """What speaks against any sale, also a forced one (6.3, 6.4)."""
    company, shares = command.company, net(command)
    if not is_public(table, company):
        sentence = f"{company} is no company with shares."
        yield refused(ruleset, Code.NO_SUCH_COMPANY, "selling", sentence)
        return
    if table.charters[company].par is None:
        yield refused(ruleset, Code.NOT_STARTED, "selling", f"{company} has not been started.")
        return
    has = shares_held(table, company, who)
    if not 0 < shares <= has:
        yield refused(ruleset, Code.NOT_YOURS, "selling", f"{who} has {has} shares of {company}.")
        return
    block = block_of(ruleset, table, who, company, shares)
    if block is None:
        yield refused(
            ruleset,
            Code.NO_NEW_DIRECTOR,
            "directorship",
            f"The pool has too few ordinary shares of {company} to change the certificate.",
            "Sell more, or less.",
        )
    elif block != command:
        given = ", ".join(f"{number} of {kind}" for kind, number in block.given.items())
        taken = ", ".join(f"{number} of {kind}" for kind, number in block.taken.items())
        yield refused(
            ruleset,
            Code.NOT_YOURS,
            "selling",
            f"So {shares} shares of {company} cannot be sold.",
            f"Give {given}; take back {taken or 'none'}.",
        )
    yield from pool_too_full(ruleset, table, command)


def objections(
    ruleset: Ruleset, table: Table, who: Party, command: SellShares
) -> Iterator[Rejection]:
    """What speaks against a sale in a turn: one block of each company, before a purchase (6.2)."""
    yield from any_objections(ruleset, table, who, command)
    yield from no_sales_yet(ruleset, table)
    turn, playing = current_turn(table), current_round(table)
    if turn is not None and turn.bought:
        yield refused(
            ruleset,
            Code.WRONG_STEP,
            "turn",
            "Shares are sold before a certificate is bought.",
        )
    if turn is not None and command.company in turn.sold:
        yield refused(
            ruleset,
            Code.NOT_ALLOWED,
            "selling",
            f"A block of {command.company} has been sold in this turn.",
            "All shares of one company are sold in one block.",
        )
    mine = {} if playing is None else playing.bought.get(PlayerId(who), {})
    bought = mine.get(command.company, 0)
    has = shares_held(table, command.company, who) if is_public(table, command.company) else 0
    if bought and has - net(command) < bought:
        yield refused(
            ruleset,
            Code.NOT_ALLOWED,
            "selling",
            f"{who} has bought {bought} shares of {command.company} in this round.",
            f"He keeps at least {bought}.",
        )


def forgiven(ruleset: Ruleset, table: Table, who: Party, company: CompanyId) -> int:
    """How many shares of a block do not move the price: read before it is sold (6.4.2)."""
    if table.charters[company].director == who:
        return 0
    if has_effect(ruleset, table, company, Effect.FORGIVES_TWO):
        return 2
    return 1 if has_effect(ruleset, table, company, Effect.FORGIVES_ONE) else 0


def performed(ruleset: Ruleset, draft: Draft, who: Party, command: SellShares) -> None:
    """The block fetches the price before the fall; the director may change, the price falls."""
    table, company, shares = draft.table, command.company, net(command)
    is_director = table.charters[company].director == who
    new = successor(ruleset, table, company, shares) if is_director else None
    counted = max(0, shares - forgiven(ruleset, table, who, company))
    fetched = shares * sale_price(ruleset, table, company)
    if new is not None:
        draft.emit(swap(table, company, new))
    draft.emit(
        e.SharesSold(
            who=who,
            company=company,
            target=POOL,
            given=command.given,
            taken=command.taken,
            payments=pay(BANK, who, fetched),
        )
    )
    if new is not None:
        draft.emit(changed(company, new))
    elif any(map(is_directors, command.given)):
        goes_on_without(draft, company)
    else:
        review(ruleset, draft, company)
    if table.charters[company].status == "floated" and not have_begun(table):
        draft.emit(*sold(ruleset, draft.table, company, counted))
        bankrupt_if_fallen_out(ruleset, draft, company)


SELL_BLOCK = Act(SellShares, offers_in_turn, objections, performed)
FORCED = Act(SellShares, offers, any_objections, performed)
"""A sale that a player is made to make, outside his turn."""

"""Bidding: in the waterfall, and in the auction of one lot.

A lot at its asking price is bought by a bid too.
"""

from collections.abc import Iterable, Iterator

from contracts import events as e
from contracts.choices import Interval
from contracts.commands import Bid
from contracts.frames import Lot, Waterfall
from contracts.ids import CompanyId, Money, Party, PlayerId
from contracts.rejections import Code, Rejection
from services.engine.rules.draft import Draft
from services.engine.rules.parts.kinds import Act, Offer
from services.engine.rules.procedures.lots import (
    ask_for_par,
    auction_of,
    dearest_bid,
    free_cash,
    waterfall_of,
    won,
)
from services.engine.rules.ruleset import Ruleset, refused
from services.engine.rules.shares.limits import certificate_objection
from services.engine.table.state import Table


def least_bid(ruleset: Ruleset, lot: Lot) -> Money:
    """A step over the asking price and over every bid (3.1.2); the first for a charter is free."""
    standing = dearest_bid(lot)
    if standing is None and lot.company in ruleset.facts.publics:
        return ruleset.facts.auction.least_bid
    return max(lot.asking, standing or 0) + ruleset.facts.auction.bid_step


def most_bid(ruleset: Ruleset, table: Table, who: Party, lot: CompanyId) -> Money:
    """What a player can bid: what is free, less what he needs to start what he may win (4.1)."""
    free = free_cash(table, PlayerId(who), lot) - ruleset.facts.auction.cash_kept_back
    return free // ruleset.facts.auction.bid_multiple * ruleset.facts.auction.bid_multiple


def too_dear(ruleset: Ruleset, table: Table, who: Party, command: Bid) -> Iterator[Rejection]:
    """Money set aside for other bids, or for a start, cannot be bid (3.1.3)."""
    kept = ruleset.facts.auction.cash_kept_back
    free = free_cash(table, PlayerId(who), command.lot)
    if command.amount + kept > free:
        has = f"{who} has {ruleset.money(free)}"
        yield refused(
            ruleset,
            Code.TOO_LITTLE_CASH,
            "bids",
            f"{has} that is not set aside for other bids."
            if not kept
            else f"{has}, of which he keeps {ruleset.money(kept)} to start the company.",
        )


def too_low(ruleset: Ruleset, lot: Lot, command: Bid) -> Iterator[Rejection]:
    """A bid goes over all before it, in whole steps."""
    multiple = ruleset.facts.auction.bid_multiple
    if command.amount % multiple:
        yield refused(
            ruleset,
            Code.BAD_PRICE,
            "bids",
            f"{ruleset.money(command.amount)} is no multiple of {ruleset.money(multiple)}.",
        )
    least = least_bid(ruleset, lot)
    if command.amount < least:
        yield refused(
            ruleset,
            Code.BID_TOO_LOW,
            "auction",
            f"{ruleset.money(command.amount)} is too little for {lot.company}.",
            f"At least {ruleset.money(least)}.",
        )


def raises(ruleset: Ruleset, table: Table, who: Party, lot: Lot) -> Iterator[Offer]:
    """The bids that a player can pay for a lot."""
    least, most = least_bid(ruleset, lot), most_bid(ruleset, table, who, lot.company)
    if least <= most:
        step = ruleset.facts.auction.bid_multiple
        yield Offer(Bid(lot.company, least), Interval("amount", least, most, step))


# --- the row of lots -------------------------------------------------------------------------


def row_offers(ruleset: Ruleset, table: Table, who: Party) -> Iterable[Offer]:
    """The first lot at its price, any other for a higher bid."""
    waterfall = waterfall_of(table)
    if waterfall is None or not waterfall.lots:
        return
    first, *others = waterfall.lots
    yield Offer(Bid(first.company, first.asking))
    for lot in others:
        yield from raises(ruleset, table, who, lot)


def row_objections(ruleset: Ruleset, table: Table, who: Party, command: Bid) -> Iterator[Rejection]:
    """What speaks against buying the first lot or bidding for another (3.1.2, 3.1.3)."""
    waterfall = waterfall_of(table)
    lots = waterfall.lots if isinstance(waterfall, Waterfall) else ()
    lot = next((lot for lot in lots if lot.company == command.lot), None)
    if lot is None:
        yield not_on_sale(ruleset, command, tuple(lot.company for lot in lots))
        return
    if lot == lots[0]:
        if command.amount != lot.asking:
            yield refused(
                ruleset,
                Code.BAD_PRICE,
                "auction",
                f"{lot.company} is first in the row: it is bought, not bid for.",
                f"Its price is {ruleset.money(lot.asking)}.",
            )
    else:
        yield from too_low(ruleset, lot, command)
    yield from too_dear(ruleset, table, who, command)


def not_on_sale(ruleset: Ruleset, command: Bid, lots: tuple[Party, ...]) -> Rejection:
    """The refusal of a bid for something else."""
    facts = ruleset.facts
    known = facts.publics if facts.starting else facts.privates
    code = Code.NOT_ON_SALE if command.lot in known else Code.NO_SUCH_COMPANY
    return refused(
        ruleset,
        code,
        "auction",
        f"{command.lot} cannot be bid for.",
        f"These can: {', '.join(lots)}.",
    )


def bought_or_bid(ruleset: Ruleset, draft: Draft, who: Party, command: Bid) -> None:
    """Sell the first lot, or let a bid for another stand."""
    waterfall = waterfall_of(draft.table)
    player = PlayerId(who)
    if waterfall is not None and waterfall.lots[0].company == command.lot:
        won(ruleset, draft, command.lot, player, command.amount)
        ask_for_par(ruleset, draft, command.lot, player)
    else:
        draft.emit(e.BidMade(command.lot, player, command.amount))


# --- the auction of one lot ------------------------------------------------------------------


def auction_offers(ruleset: Ruleset, table: Table, who: Party) -> Iterable[Offer]:
    """A higher bid."""
    auction = auction_of(table)
    if auction is not None:
        yield from raises(ruleset, table, who, auction.lot)


def auction_objections(
    ruleset: Ruleset, table: Table, who: Party, command: Bid
) -> Iterator[Rejection]:
    """What speaks against a higher bid in an auction (3.1.4)."""
    auction = auction_of(table)
    if auction is None or auction.lot.company != command.lot:
        lots = () if auction is None else (auction.lot.company,)
        yield not_on_sale(ruleset, command, lots)
        return
    yield from too_low(ruleset, auction.lot, command)
    yield from too_dear(ruleset, table, who, command)
    if ruleset.rulings.get("bids at the limit") != "allowed":
        yield from no_room(ruleset, table, who, command)


def no_room(ruleset: Ruleset, table: Table, who: Party, command: Bid) -> Iterator[Rejection]:
    """Who is at the certificate limit does not bid for a charter (4.1)."""
    if command.lot in ruleset.facts.publics:
        refusal = certificate_objection(ruleset, table, PlayerId(who), command.lot, 1)
        if refusal is not None:
            yield refusal


def bid_higher(_ruleset: Ruleset, draft: Draft, who: Party, command: Bid) -> None:
    """Let the bid stand."""
    draft.emit(e.BidMade(command.lot, PlayerId(who), command.amount))


BUY_OR_BID = Act(Bid, row_offers, row_objections, bought_or_bid)
BID_HIGHER = Act(Bid, auction_offers, auction_objections, bid_higher)

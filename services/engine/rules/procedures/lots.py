"""Lots of an auction: what is bid for them, and what a winner gets."""

from collections.abc import Iterator

from contracts import events as e
from contracts.frames import Auction, Lot, Question, StartPrice, Waterfall
from contracts.ids import BANK, OFFERING, CertificateKind, CompanyId, Money, PlayerId
from contracts.money import pay
from contracts.pieces import CertificateMove
from contracts.titles.facts import ComesWith
from services.engine.rules.draft import Draft
from services.engine.rules.ruleset import Ruleset
from services.engine.rules.shares.counting import held, moves
from services.engine.table.agenda import topmost
from services.engine.table.state import Table


def waterfall_of(table: Table) -> Waterfall | None:
    """The row of lots, if there is one."""
    return topmost(table.agenda, Waterfall)


def auction_of(table: Table) -> Auction | None:
    """The auction of one lot, if there is one."""
    return topmost(table.agenda, Auction)


def dearest_bid(lot: Lot) -> Money | None:
    """The highest bid for a lot."""
    return lot.bids[-1][1] if lot.bids else None


def live_bids(table: Table, player: PlayerId) -> Iterator[tuple[CompanyId, Money]]:
    """A player's bids; the one for a lot whose auction he has left is not live any more (3.1.4)."""
    waterfall, auction = waterfall_of(table), auction_of(table)
    for lot in waterfall.lots if waterfall is not None else ():
        is_out = (
            auction is not None
            and auction.lot.company == lot.company
            and player not in auction.bidders
        )
        if not is_out:
            yield from ((lot.company, amount) for bidder, amount in lot.bids if bidder == player)


def free_cash(table: Table, player: PlayerId, lot: CompanyId) -> Money:
    """What a player can bid for a lot: all that is not set aside for other bids of his (3.1.3)."""
    aside = sum(amount for company, amount in live_bids(table, player) if company != lot)
    return table.cash[player] - aside


def won(ruleset: Ruleset, draft: Draft, lot: CompanyId, player: PlayerId, price: Money) -> None:
    """A lot goes to a player, and a share that comes with it (3.1.6)."""
    draft.emit(
        e.LotWon(
            lot,
            player,
            pay(player, BANK, price),
            moves(held(draft.table, lot, OFFERING), OFFERING, player),
        )
    )
    with_it = ruleset.facts.privates[lot].comes_with
    if with_it is not None and not with_it.sets_par:
        draft.emit(share_with_private(draft.table, with_it, player))


def ask_for_par(ruleset: Ruleset, draft: Draft, lot: CompanyId, player: PlayerId) -> None:
    """Ask the winner for a par at once, where a director's certificate comes with the lot."""
    with_it = ruleset.facts.privates[lot].comes_with
    if with_it is not None and with_it.sets_par:
        matter = StartPrice(with_it.company)
        draft.emit(e.QuestionAsked(Question(draft.next_frame(), matter, (player,))))


def share_with_private(table: Table, with_it: ComesWith, player: PlayerId) -> e.CertificatesMoved:
    """The certificate that comes with a private goes to whoever won it."""
    shares = with_it.percent * table.charters[with_it.company].whole // 100
    kind = CertificateKind(f"{shares}{'d' if with_it.director else ''}")
    move = CertificateMove(kind, 1, OFFERING, player)
    return e.CertificatesMoved(with_it.company, (move,), "with a private")

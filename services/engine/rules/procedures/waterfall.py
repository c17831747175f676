"""The waterfall: the cheapest lot may be bought, the dearer ones bid for (3.1)."""

from contracts import events as e
from contracts.frames import Auction, Lot, Round, Turn, Waterfall
from contracts.ids import PlayerId
from services.engine.rules.companies.income import pay_incomes
from services.engine.rules.draft import Draft
from services.engine.rules.procedures.lots import ask_for_par, won
from services.engine.rules.ruleset import Ruleset
from services.engine.rules.seating import all_passed, from_left_of, next_in_turn
from services.engine.table.agenda import current_round
from services.engine.table.state import Table


def begun(ruleset: Ruleset, draft: Draft) -> None:
    """Put all privates in a row, cheapest first."""
    cheapest_first = sorted(ruleset.facts.privates.values(), key=lambda private: private.price)
    lots = tuple(Lot(private.id, private.price) for private in cheapest_first)
    draft.emit(e.ProcedureSet(Waterfall(draft.next_frame(), lots)))


def advance(ruleset: Ruleset, draft: Draft, frame: Waterfall) -> None:
    """Sell the first lot if it has been bid for, or begin the next turn.

    The first lot can have bids only after a purchase, since it cannot be bid for; so the turn that
    follows is that of the player to the left of who made the purchase (3.1.4).
    """
    if not frame.lots:
        draft.emit(e.ProcedureEnded(frame.id, "all sold"))
        return
    first = frame.lots[0]
    if len(first.bids) == 1:
        player, amount = first.bids[0]
        won(ruleset, draft, first.company, player, amount)
        ask_for_par(ruleset, draft, first.company, player)
        return
    if first.bids:
        bidders = speaking_order(ruleset, draft.table, first)
        draft.emit(e.ProcedureSet(Auction(draft.next_frame(), first, bidders)))
        return
    playing = current_round(draft.table)
    assert isinstance(playing, Round)  # a waterfall is played in a round
    if all_passed(draft.table, playing):
        nobody_wanted(ruleset, draft, frame)
    who = next_in_turn(draft.table, playing)
    draft.emit(e.TurnBegan(Turn(draft.next_frame(), who, ruleset.facts.turns.opening)))


def nobody_wanted(ruleset: Ruleset, draft: Draft, frame: Waterfall) -> None:
    """All have passed in a row: the first lot gets cheaper, or privates pay (3.1.5)."""
    auction = ruleset.facts.auction
    first = frame.lots[0]
    if frame.sold == 0:
        price = max(0, first.asking - auction.first_company_price_drop)
        draft.emit(e.AskingPriceSet(first.company, price))
    elif auction.income_when_all_pass_after_first_sale:
        pay_incomes(ruleset, draft)


def speaking_order(ruleset: Ruleset, table: Table, lot: Lot) -> tuple[PlayerId, ...]:
    """The bidders as they will speak; the highest comes last.

    Ruling "auction order": clockwise from the left of the highest bidder (3.1.4), or each time the
    lowest bidder. Who raises is the highest then and speaks last, so both orders only go round.
    """
    bidders = tuple(player for player, _ in lot.bids)
    if ruleset.rulings["auction order"] == "lowest bidder":
        return bidders
    return tuple(player for player in from_left_of(table, bidders[-1]) if player in bidders)

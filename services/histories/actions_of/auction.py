"""Bids, and the price of a company whose certificate or charter was won."""

from contracts.commands import Bid, StartCompany
from contracts.ids import CompanyId, Party
from services.histories.errors import HistoryError
from services.histories.game import Game, Orders, number
from services.histories.kinds import BidFor, Par


def bid(game: Game, action: BidFor) -> Orders:
    """A bid, or a purchase at the asking price, which is a bid too."""
    player = game.player(game.party(action))
    lot = action.company or action.corporation
    if lot is None:
        raise HistoryError("a bid that names nothing", f"{player}")
    yield game.order(player, Bid(CompanyId(Party(lot)), action.price))


def par(game: Game, action: Par) -> Orders:
    """A company started in a stock turn, or the answer to what its price shall be."""
    player = game.player(game.party(action))
    company = CompanyId(Party(action.corporation))
    price = number(action.share_price.partition(",")[0], "a price")
    yield game.order(player, StartCompany(company, price))

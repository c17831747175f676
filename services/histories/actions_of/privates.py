"""Privates that change hands."""

from contracts.commands import Answer, BuyCompany, TradePrivate
from contracts.ids import CompanyId, Party, PlayerId
from services.histories.errors import HistoryError
from services.histories.game import Game, Orders
from services.histories.kinds import BuyPrivate


def buy(game: Game, action: BuyPrivate) -> Orders:
    """A private bought by a company or a player; its owner agrees, as he did on the site."""
    buyer = game.party(action)
    private = CompanyId(Party(action.company))
    owner = game.owner(private)
    if owner is None:
        raise HistoryError(f"{action.company} has no owner to sell it", f"a purchase by {buyer}")
    if buyer in game.table.order:
        offer = TradePrivate(private, PlayerId(owner), action.price)
        yield game.order(PlayerId(buyer), offer)
    else:
        yield game.order(game.player(buyer), BuyCompany(private, action.price))
    for player in game.consent():
        yield game.order(player, Answer(yes=True))

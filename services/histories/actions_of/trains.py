"""Trains bought, handed in and given up; and what happens when there is no money for one."""

from contracts.commands import Answer, BuyTrain, DeclareBankruptcy, DiscardTrain
from contracts.ids import SUPPLY, Party, TrainId, TrainKind
from services.histories.game import Game, Orders
from services.histories.kinds import Bankrupt, BuyA, Discard


def owner_of(game: Game, train: TrainId) -> Party:
    """Who has a train; the supply makes cards of an unlimited kind as they are sold."""
    for party, owned in game.table.trains.items():
        if any(card.id == train for card in owned):
            return party
    return SUPPLY


def buy(game: Game, action: BuyA) -> Orders:
    """A train bought; the director of a selling company agrees, as he did on the site."""
    company = game.party(action)
    train = TrainId(action.train)
    seller = owner_of(game, train)
    short = action.price - game.table.cash[company]
    command = BuyTrain(
        kind=TrainKind(action.train.rpartition("-")[0]),
        seller=seller,
        price=action.price,
        train=None if seller == SUPPLY else train,
        handed_in=None if action.exchange is None else TrainId(action.exchange),
        director_pays=max(short, 0),
    )
    yield game.order(game.player(company), command)
    for player in game.consent():
        yield game.order(player, Answer(yes=True))


def discard(game: Game, action: Discard) -> Orders:
    """A train above the limit given up."""
    yield game.order(game.player(game.party(action)), DiscardTrain(TrainId(action.train)))


def bankrupt(game: Game, action: Bankrupt) -> Orders:
    """The director cannot pay for the train that his company must have."""
    yield game.order(game.player(game.party(action)), DeclareBankruptcy())

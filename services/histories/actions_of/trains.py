"""Trains bought, handed in and given up; and what happens when there is no money for one."""

from collections.abc import Mapping

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


def side_of(game: Game, action: BuyA) -> str | None:
    """The side that a train's name on the site means: `2/3E`, and a star where it has warranties.

    >>> side_named({"local": "2L", "express": "2E"}, "2E*")
    'express'
    """
    card = game.facts.trains.get(TrainKind(action.train.rpartition("-")[0]))
    if card is None or not card.sides:
        return None
    return side_named({side: facts.name for side, facts in card.sides.items()}, action.variant)


def side_named(sides: Mapping[str, str], variant: str | None) -> str | None:
    """The side with a name."""
    name = (variant or "").rstrip("*")
    return next((side for side, known in sides.items() if known == name), None)


def buy(game: Game, action: BuyA) -> Orders:
    """A train bought; the director of a selling company agrees, as he did on the site."""
    company = game.party(action)
    train = TrainId(action.train)
    seller = owner_of(game, train)
    short = action.price - game.table.cash[company]
    side = side_of(game, action) if seller == SUPPLY else None
    command = BuyTrain(
        kind=TrainKind(action.train.rpartition("-")[0]),
        seller=seller,
        price=action.price,
        train=None if seller == SUPPLY else train,
        handed_in=None if action.exchange is None else TrainId(action.exchange),
        director_pays=0 if side is not None else max(short, 0),
        side=side,
        warranties=action.warranties or 0,
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

"""Leanings: what a house player likes to do, as weights.

Uniform chance seldom leaves the first phase of a game; a leaning does, each in another way. A
weight is how many lots an option has in the draw; nought means never, unless nothing else is
possible.
"""

from collections.abc import Mapping
from typing import Final

from msgspec import Struct


class Leaning(Struct, frozen=True):
    """What a player likes.

    `weights` are by name of the command. `withholds` is how often of 100 he keeps the earnings,
    `trains_wanted` how many trains he gives each company if he can, `generous` how often of 100 he
    says yes to what others propose, `dear` how often of 100 he names a price above the least.
    """

    name: str
    weights: Mapping[str, int]
    withholds: int
    trains_wanted: int
    generous: int
    dear: int


_BASE: Final[Mapping[str, int]] = {
    "Bid": 30,
    "Pass": 8,
    "StartCompany": 40,
    "BuyShares": 60,
    "SellShares": 2,
    "LayTile": 60,
    "PlaceToken": 20,
    "RunTrains": 1000,
    "PayDividend": 100,
    "BuyTrain": 60,
    "DiscardTrain": 10,
    "BuyCompany": 12,
    "TradePrivate": 1,
    "ExchangePrivate": 3,
    "DeclareBankruptcy": 1,
}


def _leaning(
    name: str,
    weights: Mapping[str, int],
    *,
    withholds: int = 15,
    trains_wanted: int = 2,
    generous: int = 70,
    dear: int = 30,
) -> Leaning:
    return Leaning(name, {**_BASE, **weights}, withholds, trains_wanted, generous, dear)


LEANINGS: Final[tuple[Leaning, ...]] = (
    _leaning("builder", {"LayTile": 200, "PlaceToken": 80, "Pass": 4}),
    _leaning("train rusher", {"BuyTrain": 300, "Pass": 4}, withholds=40, trains_wanted=4),
    _leaning("share dealer", {"BuyShares": 120, "SellShares": 25, "TradePrivate": 2}, dear=60),
    _leaning("company starter", {"StartCompany": 200, "BuyShares": 40}, withholds=5),
    _leaning("withholder", {"BuyTrain": 30}, withholds=85, trains_wanted=1, generous=30),
    _leaning(
        "saboteur",
        {"SellShares": 60, "DiscardTrain": 30, "TradePrivate": 4, "BuyCompany": 40},
        withholds=50,
        generous=20,
        dear=90,
    ),
)

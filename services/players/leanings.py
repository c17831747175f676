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
    `second_hand` is how many lots the train of another company has where one of the bank has 100,
    and `restless` how many lots a sale has once he has bought in his turn.
    """

    name: str
    weights: Mapping[str, int]
    withholds: int
    trains_wanted: int
    generous: int
    dear: int
    second_hand: int
    restless: int


_BASE: Final[Mapping[str, int]] = {
    "Bid": 30,
    "Pass": 10,
    "StartCompany": 40,
    "BuyShares": 90,
    "SellShares": 1,
    "LayTile": 60,
    "PlaceToken": 20,
    "RunTrains": 1000,
    "PayDividend": 100,
    "BuyTrain": 80,
    "DiscardTrain": 10,
    "BuyCompany": 6,
    "TradePrivate": 1,
    "ExchangePrivate": 2,
    "DeclareBankruptcy": 1,
    "PlaceSmallStation": 6,
    "RedeemShares": 4,
    "ProposeJoining": 2,
    "ChooseSurvivor": 10,
    "SettleOption": 10,
    "BuyTokens": 10,
    "SellTreasuryShares": 10,
    "Refinance": 4,
    "ChooseTokens": 10,
}


def _leaning(
    name: str,
    weights: Mapping[str, int],
    *,
    withholds: int = 5,
    trains_wanted: int = 2,
    generous: int = 60,
    dear: int = 30,
    second_hand: int = 3,
    restless: int = 1,
) -> Leaning:
    return Leaning(
        name,
        {**_BASE, **weights},
        withholds=withholds,
        trains_wanted=trains_wanted,
        generous=generous,
        dear=dear,
        second_hand=second_hand,
        restless=restless,
    )


LEANINGS: Final[tuple[Leaning, ...]] = (
    _leaning("builder", {"LayTile": 200, "PlaceToken": 80}),
    _leaning("train rusher", {"BuyTrain": 400, "Pass": 4}, withholds=20, trains_wanted=4),
    _leaning(
        "share dealer", {"SellShares": 4, "TradePrivate": 2}, dear=60, second_hand=10, restless=4
    ),
    _leaning("company starter", {"StartCompany": 300, "BuyShares": 60}, withholds=5),
    _leaning("withholder", {"Bid": 12, "BuyTrain": 40}, withholds=50, trains_wanted=1, generous=20),
    _leaning(
        "saboteur",
        {"Bid": 8, "SellShares": 6, "DiscardTrain": 30, "TradePrivate": 4, "BuyCompany": 40},
        withholds=30,
        generous=20,
        dear=90,
        second_hand=30,
        restless=6,
    ),
)

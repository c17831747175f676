"""The kinds of action that can stand in a history, as the site writes them.

Only what is needed to replay is read; the site's other keys are ignored. Standing orders
(`program_...`), remarks (`log`) and an agreed finish (`end_game`) are read by their kind alone.
"""

from collections.abc import Mapping
from typing import Final

import msgspec
from msgspec import Raw, Struct


class Action(Struct, frozen=True, kw_only=True):
    """Any action: whose it is (a player's number, or the name of a corporation or private)."""

    type: str
    entity: int | str
    entity_type: str = "player"


class Remark(Action, frozen=True, kw_only=True):
    """A standing order set or cleared, or a remark: nothing changes."""


class EndGame(Action, frozen=True, kw_only=True):
    """The players agreed to stop."""


class BidFor(Action, frozen=True, kw_only=True):
    """A bid for a private or for a corporation's charter, or a purchase at the asking price."""

    price: int
    company: str | None = None
    corporation: str | None = None


class PassOn(Action, frozen=True, kw_only=True):
    """A pass: of a turn, of a step of a turn, or in an auction."""


class Par(Action, frozen=True, kw_only=True):
    """A company started at a price; `share_price` is price, row, column."""

    corporation: str
    share_price: str


class BuyOf(Action, frozen=True, kw_only=True):
    """Share certificates bought, or taken in exchange for a private (then the entity)."""

    shares: tuple[str, ...]


class Choose(Action, frozen=True, kw_only=True):
    """An answer to whatever the site asks: a number of tokens, which of two, redeem or sell."""

    choice: int | str


class Merge(Action, frozen=True, kw_only=True):
    """A corporation joins another one, or takes it over as its turn ends."""

    corporation: str


class SellOf(Action, frozen=True, kw_only=True):
    """Share certificates sold in one block; a director's may be sold in part."""

    shares: tuple[str, ...]
    percent: int | None = None


class Lay(Action, frozen=True, kw_only=True):
    """A tile laid; the entity is the private whose right is used, where one is."""

    hex: str
    tile: str
    rotation: int


class PlaceIn(Action, frozen=True, kw_only=True):
    """A token placed in a city of a tile, by a corporation or by right of its private."""

    city: str
    slot: int | None = None
    tokener: str | None = None


class RemoveFrom(Action, frozen=True, kw_only=True):
    """A token of a joined corporation taken off a city of a tile."""

    city: str
    slot: int


class Route(Struct, frozen=True, kw_only=True):
    """What one train ran: each stretch between two stops as a list of hexes; nodes where known."""

    train: str
    connections: tuple[tuple[str, ...], ...] = ()
    nodes: tuple[str, ...] = ()
    hexes: tuple[str, ...] = ()
    revenue: int = 0
    subsidy: int = 0


class RunRoutes(Action, frozen=True, kw_only=True):
    """What the trains of a corporation ran."""

    routes: tuple[Route, ...]
    extra_revenue: int = 0


class Dividend(Action, frozen=True, kw_only=True):
    """Earnings paid out (`payout`), with money of the corporation (`hudson`), or `withhold`."""

    kind: str


class BuyA(Action, frozen=True, kw_only=True):
    """A train bought; `exchange` is one handed in, `variant` the name of the side it runs as."""

    train: str
    price: int
    variant: str | None = None
    exchange: str | None = None
    warranties: int | None = None


class Discard(Action, frozen=True, kw_only=True):
    """A train above the limit given up."""

    train: str


class BuyPrivate(Action, frozen=True, kw_only=True):
    """A private bought, by a corporation or by a player, from the player who owns it."""

    company: str
    price: int


class Convert(Action, frozen=True, kw_only=True):
    """A corporation refinanced, where it could sell shares of its own instead."""


class Bankrupt(Action, frozen=True, kw_only=True):
    """A director admits that he cannot pay."""


KINDS: Final[Mapping[str, type[Action]]] = {
    "bid": BidFor,
    "pass": PassOn,
    "par": Par,
    "buy_shares": BuyOf,
    "choose": Choose,
    "merge": Merge,
    "remove_token": RemoveFrom,
    "convert": Convert,
    "sell_shares": SellOf,
    "lay_tile": Lay,
    "place_token": PlaceIn,
    "run_routes": RunRoutes,
    "dividend": Dividend,
    "buy_train": BuyA,
    "discard_train": Discard,
    "buy_company": BuyPrivate,
    "bankrupt": Bankrupt,
    "end_game": EndGame,
    "log": Remark,
}
PROGRAMS: Final = "program_"


class _Kind(Struct, frozen=True):
    type: str


def decoded(raw: Raw) -> Action:
    """An action as its kind says; raises `msgspec.ValidationError` where a field is wrong."""
    name = msgspec.json.decode(raw, type=_Kind).type
    kind = Remark if name.startswith(PROGRAMS) else KINDS.get(name)
    if kind is None:
        raise msgspec.ValidationError(f"{name!r} is no kind of action known here")
    action: Action = msgspec.json.decode(raw, type=kind)
    return action

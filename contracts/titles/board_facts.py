"""Facts of the board: map, areas, tiles, and the rules of track, tokens and runs in numbers.

`facts.py` gives them all; this is the part of it that has to do with the board.
"""

from typing import Literal

from msgspec import Struct

from contracts.ids import AreaId, HexId, Money, TileId

Letters = Literal["rows", "columns"]
"""Whether the letters name rows (pointy-topped hexes) or columns (flat-topped ones)."""
Colour = Literal["white", "yellow", "green", "brown", "grey", "red", "blue"]
TrackEnds = tuple[str, str]
"""The two ends of a piece of track: sides `0` to `5`, or nodes `c0`, `t0`, `o0`, `j0`."""


class BoardFact(Struct, frozen=True, forbid_unknown_fields=True):
    """The base of every fact of the board: frozen, and strict about its keys."""


class Area(BoardFact, frozen=True):
    """An off-board area: one station, however many hexes it is drawn on.

    Where an area has `token_spaces`, only a company with a token in one of them may run there.
    """

    id: AreaId
    name: str
    kind: Literal["red", "port"]
    values: dict[str, Money]
    """By the band that the phase names, lowest first."""
    token_spaces: int = 0


class CityFacts(BoardFact, frozen=True):
    """A large city of a tile or hex."""

    slots: int
    value: Money


class TownFacts(BoardFact, frozen=True):
    """A town of a tile or hex."""

    value: Money


class OffboardFacts(BoardFact, frozen=True):
    """The end of track in an area."""

    area: AreaId


class Hex(BoardFact, frozen=True):
    """A hex as the map prints it."""

    id: HexId
    name: str | None
    colour: Colour
    city: tuple[CityFacts, ...]
    town: tuple[TownFacts, ...]
    offboard: tuple[OffboardFacts, ...]
    track: tuple[TrackEnds, ...]
    cost: Money
    terrain: str | None
    label: str | None
    impassable: tuple[int, ...]
    """Sides that no track may cross."""
    labels: dict[Colour, str] = {}
    """Letters that tiles of a colour must have here, where it is another than `label`."""


class Map(BoardFact, frozen=True):
    """The map: its layout, areas and hexes, in the order of the file."""

    letters: Letters
    areas: dict[AreaId, Area]
    hexes: dict[HexId, Hex]


class TileRules(BoardFact, frozen=True):
    """The rules of laying tiles.

    `alone` are letters of tiles that are the only one of their turn. With `small_station_value`
    towns are small stations: trains pass them, none ends there, and a line of plain track may get a
    marker for one that pays so much.
    """

    lays_a_turn: int
    upgrade_restriction: str
    town_tiles_upgrade: bool
    alone: tuple[str, ...] = ()
    upgrades_alone: bool = False
    small_station_value: Money | None = None


class TokenRules(BoardFact, frozen=True):
    """The rules of tokens: whether homes are kept free, and what happens where one is full.

    `most` is how many a company may have, `a_turn` how many it may place besides the home token.
    """

    homes_kept: bool
    full_home: str
    most: int | None
    a_turn: int


class Running(BoardFact, frozen=True):
    """The rules of several trains of a company together, and what is paid beside the stations."""

    kind: str
    freight_per_hex: Money = 0
    freight_per_hex_port: Money = 0
    """Where an end is a port."""
    subsidy_per_hex: Money = 0


class Tile(BoardFact, frozen=True):
    """A kind of tile, as it lies when it is not turned; `count` None is as many as wanted."""

    id: TileId
    colour: Colour
    count: int | None
    city: tuple[CityFacts, ...] = ()
    town: tuple[TownFacts, ...] = ()
    track: tuple[TrackEnds, ...] = ()
    label: str | None = None
    only_at: tuple[HexId, ...] = ()
    """The hexes that it is made for, if it is made for some."""

"""The board as it lies: tiles, tokens, and the tiles still in the supply.

Hexes without an entry in `tiles` lie as they are printed. A tile without an entry in `supply` is
unlimited.
"""

from msgspec import Struct

from contracts.ids import HexId, TileId
from contracts.placed import LaidTile, Token

__all__ = ["Board", "LaidTile", "Token"]


class Board(Struct, frozen=True):
    """Tiles by hex, tokens in order of placing, tiles left in the supply.

    `small_stations` are markers for small stations, by hex: the lines of track that they lie on,
    each named by the two sides that it joins (`0-3`), so they stay when a tile is upgraded.
    """

    tiles: dict[HexId, LaidTile]
    tokens: tuple[Token, ...]
    supply: dict[TileId, int]
    small_stations: dict[HexId, tuple[str, ...]] = {}

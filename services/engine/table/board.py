"""The board as it lies: tiles, tokens, and the tiles still in the supply.

Hexes without an entry in `tiles` lie as they are printed. A tile without an entry in `supply` is
unlimited.
"""

from msgspec import Struct

from contracts.ids import HexId, TileId
from contracts.placed import LaidTile, Token

__all__ = ["Board", "LaidTile", "Token"]


class Board(Struct, frozen=True):
    """Tiles by hex, tokens in order of placing, tiles left in the supply."""

    tiles: dict[HexId, LaidTile]
    tokens: tuple[Token, ...]
    supply: dict[TileId, int]

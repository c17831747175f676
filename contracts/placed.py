"""A tile and a token as they lie on the board.

A place is the id of a hex or of an area.
"""

from msgspec import Struct

from contracts.ids import CompanyId, TileId


class LaidTile(Struct, frozen=True, array_like=True):
    """A tile lying on a hex, turned by `rotation` sixths."""

    tile: TileId
    rotation: int


class Token(Struct, frozen=True, array_like=True):
    """A company's token on the board.

    `city` is the number of the city on the tile that lies there (`c0` is 0), or None where the
    token lies on a hex that has no city for it yet; `slot` its circle. `kind` is `home` or
    `ordinary`.
    """

    company: CompanyId
    place: str
    city: int | None
    slot: int | None
    kind: str

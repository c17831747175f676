"""The site's tiles with small stations on them, which we have as one tile and its stations.

The site has a tile of its own for each way in which small stations can lie on a green or brown tile
without a large one: `18_1b` is tile 18 with one of them.
"""

from collections.abc import Mapping
from typing import Final

from contracts.ids import TileId
from contracts.titles.hexes import turned
from services.engine.rules.network.tiles import line_of

STATIONS: Final[Mapping[str, tuple[str, ...]]] = {
    "16_1a": ("0-2",),
    "16_1b": ("1-3",),
    "16_2": ("0-2", "1-3"),
    "17_1": ("0-4",),
    "17_2": ("0-4", "1-3"),
    "18_1a": ("0-3",),
    "18_1b": ("1-2",),
    "18_2": ("0-3", "1-2"),
    "19_1a": ("0-3",),
    "19_1b": ("2-4",),
    "19_2": ("0-3", "2-4"),
    "20_1": ("0-3",),
    "20_1b": ("1-4",),
    "20_2": ("0-3", "1-4"),
    "21_1a": ("0-2",),
    "21_1b": ("3-4",),
    "21_2": ("0-2", "3-4"),
    "22_1a": ("0-4",),
    "22_1b": ("2-3",),
    "22_2": ("0-4", "2-3"),
    "778_1a": ("0-4",),
    "778_1b": ("2-5",),
    "778_2a": ("0-4", "2-5"),
    "778_2b": ("0-4", "1-3"),
    "778_3": ("0-4", "1-3", "2-5"),
    "779_1a": ("0-4",),
    "779_1b": ("1-5",),
    "779_1c": ("2-3",),
    "779_2a": ("0-4", "1-5"),
    "779_2b": ("0-4", "2-3"),
    "779_2c": ("1-5", "2-3"),
    "779_3": ("0-4", "1-5", "2-3"),
    "780_1a": ("0-3",),
    "780_1b": ("1-2",),
    "780_2a": ("0-3", "1-2"),
    "780_2b": ("1-2", "4-5"),
    "780_3": ("0-3", "1-2", "4-5"),
    "798_1": ("0-3",),
    "798_2": ("0-3", "1-4"),
    "798_3": ("0-3", "1-4", "2-5"),
}
"""Lines with a small station, each by its two sides, of the tile as it is printed."""


def tile_of(name: str) -> TileId:
    """Our tile for one of the site's.

    >>> tile_of("18_1b"), tile_of("57")
    ('18', '57')
    """
    return TileId(name.partition("_")[0])


def lines_of(name: str, rotation: int) -> frozenset[str]:
    """The lines with a small station of a site's tile as it lies.

    >>> sorted(lines_of("18_1b", 5)), sorted(lines_of("57", 0))
    (['0-1'], [])
    """
    lines = (line.split("-") for line in STATIONS.get(name, ()))
    return frozenset(
        line_of(str(turned(int(one), rotation)), str(turned(int(other), rotation)))
        for one, other in lines
    )

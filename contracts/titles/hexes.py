"""The geometry of hexes: names, sides, neighbours, turning and distance.

Sides run 0 to 5. Where letters name columns (flat-topped hexes) 0 is south and the rest follow
clockwise; where they name rows (pointy-topped) 0 is south-west, then west and on clockwise. Numbers
go by twos along a line of hexes, so every hex has whole coordinates.
"""

from functools import cache

from contracts.ids import HexId
from contracts.titles.facts import Letters

SIDES = range(6)

# Steps in (letter, number) for each side.
_STEPS: dict[Letters, tuple[tuple[int, int], ...]] = {
    "columns": ((0, 2), (-1, 1), (-1, -1), (0, -2), (1, -1), (1, 1)),
    "rows": ((1, -1), (0, -2), (-1, -1), (-1, 1), (0, 2), (1, 1)),
}


@cache
def neighbour(letters: Letters, hex_id: HexId, side: int) -> HexId:
    """The name of the hex across a side, whether or not the map has it.

    >>> neighbour("rows", HexId("H12"), 4), neighbour("columns", HexId("B3"), 1)
    ('H14', 'A4')
    """
    letter, number = position(hex_id)
    letter_step, number_step = _STEPS[letters][side]
    return _named(letter + letter_step, number + number_step)


def position(hex_id: HexId) -> tuple[int, int]:
    """Letter and number of a hex, the letter counted from A = 1, Z = 26, AA = 27.

    >>> position(HexId("H12")), position(HexId("AA3"))
    ((8, 12), (27, 3))
    """
    letters = hex_id.rstrip("-0123456789")
    letter = 0
    for sign in letters:
        letter = letter * 26 + ord(sign) - ord("A") + 1
    return letter, int(hex_id[len(letters) :])


def opposite(side: int) -> int:
    """The side that the neighbour across this side calls it by.

    >>> opposite(1), opposite(5)
    (4, 2)
    """
    return (side + 3) % 6


def turned(side: int, rotation: int) -> int:
    """Where a tile's side lies when the tile is turned.

    >>> turned(4, 3)
    1
    """
    return (side + rotation) % 6


def distance(letters: Letters, one: HexId, other: HexId) -> int:
    """Hexes from one to the other as the crow flies: 0 to itself, 1 to a neighbour.

    >>> distance("rows", HexId("H12"), HexId("G17")), distance("columns", HexId("B3"), HexId("C8"))
    (3, 3)
    """
    (letter, number), (to_letter, to_number) = position(one), position(other)
    across, along = abs(letter - to_letter), abs(number - to_number)
    # A step across the lines moves along by one as well; what is left goes by twos.
    return across + max(0, along - across) // 2


def _named(letter: int, number: int) -> HexId:
    signs = ""
    while letter > 0:
        letter, place = divmod(letter - 1, 26)
        signs = chr(ord("A") + place) + signs
    return HexId(f"{signs}{number}")

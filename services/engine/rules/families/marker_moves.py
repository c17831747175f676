"""How a marker moves on a market of rows and columns, and where it joins a stack.

A row may begin with no spaces and may be shorter than the one above it, so every move looks whether
there is a space and stays where there is none.
"""

from collections.abc import Callable, Mapping
from typing import Final

from contracts.ids import Money

Rows = tuple[tuple[Money | None, ...], ...]
Cell = tuple[int, int]
"""Row and column, both from 0 at the top left."""
Move = Callable[[Rows, Cell, int], Cell]
"""Where a marker goes from a cell; the number says how many shares moved it, where that matters."""


def price_at(rows: Rows, cell: Cell) -> Money | None:
    """The price of a cell, or None where there is no space.

    >>> price_at(((60, 67), (None, 60)), (1, 0)) is None
    True
    """
    row, column = cell
    if not (0 <= row < len(rows) and 0 <= column < len(rows[row])):
        return None
    return rows[row][column]


def _first_space(rows: Rows, cell: Cell, *wishes: Cell) -> Cell:
    """The first of the cells that is a space, or the cell itself where none is."""
    return next((wish for wish in wishes if price_at(rows, wish) is not None), cell)


def right_else_up(rows: Rows, cell: Cell, _shares: int) -> Cell:
    """One to the right; at the end of the row one up; in the corner it stays.

    >>> right_else_up(((60, 67, 71), (53, 60)), (1, 1), 1)
    (0, 1)
    """
    row, column = cell
    return _first_space(rows, cell, (row, column + 1), (row - 1, column))


def left_else_down(rows: Rows, cell: Cell, _shares: int) -> Cell:
    """One to the left; at the start of the row one down; where there is neither it stays.

    >>> left_else_down(((60, 67), (53, 60)), (0, 0), 1)
    (1, 0)
    """
    row, column = cell
    return _first_space(rows, cell, (row, column - 1), (row + 1, column))


def down_for_each_share(rows: Rows, cell: Cell, shares: int) -> Cell:
    """One down for each share, as far as there are spaces.

    >>> down_for_each_share(((100,), (90,), (82,)), (0, 0), 3)
    (2, 0)
    """
    for _ in range(shares):
        row, column = cell
        cell = _first_space(rows, cell, (row + 1, column))
    return cell


def up(rows: Rows, cell: Cell, _shares: int) -> Cell:
    """One up; from the top row it stays.

    >>> up(((100,), (90,)), (0, 0), 1)
    (0, 0)
    """
    row, column = cell
    return _first_space(rows, cell, (row - 1, column))


def down_the_zigzag(_rows: Rows, cell: Cell, shares: int) -> Cell:
    """So many spaces down the sequence: one for each share, or those of a step left.

    From the first space it stays.

    >>> down_the_zigzag(((0, 7, 14, 20),), (0, 3), 2)
    (0, 1)
    """
    row, column = cell
    return row, max(0, column - shares)


def stays(_rows: Rows, cell: Cell, _shares: int) -> Cell:
    """It stays where it is."""
    return cell


def columns_right(rows: Rows, cell: Cell, columns: int) -> Cell:
    """So many columns to the right, as far as the row goes.

    >>> columns_right(((900, 950, 1000),), (0, 1), 4)
    (0, 2)
    """
    row, column = cell
    return row, min(column + columns, len(rows[row]) - 1)


PAID: Final[Mapping[str, Move]] = {
    "right 1, at the end of a row up 1": right_else_up,
    "right by multiples of the price": columns_right,
}
WITHHELD: Final[Mapping[str, Move]] = {
    "left 1, at the start of a row down 1": left_else_down,
    "left 1": down_the_zigzag,
}
SOLD: Final[Mapping[str, Move]] = {
    "down 1 for each 10%": down_for_each_share,
    "down the zigzag 1 for each share": down_the_zigzag,
}
SOLD_OUT: Final[Mapping[str, Move]] = {"up 1": up, "nothing": stays}


def under_the_others(stack: int) -> int:
    """The place of a newcomer in a stack of so many markers: the last."""
    return stack


ARRIVES: Final[Mapping[str, Callable[[int], int]]] = {"bottom of the stack": under_the_others}

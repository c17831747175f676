"""What becomes of a holding when shares are merged."""

from collections.abc import Callable, Mapping
from typing import Final

Merged = Callable[[int], tuple[int, bool]]
"""How many shares of so many are returned, and whether one that is kept is an option."""


def two_for_one(shares: int) -> tuple[int, bool]:
    """Half, rounded down, is returned; of an odd number one that is kept is an option (5.2.4).

    >>> two_for_one(5), two_for_one(6)
    ((2, True), (3, False))
    """
    return shares // 2, shares % 2 == 1


MERGED: Final[Mapping[str, Merged]] = {"two for one": two_for_one}

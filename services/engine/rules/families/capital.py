"""What a company receives when it floats."""

from collections.abc import Callable, Mapping
from typing import Final

from contracts.ids import Money


def ten_times_par(par: Money) -> Money:
    """The price of the whole company.

    >>> ten_times_par(67)
    670
    """
    return 10 * par


def nothing_more(_par: Money) -> Money:
    """It has been paid for each share that was bought from it."""
    return 0


CAPITALS: Final[Mapping[str, Callable[[Money], Money]]] = {
    "10 x par, all at once, when it floats": ten_times_par,
    "the price of each share bought from it": nothing_more,
}

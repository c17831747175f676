"""Pick what a title's phrase stands for."""

from collections.abc import Mapping
from typing import TypeVar

from contracts.titles.load import FactsError

V = TypeVar("V")


def picked(family: str, phrases: Mapping[str, V], phrase: str) -> V:
    """What a phrase of a family means; a phrase that nobody wrote is an error of the title's file.

    >>> picked("bank", {"closed": 1}, "closed")
    1
    """
    try:
        return phrases[phrase]
    except KeyError:
        known = "; ".join(repr(one) for one in phrases)
        raise FactsError(f"{family}: {phrase!r} is none of: {known}.") from None

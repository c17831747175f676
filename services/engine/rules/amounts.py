"""Open amounts: the intervals of a field that is left to choose."""

from collections.abc import Iterable, Iterator

from contracts.choices import Interval
from contracts.ids import Money


def open_amounts(
    field: str, least: Money, most: Money, without: Iterable[Money] = ()
) -> Iterator[Interval]:
    """The intervals from least to most, whole amounts, that leave out some single amounts.

    >>> [(i.least, i.most) for i in open_amounts("price", 1, 9, without=[1, 5, 20])]
    [(2, 4), (6, 9)]
    """
    begin = least
    for gap in sorted({amount for amount in without if least <= amount <= most}):
        if begin < gap:
            yield Interval(field, begin, gap - 1, 1)
        begin = gap + 1
    if begin <= most:
        yield Interval(field, begin, most, 1)

"""Stretches of time: when services were away, and what of a stretch is left."""

from collections.abc import Iterable

Span = tuple[int, int]


def united(spans: Iterable[Span]) -> list[Span]:
    """Stretches in order, those that touch made one.

    >>> united([(5, 6), (1, 3), (2, 4)])
    [(1, 4), (5, 6)]
    """
    found: list[Span] = []
    for first, last in sorted(spans):
        if found and first <= found[-1][1]:
            found[-1] = (found[-1][0], max(last, found[-1][1]))
        else:
            found.append((first, last))
    return found


def first_long(away: Iterable[Span], begin: int, end: int, long: int) -> int | None:
    """The first moment of a stretch at which nobody has been away for so long; None if none.

    >>> first_long([(10, 20)], 5, 40, 3), first_long([(10, 20)], 8, 40, 3)
    (8, 23)
    >>> first_long([(10, 20)], 8, 22, 3) is None
    True
    """
    at = begin
    for first, last in away:
        if last <= at:
            continue
        if first >= at + long:
            break
        at = max(at, last)
    return at + long if at + long <= end else None


def meets(away: Iterable[Span], begin: int, end: int) -> bool:
    """Whether anybody was away at any time of a stretch.

    >>> meets([(10, 20)], 1, 9), meets([(10, 20)], 19, 30)
    (False, True)
    """
    return any(first <= end and begin <= last for first, last in away)

"""The troubles that were made, when each lasted, and what they excuse."""

from collections.abc import Iterable, Sequence
from typing import Final

from msgspec import Struct

MICRO: Final = 1_000_000
SHADOWS: Final = {"store": 12.0, "engine": 4.0, "clock": 8.0, "notifier": 8.0, "machine": 1.0}
"""Seconds after a trouble in which its kind of process may still be at its start, or behind."""


class Trouble(Struct, frozen=True):
    """What was done to a process (`engine-1`, `store`), from when to when, in seconds since 1970.

    `machine` is this machine itself, when it had no time for us.
    """

    process: str
    what: str
    began: float
    ended: float

    @property
    def kind(self) -> str:
        """The kind of process."""
        return self.process.partition("-")[0]


Span = tuple[float, float]


def spans_of(troubles: Iterable[Trouble], kind: str) -> list[Span]:
    """When a kind of process may not have done its work, each trouble with its shadow."""
    return [(one.began, one.ended + SHADOWS[kind]) for one in troubles if one.kind == kind]


def excused(troubles: Sequence[Trouble]) -> list[Span]:
    """When time may have been called late: no store, no engine for some tables, or no clock.

    There are several clocks, and one is enough: only what befell all of them at a time counts.
    """
    clocks: dict[str, list[Span]] = {}
    for one in troubles:
        if one.kind == "clock":
            clocks.setdefault(one.process, []).extend(spans_of([one], "clock"))
    found = [span for kind in ("store", "engine", "machine") for span in spans_of(troubles, kind)]
    names = sorted(clocks)
    if len(names) > 1:
        together = clocks[names[0]]
        for name in names[1:]:
            together = [
                (max(a, c), min(b, d))
                for a, b in together
                for c, d in clocks[name]
                if max(a, c) < min(b, d)
            ]
        found += together
    return found


def unexcused(begin: float, end: float, spans: Iterable[Span]) -> float:
    """Seconds between two moments that lie in none of some spans.

    >>> unexcused(0, 10, [(1, 3), (2, 5), (9, 20)])
    5
    """
    left = end - begin
    at = begin
    for first, last in sorted(spans):
        covered = min(last, end) - max(first, at)
        if covered > 0:
            left -= covered
            at = min(last, end)
    return left

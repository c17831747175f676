"""What trains could score, and what it scores at prices: the sums that a search adds up all day."""

from collections.abc import Sequence
from functools import cached_property
from typing import TypeVar

from msgspec import Struct

from services.engine.rules.network.joining import Pick

N = TypeVar("N", int, float)

# Candidates of so few elements are scored in a quicker way; shorter ones are filled up.
_FEW = 6
_NOTHING = (-1,) * _FEW


class Candidate(Struct, frozen=True, eq=False, gc=False):
    """One thing that a train or chain could score: elements, and an amount of its own."""

    amount: int
    elements: tuple[int, ...]
    pick: Pick


class Line:
    """Trains that have the same candidates: how many there are, and what is left to choose from."""

    def __init__(self, trains: int, candidates: tuple[Candidate, ...]) -> None:
        self.trains = trains
        self.candidates = candidates

    @cached_property
    def row(self) -> "Row":
        """The candidates laid out for quick scoring."""
        return Row(self.candidates)

    @cached_property
    def elements(self) -> set[int]:
        """All that any of the candidates scores."""
        return set[int]().union(*(one.elements for one in self.candidates))


class Priced(Struct, frozen=True):
    """What no choice can exceed at certain prices, and each candidate's score at them."""

    bound: float
    prices: list[float]
    lines: list[Line]
    tops: list[float]
    scores: list[list[float]]


class Row:
    """The scores of candidates at some prices: a search does little else than add them up.

    Most candidates are chains of freights with two ends or runs of at most six stations. To add up
    so many prices one by one takes a third of what adding up any number takes.
    """

    def __init__(self, candidates: Sequence[Candidate]) -> None:
        longest = max((len(one.elements) for one in candidates), default=0)
        self.width = 2 if longest <= 2 else _FEW if longest <= _FEW else 0
        self._rows: list[tuple[int, ...]] = []
        self._longer: list[tuple[int, tuple[int, ...]]] = []
        if self.width:
            fill = [_NOTHING[: self.width - number] for number in range(self.width + 1)]
            self._rows = [
                (one.amount, *one.elements, *fill[len(one.elements)]) for one in candidates
            ]
        else:
            self._longer = [(one.amount, one.elements) for one in candidates]

    def scores(self, prices: list[N]) -> list[N]:
        """The score of each candidate at these prices, of which the last is that of nothing."""
        if self.width == 2:
            return [amount + prices[a] + prices[b] for amount, a, b in self._rows]
        if self.width:
            return [
                amount + prices[a] + prices[b] + prices[c] + prices[d] + prices[e] + prices[f]
                for amount, a, b, c, d, e, f in self._rows
            ]
        price = prices.__getitem__
        return [sum(map(price, elements), amount) for amount, elements in self._longer]


class Offers:
    """What lines have to offer, laid out for quick scoring again and again."""

    def __init__(self, lines: list[Line]) -> None:
        self.lines = lines
        self.size = 1 + sum(len(line.candidates) for line in lines)
        wanted: dict[int, int] = {}
        for line in lines:
            for element in line.elements:
                wanted[element] = wanted.get(element, 0) + line.trains
        self.shared = [element for element, trains in wanted.items() if trains > 1]
        self.alone = [element for element, trains in wanted.items() if trains == 1]

    def scored(
        self, base: int, prices: list[float], weights: Sequence[int]
    ) -> tuple[Priced, dict[int, int]]:
        """The bound at these prices, and how many trains would take each element."""
        for element in self.alone:
            prices[element] = float(weights[element])
        total = base + sum(weights[element] - prices[element] for element in self.shared)
        tops: list[float] = []
        everything: list[list[float]] = []
        taken: dict[int, int] = {}
        for line in self.lines:
            scores = line.row.scores(prices)
            top = max(scores, default=0.0)
            everything.append(scores)
            tops.append(max(top, 0.0))
            if top > 0:
                total += line.trains * top
                for element in line.candidates[scores.index(top)].elements:
                    taken[element] = taken.get(element, 0) + line.trains
        return Priced(total, prices.copy(), self.lines, tops, everything), taken

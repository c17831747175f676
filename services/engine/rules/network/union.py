"""The dearest choice of runs where each station scores once for all trains together (7.8).

Each element that scores (a station, an area, a small station, a hex) has a weight; the choice takes
at most one candidate for each train and is worth the weight of all that they score, each once. The
search grows the choice from home, so every part of it hangs together.

The bound puts a price on each element, at most its weight. Whatever is chosen, an element that is
scored is paid for by the rest of its weight, once, and by its price in at least one candidate. So
the sum of the rests, and of what each train could score at these prices, is never exceeded; lower
prices where trains compete bring it down. Any prices are valid, so fractions harm no proof.
"""

from collections.abc import Callable, Sequence

from msgspec import Struct

from services.engine.rules.network.joining import Pick, Runs
from services.engine.rules.network.pricing import Candidate, Line, Offers, Priced

_ROOT_STEPS = 40
_NODE_STEPS = 6
_MARGIN = 1e-6
_JOIN_WORK = 30
# Candidates that are tried for a train of the first record.
_TRIES = 40
# After these steps of pricing the lists are thinned.
_CUTS = (2, 8, 20)


class Union(Struct, frozen=True):
    """The best choice found: how each pick is run. No choice is worth more than `bound`."""

    picks: tuple[Pick, ...]
    runs: tuple[Runs, ...] | None
    value: int
    bound: int


class Search:
    """One search; `accepts` says how picks hang together and are allowed, and the work it took.

    Work is counted in candidates looked at, and is more for each try to join them.
    """

    def __init__(
        self,
        weights: Sequence[int],
        unit: int,
        home: int,
        accepts: Callable[[Sequence[Pick]], tuple[tuple[Runs, ...] | None, int]],
        work_most: int,
        expired: Callable[[], bool],
    ) -> None:
        self.weights = weights
        self.unit = unit
        self.home = home
        self.accepts = accepts
        self.work_left = work_most
        self.expired = expired
        self.record = 0
        self.picks: tuple[Pick, ...] = ()
        self.runs: tuple[Runs, ...] | None = None
        self._known: dict[tuple[int, ...], tuple[Runs, ...] | None] = {}

    def best(self, lines: Sequence[Line], at_least: int) -> Union:
        """The best choice worth more than `at_least`; no runs if there is none."""
        self.record = at_least
        self.picks, self.runs = (), None
        usable = self._reachable(self.home, lines)
        if not at_least:
            self._start(usable)
        priced = self._priced(0, usable, _ROOT_STEPS)
        bound = self._whole(priced.bound)
        finished = bound <= self.record or self._branch((0, 0), self.home, (), priced)
        bound = self.record if finished else max(bound, self.record)
        return Union(self.picks, self.runs, self.record, bound)

    def bound_of(self, lines: Sequence[Line]) -> int:
        """What no choice of these lines exceeds."""
        self.record = 0
        return self._whole(self._priced(0, self._reachable(self.home, lines), _NODE_STEPS).bound)

    def _whole(self, bound: float) -> int:
        """A bound cut down to the next sum that there can be."""
        return int((bound + _MARGIN) // self.unit) * self.unit

    def _offer(self, value: int, picks: Sequence[Pick]) -> None:
        if value > self.record:
            runs = self._joined(picks)
            if runs is not None:
                self.record, self.picks, self.runs = value, tuple(picks), runs

    def _joined(self, picks: Sequence[Pick]) -> tuple[Runs, ...] | None:
        key = tuple(map(id, picks))
        if key not in self._known:
            self._known[key], work = self.accepts(picks)
            self.work_left -= _JOIN_WORK + work
        return self._known[key]

    def _grow(
        self,
        lines: list[Line],
        scored: tuple[int, int],
        reach: int,
        picks: tuple[Pick, ...],
        prices: list[float],
    ) -> bool:
        """Try everything that goes with the picks; false when the work has run out.

        `scored` are the elements scored so far and their worth, `reach` where runs may be joined.
        """
        taken, base = scored
        if picks:
            self._offer(base, picks)
        if self.work_left < 0 or self.expired():
            return False
        lines = self._reachable(reach, lines)
        if not lines:
            return True
        if len(lines) == 1 and lines[0].trains == 1:
            self._finish(lines[0], base, reach, picks)
            return True
        priced = self._priced(base, lines, _NODE_STEPS, prices)
        if self._whole(priced.bound) <= self.record:
            return True
        return self._branch((taken, base), reach, picks, priced)

    def _branch(
        self, scored: tuple[int, int], reach: int, picks: tuple[Pick, ...], priced: Priced
    ) -> bool:
        """Choose which run comes next: for each line the candidates that touch what is reached."""
        taken, base = scored
        lines = priced.lines
        left: list[list[tuple[float, Candidate]]] = [
            sorted(
                (
                    (top - score, candidate)
                    for score, candidate in zip(scores, line.candidates, strict=True)
                ),
                key=lambda pair: pair[0],
            )
            for line, top, scores in zip(lines, priced.tops, priced.scores, strict=True)
        ]
        for number, line in enumerate(lines):
            touching = [pair for pair in left[number] if pair[1].pick.meets & reach]
            # Each is left out once it has been tried: what has it was all looked at with it.
            left[number] = [pair for pair in left[number] if not pair[1].pick.meets & reach]
            for place, (loss, candidate) in enumerate(touching):
                # The sum to beat is whole, the bound and what is lost of it are not.
                slack = priced.bound - loss - (self.record + self.unit) + _MARGIN
                if slack < 0:
                    break
                onward = [
                    _cut(other, slack, line.trains - 1 if at == number else lines[at].trains)
                    for at, other in enumerate(left)
                ]
                if line.trains > 1:
                    again = [*left[number], *touching[place + 1 :]]
                    onward[number] = _cut(again, slack, line.trains - 1)
                grown = taken | sum(1 << element for element in candidate.elements)
                worth = base + candidate.amount + sum(self.weights[e] for e in candidate.elements)
                pick = candidate.pick
                self.work_left -= sum(len(one.candidates) for one in onward)
                fresh = _fresh([one for one in onward if one.trains and one.candidates], grown)
                reached = reach | pick.meets
                if not self._grow(fresh, (grown, worth), reached, (*picks, pick), priced.prices):
                    return False
        return True

    def _finish(self, line: Line, base: int, reach: int, picks: tuple[Pick, ...]) -> None:
        """Choose for the last train: the dearest candidate that hangs together with the rest."""
        gains = sorted(
            (
                (self._gain(candidate), candidate)
                for candidate in line.candidates
                if candidate.pick.meets & reach
            ),
            key=lambda pair: -pair[0],
        )
        for gain, candidate in gains:
            if base + gain <= self.record:
                return
            self._offer(base + gain, (*picks, candidate.pick))

    def _gain(self, candidate: Candidate) -> int:
        return candidate.amount + sum(self.weights[element] for element in candidate.elements)

    def _reachable(self, reach: int, lines: Sequence[Line]) -> list[Line]:
        """The lines without candidates that cannot hang together with what is reached.

        As many runs as there are trains can lie between it and home, at most.
        """
        trains = sum(line.trains for line in lines)
        everywhere = reach
        # Many candidates meet others at the same places.
        places = {candidate.pick.meets for line in lines for candidate in line.candidates}
        for _ in range(trains - 1):
            before = everywhere
            for meets in places:
                if meets & before:
                    everywhere |= meets
            if everywhere == before:
                break
        left = []
        for line in lines:
            usable = tuple(c for c in line.candidates if c.pick.meets & everywhere)
            if len(usable) == len(line.candidates) and usable:
                left.append(line)
            elif usable:
                left.append(Line(line.trains, usable))
        return left

    def _priced(
        self, base: int, lines: list[Line], steps: int, before: list[float] | None = None
    ) -> Priced:
        """The lowest bound that some steps of better prices give, from those found `before` on.

        Candidates that lose too much to be part of a better choice are left out on the way.
        """
        weights = self.weights
        offers = Offers(lines)
        prices = [*map(float, weights), 0.0] if before is None else before.copy()
        best: Priced | None = None
        for step in range(steps):
            self.work_left -= offers.size
            priced, taken = offers.scored(base, prices, weights)
            if best is None or priced.bound < best.bound:
                best = priced
            if self._whole(best.bound) <= self.record:
                break
            violated = [(element, taken.get(element, 0) - 1) for element in offers.shared]
            norm = sum(amount * amount for _, amount in violated)
            if not norm:
                break
            size = (priced.bound - self.record) / norm
            for element, amount in violated:
                price = prices[element] - size * amount
                prices[element] = min(max(price, 0.0), float(weights[element]))
            if step in _CUTS:
                best = self._thinned(best)
                if sum(len(line.candidates) for line in best.lines) < offers.size // 2:
                    offers = Offers(best.lines)
        assert best is not None  # at least one step is made
        return best

    def _thinned(self, priced: Priced) -> Priced:
        """The same without the candidates that lose more than a better choice can."""
        slack = priced.bound - (self.record + self.unit) + _MARGIN
        lines, scores = [], []
        for line, top, line_scores in zip(priced.lines, priced.tops, priced.scores, strict=True):
            pairs = [
                (candidate, score)
                for candidate, score in zip(line.candidates, line_scores, strict=True)
                if top - score <= slack
            ]
            lines.append(Line(line.trains, tuple(candidate for candidate, _ in pairs)))
            scores.append([score for _, score in pairs])
        return Priced(priced.bound, priced.prices, lines, priced.tops, scores)

    def _start(self, lines: list[Line]) -> None:
        """A first record: the dearest candidate for one train after another, and exchanges."""
        trains = [line for line in lines for _ in range(line.trains)]
        most = [max(line.row.scores([*self.weights, 0])) for line in trains]
        dearest = sorted(range(len(trains)), key=lambda at: -most[at])
        for order in (dearest, dearest[::-1], list(range(len(trains)))):
            chosen: dict[int, Candidate] = {}
            self._fill(trains, order, chosen)
            self._exchange(trains, order, chosen)

    def _fill(self, trains: list[Line], order: list[int], chosen: dict[int, Candidate]) -> None:
        """Give idle trains in turn the most that they can add, until none can add any more."""
        added = True
        while added:
            added = False
            for at in order:
                if at not in chosen and self._add(trains[at], at, chosen):
                    added = True

    def _add(self, line: Line, at: int, chosen: dict[int, Candidate]) -> bool:
        taken = {element for other in chosen.values() for element in other.elements}
        reach = self.home
        for other in chosen.values():
            reach |= other.pick.meets
        base = self._worth(chosen)
        # What each element would add: nothing where it is scored already.
        adds = [*self.weights, 0]
        for element in taken:
            adds[element] = 0
        gains = line.row.scores(adds)
        candidates = line.candidates
        usable = [n for n, one in enumerate(candidates) if one.pick.meets & reach]
        usable.sort(key=gains.__getitem__, reverse=True)
        for place in usable[:_TRIES]:
            gain, candidate = gains[place], candidates[place]
            if gain <= 0:
                return False
            picks = [other.pick for other in chosen.values()] + [candidate.pick]
            runs = self._joined(picks)
            if runs is not None:
                chosen[at] = candidate
                if base + gain > self.record:
                    self.record, self.picks, self.runs = base + gain, tuple(picks), runs
                return True
        return False

    def _exchange(self, trains: list[Line], order: list[int], chosen: dict[int, Candidate]) -> None:
        """Take one train's candidate back and choose anew, while that is worth more."""
        for _ in range(3):
            before = self._worth(chosen)
            for at in order:
                others = {number: one for number, one in chosen.items() if number != at}
                if at in chosen and self._add(trains[at], at, others):
                    self._fill(trains, order, others)
                    if self._worth(others) > self._worth(chosen):
                        chosen.clear()
                        chosen.update(others)
            if self._worth(chosen) == before:
                return

    def _worth(self, chosen: dict[int, Candidate]) -> int:
        taken = {element for one in chosen.values() for element in one.elements}
        return sum(self.weights[element] for element in taken) + sum(
            one.amount for one in chosen.values()
        )


def _cut(pairs: list[tuple[float, Candidate]], slack: float, trains: int) -> Line:
    """The candidates that do not lose more than what is left to lose."""
    return Line(trains, tuple(candidate for loss, candidate in pairs if loss <= slack))


def _fresh(lines: Sequence[Line], taken: int) -> list[Line]:
    """The lines with each candidate's elements that are not scored yet."""
    if not taken:
        return list(lines)
    return [
        Line(
            line.trains,
            tuple(
                Candidate(
                    candidate.amount,
                    tuple(e for e in candidate.elements if not taken >> e & 1),
                    candidate.pick,
                )
                for candidate in line.candidates
            ),
        )
        for line in lines
    ]

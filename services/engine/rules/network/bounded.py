"""The dearest path of one long train without listing all paths.

A path is two arms from a token. A part-path is given up when the dearest stations that it might
still call at cannot lift it over the best one known.
"""

from collections.abc import Callable

from msgspec import Struct

from services.engine.rules.network.paths import Ground, Path, Trail


class Longest(Struct, frozen=True):
    """The best path found, None if none beats what was asked for; no path exceeds `bound`."""

    path: Path | None
    bound: int


def longest(
    on: Ground,
    stations: int | None,
    *,
    used: int,
    at_least: int,
    nodes_most: int,
    expired: Callable[[], bool] = lambda: False,
) -> Longest:
    """The dearest path worth more than `at_least` on track that is not `used`."""
    search = _Search(on, stations, used)
    search.record, search.nodes_left, search.expired = at_least, nodes_most, expired
    tokens = [number for number, own in enumerate(on.tokens) if own]
    closed = 0
    for token in tokens:
        if not search.grow_from(token, closed):
            break
        # Later roots need not look at paths through this token again.
        closed |= on.once[token]
    else:
        return Longest(search.best, search.record)
    return Longest(search.best, max(search.record, search.most_of_all(tokens)))


class _Part(Struct, frozen=True):
    """A part-path; `first` is the place of the first arm's first exit among those of the token."""

    value: int
    mask: int
    once: int
    stations: int
    first: int
    arms: tuple[tuple[int, Trail], tuple[int, Trail]]


class _Search:
    """Depth first over both arms, dearest next station first."""

    def __init__(self, on: Ground, stations: int | None, used: int) -> None:
        self.on = on
        self.stations = len(on.net.stations) if stations is None else stations
        self.used = used
        self.record = 0
        self.best: Path | None = None
        self.nodes_left = 0
        self.expired: Callable[[], bool] = lambda: False
        self.exits = tuple(
            tuple(sorted(ways, key=lambda way: (-on.values[way[0]], way))) for ways in on.net.exits
        )

    def begin(self, token: int, closed: int) -> _Part:
        """The path that calls at nothing but the token."""
        return _Part(
            value=self.on.values[token],
            mask=self.used,
            once=closed | self.on.once[token],
            stations=1,
            first=-1,
            arms=((token, ()), (token, ())),
        )

    def grow_from(self, token: int, closed: int) -> bool:
        """Try all paths through a token; false when the work has run out."""
        return self._grow(token, self.begin(token, closed), 0)

    def most_of_all(self, tokens: list[int]) -> int:
        """What no path through any of the tokens exceeds."""
        return max((self.most(self.begin(token, 0), (token,), 2) for token in tokens), default=0)

    def most(self, part: _Part, heads: tuple[int, ...], ends_most: int) -> int:
        """What a part-path could pay if every station joined to its heads lay on its way."""
        on, net = self.on, self.on.net
        waiting, seen = list(heads), part.once
        through: list[int] = []
        dead: list[int] = []
        for at in waiting:
            if on.ends[at]:
                continue
            for other, number in net.exits[at]:
                if seen & on.once[other] or net.segments[number].mask & part.mask:
                    continue
                seen |= on.once[other]
                waiting.append(other)
                (dead if on.ends[other] else through).append(on.values[other])
        dead.sort(reverse=True)
        dearest = sorted(through + dead[:ends_most], reverse=True)
        return part.value + sum(dearest[: self.stations - part.stations])

    def _grow(self, token: int, part: _Part, arm: int) -> bool:
        """Record a part-path and make it longer at one arm, and at the other after that."""
        if part.value > self.record and part.stations > 1:
            self.record, self.best = part.value, self._path(part)
        self.nodes_left -= 1
        # A first path is had whatever the clock says.
        if self.nodes_left < 0 or (self.nodes_left % 64 == 0 and self.expired()):
            return False
        head = part.arms[arm][0]
        heads = (head, token) if arm == 0 else (head,)
        if part.stations == self.stations or self.most(part, heads, 2 - arm) <= self.record:
            return True
        if not self.on.ends[head] and not self._extend(token, part, arm, 0):
            return False
        # The second arm leaves by a later exit, so that each pair of arms is met once.
        return arm == 1 or part.first < 0 or self._extend(token, part, 1, part.first + 1)

    def _extend(self, token: int, part: _Part, arm: int, first_exit: int) -> bool:
        on = self.on
        head, trail = part.arms[arm]
        for place, (other, number) in enumerate(self.exits[head]):
            used = on.net.segments[number].mask
            if place < first_exit or part.once & on.once[other] or part.mask & used:
                continue
            longer = (other, (trail, number))
            grown = _Part(
                value=part.value + on.values[other],
                mask=part.mask | used,
                once=part.once | on.once[other],
                stations=part.stations + 1,
                first=place if part.first < 0 else part.first,
                arms=(longer, part.arms[1]) if arm == 0 else (part.arms[0], longer),
            )
            if not self._grow(token, grown, arm):
                return False
        return True

    def _path(self, part: _Part) -> Path:
        """The part-path from the end of the first arm to the end of the second."""
        (start, trail), (_, second) = part.arms
        numbers: list[int] = []
        while second:
            second, number = second
            numbers.append(number)
        whole: Trail = ()
        while trail:
            trail, number = trail
            whole = (whole, number)
        for number in reversed(numbers):
            whole = (whole, number)
        return Path(part.value, part.mask & ~self.used, part.stations, start, whole)

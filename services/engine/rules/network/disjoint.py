"""The dearest choice of paths for several trains that may not share track (3.6.1).

Exact: the bound of a part-choice is what each train left could run by itself on the track left.
Trains of one kind share one list, and of equal ones the later never takes an earlier path.
"""

from collections.abc import Callable

from msgspec import Struct

from services.engine.rules.network.paths import Path

_PATHS_OF_A_NODE = 200
"""Paths that can be looked at in the time of a node."""


class Group(Struct, frozen=True):
    """Trains that can run the same paths: the paths, dearest first, and the number of trains."""

    paths: tuple[Path, ...]
    trains: int


class Choice(Struct, frozen=True):
    """The best choice found, as (group, path); `bound` is what no choice can exceed."""

    picks: tuple[tuple[int, Path], ...]
    value: int
    proven: bool
    bound: int


def chosen(
    groups: tuple[Group, ...],
    at_least: int,
    nodes_most: int,
    expired: Callable[[], bool] = lambda: False,
) -> Choice:
    """The best choice worth more than `at_least`; no picks if there is none."""
    search = _Search(at_least, nodes_most, expired)
    lines = [(number, group.trains, list(group.paths)) for number, group in enumerate(groups)]
    finished = search.pick(lines, 0, ())
    bound = search.record if finished else max(search.record, _most(lines))
    return Choice(search.picks, search.record, proven=search.record == bound, bound=bound)


_Line = tuple[int, int, list[Path]]
"""A group's number, its trains left, and its paths whose track is free."""


class _Search:
    """Depth first over the groups, dearest path first."""

    def __init__(self, at_least: int, nodes_most: int, expired: Callable[[], bool]) -> None:
        self.record = at_least
        self.picks: tuple[tuple[int, Path], ...] = ()
        self.nodes_left = nodes_most
        self.expired = expired
        self.has_choice = False

    def pick(self, lines: list[_Line], value: int, picks: tuple[tuple[int, Path], ...]) -> bool:
        """Give a path to the first group or leave it idle; false when the work has run out."""
        if value > self.record:
            self.record, self.picks = value, picks
        if value + _most(lines) <= self.record:
            self.has_choice = True
            return True
        self.nodes_left -= 1
        # The first choice, each train's dearest in turn, is had whatever the limits say.
        if self.has_choice and (self.nodes_left < 0 or self.expired()):
            return False
        number, trains, paths = lines[0]
        others = lines[1:]
        rest = _most(others)
        # Every path tried costs as much as the lists are long that have to be gone through for it.
        cost = sum(len(paths) for _, _, paths in lines) // _PATHS_OF_A_NODE
        for index, path in enumerate(paths):
            most = value + sum(each.value for each in paths[index : index + trains]) + rest
            if most <= self.record:
                break
            self.nodes_left -= cost
            left = [_free(line, path.mask) for line in others]
            if trains > 1:
                left.insert(0, _free((number, trains - 1, paths[index + 1 :]), path.mask))
            if not self.pick(left, value + path.value, (*picks, (number, path))):
                return False
        return self.pick(others, value, picks)


def _most(lines: list[_Line]) -> int:
    """What the groups could run if they did not get into each other's way."""
    return sum(path.value for _, trains, paths in lines for path in paths[:trains])


def _free(line: _Line, mask: int) -> _Line:
    number, trains, paths = line
    return number, trains, [path for path in paths if not path.mask & mask]

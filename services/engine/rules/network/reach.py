"""What a company's tokens reach: by a route that an endless train could run.

Such a route passes no city full of the tokens of others, ends at an area, calls nowhere twice and
uses no track twice (3.4.3, 3.5.2, 3.5.3). The last makes reach more than joined track: where the
only way to a place runs back over track already used, the place is not reached.
"""

from collections import deque

from msgspec import Struct

from contracts.ids import CompanyId, HexId
from contracts.runs import Stop
from contracts.titles.facts import Facts
from services.engine.rules.network.graph import Network, Rights, network, rights
from services.engine.table.board import Board

# A route that must turn round over its own track is met on few boards, and then this is far more
# than the paths of any board built from a box.
_MOST_STEPS = 200_000


class Reach(Struct, frozen=True):
    """Stations reached, in the order of the map, and the sides of hexes that reached track ends at.

    `sides` has a bit for each side of a hex over which a route arrives there, whether or not the
    hex has track to go on. `tokens` are the stations where the tokens themselves lie.
    """

    stations: tuple[Stop, ...]
    sides: dict[HexId, int]
    tokens: tuple[Stop, ...]


def reach(facts: Facts, board: Board, company: CompanyId) -> Reach:
    """What the tokens of a company reach on the board as it lies."""
    net = network(facts, board)
    return reach_in(net, rights(net, board, company))


def reach_in(net: Network, allowed: Rights) -> Reach:
    """What tokens reach in a graph already made."""
    search = _Search(net, allowed)
    search.first_routes()
    search.other_routes()
    sides: dict[HexId, int] = {}
    for hex_id, side in search.arrived:
        sides[hex_id] = sides.get(hex_id, 0) | 1 << side
    stops = [station.stop for station in net.stations]
    return Reach(
        stations=tuple(stop for number, stop in enumerate(stops) if number in search.reached),
        sides=dict(sorted(sides.items())),
        tokens=tuple(stop for number, stop in enumerate(stops) if allowed.tokens[number]),
    )


class _Search:
    """Finds stations and arrivals, first by one route to each, then by all routes if some lack."""

    def __init__(self, net: Network, allowed: Rights) -> None:
        self.net = net
        self.allowed = allowed
        self.tokens = [number for number, own in enumerate(allowed.tokens) if own]
        self.reached: set[int] = set()
        self.arrived: set[tuple[HexId, int]] = set()
        self._steps = 0

    def first_routes(self) -> None:
        """Follow the first legal route found to each station."""
        queue = deque((number, 0) for number in self.tokens)
        self.reached.update(self.tokens)
        while queue:
            number, mask = queue.popleft()
            self._arrive(number, mask)
            if self.allowed.ends[number]:
                continue
            for other, segment in self.net.exits[number]:
                used = self.net.segments[segment].mask
                if other not in self.reached and not used & mask:
                    self.reached.add(other)
                    queue.append((other, mask | used))

    def other_routes(self) -> None:
        """Try all legal routes while something joined by track is not reached yet."""
        stations, arrivals = self._joined()
        if stations == self.reached and arrivals == self.arrived:
            return
        for number in self.tokens:
            self._try_all(number, 0, {number}, stations, arrivals)

    def _joined(self) -> tuple[set[int], set[tuple[HexId, int]]]:
        """All that is joined by track, as if track could be used twice: nothing else is reached."""
        stations, waiting = set(self.tokens), list(self.tokens)
        arrivals: set[tuple[HexId, int]] = set()
        while waiting:
            number = waiting.pop()
            if self.allowed.ends[number]:
                continue
            arrivals.update((to.hex, to.side) for to in self.net.arrivals[number])
            fresh = {other for other, _ in self.net.exits[number]} - stations
            stations |= fresh
            waiting.extend(sorted(fresh))
        return stations, arrivals

    def _try_all(
        self,
        number: int,
        mask: int,
        visited: set[int],
        stations: set[int],
        arrivals: set[tuple[HexId, int]],
    ) -> None:
        self._steps += 1
        self.reached.add(number)
        self._arrive(number, mask)
        done = len(self.reached) == len(stations) and len(self.arrived) == len(arrivals)
        if self.allowed.ends[number] or done or self._steps > _MOST_STEPS:
            return
        for other, segment in self.net.exits[number]:
            used = self.net.segments[segment].mask
            if other not in visited and not used & mask:
                self._try_all(other, mask | used, visited | {other}, stations, arrivals)

    def _arrive(self, number: int, mask: int) -> None:
        if self.allowed.ends[number]:
            return
        for to in self.net.arrivals[number]:
            if not to.mask & mask:
                self.arrived.add((to.hex, to.side))

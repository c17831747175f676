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
from services.engine.rules.network.plain import Arrival
from services.engine.table.board import Board

# Ways that differ in the track used; boards built from a box need some hundreds at most.
_MOST_WAYS = 2_000


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
    search.first_ways()
    search.all_ways()
    sides: dict[HexId, int] = {}
    arrived = search.arrived
    while arrived:
        bit = arrived & -arrived
        arrived ^= bit
        hex_id, side = net.sides[bit.bit_length() - 1]
        sides[hex_id] = sides.get(hex_id, 0) | 1 << side
    stops = [station.stop for station in net.stations]
    return Reach(
        stations=tuple(stop for number, stop in enumerate(stops) if number in search.reached),
        sides=dict(sorted(sides.items())),
        tokens=tuple(stop for number, stop in enumerate(stops) if allowed.tokens[number]),
    )


class _Search:
    """Finds stations and arrivals, first by one way to each, then by all ways if some lack.

    A route that came to a station twice could leave out what lay between. So it is enough to look
    at what track a way has used, and of two ways to a station the one that used less is as good.
    """

    def __init__(self, net: Network, allowed: Rights) -> None:
        self.net = net
        self.allowed = allowed
        self.tokens = [number for number, own in enumerate(allowed.tokens) if own]
        self.reached: set[int] = set()
        self.arrived = 0

    def first_ways(self) -> None:
        """Follow the first legal way found to each station."""
        queue = deque((number, 0) for number in self.tokens)
        self.reached.update(self.tokens)
        while queue:
            number, mask = queue.popleft()
            for other, used in self._onward(number, mask):
                if other not in self.reached:
                    self.reached.add(other)
                    queue.append((other, used))

    def all_ways(self) -> None:
        """Follow every legal way that is not worse than another, while anything joined lacks."""
        stations, arrivals = self._joined()
        # What is reached is among what is joined, so counting tells whether something lacks.
        lacking = len(stations) - len(self.reached)
        if not lacking and self.arrived == arrivals:
            return
        reached, ends = self.reached, self.allowed.ends
        exits, masks = self.net.exits, self.net.masks
        arrived = self.arrived
        # Of most stations all arrivals are known by now.
        open_at: dict[int, list[Arrival]] = {}
        queue = deque((number, 0) for number in self.tokens)
        ways: dict[int, list[int]] = {number: [0] for number in self.tokens}
        left = _MOST_WAYS
        while queue and left and (lacking or arrived != arrivals):
            left -= 1
            number, mask = queue.popleft()
            if ends[number]:
                continue
            fresh = open_at.get(number)
            if fresh is None:
                arrivals_at = self.net.arrivals[number]
                fresh = open_at[number] = [to for to in arrivals_at if not to.bit & arrived]
            for to in fresh:
                if not to.mask & mask:
                    arrived |= to.bit
            for other, segment in exits[number]:
                track = masks[segment]
                if track & mask:
                    continue
                used = mask | track
                known = ways.setdefault(other, [])
                for way in known:
                    if way & used == way:
                        break
                else:
                    known.append(used)
                    if other not in reached:
                        reached.add(other)
                        lacking -= 1
                    queue.append((other, used))
        self.arrived = arrived

    def _onward(self, number: int, mask: int) -> list[tuple[int, int]]:
        """Note where track leads from a station, and give the next stations with the track used."""
        if self.allowed.ends[number]:
            return []
        for to in self.net.arrivals[number]:
            if not to.mask & mask:
                self.arrived |= to.bit
        masks = self.net.masks
        return [
            (other, mask | masks[segment])
            for other, segment in self.net.exits[number]
            if not masks[segment] & mask
        ]

    def _joined(self) -> tuple[set[int], int]:
        """All that is joined by track, as if track could be used twice: nothing else is reached."""
        stations, waiting = set(self.tokens), list(self.tokens)
        arrivals = 0
        for number in waiting:
            if self.allowed.ends[number]:
                continue
            for to in self.net.arrivals[number]:
                arrivals |= to.bit
            fresh = {other for other, _ in self.net.exits[number]} - stations
            stations |= fresh
            waiting.extend(sorted(fresh))
        return stations, arrivals

"""What one train can run: every path of the graph up to a number of stations (3.6).

A path is listed once, from its end with the lower number, and only if it calls at a token of the
company. Listing is bounded by work, not by time, so it comes out the same everywhere.
"""

from collections.abc import Callable

from msgspec import Struct

from contracts.ids import CompanyId, PhaseId, TrainId
from contracts.runs import Run, Track
from contracts.titles.facts import Facts
from services.engine.rules.network.graph import Network, network, rights, values
from services.engine.table.board import Board

Trail = tuple["Trail", int] | tuple[()]
"""Numbers of segments, the last first: each path shares its beginning with others."""


class Path(Struct, frozen=True):
    """A path from station `start`: what it pays, what it uses, at how many stations it calls."""

    value: int
    mask: int
    stations: int
    start: int
    trail: Trail


class Ground(Struct, frozen=True):
    """The graph as one company's trains see it in one phase.

    `once[s]` is the bit of what may be visited once: the area, or the station itself.
    """

    net: Network
    tokens: tuple[bool, ...]
    ends: tuple[bool, ...]
    values: tuple[int, ...]
    once: tuple[int, ...]
    to_token: tuple[int | None, ...]
    """Segments to the nearest token, whatever lies between; None where there is no way."""


class Listing(Struct, frozen=True):
    """Paths found, whether they are all there are, and the steps that it took."""

    paths: tuple[Path, ...]
    complete: bool
    steps: int


def ground(facts: Facts, board: Board, phase: PhaseId, company: CompanyId) -> Ground:
    """The graph of the board as it lies, for one company."""
    net = network(facts, board)
    allowed = rights(net, board, company)
    bits: dict[str, int] = {}
    once = tuple(
        bits.setdefault(station.area or f"{station.stop.hex}-{station.stop.node}", 1 << len(bits))
        for station in net.stations
    )
    return Ground(
        net=net,
        tokens=allowed.tokens,
        ends=allowed.ends,
        values=values(facts, net, phase),
        once=once,
        to_token=_distances(net, allowed.tokens),
    )


def can_run(on: Ground) -> bool:
    """Whether a route is possible at all: a token joined by track to another station (3.7.5)."""
    return any(own and exits for own, exits in zip(on.tokens, on.net.exits, strict=True))


def listed(
    on: Ground, stations: int | None, steps_most: int, expired: Callable[[], bool] = lambda: False
) -> Listing:
    """All paths of at most `stations` stations, or those found before the work ran out."""
    lister = _Lister(on, len(on.net.stations) if stations is None else stations, steps_most)
    complete = all(
        lister.extend(start, start, (0, 0, 0, 0, ()), expired)
        for start in range(len(on.net.stations))
    )
    return Listing(tuple(lister.paths), complete, lister.steps)


def run_of(on: Ground, train: TrainId, start: int, trail: Trail) -> Run:
    """A path written out as the run of a train."""
    return run_over(on.net, train, start, trail)


def run_over(net: Network, train: TrainId, start: int, trail: Trail) -> Run:
    """The run of a train over segments of a graph, from a station."""
    segments = []
    while trail:
        trail, number = trail
        segments.append(net.segments[number])
    track: list[Track] = []
    at, stops = start, [net.stations[start].stop]
    for segment in reversed(segments):
        if segment.one == at:
            track += segment.track
            at = segment.other
        else:
            track += (Track(piece.hex, piece.other, piece.one) for piece in segment.track[::-1])
            at = segment.one
        stops.append(net.stations[at].stop)
    return Run((train,), tuple(track), tuple(stops), tuple(stops))


_State = tuple[int, int, int, int, Trail]
"""What a path has so far: value, mask, once bits, stations, trail."""


class _Lister:
    """Walks all paths from a station, deepest first."""

    def __init__(self, on: Ground, stations: int, steps_most: int) -> None:
        self.on = on
        self.stations = stations
        self.steps_most = steps_most
        self.steps = 0
        self.paths: list[Path] = []
        self._token_bits = sum(bit for bit, own in zip(on.once, on.tokens, strict=True) if own)

    def extend(self, start: int, at: int, so_far: _State, expired: Callable[[], bool]) -> bool:
        """Call at a station and go on from it; false when the work has run out."""
        on = self.on
        value, mask, once, stations, trail = so_far
        value += on.values[at]
        once |= on.once[at]
        stations += 1
        has_token = bool(once & self._token_bits)
        if not has_token and not self._token_in_reach(at, stations):
            return True
        self.steps += 1
        if self.steps > self.steps_most or (self.steps % 1024 == 0 and expired()):
            return False
        if has_token and at > start:
            self.paths.append(Path(value, mask, stations, start, trail))
        if stations == self.stations or (on.ends[at] and at != start):
            return True
        for other, number in on.net.exits[at]:
            used = on.net.segments[number].mask
            if once & on.once[other] or mask & used:
                continue
            onward = (value, mask | used, once, stations, (trail, number))
            if not self.extend(start, other, onward, expired):
                return False
        return True

    def _token_in_reach(self, at: int, stations: int) -> bool:
        away = self.on.to_token[at]
        return away is not None and away <= self.stations - stations


def _distances(net: Network, tokens: tuple[bool, ...]) -> tuple[int | None, ...]:
    away: list[int | None] = [0 if own else None for own in tokens]
    line = [number for number, own in enumerate(tokens) if own]
    for at in line:
        for other, _ in net.exits[at]:
            if away[other] is None:
                away[other] = (away[at] or 0) + 1
                line.append(other)
    return tuple(away)

"""The board as trains of one company see it that may share track (7.4, 7.8).

Everything that a search has to tell apart has a bit: stations and areas that score once, the small
stations and hexes of locals, and the places where runs meet.
"""

from functools import cached_property
from heapq import heappop, heappush
from typing import Generic, TypeVar

from msgspec import Struct

from contracts.ids import CompanyId, HexId
from contracts.runs import Stop
from contracts.titles.facts import Facts
from services.engine.rules.network.graph import Network, network, rights
from services.engine.rules.network.readings import Readings
from services.engine.table.board import Board

_T = TypeVar("_T")


class Field(Struct, frozen=True, dict=True):
    """The graph with the company's rights, and the bits of its stations and segments.

    What only some trains ask for is worked out when it is asked for.

    `once[s]` is the bit of what scores once at station s, its area or itself. `kinds[s]` is the
    kind of its area, empty for a city. `meets[s]` is the bit where runs meet there, 0 where they do
    not. For each segment `meets_on` has where runs meet on the way, `steps` the sides of hexes
    crossed.
    """

    facts: Facts
    net: Network
    tokens: tuple[bool, ...]
    ends: tuple[bool, ...]
    closed: tuple[bool, ...]
    once: tuple[int, ...]
    kinds: tuple[str, ...]
    meets: tuple[int, ...]
    home: int
    """The bit where runs meet at the home station, 0 if it is nowhere."""
    meets_on: tuple[int, ...]
    steps: tuple[int, ...]

    @cached_property
    def spots(self) -> dict[Stop, int]:
        """The bit where runs meet at each stop, small stations too where they may meet there."""
        places = zip(self.meets, self.net.stations, strict=True)
        spots = {station.stop: bit for bit, station in places}
        if any(self.meets_on):
            spots |= _small_spots(self.net)
        return spots

    @cached_property
    def passed(self) -> tuple[int, ...]:
        """The bits of the small stations on each segment."""
        return self._scoring[0]

    @cached_property
    def touched(self) -> tuple[int, ...]:
        """The bits of the hexes that each segment touches."""
        return self._scoring[1]

    @cached_property
    def elements(self) -> tuple[Stop | HexId, ...]:
        """What each scoring bit stands for: a station (any one of an area), a small one, a hex."""
        return self._scoring[2]

    @cached_property
    def to_token(self) -> tuple[int | None, ...]:
        """Segments to the nearest token."""
        return _away(self.net, self.tokens, (1,) * len(self.net.segments))

    @cached_property
    def hexes_to_token(self) -> tuple[int | None, ...]:
        """Sides of hexes to the nearest token."""
        return _away(self.net, self.tokens, self.steps)

    @cached_property
    def _scoring(self) -> tuple[tuple[int, ...], tuple[int, ...], tuple[Stop | HexId, ...]]:
        """Bits for small stations and hexes, above those of stations, and what all stand for."""
        bits = _Bits[Stop | HexId]()
        met = 0
        for bit, station in zip(self.once, self.net.stations, strict=True):
            if not bit & met:
                bits.of(station.stop)
            met |= bit
        segments = self.net.segments
        passed = tuple(sum(bits.of(stop) for stop in segment.passed) for segment in segments)
        touched = tuple(sum(bits.of(hex_id) for hex_id in segment.hexes) for segment in segments)
        return passed, touched, tuple(bits.known)


def field_of(facts: Facts, board: Board, company: CompanyId, readings: Readings) -> Field:
    """The board as it lies, for one company."""
    net = network(facts, board)
    allowed = rights(net, board, company)
    bits = _Bits[str | int]()
    once = tuple(bits.of(station.area or number) for number, station in enumerate(net.stations))
    any_stop = readings.any_stop_joins
    meets = tuple(
        1 << number if any_stop or station.area is None else 0
        for number, station in enumerate(net.stations)
    )
    meets_on = (0,) * len(net.segments)
    if any_stop:
        small = _small_spots(net)
        meets_on = tuple(sum(small[stop] for stop in segment.passed) for segment in net.segments)
    homes = {
        net.cities.get((token.place, token.city))
        for token in board.tokens
        if token.company == company and token.kind == "home"
    }
    steps = tuple(segment.crossed for segment in net.segments)
    return Field(
        facts=facts,
        net=net,
        tokens=allowed.tokens,
        ends=allowed.ends,
        closed=allowed.closed,
        once=once,
        kinds=tuple(
            "" if station.area is None else facts.map.areas[station.area].kind
            for station in net.stations
        ),
        meets=meets,
        home=sum(meets[number] for number in homes if number is not None),
        meets_on=meets_on,
        steps=steps,
    )


def _small_spots(net: Network) -> dict[Stop, int]:
    """The bits where runs meet at small stations, above those of the stations."""
    bits = _Bits[Stop]()
    for segment in net.segments:
        for stop in segment.passed:
            bits.of(stop)
    return {stop: bit << len(net.stations) for stop, bit in bits.known.items()}


class _Bits(Generic[_T]):
    """Hands out bits to things as they are first asked for."""

    def __init__(self) -> None:
        self.known: dict[_T, int] = {}

    def of(self, thing: _T) -> int:
        return self.known.setdefault(thing, 1 << len(self.known))


def _away(
    net: Network, tokens: tuple[bool, ...], lengths: tuple[int, ...]
) -> tuple[int | None, ...]:
    """The shortest way from each station to a token, whatever lies between."""
    away: list[int | None] = [0 if own else None for own in tokens]
    queue = [(0, number) for number, own in enumerate(tokens) if own]
    while queue:
        so_far, at = heappop(queue)
        if away[at] != so_far:
            continue
        for other, number in net.exits[at]:
            onward = so_far + lengths[number]
            known = away[other]
            if known is None or onward < known:
                away[other] = onward
                heappush(queue, (onward, other))
    return tuple(away)

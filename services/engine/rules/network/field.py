"""The board as trains of one company see it that may share track (7.4, 7.8).

Everything that a search has to tell apart has a bit: stations and areas that score once, the small
stations and hexes of locals, and the places where runs meet.
"""

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


class Field(Struct, frozen=True):
    """The graph with the company's rights, and the bits of its stations and segments.

    `once[s]` is the bit of what scores once at station s, its area or itself. `kinds[s]` is the
    kind of its area, empty for a city. `meets[s]` is the bit where runs meet there, 0 where they do
    not. For each segment `passed` has the small stations, `meets_on` where runs meet on the way,
    `steps` the sides of hexes crossed, and `touched` the hexes.
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
    passed: tuple[int, ...]
    meets_on: tuple[int, ...]
    steps: tuple[int, ...]
    touched: tuple[int, ...]
    spots: dict[Stop, int]
    """The bit where runs meet at each stop, small stations too where they may meet there."""
    elements: tuple[Stop | HexId, ...]
    """What each scoring bit stands for: a station (any one of an area), a small one, a hex."""
    to_token: tuple[int | None, ...]
    """Segments to the nearest token."""
    hexes_to_token: tuple[int | None, ...]
    """Sides of hexes to the nearest token."""


def field_of(facts: Facts, board: Board, company: CompanyId, readings: Readings) -> Field:
    """The board as it lies, for one company."""
    net = network(facts, board)
    allowed = rights(net, board, company)
    bits = _Bits[Stop | HexId]()
    entries: dict[str, Stop] = {}
    once = tuple(
        bits.of(entries.setdefault(station.area or str(number), station.stop))
        for number, station in enumerate(net.stations)
    )
    any_stop = readings.any_stop_joins
    meets = tuple(
        1 << number if any_stop or station.area is None else 0
        for number, station in enumerate(net.stations)
    )
    small = _Bits[Stop]()
    meets_on = tuple(
        sum(small.of(stop) for stop in segment.passed) << len(net.stations) if any_stop else 0
        for segment in net.segments
    )
    homes = {
        Stop(HexId(token.place), f"c{token.city}")
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
        home=sum(
            bit for bit, station in zip(meets, net.stations, strict=True) if station.stop in homes
        ),
        passed=tuple(sum(bits.of(stop) for stop in segment.passed) for segment in net.segments),
        meets_on=meets_on,
        steps=steps,
        touched=tuple(sum(bits.of(hex_id) for hex_id in segment.hexes) for segment in net.segments),
        spots={
            **{station.stop: bit for bit, station in zip(meets, net.stations, strict=True)},
            **{stop: bit << len(net.stations) for stop, bit in small.known.items()},
        },
        elements=tuple(bits.known),
        to_token=_away(net, allowed.tokens, (1,) * len(net.segments)),
        hexes_to_token=_away(net, allowed.tokens, steps),
    )


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

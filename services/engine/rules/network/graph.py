"""The board as a graph of stops: stations, and the plain track between them.

Every hex side that carries track has one bit, shared by both hexes; every junction and every piece
between two stations of one hex has one too. So "no track twice" is "the masks do not meet", and it
holds for two branches of a junction as well, which share the side that they part from. Two cities
of one hex are two stations.
"""

from functools import lru_cache
from itertools import chain

from msgspec import Struct

from contracts.ids import AreaId, CompanyId, HexId, PhaseId
from contracts.runs import Stop, Track
from contracts.titles.facts import Facts
from services.engine.rules.network.plain import Arrival, Line, all_sides, leads_of
from services.engine.rules.network.tiles import (
    Face,
    faces_of,
    stops_of,
    value_of,
)
from services.engine.table.board import Board

City = tuple[str, int | None]
"""A city by its hex and its number there, as tokens name it."""


class Station(Struct, frozen=True):
    """A place where trains call: a `city`, or the end of the off-board `area`, or a town.

    Where `needs_token`, only a company with a token in the area may run there.
    """

    stop: Stop
    area: AreaId | None
    slots: int
    needs_token: bool = False
    city: City | None = None


class Segment(Struct, frozen=True, gc=False):
    """Plain track between two stations; the line leads from `one` to `other`."""

    one: int
    other: int
    mask: int
    line: Line

    @property
    def track(self) -> tuple[Track, ...]:
        """The pieces of track from `one` to `other`."""
        return self.line.track

    @property
    def passed(self) -> tuple[Stop, ...]:
        """The small stations on the way, where towns are such."""
        return self.line.passed

    @property
    def hexes(self) -> tuple[HexId, ...]:
        """All hexes that it touches."""
        return self.line.hexes

    @property
    def crossed(self) -> int:
        """How many sides of hexes it crosses."""
        return self.line.crossed


class Network(Struct, frozen=True):
    """Stations with their segments and arrivals; stations are known by their place in `stations`.

    `cities` are the stations in which tokens lie, `areas` those that are areas, of which those
    `guarded` need a token.
    `sides` are the hexes and sides that the bits of arrivals stand for, the lowest bit first.
    `exits[s]` lists, for each segment at station s, the station at its other end and its number;
    `masks` are the bits of track of all segments.
    """

    faces: dict[HexId, Face]
    stations: tuple[Station, ...]
    numbers: dict[Stop, int]
    cities: dict[City, int]
    areas: list[int]
    guarded: list[int]
    segments: tuple[Segment, ...]
    exits: tuple[tuple[tuple[int, int], ...], ...]
    masks: tuple[int, ...]
    arrivals: tuple[tuple[Arrival, ...], ...]
    sides: tuple[tuple[HexId, int], ...]


class Rights(Struct, frozen=True):
    """What one company may do at each station: where its tokens lie, and where its trains must end.

    Trains end at an area, and at a city full of the tokens of others (3.5.3, 3.6.1). They may not
    run at all to a `closed` one, an area that needs a token of the company.
    """

    tokens: tuple[bool, ...]
    ends: tuple[bool, ...]
    closed: tuple[bool, ...]


class _Lying(Struct, frozen=True, eq=False):
    """A board known by its tiles and small stations.

    Tokens change no track; a small station makes a stop on it. Deciding and recording make two
    objects of each board, so being the same object is not asked for.
    """

    board: Board
    fingerprint: int

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, _Lying)
            and self.fingerprint == other.fingerprint
            and self.board.tiles == other.board.tiles
            and self.board.small_stations == other.board.small_stations
        )

    def __hash__(self) -> int:
        return self.fingerprint


def network(facts: Facts, board: Board) -> Network:
    """The graph of the board as it lies; built once for the same tiles, which never change."""
    lying = frozenset(board.tiles.items()), frozenset(board.small_stations.items())
    return _built(facts, _Lying(board, hash(lying)))


@lru_cache(maxsize=16)
def _built(facts: Facts, lying: _Lying) -> Network:
    board = lying.board
    faces = faces_of(facts, board)
    stations = tuple(
        chain.from_iterable(_stations(facts, hex_id, face) for hex_id, face in faces.items())
    )
    numbers = {station.stop: number for number, station in enumerate(stations)}
    leads = leads_of(facts, faces, [station.stop for station in stations])
    # Each segment is found from both its ends, and a way back to its own start is no use.
    segments = tuple(
        Segment(number, numbers[line.to], line.mask, line)
        for number, lead in enumerate(leads)
        for line in lead.lines
        if numbers[line.to] > number
    )
    exits: list[list[tuple[int, int]]] = [[] for _ in stations]
    for number, segment in enumerate(segments):
        exits[segment.one].append((segment.other, number))
        exits[segment.other].append((segment.one, number))
    areas = [number for number, station in enumerate(stations) if station.area is not None]
    return Network(
        faces=faces,
        stations=stations,
        numbers=numbers,
        cities={one.city: number for number, one in enumerate(stations) if one.city is not None},
        areas=areas,
        guarded=[number for number in areas if stations[number].needs_token],
        segments=segments,
        exits=tuple(map(tuple, exits)),
        masks=tuple([segment.mask for segment in segments]),
        arrivals=tuple(lead.arrivals for lead in leads),
        sides=all_sides(facts),
    )


def rights(net: Network, board: Board, company: CompanyId) -> Rights:
    """Where a company's tokens lie and where its trains may not pass.

    A token without a slot, which waits in a full city, belongs there and takes no room.
    """
    own = [False] * len(net.stations)
    taken: dict[int, int] = {}
    linked = set()
    for token in board.tokens:
        number = net.cities.get((token.place, token.city))
        is_own = token.company == company
        if is_own:
            linked.add(token.place)
        if number is not None:
            own[number] = own[number] or is_own
            taken[number] = taken.get(number, 0) + (token.slot is not None)
    ends = [False] * len(net.stations)
    for number in net.areas:
        ends[number] = True
    for number, tokens in taken.items():
        ends[number] = 0 < net.stations[number].slots <= tokens and not own[number]
    closed = [False] * len(net.stations)
    for number in net.guarded:
        closed[number] = net.stations[number].area not in linked
    return Rights(tokens=tuple(own), ends=tuple(ends), closed=tuple(closed))


def values(facts: Facts, net: Network, phase: PhaseId) -> tuple[int, ...]:
    """What each station pays in a phase."""
    return tuple(
        value_of(facts, phase, net.faces[station.stop.hex], station.stop.node)
        for station in net.stations
    )


@lru_cache(maxsize=20_000)
def _stations(facts: Facts, hex_id: HexId, face: Face) -> tuple[Station, ...]:
    """The stations of a hex with this face: cities, and what else has track."""
    return tuple(
        _station(facts, hex_id, node, face)
        for node in stops_of(facts, face)
        if node in face.ends or node[0] == "c"
    )


def _station(facts: Facts, hex_id: HexId, node: str, face: Face) -> Station:
    number = int(node[1:])
    area = face.areas[number] if node[0] == "o" else None
    return Station(
        stop=Stop(hex_id, node),
        area=area,
        slots=face.cities[number].slots if node[0] == "c" else 0,
        needs_token=area is not None and facts.map.areas[area].token_spaces > 0,
        city=(hex_id, number) if node[0] == "c" else None,
    )

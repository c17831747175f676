"""The board as a graph of stops: stations, and the plain track between them.

Every hex side that carries track has one bit, shared by both hexes; every junction and every piece
between two stations of one hex has one too. So "no track twice" is "the masks do not meet", and it
holds for two branches of a junction as well, which share the side that they part from. Two cities
of one hex are two stations.
"""

from functools import lru_cache

from msgspec import Struct

from contracts.ids import AreaId, CompanyId, HexId, PhaseId
from contracts.runs import Stop, Track
from contracts.titles.facts import Facts
from services.engine.rules.network.plain import Arrival, all_sides, lead_from
from services.engine.rules.network.tiles import (
    Face,
    faces_of,
    stops_of,
    value_of,
)
from services.engine.table.board import Board


class Station(Struct, frozen=True):
    """A place where trains call; `area` names the off-board area that it is the end of.

    Where `needs_token`, only a company with a token in the area may run there.
    """

    stop: Stop
    area: AreaId | None
    slots: int
    needs_token: bool = False


class Segment(Struct, frozen=True):
    """Plain track between two stations; `track` leads from `one` to `other`.

    `passed` are the small stations on the way, where towns are such; `hexes` are all that it
    touches, and it crosses so many sides of hexes.
    """

    one: int
    other: int
    mask: int
    track: tuple[Track, ...]
    passed: tuple[Stop, ...]
    hexes: tuple[HexId, ...]
    crossed: int


class Network(Struct, frozen=True):
    """Stations with their segments and arrivals; stations are known by their place in `stations`.

    `sides` are the hexes and sides that the bits of arrivals stand for, the lowest bit first.
    `exits[s]` lists, for each segment at station s, the station at its other end and its number.
    """

    faces: dict[HexId, Face]
    stations: tuple[Station, ...]
    numbers: dict[Stop, int]
    segments: tuple[Segment, ...]
    exits: tuple[tuple[tuple[int, int], ...], ...]
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
        station for hex_id, face in faces.items() for station in _stations(facts, hex_id, face)
    )
    numbers = {station.stop: number for number, station in enumerate(stations)}
    leads = [lead_from(facts, faces, station.stop) for station in stations]
    # Each segment is found from both its ends, and a way back to its own start is no use.
    segments = tuple(
        Segment(
            number, numbers[line.to], line.mask, line.track, line.passed, line.hexes, line.crossed
        )
        for number, lead in enumerate(leads)
        for line in lead.lines
        if numbers[line.to] > number
    )
    exits: list[list[tuple[int, int]]] = [[] for _ in stations]
    for number, segment in enumerate(segments):
        exits[segment.one].append((segment.other, number))
        exits[segment.other].append((segment.one, number))
    return Network(
        faces=faces,
        stations=stations,
        numbers=numbers,
        segments=segments,
        exits=tuple(tuple(ways) for ways in exits),
        arrivals=tuple(lead.arrivals for lead in leads),
        sides=all_sides(facts),
    )


def rights(net: Network, board: Board, company: CompanyId) -> Rights:
    """Where a company's tokens lie and where its trains may not pass.

    A token without a slot, which waits in a full city, belongs there and takes no room.
    """
    own = [False] * len(net.stations)
    taken = [0] * len(net.stations)
    linked = {token.place for token in board.tokens if token.company == company}
    for token in board.tokens:
        number = net.numbers.get(Stop(HexId(token.place), f"c{token.city}"))
        if number is not None:
            own[number] = own[number] or token.company == company
            taken[number] += token.slot is not None
    ends = tuple(
        station.area is not None
        or (station.slots > 0 and taken[number] >= station.slots and not own[number])
        for number, station in enumerate(net.stations)
    )
    closed = tuple(station.needs_token and station.area not in linked for station in net.stations)
    return Rights(tokens=tuple(own), ends=ends, closed=closed)


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
    )

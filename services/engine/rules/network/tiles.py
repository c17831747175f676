"""What lies on a hex: its face, printed or of a tile turned, with nodes and track.

A face writes every end of track as it lies: sides are turned, nodes keep the tile's numbers. Faces
are made once for each title and kept, so two equal ones are the same object.
"""

from functools import lru_cache

from msgspec import Struct

from contracts.ids import AreaId, HexId, Money, PhaseId, TileId
from contracts.titles.facts import CityFacts, Colour, Facts, TownFacts, TrackEnds
from contracts.titles.hexes import SIDES, neighbour, opposite, turned
from services.engine.table.board import Board

SIDE_NAMES = tuple(str(side) for side in SIDES)


class Face(Struct, frozen=True, eq=False):
    """One side up: colour, nodes and track of a hex as it lies; `tile` is None where printed.

    `ends` gives for each end of track the ends that pieces of track join it to. `sides` has a bit
    for each side that track runs to.
    """

    tile: TileId | None
    colour: Colour
    label: str | None
    cities: tuple[CityFacts, ...]
    towns: tuple[TownFacts, ...]
    areas: tuple[AreaId, ...]
    track: tuple[TrackEnds, ...]
    ends: dict[str, tuple[str, ...]]
    sides: int

    def stations(self) -> tuple[str, ...]:
        """The nodes where a train may call: cities, towns, areas."""
        return (
            *(f"c{number}" for number in range(len(self.cities))),
            *(f"t{number}" for number in range(len(self.towns))),
            *(f"o{number}" for number in range(len(self.areas))),
        )

    def lines(self) -> tuple[str, ...]:
        """The lines of plain track from side to side, past towns but not through cities."""
        lines = {line_of(one, other) for one, other in self.track if (one + other).isdigit()}
        for number in range(len(self.towns)):
            ends = self.ends.get(f"t{number}", ())
            if len(ends) == 2 and "".join(ends).isdigit():
                lines.add(line_of(*ends))
        return tuple(sorted(lines))

    def sides_of(self, node: str) -> int:
        """A bit for each side that track of this node runs to."""
        return _mask(self.ends.get(node, ()))


def faces_of(facts: Facts, board: Board) -> dict[HexId, Face]:
    """The faces of all hexes, in the order of the map."""
    faces = dict(_printed_faces(facts))
    for hex_id in board.tiles:
        faces[hex_id] = face_at(facts, board, hex_id)
    return faces


@lru_cache(maxsize=64)
def _printed_faces(facts: Facts) -> dict[HexId, Face]:
    return {hex_id: printed_face(facts, hex_id) for hex_id in facts.map.hexes}


def face_at(facts: Facts, board: Board, hex_id: HexId) -> Face:
    """The face that lies on a hex now."""
    laid = board.tiles.get(hex_id)
    if laid is None:
        return printed_face(facts, hex_id)
    return tile_face(facts, laid.tile, laid.rotation, board.small_stations.get(hex_id, ()))


@lru_cache(maxsize=64)
def borders(facts: Facts) -> dict[HexId, tuple[tuple[HexId, str] | None, ...]]:
    """For each hex and side, the hex beyond and the name of the side there; None off the map."""
    hexes = facts.map.hexes
    return {
        hex_id: tuple(
            (beyond, str(opposite(side))) if beyond in hexes else None
            for side in SIDES
            for beyond in (neighbour(facts.map.letters, hex_id, side),)
        )
        for hex_id in hexes
    }


def towns_are_passed(facts: Facts) -> bool:
    """Whether towns are small stations, which trains pass and where none ends."""
    return facts.tile_rules.small_station_value is not None


@lru_cache(maxsize=20_000)
def stops_of(facts: Facts, face: Face) -> tuple[str, ...]:
    """The nodes of a face where a run may end or is counted as calling."""
    if towns_are_passed(facts):
        return tuple(node for node in face.stations() if node[0] != "t")
    return face.stations()


def line_of(one: str, other: str) -> str:
    """The name of the line of track between two sides.

    >>> line_of("4", "1")
    '1-4'
    """
    return "-".join(sorted((one, other)))


@lru_cache(maxsize=20_000)
def printed_face(facts: Facts, hex_id: HexId) -> Face:
    """The face that the map prints on a hex."""
    hex_ = facts.map.hexes[hex_id]
    return Face(
        tile=None,
        colour=hex_.colour,
        label=hex_.label,
        cities=hex_.city,
        towns=hex_.town,
        areas=tuple(offboard.area for offboard in hex_.offboard),
        track=hex_.track,
        ends=_ends(hex_.track),
        sides=_sides(hex_.track),
    )


@lru_cache(maxsize=20_000)
def tile_face(
    facts: Facts, tile_id: TileId, rotation: int, small_stations: tuple[str, ...] = ()
) -> Face:
    """The face of a tile turned by `rotation` sixths, with markers of small stations on its lines.

    A marker makes a town on its line.
    """
    tile = facts.tiles[tile_id]
    track = tuple((_turned(one, rotation), _turned(other, rotation)) for one, other in tile.track)
    towns = tile.town
    value = facts.tile_rules.small_station_value
    for line in small_stations:
        assert value is not None  # the title has small stations
        track = _with_town(track, line, f"t{len(towns)}")
        towns = (*towns, TownFacts(value))
    return Face(
        tile=tile_id,
        colour=tile.colour,
        label=tile.label,
        cities=tile.city,
        towns=towns,
        areas=(),
        track=track,
        ends=_ends(track),
        sides=_sides(track),
    )


def value_of(facts: Facts, phase: PhaseId, face: Face, node: str) -> Money:
    """What a stop at a node of a face pays; an area pays by the band of the phase."""
    number = int(node[1:])
    match node[0]:
        case "c":
            return face.cities[number].value
        case "t":
            return face.towns[number].value
        case _:
            return facts.map.areas[face.areas[number]].values[facts.phases[phase].offboard]


def _with_town(track: tuple[TrackEnds, ...], line: str, town: str) -> tuple[TrackEnds, ...]:
    """The track with a town in the middle of one line."""
    one, other = line.split("-")
    rest = tuple(piece for piece in track if {*piece} != {one, other})
    return (*rest, (one, town), (town, other))


def _turned(end: str, rotation: int) -> str:
    return str(turned(int(end), rotation)) if end.isdigit() else end


def _ends(track: tuple[TrackEnds, ...]) -> dict[str, tuple[str, ...]]:
    ends: dict[str, tuple[str, ...]] = {}
    for one, other in track:
        ends[one] = (*ends.get(one, ()), other)
        ends[other] = (*ends.get(other, ()), one)
    return {end: tuple(sorted(others)) for end, others in sorted(ends.items())}


def _sides(track: tuple[TrackEnds, ...]) -> int:
    return _mask(tuple(end for piece in track for end in piece))


def _mask(ends: tuple[str, ...]) -> int:
    mask = 0
    for end in ends:
        if end in SIDE_NAMES:
            mask |= 1 << int(end)
    return mask

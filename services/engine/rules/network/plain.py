"""Plain track: what it leads to from each station, walked again only where a tile has changed.

A tile changes what a few stations lead to; what all others do was found out for the board before.
So the bits of track are those of the title's map, the same on every board of it.
"""

from collections.abc import Sequence
from functools import cached_property, lru_cache

from msgspec import Struct

from contracts.ids import HexId
from contracts.runs import Stop, Track
from contracts.titles.facts import Facts
from services.engine.rules.network.tiles import Face, borders, towns_are_passed


class Arrival(Struct, frozen=True, gc=False):
    """Plain track from a station that comes to a hex over one of its sides.

    `bit` stands for that hex and side, by its place in `all_sides`.
    """

    bit: int
    mask: int


class Line:
    """Plain track from a station to another: where it leads, and the bits of its sides.

    It lies on many boards; what is seldom asked of it is worked out when it is.
    """

    def __init__(self, to: Stop, mask: int, way: "_Way", *, has_small_stations: bool) -> None:
        self.to = to
        self.mask = mask
        self._way = way
        self._has_small_stations = has_small_stations

    @cached_property
    def track(self) -> tuple[Track, ...]:
        """The pieces of track, in order."""
        return _track(self._way)

    @cached_property
    def passed(self) -> tuple[Stop, ...]:
        """The small stations on the way, where towns are such."""
        if not self._has_small_stations:
            return ()
        pieces = self.track[:-1]
        return tuple(Stop(piece.hex, piece.other) for piece in pieces if piece.other[0] == "t")

    @cached_property
    def hexes(self) -> tuple[HexId, ...]:
        """All hexes that it touches."""
        return tuple(dict.fromkeys(piece.hex for piece in self.track))

    @cached_property
    def crossed(self) -> int:
        """How many sides of hexes it crosses."""
        return sum(1 for piece in self.track if piece.other.isdigit())


class Lead(Struct, frozen=True):
    """All that plain track leads to from a station, and the faces that this was read off."""

    lines: tuple[Line, ...]
    arrivals: tuple[Arrival, ...]
    read: dict[HexId, Face]

    def holds(self, faces: dict[HexId, Face]) -> bool:
        """Whether it is so still: faces are the same objects as long as they lie."""
        return all(faces[hex_id] is face for hex_id, face in self.read.items())


def leads_of(facts: Facts, faces: dict[HexId, Face], stops: Sequence[Stop]) -> list[Lead]:
    """What plain track leads to from each stop, remembered from boards before where it may be.

    Mostly a board differs from the last one by a hex, so only what was read off that hex is asked
    about; of a board of another table nothing may be left.
    """
    known = _known(facts)
    before = known.faces
    changed = {hex_id for hex_id, face in faces.items() if before.get(hex_id) is not face}
    leads = {}
    for stop in stops:
        lead = known.leads.get(stop)
        if lead is None or not changed.isdisjoint(lead.read):
            lead = _lead_from(facts, faces, stop, known.by_face)
        leads[stop] = lead
    known.faces, known.leads = faces, leads
    return list(leads.values())


def _lead_from(
    facts: Facts, faces: dict[HexId, Face], stop: Stop, by_face: dict[tuple[Stop, Face], Lead]
) -> Lead:
    name = stop, faces[stop.hex]
    lead = by_face.get(name)
    if lead is None or not lead.holds(faces):
        lead = by_face[name] = _Walk(facts, faces).lead(stop)
    return lead


class _Known:
    """Faces and leads of the last board, and the last lead of each stop on each of its faces."""

    def __init__(self) -> None:
        self.faces: dict[HexId, Face] = {}
        self.leads: dict[Stop, Lead] = {}
        self.by_face: dict[tuple[Stop, Face], Lead] = {}


@lru_cache(maxsize=64)
def _known(_facts: Facts) -> _Known:
    return _Known()


@lru_cache(maxsize=64)
def all_sides(facts: Facts) -> tuple[tuple[HexId, int], ...]:
    """The hexes with their sides that arrivals have bits for, the lowest bit first."""
    return tuple((hex_id, side) for hex_id in facts.map.hexes for side in range(6))


@lru_cache(maxsize=64)
def _side_bits(facts: Facts) -> dict[tuple[HexId, str], int]:
    return {(hex_id, str(side)): 1 << at for at, (hex_id, side) in enumerate(all_sides(facts))}


@lru_cache(maxsize=64)
def _track_bits(facts: Facts) -> dict[tuple[HexId, str], int]:
    """A bit for each side between two hexes, under both its names; others are added when met."""
    bits: dict[tuple[HexId, str], int] = {}
    number = 0
    for hex_id, beyond in borders(facts).items():
        for side, border in enumerate(beyond):
            if border is not None and (hex_id, str(side)) not in bits:
                bits[hex_id, str(side)] = bits[border] = 1 << number
                number += 1
    return bits


_Way = tuple["_Way | None", HexId, str, str]
"""Pieces of track so far: those before, then hex and ends of the last."""


class _Walk:
    """Walks plain track from a station and notes what it comes to."""

    def __init__(self, facts: Facts, faces: dict[HexId, Face]) -> None:
        self.borders = borders(facts)
        self.has_small_stations = towns_are_passed(facts)
        self.faces = faces
        self.read: dict[HexId, Face] = {}
        self.lines: list[Line] = []
        self.arrivals: list[Arrival] = []
        self._bits = _track_bits(facts)
        self._side_bits = _side_bits(facts)

    def lead(self, stop: Stop) -> Lead:
        """All that there is from a station."""
        self._fan_out(stop.hex, stop.node, 0, None)
        return Lead(tuple(self.lines), tuple(self.arrivals), self.read)

    def _fan_out(self, hex_id: HexId, end: str, mask: int, way: _Way | None) -> None:
        face = self.read[hex_id] = self.faces[hex_id]
        for other in face.ends.get(end, ()):
            self._follow(hex_id, end, other, mask, (way, hex_id, end, other))

    def _follow(self, hex_id: HexId, start: str, end: str, mask: int, way: _Way) -> None:
        """Go on from the far end of a piece of track."""
        if end.isdigit():
            self._cross(hex_id, end, mask, way)
        elif end[0] == "j":
            bit = self._bit(hex_id, end)
            if not mask & bit:
                self._fan_out(hex_id, end, mask | bit, way)
        elif end[0] == "t" and self.has_small_stations:
            # A small station is passed; the way back is over a side already used.
            self._fan_out(hex_id, end, mask, way)
        else:
            if not start.isdigit() and start[0] != "j":
                mask |= self._bit(hex_id, "-".join(sorted((start, end))))
            to = Stop(hex_id, end)
            self.lines.append(Line(to, mask, way, has_small_stations=self.has_small_stations))

    def _cross(self, hex_id: HexId, side: str, mask: int, way: _Way) -> None:
        border = self.borders[hex_id][int(side)]
        if border is None:
            return
        bit = self._bits[border]
        if mask & bit:
            return
        mask |= bit
        self.arrivals.append(Arrival(self._side_bits[border], mask))
        self._fan_out(*border, mask, way)

    def _bit(self, hex_id: HexId, end: str) -> int:
        return self._bits.setdefault((hex_id, end), 1 << len(self._bits))


def _track(way: _Way | None) -> tuple[Track, ...]:
    """The pieces of track of a way, in order."""
    track: list[Track] = []
    while way is not None:
        way, hex_id, start, end = way
        track.append(Track(hex_id, start, end))
    track.reverse()
    return tuple(track)

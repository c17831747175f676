"""What a freight's ends are, and what it is paid for the hexes between them (7.8.1)."""

from functools import lru_cache
from itertools import product

from msgspec import Struct

from contracts.ids import AreaId, HexId, Money
from contracts.runs import Stop
from contracts.titles.facts import Facts
from contracts.titles.hexes import distance, neighbour
from services.engine.rules.network.readings import ANY_ENTRY, USED_ENTRY


class End(Struct, frozen=True, order=True):
    """An end of a freight's run: a large station, or an area with the land that it is entered from.

    `land` and `area` are empty for a large station.
    """

    stop: Stop
    area: str
    land: str


def end_of(facts: Facts, stop: Stop, side: str) -> End:
    """The end of a run at a stop whose last piece of track runs to a side of the stop's hex."""
    if stop.node[0] != "o":
        return End(stop, "", "")
    area = facts.map.hexes[stop.hex].offboard[int(stop.node[1:])].area
    return End(stop, area, neighbour(facts.map.letters, stop.hex, int(side)))


@lru_cache(maxsize=20_000)
def bonus(facts: Facts, entry: str, one: End, other: End) -> Money:
    """What a freight earns for the hexes between its ends, as the crow flies."""
    running = facts.running
    ports = [end.area for end in (one, other) if end.area and _is_port(facts, end.area)]
    per_hex = running.freight_per_hex_port if ports else running.freight_per_hex
    return max(0, _between(facts, entry, one, other)) * per_hex


def _between(facts: Facts, entry: str, one: End, other: End) -> int:
    """Hexes strictly between the ends; barriers and gaps are flown over."""
    if entry == USED_ENTRY:
        # The land before an area counts as one hex between.
        from_, to = (HexId(end.land or end.stop.hex) for end in (one, other))
        areas = sum(1 for end in (one, other) if end.area)
        return distance(facts.map.letters, from_, to) - 1 + areas
    if entry == ANY_ENTRY:
        return max(
            distance(facts.map.letters, from_, to) - 1
            for from_, to in product(_entries(facts, one), _entries(facts, other))
        )
    return distance(facts.map.letters, one.stop.hex, other.stop.hex) - 1


def _entries(facts: Facts, end: End) -> tuple[HexId, ...]:
    return entries(facts, AreaId(end.area)) if end.area else (end.stop.hex,)


@lru_cache(maxsize=200)
def entries(facts: Facts, area: AreaId) -> tuple[HexId, ...]:
    """The hexes of an area that have an entry, whether or not track meets it."""
    return tuple(
        hex_id
        for hex_id, hex_ in facts.map.hexes.items()
        if any(
            offboard.area == area and any(f"o{number}" in piece for piece in hex_.track)
            for number, offboard in enumerate(hex_.offboard)
        )
    )


def _is_port(facts: Facts, area: str) -> bool:
    return facts.map.areas[AreaId(area)].kind == "port"

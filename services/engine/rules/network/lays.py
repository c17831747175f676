"""Which tiles may be laid where (3.4), and what a lay does to the hex.

One set of checks serves both the list of legal lays and the refusals of one lay.
"""

from collections.abc import Callable, Collection, Iterator, Mapping
from functools import lru_cache
from itertools import permutations
from typing import Final

from msgspec import Struct

from contracts.ids import CompanyId, HexId, Money, PhaseId, TileId
from contracts.titles.facts import Colour, Facts
from contracts.titles.hexes import SIDES, neighbour, opposite
from services.engine.rules.network.objection import Objection
from services.engine.rules.network.reach import Reach, reach
from services.engine.rules.network.tiles import (
    Face,
    face_at,
    line_of,
    printed_face,
    tile_face,
    towns_are_passed,
)
from services.engine.table.board import Board, Token

# A tile of each colour goes on one of the colour before it.
_BEFORE: dict[Colour, Colour] = {
    "yellow": "white",
    "green": "yellow",
    "brown": "green",
    "grey": "brown",
}
# Hexes printed in these colours never change (3.4.5).
_FIXED: tuple[Colour, ...] = ("grey", "red", "blue")


class Lay(Struct, frozen=True, array_like=True, order=True):
    """A tile laid on a hex, turned by `rotation` sixths."""

    hex: HexId
    tile: TileId
    rotation: int


class Laid(Struct, frozen=True):
    """What a lay does: the tile that goes back, the hex's tokens as they then lie, what is due.

    `small_stations` are the lines that markers of small stations lie on afterwards; one printed on
    the old tile becomes a marker on the new one.
    """

    lay: Lay
    returned: TileId | None
    tokens: tuple[Token, ...]
    cost: Money
    small_stations: tuple[str, ...] = ()


def legal_lays(
    facts: Facts,
    board: Board,
    phase: PhaseId,
    company: CompanyId,
    *,
    hex_id: HexId | None = None,
    blocked: Collection[HexId] = (),
    needs_route: bool = True,
    reached: Reach | None = None,
) -> Iterator[Lay]:
    """Every legal lay in the order of the map, the box and the rotation, on one hex or on all.

    `blocked` are hexes that may not be built on now. Without `needs_route` a hex need not be
    reached. `reached` saves finding out again what the company reaches.
    """
    if needs_route and reached is None:
        reached = reach(facts, board, company)
    for at in facts.map.hexes if hex_id is None else (hex_id,):
        face = face_at(facts, board, at)
        sides = _reached_sides(board, company, at, reached) if needs_route else -1
        if not sides or _hex_objection(facts, board, at, blocked):
            continue
        for tile_id in facts.tiles:
            if _tile_objection(facts, board, phase, at, face, tile_id):
                continue
            for rotation in SIDES:
                lay = Lay(at, tile_id, rotation)
                if not _turn_objection(facts, face, lay) and (
                    not needs_route or sides & _reaching_sides(facts, face, lay)
                ):
                    yield lay


def lay_objections(
    facts: Facts,
    board: Board,
    phase: PhaseId,
    company: CompanyId,
    lay: Lay,
    *,
    blocked: Collection[HexId] = (),
    needs_route: bool = True,
    reached: Reach | None = None,
) -> tuple[Objection, ...]:
    """Everything that speaks against a lay; nothing if it is legal."""
    if lay.hex not in facts.map.hexes or lay.tile not in facts.tiles or lay.rotation not in SIDES:
        return (Objection("no-such-lay", "There is no such hex, tile or rotation.", "3.4.1"),)
    face = face_at(facts, board, lay.hex)
    found = [
        _hex_objection(facts, board, lay.hex, blocked),
        _tile_objection(facts, board, phase, lay.hex, face, lay.tile),
        _turn_objection(facts, face, lay),
    ]
    if needs_route:
        found.append(_reach_objection(facts, board, company, lay, reached))
    return tuple(objection for objection in found if objection is not None)


def after_lay(facts: Facts, board: Board, lay: Lay, city: int | None = None) -> Laid:
    """What a legal lay does to its hex.

    Tokens move with their city. A token that waits for a city goes to `city`, or waits on if that
    is None (3.4.8).
    """
    new = tile_face(facts, lay.tile, lay.rotation)
    if city is not None and city not in waiting_cities(facts, board, lay):
        raise ValueError(f"No token that waits on {lay.hex} can lie in city {city}.")
    moves = _moves(facts, board, lay)
    tokens: list[Token] = []
    for token in _tokens_on(board, lay.hex):
        to = city if token.city is None else moves[token.city]
        slot = token.slot
        if slot is None:
            slot = _free_slot(new, to, board, moves, lay.hex)
        tokens.append(Token(token.company, token.place, to, slot, token.kind))
    laid = board.tiles.get(lay.hex)
    return Laid(
        lay=lay,
        returned=None if laid is None else laid.tile,
        tokens=tuple(tokens),
        # Terrain is paid once, with the first tile on the hex (3.4.2).
        cost=facts.map.hexes[lay.hex].cost if laid is None else 0,
        small_stations=small_stations_after(facts, board, lay.hex),
    )


def waiting_cities(facts: Facts, board: Board, lay: Lay) -> tuple[int, ...]:
    """The cities that a token waiting on the hex may go to once the tile lies (3.4.8)."""
    if all(token.city is not None for token in _tokens_on(board, lay.hex)):
        return ()
    new = tile_face(facts, lay.tile, lay.rotation)
    moves = _moves(facts, board, lay)
    return tuple(
        number
        for number in range(len(new.cities))
        if new.sides_of(f"c{number}") and _free_slot(new, number, board, moves, lay.hex) is not None
    )


def small_stations_after(facts: Facts, board: Board, hex_id: HexId) -> tuple[str, ...]:
    """The lines of a hex that have a small station once the tile there is upgraded (7.6.3)."""
    if not towns_are_passed(facts):
        return ()
    face = face_at(facts, board, hex_id)
    towns = (face.ends.get(f"t{number}", ()) for number in range(len(face.towns)))
    return tuple(sorted(line_of(*ends) for ends in towns if len(ends) == 2))


@lru_cache(maxsize=20_000)
def open_sides(facts: Facts, hex_id: HexId) -> int:
    """A bit for each side of a hex that track may run to (3.4.4)."""
    mask = 0
    hexes = facts.map.hexes
    for side in SIDES:
        beyond = neighbour(facts.map.letters, hex_id, side)
        if beyond not in hexes or side in hexes[hex_id].impassable:
            continue
        if opposite(side) in hexes[beyond].impassable:
            continue
        far = printed_face(facts, beyond)
        if far.colour not in _FIXED or far.sides & 1 << opposite(side):
            mask |= 1 << side
    return mask


@lru_cache(maxsize=50_000)
def city_maps(old: Face, new: Face, *, towns_pass: bool = False) -> tuple[tuple[int, ...], ...]:
    """The ways in which the new face can keep all the old track (3.4.6).

    Each gives, for each city of the old face, its number on the new one; different cities stay
    apart. Cities without track could become any. Small stations lie on lines, and lines stay.
    """
    if towns_pass:
        return _city_maps_by_line(old, new)
    pieces = {frozenset(piece) for piece in new.track}
    town_maps = tuple(permutations(range(len(new.towns)), len(old.towns)))
    return tuple(
        cities
        for cities in permutations(range(len(new.cities)), len(old.cities))
        if any(_keeps(old, pieces, cities, towns) for towns in town_maps)
    )


def _city_maps_by_line(old: Face, new: Face) -> tuple[tuple[int, ...], ...]:
    if not {*old.lines()} <= {*new.lines()}:
        return ()
    return tuple(
        cities
        for cities in permutations(range(len(new.cities)), len(old.cities))
        if all(
            old.sides_of(f"c{number}") & ~new.sides_of(f"c{city}") == 0
            for number, city in enumerate(cities)
        )
    )


def _keeps(
    old: Face, pieces: set[frozenset[str]], cities: tuple[int, ...], towns: tuple[int, ...]
) -> bool:
    names = {f"c{one}": f"c{other}" for one, other in enumerate(cities)}
    names |= {f"t{one}": f"t{other}" for one, other in enumerate(towns)}
    return all(
        frozenset((names.get(one, one), names.get(other, other))) in pieces
        for one, other in old.track
    )


def _hex_objection(
    facts: Facts, board: Board, hex_id: HexId, blocked: Collection[HexId]
) -> Objection | None:
    """What speaks against any tile at all on the hex."""
    if hex_id in blocked:
        return Objection("hex-blocked", f"{hex_id} is blocked by a private company.", "3.4.7")
    if facts.map.hexes[hex_id].colour in _FIXED:
        return Objection("hex-never-changes", f"{hex_id} is as printed for good.", "3.4.5")
    face = face_at(facts, board, hex_id)
    if face.towns and face.colour != "white" and not facts.tile_rules.town_tiles_upgrade:
        return Objection("town-tile", f"{hex_id} has a tile with a town, which stays.", "3.4.5")
    return None


def _tile_objection(
    facts: Facts, board: Board, phase: PhaseId, hex_id: HexId, face: Face, tile_id: TileId
) -> Objection | None:
    """What speaks against the tile on this face, however it is turned."""
    tile = facts.tiles[tile_id]
    if tile.colour not in facts.phases[phase].tiles:
        return Objection("colour-not-yet", f"There are no {tile.colour} tiles yet.", "3.4.1")
    if _BEFORE.get(tile.colour) != face.colour:
        because = f"A {tile.colour} tile does not go on a {face.colour} hex."
        return Objection("wrong-colour", because, "3.4.1")
    if tile.count is not None and board.supply.get(tile_id, 0) < 1:
        return Objection("tile-out", f"No tile {tile_id} is left.", "3.4.1")
    same_towns = len(tile.town) == len(face.towns) or towns_are_passed(facts)
    if len(tile.city) != len(face.cities) or not same_towns:
        because = f"Tile {tile_id} has other cities or towns than the hex."
        return Objection("wrong-kind", because, "3.4.5")
    label = facts.map.hexes[hex_id].labels.get(tile.colour, face.label)
    if tile.label != label:
        letters = tile.label or "no letter", label or "no letter"
        because = f"Tile {tile_id} bears {letters[0]}, the hex {letters[1]}."
        return Objection("wrong-label", because, "3.4.5")
    if tile.only_at and hex_id not in tile.only_at:
        because = f"Tile {tile_id} is made for {' and '.join(tile.only_at)}."
        return Objection("wrong-label", because, "3.4.5")
    return None


def _turn_objection(facts: Facts, face: Face, lay: Lay) -> Objection | None:
    """What speaks against the tile as it is turned."""
    new = tile_face(facts, lay.tile, lay.rotation)
    if new.sides & ~open_sides(facts, lay.hex):
        because = "Track would end at the map's edge, at a side that none may cross, or at nothing."
        return Objection("side-closed", because, "3.4.4")
    if not city_maps(face, new, towns_pass=towns_are_passed(facts)):
        return Objection("track-lost", "The tile does not keep all the old track.", "3.4.6")
    return None


def _reach_objection(
    facts: Facts, board: Board, company: CompanyId, lay: Lay, reached: Reach | None
) -> Objection | None:
    if reached is None:
        reached = reach(facts, board, company)
    sides = _reached_sides(board, company, lay.hex, reached)
    if sides & _reaching_sides(facts, face_at(facts, board, lay.hex), lay):
        return None
    because = f"No track of the tile joins a token of {company}."
    return Objection("not-reached", because, "3.4.3")


def _reaching_sides(facts: Facts, face: Face, lay: Lay) -> int:
    """The sides of a hex over which a route may come, so that the tile may be laid.

    By default any track of the tile will do (3.4.3). Where an upgrade needs new track or a large
    station on a route, a tile without a city needs a new line there (7.6.3); all track of a tile
    with a city leads to the city.
    """
    restriction = picked_restriction(facts)
    return restriction(face, tile_face(facts, lay.tile, lay.rotation))


def picked_restriction(facts: Facts) -> Callable[[Face, Face], int]:
    """What the title's phrase asks of the track of a tile that is laid."""
    phrase = facts.tile_rules.upgrade_restriction
    if phrase not in UPGRADE_RESTRICTIONS:
        known = ", ".join(UPGRADE_RESTRICTIONS)
        raise ValueError(f"No upgrade restriction is called {phrase!r}; known: {known}.")
    return UPGRADE_RESTRICTIONS[phrase]


def _any_track(old: Face, new: Face) -> int:
    return new.sides


def _new_track_or_large_station(old: Face, new: Face) -> int:
    if new.cities:
        return new.sides
    fresh = {*new.lines()} - {*old.lines()}
    return sum({1 << int(side) for line in fresh for side in line.split("-")})


UPGRADE_RESTRICTIONS: Final[Mapping[str, Callable[[Face, Face], int]]] = {
    "permissive": _any_track,
    "new track or a large station": _new_track_or_large_station,
}
"""By the title's phrase: the sides of a tile of which a route must come over one."""


def _reached_sides(board: Board, company: CompanyId, hex_id: HexId, reached: Reach | None) -> int:
    """The sides of a hex that make a tile reached if its track runs to one of them.

    A route comes to a hex first over some side, before it has used anything of the hex itself; and
    track once there is never lost. So what is reached before the lay decides. A token on the hex
    reaches whatever the hex gets.
    """
    if any(token.company == company for token in _tokens_on(board, hex_id)):
        return -1
    return 0 if reached is None else reached.sides.get(hex_id, 0)


def _tokens_on(board: Board, hex_id: HexId) -> tuple[Token, ...]:
    return tuple(token for token in board.tokens if token.place == hex_id)


def _moves(facts: Facts, board: Board, lay: Lay) -> tuple[int, ...]:
    """Where each city goes; the first way that has room for all tokens."""
    old, new = face_at(facts, board, lay.hex), tile_face(facts, lay.tile, lay.rotation)
    for cities in city_maps(old, new, towns_pass=towns_are_passed(facts)):
        taken = [0] * len(new.cities)
        for token in _tokens_on(board, lay.hex):
            if token.city is not None and token.slot is not None:
                taken[cities[token.city]] += 1
        if all(number <= city.slots for number, city in zip(taken, new.cities, strict=True)):
            return cities
    raise ValueError(f"The tile on {lay.hex} has no room for the tokens there.")


def _free_slot(
    new: Face, city: int | None, board: Board, moves: tuple[int, ...], hex_id: HexId
) -> int | None:
    """The first free slot of a city of the new face, None if it is full or no city is named."""
    if city is None:
        return None
    taken = [
        token.slot
        for token in _tokens_on(board, hex_id)
        if token.city is not None and moves[token.city] == city
    ]
    free = [slot for slot in range(new.cities[city].slots) if slot not in taken]
    return free[0] if free else None

"""What one turn may build: how many tiles, and markers of small stations (7.6)."""

from collections.abc import Iterator, Sequence

from msgspec import Struct

from contracts.ids import HexId, TileId
from contracts.titles.facts import Facts, Tile
from services.engine.rules.network.objection import Objection
from services.engine.rules.network.tiles import face_at, towns_are_passed
from services.engine.table.board import Board


class SmallStation(Struct, frozen=True, array_like=True, order=True):
    """A place for a marker: a line of track of a hex, named by its two sides."""

    hex: HexId
    line: str


def allowance_objection(facts: Facts, laid: Sequence[TileId], tile_id: TileId) -> Objection | None:
    """What the tiles already laid in a turn say against one more.

    A tile with some letters, and any upgrade, may be the only one of its turn.
    """
    rules = facts.tile_rules
    if len(laid) >= rules.lays_a_turn:
        because = f"{len(laid)} of {rules.lays_a_turn} tiles are laid in this turn."
        return Objection("no-lay-left", because, "7.6")
    alone = next(
        (id_ for id_ in (*laid, tile_id) if laid and _is_alone(facts, facts.tiles[id_])), None
    )
    if alone is not None:
        return Objection("no-lay-left", f"Tile {alone} is the only one of its turn.", "7.6")
    return None


def legal_small_stations(facts: Facts, board: Board) -> Iterator[SmallStation]:
    """Every place for a marker of a small station, in the order of the map; none needs a route."""
    if not towns_are_passed(facts):
        return
    for hex_id in facts.map.hexes:
        for line in face_at(facts, board, hex_id).lines():
            place = SmallStation(hex_id, line)
            if not small_station_objections(facts, board, place):
                yield place


def small_station_objections(
    facts: Facts, board: Board, place: SmallStation
) -> tuple[Objection, ...]:
    """Everything that speaks against a marker there; nothing if it is legal (7.6.4)."""
    if place.hex not in facts.map.hexes or not towns_are_passed(facts):
        return (Objection("no-such-line", "No small station goes there.", "7.6.4"),)
    face = face_at(facts, board, place.hex)
    if face.cities or place.line not in face.lines():
        because = f"{place.hex} has no line of plain track {place.line}."
        return (Objection("no-such-line", because, "7.6.4"),)
    bare = {"-".join(sorted(piece)) for piece in face.track}
    if place.line not in bare:
        because = f"The line {place.line} of {place.hex} has its small station."
        return (Objection("line-taken", because, "7.6.4"),)
    return ()


def with_small_station(board: Board, place: SmallStation) -> Board:
    """The board with one marker more."""
    lines = tuple(sorted((*board.small_stations.get(place.hex, ()), place.line)))
    return Board(
        board.tiles, board.tokens, board.supply, {**board.small_stations, place.hex: lines}
    )


def _is_alone(facts: Facts, tile: Tile) -> bool:
    rules = facts.tile_rules
    return tile.label in rules.alone or (rules.upgrades_alone and tile.colour != "yellow")

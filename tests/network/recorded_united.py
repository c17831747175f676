"""Recorded games of 18xx.games whose trains share track, laid out on our board step by step."""

import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from contracts.ids import CompanyId, HexId, PhaseId, TileId, TrainId, TrainKind
from contracts.titles.facts import Facts
from services.engine.rules.network.building import SmallStation, with_small_station
from services.engine.rules.network.lays import Lay, after_lay
from services.engine.rules.network.places import free_slot, free_space, home_places
from services.engine.rules.network.resolve import Sketch
from services.engine.rules.network.tiles import line_of
from services.engine.rules.network.walks import Train
from services.engine.table.board import Board, LaidTile, Token
from tests.network.recorded import empty_board

SIDES = {"F": "freight", "L": "local", "E": "express"}
# The site has a hidden tile for each pattern of small stations: their lines as the tile is printed.
PATTERNS = {
    "18_1b": ("1-2",),
    "19_1a": ("0-3",),
    "20_1": ("0-3",),
    "20_1b": ("1-4",),
    "798_1": ("0-3",),
}


class Step(msgspec.Struct, frozen=True):
    """An action that stands, with what it met: board, phase, and the company's trains."""

    n: int
    action: dict[str, Any]
    scored: dict[str, Any] | None
    phase: PhaseId
    board: Board
    fleet: tuple[Train, ...]
    """Trains that the company has a permit for."""


def steps(facts: Facts, trace: Path) -> Iterator[Step]:
    with gzip.open(trace, "rt") as file:
        rows = [json.loads(line) for line in file]
    board, phase = empty_board(facts), PhaseId("A")
    companies: dict[str, dict[str, Any]] = {}
    for row in rows:
        if row.get("end"):
            return
        action = row.get("action")
        if action:
            if action["type"] == "lay_tile":
                board = waiting(facts, board, CompanyId(action["entity"]))
            fleet = fleet_of(facts, companies.get(str(action["entity"]), {}))
            yield Step(row["n"], action, row.get("scored"), phase, board, fleet)
            if action["type"] == "lay_tile":
                board = built(facts, board, action)
        for company, state in row.get("corporations", {}).items():
            if state is None:
                companies.pop(company, None)
            else:
                companies.setdefault(company, {}).update(state)
        phase = PhaseId(row.get("phase", phase))
        board = with_tokens(facts, board, companies)


def fleet_of(facts: Facts, company: dict[str, Any]) -> tuple[Train, ...]:
    permits = company.get("permits") or []
    trains = [
        by_name(facts, name, number) for number, name in enumerate(company.get("trains") or [])
    ]
    return tuple(train for train in trains if train.side in permits)


def by_name(facts: Facts, name: str, number: int) -> Train:
    """The train that a name such as `2/3L**` stands for."""
    plain = name.rstrip("*")
    kind = next(
        id_ for id_, card in facts.trains.items() if card.sides[SIDES[plain[-1]]].name == plain
    )
    return runner(facts, kind, SIDES[plain[-1]], number)


def runner(facts: Facts, kind: str, side: str, number: int) -> Train:
    card = facts.trains[TrainKind(kind)]
    run = card.sides[side]
    return Train(
        TrainId(f"{kind}-{number}"),
        TrainKind(kind),
        run.visits,
        side,
        run.counts,
        run.hexes,
        rusts=card.rusted_by is not None,
    )


def runners(facts: Facts, *names: str) -> tuple[Train, ...]:
    return tuple(by_name(facts, name, number) for number, name in enumerate(names))


def lay_of(action: dict[str, Any]) -> Lay:
    name = action["tile"].rsplit("-", 1)[0].partition("_")[0]
    return Lay(HexId(action["hex"]), TileId(name), action["rotation"])


def lines_of(action: dict[str, Any]) -> tuple[str, ...]:
    """The lines with small stations on the tile that an action laid, as it lies."""
    name = action["tile"].rsplit("-", 1)[0]
    return tuple(
        sorted(
            line_of(*(str((int(side) + action["rotation"]) % 6) for side in line.split("-")))
            for line in PATTERNS.get(name, ())
        )
    )


def small_station_of(board: Board, action: dict[str, Any]) -> SmallStation | None:
    """The small station that an action placed, where it laid the same tile again."""
    lay = lay_of(action)
    laid = board.tiles.get(lay.hex)
    if laid is None or laid.tile != lay.tile:
        return None
    (line,) = {*lines_of(action)} - {*board.small_stations.get(lay.hex, ())}
    return SmallStation(lay.hex, line)


def built(facts: Facts, board: Board, action: dict[str, Any]) -> Board:
    place = small_station_of(board, action)
    return (
        with_lay(facts, board, lay_of(action))
        if place is None
        else with_small_station(board, place)
    )


def with_lay(facts: Facts, board: Board, lay: Lay) -> Board:
    laid = after_lay(facts, board, lay)
    supply = dict(board.supply)
    supply[lay.tile] -= 1
    if laid.returned is not None:
        supply[laid.returned] += 1
    tokens = tuple(
        next((new for new in laid.tokens if new.company == token.company), token)
        if token.place == lay.hex
        else token
        for token in board.tokens
    )
    stations = {**board.small_stations, lay.hex: laid.small_stations}
    tiles = {**board.tiles, lay.hex: LaidTile(lay.tile, lay.rotation)}
    return Board(tiles, tokens, supply, {h: lines for h, lines in stations.items() if lines})


def waiting(facts: Facts, board: Board, company: CompanyId) -> Board:
    """The site lays the home token of a full hex only after its upgrade."""
    if any(token.company == company for token in board.tokens):
        return board
    home = home_places(facts, board, company)[0]
    return with_token(board, Token(company, home.hex, home.city, home.slot, "home"))


def with_token(board: Board, token: Token) -> Board:
    return msgspec.structs.replace(board, tokens=(*board.tokens, token))


def with_tokens(facts: Facts, board: Board, companies: dict[str, dict[str, Any]]) -> Board:
    """The board with the tokens where the trace has them."""
    places = {
        CompanyId(name): {place_of(facts, place) for place in state.get("tokens_placed") or ()}
        for name, state in companies.items()
    }
    kept = tuple(
        t for t in board.tokens if t.place in places.get(t.company, set()) or t.slot is None
    )
    board = msgspec.structs.replace(board, tokens=kept)
    for company, wanted in places.items():
        lying = {t.place for t in board.tokens if t.company == company}
        for place in sorted(wanted - lying):
            if place in facts.map.areas:
                space = free_space(facts, board, place)
                token = Token(company, place, None, space, "ordinary")
            else:
                kind = "home" if place == facts.publics[company].home else "ordinary"
                token = Token(company, place, 0, free_slot(facts, board, HexId(place), 0), kind)
            board = with_token(board, token)
    return board


def place_of(facts: Facts, place: str) -> str:
    """The site's London tokens lie on hexes."""
    hex_ = facts.map.hexes[HexId(place)]
    linked = [end.area for end in hex_.offboard if facts.map.areas[end.area].token_spaces]
    return linked[0] if linked else place


def sketch_of(train: Train, route: dict[str, Any]) -> Sketch:
    stretches = tuple(tuple(HexId(name) for name in part) for part in route["connections"])
    return Sketch(train.id, stretches)

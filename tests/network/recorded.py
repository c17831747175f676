"""Recorded games of 18xx.games, laid out on our board action by action."""

import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from contracts.ids import CompanyId, HexId, PhaseId, TileId
from contracts.titles.facts import Facts
from services.engine.rules.network.lays import Lay, after_lay, waiting_cities
from services.engine.rules.network.places import home_places
from services.engine.table.board import Board, LaidTile, Token


class Moment(msgspec.Struct, frozen=True):
    """An action that stands, with the board, phase and open blocks that it met."""

    n: int
    action: dict[str, Any]
    scored: dict[str, Any] | None
    phase: PhaseId
    board: Board
    blocked: tuple[HexId, ...]
    placed: Token | None
    """The token that a `place_token` placed."""
    settles_home: bool


def empty_board(facts: Facts) -> Board:
    supply = {id_: tile.count for id_, tile in facts.tiles.items() if tile.count is not None}
    return Board(tiles={}, tokens=(), supply=supply)


def with_lay(facts: Facts, board: Board, lay: Lay, city: int | None = None) -> Board:
    laid = after_lay(facts, board, lay, city)
    supply = dict(board.supply)
    if facts.tiles[lay.tile].count is not None:
        supply[lay.tile] -= 1
    if laid.returned is not None and facts.tiles[laid.returned].count is not None:
        supply[laid.returned] += 1
    tokens = tuple(t for t in board.tokens if t.place != lay.hex) + laid.tokens
    tiles = {**board.tiles, lay.hex: LaidTile(lay.tile, lay.rotation)}
    return Board(tiles=tiles, tokens=tokens, supply=supply)


def with_token(board: Board, token: Token) -> Board:
    return Board(tiles=board.tiles, tokens=(*board.tokens, token), supply=board.supply)


def lay_of(action: dict[str, Any]) -> Lay:
    tile = TileId(action["tile"].rsplit("-", 1)[0])
    return Lay(HexId(action["hex"]), tile, action["rotation"])


def city_of(facts: Facts, board: Board, action: dict[str, Any], placed: set[str]) -> Token:
    """The token that a recorded action placed: it names tile, copy and city, never the hex."""
    parts = action["city"].split("-")
    company = CompanyId(action.get("tokener") or action["entity"])
    if len(parts) == 3 and parts[0] in facts.map.hexes:
        hex_id = HexId(parts[0])
    else:
        # A home whose city is settled by an action is on the site's map already.
        new = placed - {t.place for t in board.tokens if t.company == company}
        (place,) = new or {facts.publics[company].home}
        hex_id = HexId(place)
    slot = action["slot"]
    return Token(company, hex_id, int(parts[-1]), slot, "ordinary")


def moments(facts: Facts, trace: Path) -> Iterator[Moment]:
    """Every standing action of a trace."""
    with gzip.open(trace, "rt") as lines:
        rows = [json.loads(line) for line in lines]
    board, phase = empty_board(facts), PhaseId("2")
    owners: dict[str, Any] = {}
    placed: dict[str, set[str]] = {}
    for row in rows:
        if row.get("end"):
            return
        for company, state in row.get("corporations", {}).items():
            if state and "tokens_placed" in state:
                placed[company] = set(state["tokens_placed"])
        action = row.get("action")
        if action:
            blocked = tuple(
                hex_id
                for id_, private in facts.privates.items()
                if str(owners.get(id_)).isdigit()
                for hex_id in private.blocks
            )
            token = _token_placed(facts, board, action, placed)
            settles = token is not None and token.kind == "home"
            yield Moment(row["n"], action, row.get("scored"), phase, board, blocked, token, settles)
            board = _after(facts, board, action, token)
        owners.update(row.get("companies", {}))
        phase = PhaseId(row.get("phase", phase))
        board = _with_homes(facts, board, placed)


def _token_placed(
    facts: Facts, board: Board, action: dict[str, Any], placed: dict[str, set[str]]
) -> Token | None:
    if action["type"] != "place_token":
        return None
    token = city_of(facts, board, action, placed[action.get("tokener") or action["entity"]])
    at_home = facts.publics[token.company].home == token.place
    kind = "home" if at_home else "ordinary"
    return Token(token.company, token.place, token.city, token.slot, kind)


def _after(facts: Facts, board: Board, action: dict[str, Any], token: Token | None) -> Board:
    if action["type"] == "lay_tile":
        lay = lay_of(action)
        return with_lay(facts, board, lay, next(iter(waiting_cities(facts, board, lay)), None))
    if token is not None:
        company, place = token.company, token.place
        others = tuple(t for t in board.tokens if (t.company, t.place) != (company, place))
        return Board(tiles=board.tiles, tokens=(*others, token), supply=board.supply)
    return board


def _with_homes(facts: Facts, board: Board, placed: dict[str, set[str]]) -> Board:
    for company, places in placed.items():
        on_board = {t.place for t in board.tokens if t.company == company}
        for place in sorted(places - on_board):
            assert place == facts.publics[CompanyId(company)].home
            home = home_places(facts, board, CompanyId(company))[0]
            token = Token(CompanyId(company), home.hex, home.city, home.slot, "home")
            board = with_token(board, token)
    return board

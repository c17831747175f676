"""Boards for tests: by hand, and random ones built by legal lays around a hex."""

import random

import msgspec

from contracts.ids import CompanyId, HexId, PhaseId, TileId, TrainId, TrainKind
from contracts.runs import Run
from contracts.titles.facts import Facts
from contracts.titles.hexes import SIDES, distance, neighbour, opposite
from services.engine.rules.network.lays import Lay, legal_lays
from services.engine.rules.network.places import free_slot
from services.engine.rules.network.resolve import resolve, sketched
from services.engine.rules.network.routes import Train
from services.engine.rules.network.tiles import face_at, tile_face
from services.engine.table.board import Board, Token
from tests.network.recorded import empty_board, with_lay, with_token


def built(facts: Facts, board: Board, *lays: str) -> Board:
    """Tiles laid by hand, legal or not: `H14:9/1` is tile 9 on H14, turned by one."""
    for text in lays:
        hex_id, tile = text.split(":")
        id_, rotation = tile.split("/")
        board = with_lay(facts, board, Lay(HexId(hex_id), TileId(id_), int(rotation)))
    return board


def held(facts: Facts, board: Board, *tokens: str) -> Board:
    """Tokens placed by hand: `PRR@H12` in its first free slot, `NYC@G19.1` in city 1."""
    for text in tokens:
        company, place = text.split("@")
        hex_id, _, city = place.partition(".")
        slot = free_slot(facts, board, HexId(hex_id), int(city or 0))
        home = facts.publics[CompanyId(company)].home == hex_id
        kind = "home" if home else "ordinary"
        token = Token(CompanyId(company), hex_id, int(city or 0), slot, kind)
        board = with_token(board, token)
    return board


def run_along(
    facts: Facts, board: Board, company: str, trains: tuple[Train, ...], *texts: str
) -> tuple[Run, ...]:
    """Runs of the trains in their order, from the hexes that they call at."""
    found = resolve(
        facts,
        board,
        last_phase(facts),
        CompanyId(company),
        trains=trains,
        sketches=tuple(
            sketched(facts, board, train.id, text)
            for train, text in zip(trains, texts, strict=True)
        ),
    )
    assert not found.objections, found.objections
    return found.runs


def random_board(facts: Facts, seed: int, lays: int, radius: int) -> tuple[Board, CompanyId]:
    """Tiles laid and climbed at random within `radius` of some hex, and tokens in its cities."""
    lots = random.Random(seed)
    centre = lots.choice([h for h, hex_ in facts.map.hexes.items() if hex_.city])
    near = [h for h in facts.map.hexes if distance(facts.map.letters, centre, h) <= radius]
    board = empty_board(facts)
    phase = list(facts.phases)[-1]
    companies = sorted(facts.publics)
    for _ in range(lays):
        hex_id = lots.choice(near)
        choices = list(
            legal_lays(facts, board, phase, companies[0], hex_id=hex_id, needs_route=False)
        )
        if choices:
            some = lots.sample(choices, min(5, len(choices)))
            board = with_lay(facts, board, max(some, key=lambda lay: meets(facts, board, lay)))
    return with_tokens(facts, board, near, lots), companies[0]


def meets(facts: Facts, board: Board, lay: Lay) -> int:
    """Sides of a tile at which track goes on."""
    sides = tile_face(facts, lay.tile, lay.rotation).sides
    count = 0
    for side in SIDES:
        beyond = neighbour(facts.map.letters, lay.hex, side)
        if sides >> side & 1 and beyond in facts.map.hexes:
            count += face_at(facts, board, beyond).sides >> opposite(side) & 1
    return count


def with_tokens(facts: Facts, board: Board, hexes: list[HexId], lots: random.Random) -> Board:
    """Two or three tokens of the first company and some of others, in cities of these hexes."""
    companies = sorted(facts.publics)
    cities = [
        (hex_id, city)
        for hex_id in hexes
        for city in range(len(face_at(facts, board, hex_id).cities))
        if face_at(facts, board, hex_id).sides_of(f"c{city}")
    ]
    lots.shuffle(cities)
    wanted = [companies[0]] * lots.randint(1, 3) + companies[1:4] * lots.randint(0, 2)
    for company, (hex_id, city) in zip(wanted, cities, strict=False):
        slot = free_slot(facts, board, hex_id, city)
        if slot is not None:
            board = with_token(board, Token(company, hex_id, city, slot, "ordinary"))
    return board


def trains_of(*stations: int | None) -> tuple[Train, ...]:
    return tuple(
        Train(TrainId(f"{most or 'D'}-{number}"), TrainKind(str(most or "D")), most)
        for number, most in enumerate(stations)
    )


def unlimited(facts: Facts) -> Facts:
    """The same facts with as many tiles of each kind as wanted."""
    tiles = {id_: msgspec.structs.replace(tile, count=None) for id_, tile in facts.tiles.items()}
    return msgspec.structs.replace(facts, tiles=tiles)


def last_phase(facts: Facts) -> PhaseId:
    return list(facts.phases)[-1]

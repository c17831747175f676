"""Random boards around a hex for trains that share track: home, areas, small stations and all."""

import random

from contracts.ids import AreaId, CompanyId, HexId, TileId
from contracts.titles.facts import Facts
from contracts.titles.hexes import distance
from services.engine.rules.network.building import legal_small_stations, with_small_station
from services.engine.rules.network.lays import Lay, legal_lays
from services.engine.rules.network.places import free_slot, free_space
from services.engine.rules.network.tiles import face_at
from services.engine.table.board import Board, Token
from tests.network.boards import meets
from tests.network.recorded import empty_board
from tests.network.recorded_united import with_lay, with_token


def united_board(
    facts: Facts, seed: int, lays: int = 0, radius: int = 0
) -> tuple[Board, CompanyId]:
    """A board for the first company, with its home token somewhere."""
    lots = random.Random(seed)
    land = [h for h, hex_ in facts.map.hexes.items() if hex_.colour == "white"]
    centre = lots.choice(land)
    radius = radius or lots.randint(1, 2)
    near = [h for h in land if distance(facts.map.letters, centre, h) <= radius]
    board, phase = empty_board(facts), list(facts.phases)[-1]
    company = next(iter(facts.publics))
    for _ in range(lays or lots.randint(6, 28)):
        hex_id = lots.choice(near)
        choices = list(legal_lays(facts, board, phase, company, hex_id=hex_id, needs_route=False))
        if choices:
            some = lots.sample(choices, min(6, len(choices)))
            board = with_lay(facts, board, max(some, key=lambda lay: meets(facts, board, lay)))
    for _ in range(lots.randint(0, 3)):
        places = [place for place in legal_small_stations(facts, board) if place.hex in near]
        if places:
            board = with_small_station(board, lots.choice(places))
    return with_tokens(facts, board, near, lots), company


def with_tokens(facts: Facts, board: Board, near: list, lots: random.Random) -> Board:
    companies = list(facts.publics)
    cities = [h for h in near if face_at(facts, board, h).cities and face_at(facts, board, h).sides]
    lots.shuffle(cities)
    wanted = [companies[0]] * lots.randint(1, 3) + [
        lots.choice(companies[1:5]) for _ in range(lots.randint(0, 6))
    ]
    kind = "home"
    for number, company in enumerate(wanted):
        hex_id = cities[number] if number < len(cities) else lots.choice(cities or near)
        if not face_at(facts, board, hex_id).cities:
            continue
        slot = free_slot(facts, board, hex_id, 0)
        if slot is None or any((t.company, t.place) == (company, hex_id) for t in board.tokens):
            continue
        board = with_token(board, Token(company, hex_id, 0, slot, kind))
        kind = "ordinary"
    for area in facts.map.areas.values():
        if area.token_spaces and lots.random() < 0.5:
            board = with_token(board, Token(companies[0], area.id, None, 0, "ordinary"))
    return board


def empty(facts: Facts) -> Board:
    return empty_board(facts)


def laid(facts: Facts, board: Board, *texts: str) -> Board:
    """Tiles laid by hand, legal or not: `G10:8852/1` is tile 8852 on G10, turned by one."""
    for text in texts:
        hex_id, tile = text.split(":")
        id_, rotation = tile.split("/")
        board = with_lay(facts, board, Lay(HexId(hex_id), TileId(id_), int(rotation)))
    return board


def held(facts: Facts, board: Board, *tokens: str) -> Board:
    """Tokens placed by hand, in a town's first free slot or in an area: `ECR@D13`, `ECR@london`."""
    for text in tokens:
        company, place = text.split("@")
        if place in facts.map.areas:
            space = free_space(facts, board, AreaId(place))
            token = Token(CompanyId(company), place, None, space, "ordinary")
        else:
            slot = free_slot(facts, board, HexId(place), 0)
            kind = "home" if facts.publics[CompanyId(company)].home == place else "ordinary"
            token = Token(CompanyId(company), place, 0, slot, kind)
        board = with_token(board, token)
    return board

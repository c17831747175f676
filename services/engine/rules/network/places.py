"""Where tokens may be placed: homes, and cities that a route reaches (3.5)."""

from collections.abc import Iterator
from typing import Final

from msgspec import Struct

from contracts.ids import AreaId, CompanyId, HexId, PhaseId
from contracts.runs import Stop
from contracts.titles.facts import Facts, Public
from services.engine.rules.network.lays import Lay, legal_lays
from services.engine.rules.network.objection import Objection
from services.engine.rules.network.reach import Reach, reach
from services.engine.rules.network.tiles import face_at, printed_face, tile_face
from services.engine.table.board import Board, Token


class Place(Struct, frozen=True, array_like=True):
    """A slot of a city; both None for a home token that waits on its hex for a city."""

    hex: HexId
    city: int | None
    slot: int | None


def legal_places(
    facts: Facts,
    board: Board,
    company: CompanyId,
    *,
    hex_id: HexId | None = None,
    needs_route: bool = True,
    reached: Reach | None = None,
) -> Iterator[Place]:
    """Every place for the company's next ordinary token: the first free slot of each city.

    Which slot of a city a token lies in means nothing, so one stands for all.
    """
    if needs_route and reached is None:
        reached = reach(facts, board, company)
    at_reach = None if reached is None else {stop.hex for stop in reached.stations}
    for at in facts.map.hexes if hex_id is None else (hex_id,):
        if needs_route and at_reach is not None and at not in at_reach:
            continue
        for city in range(len(face_at(facts, board, at).cities)):
            slot = free_slot(facts, board, at, city)
            place = Place(at, city, slot)
            if slot is not None and not place_objections(
                facts, board, company, place, needs_route=needs_route, reached=reached
            ):
                yield place


def place_objections(
    facts: Facts,
    board: Board,
    company: CompanyId,
    place: Place,
    *,
    needs_route: bool = True,
    reached: Reach | None = None,
) -> tuple[Objection, ...]:
    """Everything that speaks against an ordinary token there; nothing if it is legal."""
    hex_id, city = place.hex, place.city
    if hex_id not in facts.map.hexes or city not in range(
        len(face_at(facts, board, hex_id).cities)
    ):
        return (Objection("no-such-city", "There is no such city.", "3.5.2"),)
    assert city is not None
    found = []
    if any(token.place == hex_id and token.company == company for token in board.tokens):
        because = f"{company} has a token in {hex_id} already."
        found.append(Objection("own-token-there", because, "3.5.2"))
    if place.slot is None or place.slot != free_slot(facts, board, hex_id, city):
        found.append(Objection("slot-taken", "That slot is not the first free one.", "3.5.2"))
    elif facts.token_rules.homes_kept and _is_kept(facts, board, company, hex_id, city):
        because = f"The last room in {hex_id} is kept for a company at home there."
        found.append(Objection("kept-for-home", because, "3.5.1"))
    if needs_route:
        if reached is None:
            reached = reach(facts, board, company)
        if Stop(hex_id, f"c{city}") not in reached.stations:
            because = f"No route from a token of {company} reaches the city."
            found.append(Objection("not-reached", because, "3.5.2"))
    return tuple(found)


def home_places(facts: Facts, board: Board, company: CompanyId) -> tuple[Place, ...]:
    """Where the company's home token may be placed; several only where the home is a choice.

    Where the home may be chosen and no city has track yet, the token waits on the hex (3.4.8).
    Where it may wait in a full city, it has no slot until an upgrade makes room, or it displaces
    another (7.2).
    """
    public = facts.publics[company]
    face = face_at(facts, board, public.home)
    if public.home_choice and not face.sides:
        return (Place(public.home, None, None),)
    places = tuple(
        Place(public.home, city, free_slot(facts, board, public.home, city))
        for city in _home_cities(facts, board, public)
    )
    free = tuple(place for place in places if place.slot is not None)
    return places if not free and facts.token_rules.full_home in FULL_HOMES_WAIT else free


def home_upgrades(
    facts: Facts, board: Board, phase: PhaseId, company: CompanyId
) -> tuple[Lay, ...]:
    """The lays on a full home hex that make room for the home token (3.2, 7.2)."""
    return roomier_lays(facts, board, phase, company, facts.publics[company].home)


def roomier_lays(
    facts: Facts, board: Board, phase: PhaseId, company: CompanyId, hex_id: HexId
) -> tuple[Lay, ...]:
    """The lays on a hex after which there are more circles than now."""
    full = sum(city.slots for city in face_at(facts, board, hex_id).cities)
    return tuple(
        lay
        for lay in legal_lays(facts, board, phase, company, hex_id=hex_id, needs_route=False)
        if sum(city.slots for city in tile_face(facts, lay.tile, lay.rotation).cities) > full
    )


def home_is_possible(facts: Facts, board: Board, phase: PhaseId, company: CompanyId) -> bool:
    """Whether a company that is started now could place its home token (3.2).

    It could on a hex without track, in a free slot, or after an upgrade that there is now.
    """
    home = facts.publics[company].home
    cities = range(len(face_at(facts, board, home).cities))
    has_room = any(free_slot(facts, board, home, city) is not None for city in cities)
    return has_room or bool(home_upgrades(facts, board, phase, company))


def home_duty(facts: Facts, board: Board, phase: PhaseId, company: CompanyId) -> str | None:
    """What the company's first build must be (7.2): `lay`, `upgrade`, `displace`, or None.

    `lay` is any tile on its bare home hex, `upgrade` one of `home_upgrades`; where there is none
    the token displaces another.
    """
    home = facts.publics[company].home
    for token in board.tokens:
        if token.company == company and token.place == home:
            return token_duty(facts, board, phase, token)
    return None


def token_duty(facts: Facts, board: Board, phase: PhaseId, token: Token) -> str | None:
    """What must be built for a token that lies on no circle of a tile (7.2), as in `home_duty`."""
    if token.place not in facts.map.hexes:
        return None
    hex_id = HexId(token.place)
    if hex_id not in board.tiles and not face_at(facts, board, hex_id).sides:
        return "lay"
    if token.slot is not None:
        return None
    return "upgrade" if roomier_lays(facts, board, phase, token.company, hex_id) else "displace"


def displaced_by_home(board: Board, hex_id: HexId, *, by_slot: bool = False) -> Token:
    """The token that gives way on a full hex: the last placed, or that in the last slot (7.2)."""
    settled = [token for token in board.tokens if token.place == hex_id and token.slot is not None]
    return max(settled, key=lambda token: token.slot or 0) if by_slot else settled[-1]


def legal_links(
    facts: Facts, board: Board, company: CompanyId, *, reached: Reach | None = None
) -> Iterator[AreaId]:
    """The areas where the company may place a token, so that its trains may run there (7.6.5)."""
    if reached is None:
        reached = reach(facts, board, company)
    for area in facts.map.areas:
        if not link_objections(facts, board, company, area, reached=reached):
            yield area


def link_objections(
    facts: Facts,
    board: Board,
    company: CompanyId,
    area: AreaId,
    *,
    reached: Reach | None = None,
) -> tuple[Objection, ...]:
    """Everything that speaks against a token in an area; nothing if it is legal.

    A route may reach the area for this purpose alone, or nobody could ever build to it.
    """
    if area not in facts.map.areas or not facts.map.areas[area].token_spaces:
        return (Objection("no-such-area", f"{area} has no spaces for tokens.", "7.6.5"),)
    found = []
    holders = [token.company for token in board.tokens if token.place == area]
    if company in holders:
        found.append(Objection("own-token-there", f"{company} has a token there.", "7.6.5"))
    if len(holders) >= facts.map.areas[area].token_spaces:
        found.append(Objection("slot-taken", "All spaces for tokens are taken.", "7.6.5"))
    if reached is None:
        reached = reach(facts, board, company)
    if not any(_is_in(facts, stop, area) for stop in reached.stations):
        because = f"No route from a token of {company} leads there."
        found.append(Objection("not-reached", because, "7.6.5"))
    return tuple(found)


def free_space(facts: Facts, board: Board, area: AreaId) -> int | None:
    """The first free space for a token in an area, None if all are taken."""
    taken = [token.slot for token in board.tokens if token.place == area]
    spaces = range(facts.map.areas[area].token_spaces)
    return next((space for space in spaces if space not in taken), None)


def free_slot(facts: Facts, board: Board, hex_id: HexId, city: int) -> int | None:
    """The first free slot of a city, None if all are taken."""
    taken = [token.slot for token in board.tokens if token.place == hex_id and token.city == city]
    slots = face_at(facts, board, hex_id).cities[city].slots
    return next((slot for slot in range(slots) if slot not in taken), None)


FULL_HOMES_WAIT: Final = ("waits for an upgrade, else displaces the last placed",)
"""The phrases by which a home token is placed on a full hex."""


def _is_in(facts: Facts, stop: Stop, area: AreaId) -> bool:
    offboard = facts.map.hexes[stop.hex].offboard
    return stop.node[0] == "o" and offboard[int(stop.node[1:])].area == area


def _home_cities(facts: Facts, board: Board, public: Public) -> tuple[int, ...]:
    """The cities, as they lie, that can be a company's home.

    A tile numbers its cities as it likes, so a printed city is known again by its track (3.4.6).
    """
    face = face_at(facts, board, public.home)
    everywhere = tuple(range(len(face.cities)))
    if public.home_choice or public.home_city is None:
        return everywhere
    sides = printed_face(facts, public.home).sides_of(f"c{public.home_city}")
    if not sides:
        return everywhere if len(everywhere) == 1 else (public.home_city,)
    return tuple(city for city in everywhere if face.sides_of(f"c{city}") & sides == sides)


def _is_kept(facts: Facts, board: Board, company: CompanyId, hex_id: HexId, city: int) -> bool:
    """Whether what is free in the city is kept for others at home there (3.5.1, 3.4.8)."""
    kept = 0
    for public in facts.publics.values():
        if public.home != hex_id or public.id == company:
            continue
        homes = [token for token in board.tokens if _is_home_of(token.company, token.kind, public)]
        if public.home_choice:
            # Until the token lies in a city, nobody else may lay one there (3.4.8).
            if all(token.city is None for token in homes):
                return True
        elif not homes and city in _home_cities(facts, board, public):
            kept += 1
    taken = sum(1 for token in board.tokens if token.place == hex_id and token.city == city)
    return face_at(facts, board, hex_id).cities[city].slots - taken <= kept


def _is_home_of(company: CompanyId, kind: str, public: Public) -> bool:
    return company == public.id and kind == "home"

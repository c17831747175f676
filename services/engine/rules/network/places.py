"""Where tokens may be placed: homes, and cities that a route reaches (3.5)."""

from collections.abc import Iterator

from msgspec import Struct

from contracts.ids import CompanyId, HexId
from contracts.runs import Stop
from contracts.titles.facts import Facts, Public
from services.engine.rules.network.objection import Objection
from services.engine.rules.network.reach import Reach, reach
from services.engine.rules.network.tiles import face_at, printed_face
from services.engine.table.board import Board


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
    for at in facts.map.hexes if hex_id is None else (hex_id,):
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
    elif _is_kept(facts, board, company, hex_id, city):
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
    """
    public = facts.publics[company]
    face = face_at(facts, board, public.home)
    if public.home_choice and not face.sides:
        return (Place(public.home, None, None),)
    places = (
        Place(public.home, city, free_slot(facts, board, public.home, city))
        for city in _home_cities(facts, board, public)
    )
    return tuple(place for place in places if place.slot is not None)


def free_slot(facts: Facts, board: Board, hex_id: HexId, city: int) -> int | None:
    """The first free slot of a city, None if all are taken."""
    taken = [token.slot for token in board.tokens if token.place == hex_id and token.city == city]
    slots = face_at(facts, board, hex_id).cities[city].slots
    return next((slot for slot in range(slots) if slot not in taken), None)


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

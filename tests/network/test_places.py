"""Where tokens may be placed: homes, rooms kept for homes, cities that a route reaches (3.5)."""

import pytest

from contracts.ids import CompanyId, HexId
from services.engine.rules.network.places import (
    Place,
    home_places,
    legal_places,
    place_objections,
)
from services.engine.table.board import Token
from tests.network.boards import built, held, random_board
from tests.network.recorded import with_token

PRR, NYC, ERIE, NYNH, BO = (CompanyId(name) for name in ("PRR", "NYC", "ERIE", "NYNH", "B&O"))


def names(places):
    return [f"{place.hex}.{place.city}" for place in places]


def codes(box, board, company, place, **options):
    return [one.code for one in place_objections(box, board, company, place, **options)]


def at(hex_id, city=0, slot=0):
    return Place(HexId(hex_id), city, slot)


def test_a_city_that_a_route_reaches_takes_a_token(box, bare):
    board = built(box, bare, "H10:57/1", "H14:9/1", "H16:57/1", "H4:57/0")
    assert names(legal_places(box, held(box, board, "PRR@H12"), PRR)) == ["H10.0", "H16.0"]
    assert codes(box, held(box, board, "PRR@H12"), PRR, at("H4")) == ["not-reached"]
    assert codes(box, board, PRR, at("H4"), needs_route=False) == []


def test_never_two_tokens_of_one_company_in_a_hex(box, bare):
    board = held(box, built(box, bare, "G19:54/0"), "NYNH@G19.0")
    assert codes(box, board, NYNH, at("G19", 1)) == ["own-token-there", "not-reached"]


def test_a_full_city_takes_no_token_and_a_slot_is_the_first_free_one(box, bare):
    board = held(box, built(box, bare, "H10:57/1"), "PRR@H12", "NYC@H10")
    assert codes(box, board, PRR, at("H10")) == ["slot-taken"]
    board = built(box, board, "H10:14/1")
    assert codes(box, board, PRR, at("H10", slot=0)) == ["slot-taken"]
    assert codes(box, board, PRR, at("H10", slot=1)) == []


def test_towns_and_areas_take_no_token(box, bare):
    board = held(box, built(box, bare, "F10:4/2"), "PRR@H12")
    assert codes(box, board, PRR, at("F10")) == ["no-such-city"]
    assert codes(box, board, PRR, at("F2"), needs_route=False) == ["no-such-city"]


def test_a_home_room_is_kept_until_its_company_lies_there(box, bare):
    board = held(box, built(box, bare, "E19:57/0"), "PRR@H12")
    assert codes(box, board, PRR, at("E19"), needs_route=False) == ["kept-for-home"]
    two = built(box, board, "E19:14/0")
    assert codes(box, two, PRR, at("E19"), needs_route=False) == [], "another slot is free"
    one_left = held(box, two, "B&M@E19")
    assert codes(box, one_left, PRR, at("E19", slot=1), needs_route=False) == ["kept-for-home"]
    assert home_places(box, one_left, NYC) == (at("E19", slot=1),)


def test_a_home_with_two_cities_is_known_by_its_track(box, bare):
    """The home of the New York company is the city whose track leaves by side 3."""
    assert home_places(box, bare, NYNH) == (at("G19", 0),)
    board = built(box, bare, "G19:54/0")
    assert home_places(box, board, NYNH) == (at("G19", 1),)
    assert codes(box, board, PRR, at("G19", 0), needs_route=False) == []
    assert codes(box, board, PRR, at("G19", 1), needs_route=False) == ["kept-for-home"]


def test_every_home_is_free_as_the_game_begins(box, bare):
    for company in box.publics:
        assert len(home_places(box, bare, company)) == 1


def test_nobody_lays_a_token_where_a_home_is_still_to_be_chosen(box, bare):
    """Until Erie has its token no one else may lay one there (3.4.8)."""
    assert home_places(box, bare, ERIE) == (Place(HexId("E11"), None, None),)
    board = built(box, bare, "E11:59/0")
    assert home_places(box, board, ERIE) == (at("E11", 0), at("E11", 1))
    for city in (0, 1):
        assert codes(box, board, PRR, at("E11", city), needs_route=False) == ["kept-for-home"]
    waiting = with_token(board, Token(ERIE, "E11", None, None, "home"))
    assert codes(box, waiting, PRR, at("E11", 1), needs_route=False) == ["kept-for-home"]
    chosen = held(box, board, "ERIE@E11.0")
    assert codes(box, chosen, PRR, at("E11", 1), needs_route=False) == []


@pytest.mark.parametrize("seed", range(20))
def test_what_is_listed_is_accepted_and_what_is_accepted_is_listed(box, seed):
    board, company = random_board(box, seed, lays=70, radius=3)
    listed = set(legal_places(box, board, company))
    for hex_id in box.map.hexes:
        for city in (0, 1):
            for slot in (0, 1):
                place = at(hex_id, city, slot)
                assert (place in listed) == (not codes(box, board, company, place))

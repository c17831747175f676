"""Home tokens: 3.5.1 and 3.4.8 of the rules."""

import msgspec

from contracts import events as e
from contracts.commands import LayTile, Pass, PlaceToken
from contracts.frames import ChooseCity, Question
from contracts.ids import HexId, TileId
from contracts.placed import Token
from contracts.rejections import Code
from services.engine.rules.track.home import home_token
from services.engine.table.agenda import top
from services.engine.table.state import Table
from tests.given import given
from tests.operating import board, turn_of
from tests.positions import At, at, company, position

E11 = HexId("E11")


def lay(hex_id: str, tile: str, rotation: int, city: int | None = None) -> LayTile:
    return LayTile(HexId(hex_id), TileId(tile), rotation, city=city)


def one(name: str, director: str = "ann", cash: int = 1000, space: str = "0,6") -> At:
    return at(name, space, director=director, cash=cash, **{director: 6})


def erie(*others: At, phase: str = "3") -> Table:
    return position(companies=[one("ERIE"), *others], phase=phase, closed=["SV", "DH", "CS"])


def test_the_home_token_is_placed_free_as_the_first_turn_begins():
    now = given(turn_of(position(companies=[one("PRR")]), "PRR")).awaits("ann")
    assert home_token(now.table, company("PRR")) == Token(company("PRR"), "H12", 0, 0, "home")
    assert now.table.cash[company("PRR")] == 1000
    assert now.table.charters[company("PRR")].tokens == 3


def test_the_home_token_is_not_placed_again():
    before = board(position(companies=[one("PRR")]), tokens={"PRR": ["H12"]})
    after = turn_of(before, "PRR")
    assert len(after.board.tokens) == 1


def test_the_home_of_nynh_is_the_city_whose_track_leaves_by_side_3():
    # Point 9; on tile 54 turned so, that track is the track of the other city.
    assert home_token(turn_of(position(companies=[one("NYNH")]), "NYNH"), company("NYNH")) == Token(
        company("NYNH"), "G19", 0, 0, "home"
    )
    built = board(position(companies=[one("NYNH")], phase="3"), {"G19": ("54", 0)})
    token = home_token(turn_of(built, "NYNH"), company("NYNH"))
    assert token is not None
    assert token.city == 1


def test_erie_operates_first_and_its_token_waits_on_the_hex_for_a_city():
    now = given(turn_of(erie(), "ERIE"))
    assert home_token(now.table, company("ERIE")) == Token(
        company("ERIE"), "E11", None, None, "home"
    )
    now.awaits("ann").when("ann", lay("E11", "59", 0)).then(Code.CITY_TO_CHOOSE)
    laid = now.when("ann", lay("E11", "59", 0, city=1)).accepted()
    token = home_token(laid.table, company("ERIE"))
    assert token == Token(company("ERIE"), "E11", 1, 0, "home")


def test_whoever_lays_tile_59_chooses_the_city_for_eries_token():
    # PRR comes from H10 by G11 and F12.
    table = board(
        erie(one("PRR", "bob", space="1,6")),
        {"H10": ("57", 0), "G11": ("9", 0), "F12": ("8", 0)},
        {"PRR": ["H12", "H10"], "ERIE": ["E11/?"]},
    )
    now = given(turn_of(table, "PRR", "track")).awaits("bob")
    found = [
        choice.command
        for choice in now.listed("bob")
        if isinstance(choice.command, LayTile) and choice.command.hex == E11
    ]
    assert {command.city for command in found} == {0, 1}
    now.when("bob", found[0]).accepted()


def test_where_the_hex_is_built_by_its_first_turn_eries_director_is_asked_for_the_city():
    # B19: the one who is asked is the director, whoever laid the tile.
    table = board(erie(), {"E11": ("59", 0)})
    now = given(turn_of(table, "ERIE")).awaits("ann")
    question = top(now.table)
    assert isinstance(question, Question)
    assert question.matter == ChooseCity(company("ERIE"), E11)
    now.when("bob", PlaceToken(E11, 1)).then(Code.NOT_YOUR_TURN)
    now.when("ann", Pass()).then(Code.CITY_TO_CHOOSE)
    now.when("ann", PlaceToken(E11, 2)).then(Code.CITY_TO_CHOOSE)
    now.when("ann", PlaceToken(E11, 1)).then(
        e.TokenPlaced(Token(company("ERIE"), "E11", 1, 0, "home"), None, ()),
        e.QuestionClosed,
    )


def test_nobody_else_lays_a_token_on_eries_hex_before_erie_has_its_own():
    # B19: PRR comes into city 1 of tile 59, and could place a token in H16.
    tiles = {
        "H10": ("57", 0),
        "G11": ("9", 0),
        "F12": ("8", 0),
        "E11": ("59", 3),
        "H14": ("9", 1),
        "H16": ("57", 1),
    }
    table = board(erie(one("PRR", "bob", space="1,6")), tiles, {"PRR": ["H12", "H10"]})
    now = given(turn_of(table, "PRR", "token")).awaits("bob")
    now.when("bob", PlaceToken(E11, 1)).then(Code.NO_FREE_SLOT)
    home = Token(company("ERIE"), "E11", 0, 0, "home")
    with_home = msgspec.structs.replace(
        now.table,
        board=msgspec.structs.replace(now.table.board, tokens=(*now.table.board.tokens, home)),
    )
    given(with_home).when("bob", PlaceToken(E11, 1)).accepted()

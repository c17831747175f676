"""Laying tiles in a company's turn: 3.4 of the rules."""

import msgspec
import pytest

from contracts import events as e
from contracts.commands import LayTile, Pass
from contracts.frames import Turn
from contracts.ids import BANK, CompanyId, HexId, TileId
from contracts.money import pay
from contracts.placed import LaidTile, Token
from contracts.rejections import Code
from services.engine.table.agenda import current_turn, top
from services.engine.table.state import Table
from tests.given import Given, given
from tests.operating import Tiles, Tokens, board, turn_of
from tests.positions import at, company, party, position

HOMES = {"PRR": "H12", "B&O": "I15", "NYNH": "G19", "NYC": "E19"}
OPEN = ("SV", "CS", "DH", "MH", "CA", "BO")


def lay(hex_id: str, tile: str, rotation: int, city: int | None = None) -> LayTile:
    return LayTile(HexId(hex_id), TileId(tile), rotation, city=city)


def turn(
    name: str,
    tiles: Tiles | None = None,
    *,
    tokens: Tokens | None = None,
    phase: str = "2",
    cash: int = 1000,
    closed: tuple[str, ...] = OPEN,
) -> Given:
    """Ann's company at its track step, its token at home."""
    table = position(
        companies=[at(name, "0,6", director="ann", ann=6, cash=cash)], phase=phase, closed=closed
    )
    lying = board(table, tiles, {name: [HOMES[name]], **(tokens or {})})
    return given(turn_of(lying, name, "track")).awaits("ann")


def supply(table: Table, tile: str) -> int:
    return table.board.supply[TileId(tile)]


def test_a_yellow_tile_is_laid_next_to_the_companys_track():
    now = turn("PRR")
    after = now.when("ann", lay("H14", "9", 1)).begins(
        e.TileLaid(company("PRR"), HexId("H14"), TileId("9"), 1, None, (), None, ())
    )
    assert supply(after.table, "9") == supply(now.table, "9") - 1


def test_one_tile_a_turn():
    # With money for a token and a city to place it in, the turn goes on without another tile.
    now = turn("PRR", {"H14": ("9", 1)}).when("ann", lay("H16", "57", 1)).accepted()
    playing = current_turn(now.table)
    assert playing is not None
    assert playing.steps[0] == "token"
    now.when("ann", lay("H10", "57", 1)).then(Code.WRONG_STEP)


def test_the_director_may_lay_none():
    now = turn("PRR").when("ann", Pass()).accepted()
    assert not now.table.board.tiles


def test_the_first_tile_on_a_hex_pays_its_terrain():
    turn("B&O").when("ann", lay("J14", "57", 0)).begins(
        e.TileLaid(
            *(company("B&O"), HexId("J14"), TileId("57"), 0, None, (), None),
            pay(company("B&O"), BANK, 80),
        )
    )
    turn("B&O", {"I17": ("7", 1)}, cash=79).when("ann", lay("J14", "57", 0)).then(
        Code.TOO_LITTLE_CASH
    )
    turn("B&O", cash=80).when("ann", lay("J14", "57", 0)).accepted()


def test_an_upgrade_pays_no_terrain_and_the_old_tile_goes_back():
    now = turn("B&O", {"J14": ("57", 0)}, phase="3", cash=0)
    after = now.when("ann", lay("J14", "14", 2)).begins(
        e.TileLaid(
            *(company("B&O"), HexId("J14"), TileId("14"), 2),
            LaidTile(TileId("57"), 0),
            *((), None, ()),
        )
    )
    assert supply(after.table, "57") == supply(now.table, "57") + 1


def test_on_a_printed_yellow_hex_the_green_tile_is_the_first_and_pays():
    turn("NYNH", phase="3").when("ann", lay("G19", "54", 0)).begins(
        e.TileLaid(
            *(company("NYNH"), HexId("G19"), TileId("54"), 0, None),
            # The token stays with the track of side 3, which is now that of city 1.
            (Token(company("NYNH"), "G19", 1, 0, "home"),),
            None,
            pay(company("NYNH"), BANK, 80),
        )
    )


def test_a_hex_is_blocked_while_a_player_owns_its_private():
    # SV blocks G15. A company's owning it ends that, and so does its closing.
    tiles = {"H14": ("8", 1)}
    blocked = turn("PRR", tiles, closed=("CS", "DH", "MH", "CA", "BO"))
    blocked.when("ann", lay("G15", "9", 0)).then(Code.BLOCKED)
    turn("PRR", tiles).when("ann", lay("G15", "9", 0)).accepted()
    card = blocked.table.certificates[company("SV")][party("dan")]
    bought = msgspec.structs.replace(
        blocked.table,
        certificates={**blocked.table.certificates, company("SV"): {party("PRR"): card}},
    )
    given(bought).when("ann", lay("G15", "9", 0)).accepted()


@pytest.mark.parametrize(
    ("command", "code"),
    [
        # Each line breaks one check fewer than the line before it.
        (lay("Z9", "9", 0), Code.NO_SUCH_TILE),
        (lay("D18", "63", 0), Code.BLOCKED),
        (lay("D20", "63", 0), Code.WRONG_COLOUR),
        (lay("D20", "57", 2), Code.DOES_NOT_FIT),
        (lay("D20", "9", 0), Code.NOT_CONNECTED),
        (lay("J14", "57", 0), Code.TOO_LITTLE_CASH),
        (lay("H14", "9", 1), Code.NOT_CONNECTED),
    ],
)
def test_refusals_in_their_order(command, code):
    now = turn("B&O", {"I17": ("7", 1)}, cash=79, closed=("SV", "CS", "DH", "CA", "BO"))
    now.when("ann", command).then(code)


def test_every_reason_is_told_to_whoever_asks():
    now = turn("B&O", cash=79, closed=("SV", "CS", "DH", "CA", "BO"), tiles={"I17": ("7", 1)})
    now.when("ann", lay("D18", "63", 0)).refused_for(
        Code.BLOCKED, Code.WRONG_COLOUR, Code.NOT_CONNECTED
    )


def test_a_city_is_named_only_for_a_token_that_waits():
    turn("PRR").when("ann", lay("H14", "9", 1, city=0)).then(Code.CITY_TO_CHOOSE)


def test_upgrades_keep_track_and_face_no_closed_side():
    # B18: H14 has the straight 1-4; tile 23 keeps it in two rotations, others would lose it.
    now = turn("PRR", {"H14": ("9", 1)}, phase="3")
    now.when("ann", lay("H14", "23", 0)).then(Code.TRACK_LOST)
    now.when("ann", lay("H14", "23", 1)).accepted()


def test_a_used_up_tile_is_not_laid():
    now = turn("NYC", {"E17": ("69", 0)})
    gone = msgspec.structs.replace(
        now.table,
        board=msgspec.structs.replace(
            now.table.board, supply={**now.table.board.supply, TileId("57"): 0}
        ),
    )
    given(gone).when("ann", lay("E19", "57", 0)).then(Code.NO_TILE_LEFT)


def test_the_step_is_passed_over_where_nothing_can_be_laid():
    # Without money B&O pays for neither of the hexes by its home.
    table = position(
        companies=[at("B&O", "0,6", director="ann", ann=6), at("PRR", "1,6", director="bob", bob=6)]
    )
    after = turn_of(board(table, tokens={"B&O": ["I15"]}), "B&O", "track")
    frame = top(after)
    assert isinstance(frame, Turn)
    assert frame.who == CompanyId(party("PRR"))

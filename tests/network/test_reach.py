"""What tokens reach: by routes, not by mere joined track (3.4.3, 3.5.2, 3.5.3)."""

import pytest

from contracts.ids import CompanyId
from contracts.titles.hexes import SIDES
from services.engine.rules.network.reach import reach
from services.engine.table.board import Token
from tests.network.boards import built, held, last_phase, random_board
from tests.network.brute import Brute
from tests.network.recorded import with_token

PRR, NYC = CompanyId("PRR"), CompanyId("NYC")


def stations(box, board, company):
    return [f"{stop.hex}-{stop.node}" for stop in reach(box, board, company).stations]


def test_a_city_full_of_others_is_reached_and_not_passed(box, bare):
    board = built(box, bare, "H10:57/1", "H8:9/1", "H6:9/1", "H4:57/1")
    assert stations(box, held(box, board, "PRR@H12"), PRR) == ["H12-c0", "H4-c0", "H10-c0"]
    assert stations(box, held(box, board, "PRR@H12", "NYC@H10"), PRR) == ["H12-c0", "H10-c0"]


def test_the_line_that_passes_a_full_city_by_is_open(box, bare):
    board = built(box, bare, "H10:57/1", "H14:9/1", "H16:57/1")
    board = held(box, board, "PRR@H12", "NYC@H16")
    assert stations(box, board, NYC) == ["H12-c0", "H10-c0", "H16-c0"]


def test_an_area_is_an_end(box, bare):
    """K13 joins J12 and J14, and nothing runs through it."""
    board = built(box, bare, "J14:57/0", "J12:9/2")
    assert stations(box, held(box, board, "NYC@J14"), NYC) == [
        "K13-o0",
        "I15-c0",
        "J14-c0",
    ]
    assert "J12" not in reach(box, held(box, board, "NYC@J14"), NYC).sides


def test_what_is_only_reached_back_over_used_track_is_not_reached(box, bare):
    """A balloon of plain track turns a train round, but no train may use the stem again."""
    board = built(
        box,
        bare,
        *("H16:57/1", "H14:8/2", "G13:25/3", "F14:24/0", "E13:7/4", "E15:7/0"),
        *("G11:8/2", "F10:4/2"),
    )
    board = held(box, board, "NYC@H16")
    found = reach(box, board, NYC)
    assert [stop.hex for stop in found.stations] == ["H16"]
    assert found.sides["F14"] == 0b1101, "in by the stem, and round to both branches"
    assert "G11" not in found.sides


def test_a_token_that_waits_for_a_city_reaches_nothing(box, bare):
    board = with_token(bare, Token(PRR, "E11", None, None, "home"))
    assert reach(box, board, PRR).stations == ()


def test_a_token_that_waits_takes_no_room_from_those_who_pass(box, bare):
    board = built(box, bare, "H10:57/1", "H8:9/1", "H6:9/1", "H4:57/1")
    board = held(box, board, "PRR@H12")
    waiting = with_token(board, Token(NYC, "H10", 0, None, "home"))
    assert stations(box, waiting, PRR) == ["H12-c0", "H4-c0", "H10-c0"]


@pytest.mark.parametrize("seed", range(150))
def test_it_is_what_the_obvious_searcher_finds(box, seed):
    board, company = random_board(box, seed, lays=20 + seed % 70, radius=1 + seed % 4)
    obvious_stations, obvious_sides = Brute(box, board, last_phase(box), company).reached()
    found = reach(box, board, company)
    assert {(stop.hex, stop.node) for stop in found.stations} == obvious_stations
    sides = found.sides.items()
    assert {(at, side) for at, mask in sides for side in SIDES if mask >> side & 1} == obvious_sides

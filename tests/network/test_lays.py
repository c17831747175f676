"""Which tiles may be laid (3.4), and what becomes of tokens."""

import random

import pytest

from contracts.ids import CompanyId, HexId, PhaseId, TileId
from contracts.titles.hexes import SIDES
from services.engine.rules.network.lays import (
    Lay,
    after_lay,
    lay_objections,
    legal_lays,
    open_sides,
    waiting_cities,
)
from services.engine.rules.network.reach import reach
from services.engine.rules.network.tiles import face_at, printed_face, tile_face
from services.engine.table.board import Token
from tests.network.boards import built, held, last_phase, random_board
from tests.network.brute import Brute
from tests.network.recorded import with_lay, with_token

PRR, NYC, ERIE, NYNH = (CompanyId(name) for name in ("PRR", "NYC", "ERIE", "NYNH"))


def lay(text: str) -> Lay:
    hex_id, tile = text.split(":")
    id_, rotation = tile.split("/")
    return Lay(HexId(hex_id), TileId(id_), int(rotation))


def codes(box, board, text, company=PRR, phase=None, **options):
    found = lay_objections(box, board, phase or last_phase(box), company, lay(text), **options)
    return [objection.code for objection in found]


def tiles_for(box, board, hex_id):
    lays = legal_lays(box, board, last_phase(box), PRR, hex_id=HexId(hex_id), needs_route=False)
    return sorted({found.tile for found in lays}, key=int)


@pytest.mark.parametrize(
    ("hex_id", "tiles"),
    [
        ("H14", ["7", "8", "9"]),
        ("D4", ["3", "4", "58"]),
        ("G7", ["1", "2", "55", "56", "69"]),
        ("H10", ["57"]),
        ("I15", ["53"]),
        ("E5", ["59"]),
        ("G19", ["54"]),
        ("H12", []),
        ("F2", []),
    ],
)
def test_the_first_tile_fits_the_hex(box, bare, hex_id, tiles):
    assert tiles_for(box, bare, hex_id) == tiles


@pytest.mark.parametrize(
    ("lays", "hex_id", "tiles"),
    [
        (["H14:9/1"], "H14", ["18", "19", "20", "23", "24", "26", "27"]),
        (["H14:8/2"], "H14", ["16", "19", "23", "24", "25", "28", "29"]),
        (["H14:7/4"], "H14", ["18", "26", "27", "28", "29"]),
        (["H10:57/1"], "H10", ["14", "15"]),
        (["H10:57/1", "H10:14/0"], "H10", ["63"]),
        (["I15:53/0"], "I15", ["61"]),
        (["G19:54/0"], "G19", ["62"]),
        (["D4:4/1"], "D4", []),
        (["H10:57/1", "H10:14/0", "H10:63/0"], "H10", []),
    ],
)
def test_upgrades_are_of_the_same_kind_and_keep_the_track(box, bare, lays, hex_id, tiles):
    assert tiles_for(box, built(box, bare, *lays), hex_id) == tiles


def test_a_green_double_city_takes_the_brown_ones_that_keep_each_city_s_track(box, bare):
    board = built(box, bare, "D10:59/2")
    assert tiles_for(box, board, "D10") == ["64", "65", "66", "67", "68"]
    one, other = (face_at(box, board, HexId("D10")).sides_of(f"c{city}") for city in (0, 1))
    for found in legal_lays(
        box, board, last_phase(box), PRR, hex_id=HexId("D10"), needs_route=False
    ):
        new = tile_face(box, found.tile, found.rotation)
        cities = [new.sides_of("c0"), new.sides_of("c1")]
        homes = [[at for at, sides in enumerate(cities) if sides & old] for old in (one, other)]
        assert sorted(homes) == [[0], [1]]


def test_only_colours_of_the_phase_are_laid(box, bare):
    board = held(box, built(box, bare, "H14:9/1"), "PRR@H12")
    assert codes(box, board, "H14:23/1", phase=PhaseId("2")) == ["colour-not-yet"]
    assert codes(box, board, "H14:23/1", phase=PhaseId("3")) == []
    assert codes(box, board, "H14:41/1", phase=PhaseId("5")) == ["wrong-colour"]


def test_a_tile_that_is_out_cannot_be_laid(box, bare):
    board = held(box, built(box, bare, "G7:1/0"), "PRR@H12")
    assert "tile-out" in codes(box, board, "G17:1/0", needs_route=False)


def test_a_hex_that_a_private_blocks_is_not_built(box, bare):
    board = held(box, bare, "PRR@H12")
    assert codes(box, board, "H14:9/1", blocked=(HexId("H14"),)) == ["hex-blocked"]


def test_track_may_run_to_blank_land_but_to_no_closed_side(box, bare):
    board = held(box, bare, "PRR@H12")
    assert codes(box, board, "H14:8/1") == [], "it ends at blank G15"
    assert "side-closed" in codes(box, board, "G11:7/4", needs_route=False), "H12 has no track"
    assert "side-closed" in codes(box, board, "B16:57/2", needs_route=False), "a border"
    assert "side-closed" in codes(box, board, "B22:9/0", needs_route=False), "grey or the edge"


def test_open_sides_are_those_with_track_at_grey_and_red_hexes(box):
    for hex_id in box.map.hexes:
        printed = printed_face(box, hex_id)
        if printed.colour == "white":
            assert open_sides(box, hex_id).bit_count() >= 2, hex_id
        else:
            assert printed.sides & ~open_sides(box, hex_id) == 0, hex_id


def test_permissive_reach_asks_for_any_track_of_the_tile_not_the_new(box, bare):
    """A line that crosses the old one and that nothing reaches may be laid (3.4.3)."""
    board = held(box, built(box, bare, "H14:9/1"), "PRR@H12")
    assert codes(box, board, "H14:20/1") == []
    assert codes(box, board, "H14:20/0") == []
    assert codes(box, board, "H14:16/0") == ["track-lost"], "a turn that drops the old line"


def test_an_upgrade_out_of_reach_is_refused_but_not_where_no_route_is_asked_for(box, bare):
    board = held(box, built(box, bare, "H14:9/1", "G5:9/1"), "PRR@H12")
    assert codes(box, board, "G5:20/1") == ["not-reached"]
    assert codes(box, board, "G5:20/1", needs_route=False) == []


def test_track_beyond_a_city_full_of_others_is_not_reached(box, bare):
    board = built(box, bare, "H10:57/1", "H8:9/1")
    mine = held(box, board, "PRR@H12", "NYC@H10")
    assert codes(box, mine, "H10:14/0") == [], "the full city itself is"
    assert codes(box, mine, "H8:20/1") == ["not-reached"]
    assert codes(box, held(box, board, "PRR@H12"), "H8:20/1") == []


def test_a_token_reaches_its_own_hex_before_there_is_track(box, bare):
    board = held(box, bare, "NYC@E19")
    assert codes(box, board, "E19:57/0", NYC) == []
    assert codes(box, board, "E17:9/1", NYC) == ["not-reached"], "the city has no track yet"


def test_terrain_is_paid_with_the_first_tile_on_the_hex(box, bare):
    assert after_lay(box, bare, lay("D6:9/0")).cost == 80
    assert after_lay(box, bare, lay("D10:59/0")).cost == 80
    assert after_lay(box, bare, lay("I15:53/0")).cost == 0
    green = built(box, bare, "D10:59/0")
    brown = after_lay(box, green, lay("D10:64/2"))
    assert (brown.cost, brown.returned) == (0, "59")


def test_tokens_go_with_the_track_of_their_city(box, bare):
    board = held(box, bare, "NYNH@G19.0", "PRR@G19.1")
    (found,) = legal_lays(box, board, last_phase(box), NYNH, hex_id=HexId("G19"), needs_route=False)
    new = tile_face(box, found.tile, found.rotation)
    moved = {token.company: token for token in after_lay(box, board, found).tokens}
    assert (moved[NYNH].city, moved[PRR].city) == (1, 0), "the tile numbers its cities otherwise"
    assert new.sides_of("c1") & 1 << 3
    assert new.sides_of("c0") & 1 << 0
    assert (moved[NYNH].slot, moved[PRR].slot) == (0, 0)


def test_a_waiting_home_token_goes_where_the_layer_says(box, bare):
    """Erie's token lies on E11 until tile 59 comes (3.4.8)."""
    board = with_token(bare, Token(ERIE, "E11", None, None, "home"))
    assert codes(box, board, "E11:59/0", ERIE) == []
    assert waiting_cities(box, board, lay("E11:59/0")) == (0, 1)
    for city in (0, 1):
        (token,) = after_lay(box, board, lay("E11:59/0"), city).tokens
        assert (token.city, token.slot) == (city, 0)
    (waits,) = after_lay(box, board, lay("E11:59/0")).tokens
    assert (waits.city, waits.slot) == (None, None)
    with pytest.raises(ValueError, match="E11"):
        after_lay(box, board, lay("E11:59/0"), 2)


def test_nobody_waits_where_no_token_waits(box, bare):
    assert waiting_cities(box, bare, lay("E11:59/0")) == ()
    with pytest.raises(ValueError, match="E11"):
        after_lay(box, bare, lay("E11:59/0"), 0)


def test_what_is_not_there_is_refused_and_not_looked_for(box, bare):
    assert codes(box, bare, "Z99:9/0") == codes(box, bare, "H14:999/0") == ["no-such-lay"]
    assert codes(box, bare, "H14:9/6") == ["no-such-lay"]


@pytest.mark.parametrize("seed", range(25))
def test_what_is_listed_is_accepted_and_what_is_accepted_is_listed(box, seed):
    board, company = random_board(box, seed, lays=60, radius=3)
    lots = random.Random(seed)
    phase = lots.choice(list(box.phases))
    blocked = (HexId("H14"),)
    reached = reach(box, board, company)
    listed = set(legal_lays(box, board, phase, company, blocked=blocked))
    for hex_id in lots.sample(sorted(box.map.hexes), 12) + sorted({one.hex for one in listed}):
        for tile in box.tiles:
            for rotation in SIDES:
                one = Lay(hex_id, tile, rotation)
                refused = lay_objections(
                    box, board, phase, company, one, blocked=blocked, reached=reached
                )
                assert (one in listed) == (not refused), (one, refused)


@pytest.mark.parametrize("seed", range(40))
def test_a_lay_is_reached_if_a_route_runs_on_to_the_tile_once_it_lies(box, seed):
    """The list looks at the board before the lay, the obvious searcher after it (3.4.3)."""
    board, company = random_board(box, seed, lays=20 + seed, radius=2)
    lots = random.Random(seed)
    anywhere = list(legal_lays(box, board, last_phase(box), company, needs_route=False))
    reached = set(legal_lays(box, board, last_phase(box), company))
    for one in lots.sample(anywhere, min(25, len(anywhere))) + sorted(reached)[:25]:
        after = with_lay(box, board, one)
        stations, sides = Brute(box, after, last_phase(box), company).reached()
        track = tile_face(box, one.tile, one.rotation).sides
        joined = any(hex_id == one.hex for hex_id, _ in stations) or any(
            hex_id == one.hex and track >> side & 1 for hex_id, side in sides
        )
        assert (one in reached) == joined, one


@pytest.mark.parametrize("seed", range(15))
def test_a_legal_lay_never_loses_track_or_tokens(box, seed):
    board, company = random_board(box, seed, lays=80, radius=3)
    for one in legal_lays(box, board, last_phase(box), company):
        after = with_lay(box, board, one)
        assert len(after.tokens) == len(board.tokens)
        assert all(count >= 0 for count in after.supply.values())
        old, new = (face_at(box, state, one.hex) for state in (board, after))
        assert old.sides & ~new.sides == 0
        for token in after.tokens:
            if token.place == one.hex and token.city is not None:
                (before,) = (
                    t for t in board.tokens if (t.company, t.place) == (token.company, one.hex)
                )
                kept = old.sides_of(f"c{before.city}")
                assert new.sides_of(f"c{token.city}") & kept == kept

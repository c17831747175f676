"""Track, small stations, homes and London where towns are small stations (7.2, 7.6, 7.7)."""

import pytest

from contracts.ids import CompanyId, HexId, PhaseId, TileId
from contracts.runs import Stop
from contracts.titles.load import all_titles, facts
from services.engine.rules.network.building import (
    SmallStation,
    allowance_objection,
    legal_small_stations,
    small_station_objections,
    with_small_station,
)
from services.engine.rules.network.graph import network
from services.engine.rules.network.lays import (
    UPGRADE_RESTRICTIONS,
    Lay,
    after_lay,
    lay_objections,
    legal_lays,
)
from services.engine.rules.network.places import (
    FULL_HOMES_WAIT,
    displaced_by_home,
    free_space,
    home_duty,
    home_is_possible,
    home_places,
    home_upgrades,
    legal_links,
    legal_places,
    link_objections,
)
from services.engine.rules.network.reach import reach
from services.engine.table.board import Token
from tests.network.recorded_united import waiting, with_lay
from tests.network.united_boards import empty, held, laid


def codes(objections):
    return [objection.code for objection in objections]


def lay(text):
    hex_id, tile = text.split(":")
    id_, rotation = tile.split("/")
    return Lay(HexId(hex_id), TileId(id_), int(rotation))


def lays_on(facts, board, phase, company, hex_id):
    return {
        (each.tile, each.rotation)
        for each in legal_lays(facts, board, PhaseId(phase), CompanyId(company), hex_id=hex_id)
    }


def test_every_phrase_of_a_title_is_known():
    for title in all_titles():
        assert facts(title).tile_rules.upgrade_restriction in UPGRADE_RESTRICTIONS
        assert facts(title).token_rules.full_home in (*FULL_HOMES_WAIT, "cannot be")


def test_each_company_can_lay_its_first_tile_on_its_bare_home(anglia):
    for company, public in anglia.publics.items():
        board = waiting(anglia, empty(anglia), company)
        assert home_duty(anglia, board, PhaseId("A"), company) == "lay"
        first = list(legal_lays(anglia, board, PhaseId("A"), company))
        assert first, company
        assert {each.hex for each in first} == {public.home}


class TestUpgrades:
    """New track, or a large station of the new tile, must be on a route (7.6.3)."""

    # Thetford's line runs over Watton to nowhere.
    lines = ("E8:57/0", "E6:8852/0")
    company = CompanyId("N&B")

    def test_a_line_that_only_crosses_is_refused(self, anglia):
        board = held(anglia, laid(anglia, empty(anglia), *self.lines), "N&B@E8")
        # 20 keeps the old line and adds one that crosses it; nothing leads to its ends.
        crossing = Lay(HexId("E6"), TileId("20"), 0)
        refused = lay_objections(anglia, board, PhaseId("B"), self.company, crossing)
        assert codes(refused) == ["not-reached"]
        # Nor is any other tile of use: each new line has two sides of its own.
        assert not lays_on(anglia, board, "B", "N&B", HexId("E6"))

    def test_new_track_that_a_route_comes_to_may_be_laid(self, anglia):
        board = laid(anglia, empty(anglia), *self.lines, "F5:790/0")
        found = lays_on(anglia, held(anglia, board, "N&B@E8", "N&B@F5"), "B", "N&B", HexId("E6"))
        assert {(tile, rotation) for tile, rotation in found if tile == "20"} == {
            ("20", 0),
            ("20", 3),
        }
        # Norwich leads to the side 4 of Watton, and every tile found has a new line there.
        for tile, rotation in found:
            turned = [{(int(e) + rotation) % 6 for e in p} for p in anglia.tiles[tile].track]
            assert {0, 3} in turned
            assert any(4 in line for line in turned)

    def test_a_large_station_on_a_route_is_enough(self, anglia):
        board = held(anglia, laid(anglia, empty(anglia), *self.lines), "N&B@E8")
        assert lays_on(anglia, board, "B", "N&B", HexId("E8"))

    def test_the_old_line_must_stay(self, anglia):
        board = held(anglia, laid(anglia, empty(anglia), *self.lines), "N&B@E8")
        turned = Lay(HexId("E6"), TileId("16"), 0)
        refused = lay_objections(anglia, board, PhaseId("B"), self.company, turned)
        assert "track-lost" in codes(refused)

    def test_the_printed_small_station_becomes_a_marker_on_its_line(self, anglia):
        board = laid(anglia, empty(anglia), "G10:8852/1")
        after = after_lay(anglia, board, Lay(HexId("G10"), TileId("20"), 0))
        assert after.small_stations == ("1-4",)
        board = with_lay(anglia, board, Lay(HexId("G10"), TileId("20"), 0))
        assert board.small_stations == {"G10": ("1-4",)}
        board = with_small_station(board, SmallStation(HexId("G10"), "0-3"))
        board = with_lay(anglia, board, Lay(HexId("G10"), TileId("798"), 0))
        assert board.small_stations == {"G10": ("0-3", "1-4")}


class TestOwnTiles:
    def test_harwich_takes_few_tiles_and_only_its_own_in_brown(self, anglia):
        harwich = HexId("F13")
        open_ = held(anglia, laid(anglia, empty(anglia), "E12:790/4"), "EUR@E12")
        yellow = {tile for tile, _ in lays_on(anglia, open_, "A", "EUR", harwich)}
        assert yellow <= {"201", "202", "621"}
        board = held(anglia, laid(anglia, empty(anglia), "F13:202/0"), "EUR@F13")
        green = {tile for tile, _ in lays_on(anglia, board, "D", "EUR", harwich)}
        assert green == {"793"}
        (rotation,) = {r for _, r in lays_on(anglia, board, "D", "EUR", harwich)}
        board = laid(anglia, board, f"F13:793/{rotation}")
        brown = lays_on(anglia, board, "D", "EUR", harwich)
        assert {tile for tile, _ in brown} == {"797"}
        for _, rotation in brown:
            barred = {(side + rotation) % 6 for side in (0, 3, 4)} & {1, 3, 4}
            assert not barred

    def test_no_other_hex_takes_the_tiles_of_two_hexes(self, anglia):
        for tile, home in (("795", "F11"), ("797", "F13")):
            assert anglia.tiles[TileId(tile)].only_at == (home,)
        board = held(anglia, laid(anglia, empty(anglia), "F5:790/2", "F5:791/2"), "Y&N@F5")
        for rotation in range(6):
            refused = lay_objections(
                anglia,
                board,
                PhaseId("D"),
                CompanyId("Y&N"),
                Lay(HexId("F5"), TileId("795"), rotation),
            )
            assert "wrong-label" in codes(refused)

    def test_ipswich_has_one_turn_of_its_green_tile(self, anglia):
        board = held(anglia, laid(anglia, empty(anglia), "F11:790/1"), "ESR@F11")
        assert lays_on(anglia, board, "B", "ESR", HexId("F11")) == {("791", 1)}

    def test_large_stations_go_on_towns_and_lines_on_villages(self, anglia):
        board = waiting(anglia, empty(anglia), CompanyId("FDR"))
        village = Lay(HexId("G12"), TileId("8852"), 2)
        assert "wrong-kind" in codes(
            lay_objections(anglia, board, PhaseId("A"), CompanyId("FDR"), village)
        )


class TestAllowance:
    @pytest.mark.parametrize(
        ("before", "tile", "allowed"),
        [
            ((), "6", True),
            ((), "790", True),
            ((), "14", True),
            (("6",), "8852", True),
            (("6",), "790", False),
            (("6",), "14", False),
            (("790",), "6", False),
            (("14",), "6", False),
            (("6", "6"), "6", False),
        ],
    )
    def test_two_yellow_tiles_or_one_of_anything_else(self, anglia, before, tile, allowed):
        objection = allowance_objection(anglia, tuple(map(TileId, before)), TileId(tile))
        assert (objection is None) == allowed

    def test_another_title_lays_one(self, box):
        assert allowance_objection(box, (), TileId("57")) is None
        assert allowance_objection(box, (TileId("57"),), TileId("58")) is not None


class TestSmallStations:
    """One to each line of a green or brown village tile, connected or not (7.6.4)."""

    def test_an_unconnected_line_may_get_one_and_no_second(self, anglia):
        board = laid(anglia, empty(anglia), "G10:8852/0", "G10:20/0")
        assert list(legal_small_stations(anglia, board)) == [SmallStation(HexId("G10"), "1-4")]
        board = with_small_station(board, SmallStation(HexId("G10"), "1-4"))
        assert not list(legal_small_stations(anglia, board))
        again = small_station_objections(anglia, board, SmallStation(HexId("G10"), "1-4"))
        assert codes(again) == ["line-taken"]

    def test_neither_a_yellow_tile_nor_a_town_nor_bare_land_gets_one(self, anglia):
        board = laid(anglia, empty(anglia), "G10:8852/0", "F5:790/2")
        assert not list(legal_small_stations(anglia, board))
        for place in ("G10 0-3", "F5 0-3", "G4 0-3", "G10 1-4", "Z9 0-3"):
            hex_id, line = place.split()
            assert small_station_objections(anglia, board, SmallStation(HexId(hex_id), line))

    def test_two_lines_of_a_hex_are_two_small_stations_passed_apart(self, anglia):
        board = laid(anglia, empty(anglia), "G10:8852/0", "G10:20/0", "G12:57/0", "G8:57/0")
        board = with_small_station(board, SmallStation(HexId("G10"), "1-4"))
        net = network(anglia, board)
        assert all(station.stop.node[0] != "t" for station in net.stations)
        (through,) = [s for s in net.segments if s.passed]
        assert through.passed == (Stop(HexId("G10"), "t0"),)

    def test_a_title_without_them_takes_none(self, box, bare):
        assert not list(legal_small_stations(box, bare))


class TestHomes:
    """A home token lies on bare land, in a free slot, or waits on a full hex (3.2, 7.2)."""

    esr = CompanyId("ESR")

    def full(self, anglia):
        return held(anglia, laid(anglia, empty(anglia), "F11:790/1"), "WVR@F11", "N&B@F11")

    def test_the_example_of_the_rulebook_waits_for_an_upgrade(self, anglia):
        board = self.full(anglia)
        assert home_is_possible(anglia, board, PhaseId("B"), self.esr)
        assert not home_is_possible(anglia, board, PhaseId("A"), self.esr)
        (place,) = home_places(anglia, board, self.esr)
        assert (place.hex, place.city, place.slot) == ("F11", 0, None)
        board = waiting(anglia, board, self.esr)
        assert home_duty(anglia, board, PhaseId("B"), self.esr) == "upgrade"
        (upgrade,) = home_upgrades(anglia, board, PhaseId("B"), self.esr)
        assert upgrade.tile == "791"
        board = with_lay(anglia, board, upgrade)
        assert [(t.company, t.slot) for t in board.tokens] == [("WVR", 0), ("N&B", 1), ("ESR", 2)]
        assert home_duty(anglia, board, PhaseId("B"), self.esr) is None

    def test_without_an_upgrade_it_displaces_the_one_placed_last(self, anglia):
        board = waiting(anglia, self.full(anglia), self.esr)
        assert home_duty(anglia, board, PhaseId("A"), self.esr) == "displace"
        assert displaced_by_home(board, HexId("F11")).company == "N&B"
        swapped = held(anglia, laid(anglia, empty(anglia), "F11:790/1"))
        for company, slot in (("N&B", 1), ("WVR", 0)):
            token = Token(CompanyId(company), "F11", 0, slot, "ordinary")
            swapped = type(swapped)(swapped.tiles, (*swapped.tokens, token), swapped.supply)
        assert displaced_by_home(swapped, HexId("F11")).company == "WVR"
        assert displaced_by_home(swapped, HexId("F11"), by_slot=True).company == "N&B"

    def test_a_token_that_waits_counts_as_joined_to_all_track_and_takes_no_room(self, anglia):
        board = waiting(anglia, laid(anglia, self.full(anglia), "G12:6/2"), self.esr)
        assert Stop(HexId("G12"), "c0") in reach(anglia, board, self.esr).stations
        blocked = reach(anglia, board, CompanyId("FDR"))
        assert not blocked.stations

    def test_nobody_keeps_room_for_a_home(self, anglia):
        board = held(anglia, laid(anglia, empty(anglia), "G12:57/2", "F11:790/1"), "FDR@G12")
        assert [place.hex for place in legal_places(anglia, board, CompanyId("FDR"))] == ["F11"]


class TestLondon:
    """A token in London lets a company's trains run there, and nothing else (7.6.5)."""

    ecr = CompanyId("ECR")

    def linkable(self, anglia, *tokens):
        return held(anglia, laid(anglia, empty(anglia), "D13:57/1"), "ECR@D13", *tokens)

    def test_a_route_to_any_of_its_entries_allows_a_link(self, anglia):
        board = self.linkable(anglia)
        assert list(legal_links(anglia, board, self.ecr)) == ["london"]
        assert free_space(anglia, board, "london") == 0
        unjoined = held(anglia, laid(anglia, empty(anglia), "D13:57/0"), "ECR@D13")
        assert list(legal_links(anglia, unjoined, self.ecr)) == ["london"]
        away = held(anglia, laid(anglia, empty(anglia), "D13:57/2"), "ECR@D13")
        assert codes(link_objections(anglia, away, self.ecr, "london")) == ["not-reached"]

    def test_four_companies_fill_it_and_none_has_two_there(self, anglia):
        board = self.linkable(anglia)
        for space, company in enumerate(("EUR", "ESR", "FDR", "N&E")):
            token = Token(CompanyId(company), "london", None, space, "ordinary")
            board = type(board)(board.tiles, (*board.tokens, token), board.supply)
        assert codes(link_objections(anglia, board, self.ecr, "london")) == ["slot-taken"]
        assert free_space(anglia, board, "london") is None
        assert "own-token-there" in codes(link_objections(anglia, board, "EUR", "london"))
        assert codes(link_objections(anglia, board, self.ecr, "west")) == ["no-such-area"]

    def test_no_route_begins_at_its_token(self, anglia):
        board = laid(anglia, empty(anglia), "D13:57/1")
        token = Token(self.ecr, "london", None, 0, "ordinary")
        board = type(board)(board.tiles, (token,), board.supply)
        assert reach(anglia, board, self.ecr).stations == ()

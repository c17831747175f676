"""Every title's facts add up: shares, tiles, map, market, trains and phases fit together."""

from collections import Counter

import pytest

from contracts.ids import HexId
from contracts.titles.facts import Facts, TrackEnds
from contracts.titles.hexes import SIDES, neighbour, opposite, turned
from contracts.titles.load import facts, titles

FIXED = ("grey", "red", "blue")


@pytest.fixture(params=titles())
def title(request: pytest.FixtureRequest) -> Facts:
    return facts(request.param)


def sides_of(track: tuple[TrackEnds, ...]) -> set[int]:
    return {int(end) for piece in track for end in piece if end.isdigit()}


def test_the_certificates_of_every_company_make_the_whole(title):
    for public in title.publics.values():
        assert sum(public.certificates) == 100, public.id
        assert public.certificates == title.share_rules.certificates, public.id


def test_every_home_is_a_city_of_the_map(title):
    for public in title.publics.values():
        cities = title.map.hexes[public.home].city
        assert public.home_choice or public.home_city in range(len(cities)), public.id
        assert public.tokens[0] == 0, "the home token is free"


def test_every_player_count_has_cash_and_a_certificate_limit(title):
    least, most = title.title.players
    assert list(title.setup.cash) == list(range(least, most + 1))
    assert list(title.setup.certificate_limit) == list(range(least, most + 1))


def test_privates_point_at_things_that_are_there(title):
    for private in title.privates.values():
        assert all(hex_id in title.map.hexes for hex_id in private.blocks)
        if private.company_price is not None:
            assert private.company_price == (private.price // 2, private.price * 2)
        if private.lay is not None:
            assert private.lay.hex in title.map.hexes
            assert all(tile in title.tiles for tile in private.lay.tiles)
        for tied in (private.exchange, private.comes_with):
            assert tied is None or tied.company in title.publics


def test_every_impassable_side_is_impassable_from_both_hexes(title):
    for hex_id, hex_ in title.map.hexes.items():
        for side in hex_.impassable:
            beyond = title.map.hexes[neighbour(title.map.letters, hex_id, side)]
            assert opposite(side) in beyond.impassable, (hex_id, side)


def test_printed_track_meets_land_that_can_take_it(title):
    for hex_id, hex_ in title.map.hexes.items():
        for side in sorted(sides_of(hex_.track)):
            beyond = title.map.hexes[neighbour(title.map.letters, hex_id, side)]
            assert side not in hex_.impassable
            meets = opposite(side) in sides_of(beyond.track)
            assert meets or beyond.colour not in FIXED, (hex_id, side)


def test_every_area_is_drawn_on_the_map_and_pays_in_every_phase(title):
    drawn = {end.area for hex_ in title.map.hexes.values() for end in hex_.offboard}
    assert drawn == set(title.map.areas)
    for area in title.map.areas.values():
        values = list(area.values.values())
        assert values == sorted(values)
        assert all(phase.offboard in area.values for phase in title.phases.values())


def test_no_two_tiles_are_the_same_turned(title):
    seen: dict[object, str] = {}
    for tile in title.tiles.values():
        for rotation in SIDES:
            track = frozenset(
                frozenset(str(turned(int(e), rotation)) if e.isdigit() else e[0] for e in piece)
                for piece in tile.track
            )
            nodes = (tile.city, tile.town, tile.label, tile.colour)
            # Tiles with two nodes of a kind may differ only in which track belongs to which.
            if len(tile.city) + len(tile.town) < 2:
                assert seen.setdefault((track, nodes), tile.id) == tile.id


def test_every_white_or_yellow_hex_has_a_tile_of_its_kind(title):
    kinds = {(len(t.city), len(t.town), t.label, t.colour) for t in title.tiles.values()}
    for hex_id, hex_ in title.map.hexes.items():
        onto = {"white": "yellow", "yellow": "green"}.get(hex_.colour)
        if onto is not None:
            assert (len(hex_.city), len(hex_.town), hex_.label, onto) in kinds, hex_id


def test_zones_are_spaces_of_the_market(title):
    rows = title.market.rows
    for zone, spaces in title.market.zones.items():
        assert len(set(spaces)) == len(spaces), zone
        for row, column in spaces:
            assert rows[row][column] is not None, (zone, row, column)
    assert set(title.market.zone_effects) <= set(title.market.zones)


def test_trains_and_phases_name_each_other(title):
    trains = title.trains
    for train in trains.values():
        assert train.rusted_by is None or train.rusted_by in trains
        assert train.available_after is None or train.available_after in trains
    first, *later = title.phases.values()
    assert first.first_train is None
    assert [phase.first_train for phase in later] == [
        kind for kind in trains if kind in {phase.first_train for phase in later}
    ]
    for phase in later:
        assert phase.rusts == tuple(
            train.id for train in trains.values() if train.rusted_by == phase.first_train
        )


class TestTheFirstTitle:
    """Counts of the box and the map of 1830 (1830.md part 6)."""

    facts = facts("1830")

    def test_its_box_holds_85_tiles_of_46_kinds(self):
        tiles = self.facts.tiles.values()
        assert len(tiles) == 46
        count = Counter({tile.colour: 0 for tile in tiles})
        for tile in tiles:
            count[tile.colour] += tile.count or 0
        assert count == {"yellow": 34, "green": 25, "brown": 26}

    def test_its_map_has_93_hexes_and_seven_of_them_are_off_board(self):
        hexes = self.facts.map.hexes.values()
        assert len(hexes) == 93
        assert Counter(hex_.colour for hex_ in hexes)["red"] == 7
        assert len(self.facts.map.areas) == 5

    def test_its_market_has_120_spaces_and_six_of_them_are_pars(self):
        rows = self.facts.market.rows
        assert sum(price is not None for row in rows for price in row) == 120
        pars = [rows[row][column] for row, column in self.facts.market.zones["par"]]
        assert pars == [100, 90, 82, 76, 71, 67]

    def test_it_has_20_trains_and_d_trains_without_end(self):
        counts = {kind: train.count for kind, train in self.facts.trains.items()}
        assert counts == {"2": 6, "3": 5, "4": 4, "5": 3, "6": 2, "D": None}
        assert self.facts.trains["D"].stations is None

    def test_it_has_four_impassable_borders(self):
        sides = sum(len(hex_.impassable) for hex_ in self.facts.map.hexes.values())
        assert sides == 8, "four borders, each told by both hexes"

    def test_its_bank_and_dearest_private_are_as_printed(self):
        assert self.facts.setup.bank == 12_000
        assert sum(private.price for private in self.facts.privates.values()) == 620
        assert self.facts.privates["BO"].company_price is None

    def test_names_are_the_map_s(self):
        assert self.facts.map.hexes[HexId("H12")].name == "Altoona"

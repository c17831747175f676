"""Every title's facts add up: shares, tiles, map, market, trains and phases fit together."""

from collections import Counter
from itertools import pairwise

import pytest

from contracts.ids import HexId
from contracts.titles.facts import Facts, TrackEnds
from contracts.titles.hexes import SIDES, neighbour, opposite, turned
from contracts.titles.load import all_titles, facts

FIXED = ("grey", "red", "blue")


@pytest.fixture(params=all_titles())
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
        assert public.tokens[:1] in ((), (0,)), "the home token is free, or bought with the rest"


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


def test_trains_have_stations_or_sides(title):
    for train in title.trains.values():
        assert not (train.sides and train.stations is not None), train.id
        for side in train.sides.values():
            assert (side.hexes is None) == (side.counts is not None and side.visits is not None)


def test_groups_and_permits_go_round(title):
    sides = {side for train in title.trains.values() for side in train.sides}
    for players in title.setup.cash:
        groups = {name: sizes[players] for name, sizes in title.setup.company_groups.items()}
        if groups:
            assert sum(groups.values()) == len(title.publics)
        in_play = sum(groups.values()) - groups.get("removed", 0)
        for by_players in title.setup.permits.values():
            permits = by_players.get(players, {})
            assert set(permits) <= sides
            assert not permits or sum(permits.values()) >= in_play
    opened = {group for phase in title.phases.values() for group in phase.opens}
    assert opened <= set(title.setup.company_groups)


def test_options_are_sound(title):
    for option in (*title.rulings.values(), *title.variants.values()):
        assert option.default in option.options
        for choice, needed in option.needs.items():
            assert choice in option.options
            for other, allowed in needed.items():
                assert set(allowed) <= set(title.variants[other].options)
    for permits in title.setup.permits:
        assert permits in title.variants["train types"].options


def test_tiles_made_for_a_hex_have_the_letter_that_it_asks_for(title):
    for tile in title.tiles.values():
        for hex_id in tile.only_at:
            assert title.map.hexes[hex_id].labels[tile.colour] == tile.label


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


class TestTheEasternCounties:
    """Counts of the box and the map of 1862 (1862.md parts 1 and 6)."""

    facts = facts("1862")

    def test_its_box_holds_177_tiles_of_35_kinds(self):
        tiles = self.facts.tiles.values()
        assert len(tiles) == 35
        count = Counter({tile.colour: 0 for tile in tiles})
        for tile in tiles:
            count[tile.colour] += tile.count or 0
        assert count == {"yellow": 70, "green": 72, "brown": 35}

    def test_its_map_has_60_hexes_37_of_them_land(self):
        hexes = self.facts.map.hexes.values()
        assert len(hexes) == 60
        land = [hex_ for hex_ in hexes if hex_.colour == "white"]
        assert len(land) == 37
        assert sum(bool(hex_.city) for hex_ in land) == 25
        kinds = Counter(area.kind for area in self.facts.map.areas.values())
        assert kinds == {"red": 3, "port": 7}

    def test_its_market_has_67_prices_in_one_line(self):
        (row,) = self.facts.market.rows
        prices = [price for price in row if price is not None]
        assert (len(prices), prices[0], prices[-1]) == (67, 0, 1000)
        assert all(one < other for one, other in pairwise(prices))
        starting = self.facts.starting
        assert all(price in prices for way in starting.values() for price in way.prices)
        zones = {
            zone: [prices[column] for _, column in spaces]
            for zone, spaces in self.facts.market.zones.items()
        }
        assert (zones["close"], zones["end"]) == ([0], [1000])
        assert (min(zones["ignore_one_sale"]), max(zones["ignore_one_sale"])) == (7, 375)
        assert (min(zones["ignore_two_sales"]), max(zones["ignore_two_sales"])) == (400, 950)

    def test_its_trains_count_28_cards_in_the_long_game_before_the_last_band(self):
        cards = [card for card in self.facts.trains.values() if card.count is not None]
        assert sum(card.counts["long"] for card in cards) == 28
        assert [card.count for card in cards] == [7, 6, 4, 3, 3, 2, 1]
        assert [card.counts["short"] for card in cards] == [6, 5, 4, 3, 3, 2, 1]
        assert all(card.price % 2 == 0 for card in self.facts.trains.values())

    def test_all_its_companies_start_alike(self):
        assert len(self.facts.publics) == 20
        assert {public.tokens for public in self.facts.publics.values()} == {()}
        assert sorted(way.tokens for way in self.facts.starting.values()) == [(2, 7), (3, 3)]

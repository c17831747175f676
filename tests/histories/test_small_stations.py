"""The site's tiles with small stations, held against the tiles of the box."""

import pytest

from contracts.ids import TileId
from contracts.titles.load import facts
from services.engine.rules.network.tiles import line_of
from services.histories.small_stations import STATIONS, lines_of, tile_of


@pytest.mark.parametrize("name", STATIONS)
def test_each_station_lies_on_a_line_of_its_tile(name):
    tile = facts("1862").tiles[tile_of(name)]
    assert not tile.city
    assert set(STATIONS[name]) <= {line_of(one, other) for one, other in tile.track}


def test_each_way_to_have_stations_is_there_but_for_those_that_another_turn_gives():
    plain = [t for t in facts("1862").tiles.values() if not t.city and t.colour != "yellow"]
    for tile in plain:
        lines = {line_of(one, other) for one, other in tile.track}
        full = [name for name in STATIONS if tile_of(name) == tile.id]
        assert frozenset(lines) in {frozenset(STATIONS[name]) for name in full}, tile.id


def test_lines_turn_with_the_tile():
    assert lines_of("17_2", 0) == lines_of("17_2", 3) == {"0-4", "1-3"}
    assert lines_of("18_1b", 4) == {"0-5"}


def test_another_tile_has_none():
    assert (tile_of("57"), lines_of("57", 2)) == (TileId("57"), frozenset())

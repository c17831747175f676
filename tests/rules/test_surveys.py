"""What is worked out from a board is kept for that board, and for no other."""

import msgspec

from contracts.choices import Interval, filled
from contracts.commands import BuyTrain
from contracts.ids import SUPPLY, TrainKind
from services.engine.rules.ruleset import ruleset_of
from services.engine.rules.track import surveys
from services.engine.rules.track.surveys import reached, route_is_possible
from services.engine.table.board import Board
from services.engine.table.state import Table
from tests.operating import Tiles, Tokens, board
from tests.positions import at, company, position

PRR = company("PRR")


def lying(tiles: Tiles | None = None, tokens: Tokens | None = None) -> Table:
    table = position(companies=[at("PRR", "0,6", director="ann", ann=6)])
    return board(table, tiles, tokens or {"PRR": ["H12"]})


def test_an_equal_board_that_is_another_object_is_not_looked_at_again():
    table = lying({"H14": ("9", 1), "H16": ("57", 1)})
    first = reached(ruleset_of(table), table, PRR)
    old = table.board
    again = Board(dict(reversed(old.tiles.items())), tuple(old.tokens), dict(old.supply))
    misses = surveys._reach.cache_info().misses
    copied = msgspec.structs.replace(table, board=again)
    assert reached(ruleset_of(copied), copied, PRR) is first
    assert surveys._reach.cache_info().misses == misses


def test_a_tile_more_or_a_token_more_is_another_board():
    bare, built = lying(), lying({"H14": ("9", 1), "H16": ("57", 1)})
    assert not route_is_possible(ruleset_of(bare), bare, PRR)
    assert route_is_possible(ruleset_of(built), built, PRR)
    # H16 full of others is reached, not passed; with its own token there PRR goes on to H18.
    tiles: Tiles = {"H14": ("9", 1), "H16": ("57", 1)}
    full = lying(tiles, {"PRR": ["H12"], "NYC": ["E19", "H16"]})
    own = lying(tiles, {"PRR": ["H12", "H16"]})
    assert "H18" not in reached(ruleset_of(full), full, PRR).sides
    assert "H18" in reached(ruleset_of(own), own, PRR).sides


def test_two_amounts_that_go_together_are_filled_in_together():
    shown = BuyTrain(TrainKind("4"), SUPPLY, 101, director_pays=1)
    interval = Interval("price", 101, 300, 1, also="director_pays")
    assert filled(shown, interval, 300) == BuyTrain(TrainKind("4"), SUPPLY, 300, director_pays=200)
    alone = Interval("price", 101, 300, 1)
    assert filled(shown, alone, 300) == BuyTrain(TrainKind("4"), SUPPLY, 300, director_pays=1)

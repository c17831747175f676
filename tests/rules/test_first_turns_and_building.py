"""A company's first turn, and what a turn may build: 7.2, 7.6, 7.7, fault A21."""

import msgspec
import pytest

from contracts import events as e
from contracts.commands import LayTile, Pass, PlaceSmallStation, PlaceToken
from contracts.ids import HexId, PhaseId, TileId
from contracts.placed import Token
from contracts.rejections import Code
from services.engine.rules.ruleset import ruleset_of
from services.engine.table.agenda import current_turn
from services.engine.table.state import Table
from tests.eastern import position, railway
from tests.given import Given, given
from tests.operating import Tiles, Tokens, board, turn_of
from tests.positions import company

ESSEX: Tiles = {"G12": ("6", 2), "F11": ("790", 1), "E12": ("790", 0), "D13": ("57", 1)}
LONDON = PlaceToken(HexId("london"), 0)


def lay(at: str, tile: str, rotation: int) -> LayTile:
    return LayTile(HexId(at), TileId(tile), rotation)


def started(
    name: str,
    tiles: Tiles | None = None,
    tokens: Tokens | None = None,
    *,
    phase: str = "B",
    step: str = "home",
    first: bool = True,
    director: str | None = "ann",
    rulings: dict[str, str] | None = None,
) -> Given:
    """A company's turn, its first if so said; others that have tokens are bob's."""
    names = [name, *(other for other in tokens or {} if other != name)]
    prices = (95, 90, 86, 82)
    table = position(
        *(
            railway(
                one,
                price,
                director="bob" if one != name else director,
                trains=("B local",),
                permits=("local",),
                **({"ann": 2} if one == name and director is None else {}),
                **({("ann" if one == name else "bob"): 5} if director or one != name else {}),
            )
            for one, price in zip(names, prices, strict=False)
        ),
        phase=phase,
        rulings=rulings,
    )
    table = board(table, tiles, tokens)
    if first:
        charters = dict(table.charters)
        charters[company(name)] = msgspec.structs.replace(
            charters[company(name)], has_operated=False
        )
        table = msgspec.structs.replace(table, charters=charters)
    return given(turn_of(table, name, step))


def tokens_of(now: Given, name: str) -> list[tuple[str, int | None, str]]:
    return [
        (one.place, one.slot, one.kind)
        for one in now.table.board.tokens
        if one.company == company(name)
    ]


def lays(now: Given) -> list[LayTile]:
    return [c.command for c in now.listed("ann") if isinstance(c.command, LayTile)]


def step(now: Given) -> str:
    turn = current_turn(now.table)
    assert turn is not None
    return turn.steps[0]


class TestFirstTurn:
    """7.2."""

    def test_the_home_token_waits_on_a_bare_hex_which_must_be_built_on_first(self):
        now = started("Y&N", phase="A")
        assert tokens_of(now, "Y&N") == [("H5", 0, "home")]
        assert step(now) == "track"
        now.when("ann", Pass()).then(Code.HOME_FIRST)
        listed = lays(now)
        assert {command.hex for command in listed} == {HexId("H5")}
        after = now.when("ann", listed[0])
        assert tokens_of(after, "Y&N") == [("H5", 0, "home")]

    def test_a_second_tile_may_follow_unless_the_first_has_the_letter_n(self):
        now = started("Y&N", phase="A")
        assert any(step(now.when("ann", one)) == "track" for one in lays(now))
        alone = started("EUR", phase="A")
        assert lays(alone)
        assert not any(step(alone.when("ann", one)) == "track" for one in lays(alone))

    def test_a_free_circle_of_a_tile_is_its_home_and_nothing_must_be_built(self):
        now = started("ESR", ESSEX, {"FDR": ["G12"]})
        assert tokens_of(now, "ESR") == [("F11", 0, "home")]
        now.when("ann", Pass()).accepted()

    def test_on_a_full_hex_it_waits_and_the_hex_must_be_upgraded_if_it_can(self):
        full: Tokens = {"FDR": ["G12", "F11"], "EUR": ["E12", "F11"]}
        now = started("ESR", ESSEX, full)
        assert step(now) == "merge"
        now = now.when("ann", Pass())
        assert tokens_of(now, "ESR") == [("F11", None, "home")]
        now.when("ann", Pass()).then(Code.HOME_FIRST)
        assert {(one.hex, one.tile) for one in lays(now)} == {("F11", "791")}
        upgrade = lays(now)[0]
        after = now.when("ann", upgrade)
        assert tokens_of(after, "ESR") == [("F11", 2, "home")]

    def test_where_no_upgrade_makes_room_it_displaces_the_token_placed_last(self):
        full: Tokens = {"FDR": ["G12", "F11"], "EUR": ["E12", "F11"]}
        now = started("ESR", ESSEX, full, phase="A").when("ann", Pass())
        assert tokens_of(now, "ESR") == [("F11", 1, "home")]
        assert tokens_of(now, "EUR") == [("E12", 0, "home")]
        assert now.table.charters[company("EUR")].tokens == 2
        assert now.table.charters[company("ESR")].tokens == 2

    def test_by_ruling_the_full_hex_is_upgraded_before_anything_else(self):
        full: Tokens = {"FDR": ["G12", "F11"], "EUR": ["E12", "F11"]}
        early = {"full home": "upgraded before joining"}
        now = started("ESR", ESSEX, full, rulings=early)
        assert step(now) == "home"
        now.when("ann", Pass()).then(Code.HOME_FIRST)
        upgrade = next(c.command for c in now.listed("ann") if isinstance(c.command, LayTile))
        after = now.when("ann", upgrade)
        assert step(after) in {"merge", "token"}
        assert tokens_of(after, "ESR") == [("F11", 2, "home")]

    def test_a_company_in_receivership_places_no_home(self):
        """4.77 of 1862.md."""
        table = started("Y&N", director=None, step="run").table
        assert not [one for one in table.board.tokens if one.company == company("Y&N")]

    def test_it_does_on_its_next_turn_with_a_director(self):
        now = started("Y&N", first=False)
        assert tokens_of(now, "Y&N") == [("H5", 0, "home")]

    def test_a_home_given_up_for_others_is_not_placed_again(self):
        """1862.md 2.17."""
        now = started("Y&N", ESSEX, {"Y&N": ["E12"]}, first=False)
        moved = msgspec.structs.replace(
            now.table.board,
            tokens=(Token(company("Y&N"), "E12", 0, 0, "ordinary"),),
        )
        table = msgspec.structs.replace(now.table, board=moved, agenda=())
        assert tokens_of(given(turn_of(table, "Y&N")), "Y&N") == [("E12", 0, "ordinary")]

    def test_a_token_taken_over_from_a_company_that_had_not_built_is_built_for_first(self):
        """4.36 of 1862.md, and the ruling of the other place."""
        both: Tokens = {"EUR": ["E12", "H5"]}
        now = started("EUR", ESSEX, both, first=False)
        now.when("ann", Pass()).then(Code.HOME_FIRST)
        listed = lays(now)
        assert {command.hex for command in listed} == {HexId("H5")}
        later = {"home of the absorbed": "built on later"}
        started("EUR", ESSEX, both, first=False, rulings=later).when("ann", Pass()).accepted()


class TestBuilding:
    """7.6: two yellow tiles, or one with an N, or one upgrade, or a small station, or a link."""

    def ecr(self, *, phase: str = "B", tokens: Tokens | None = None) -> Given:
        return started("ECR", ESSEX, tokens or {"ECR": ["D13"]}, phase=phase, first=False)

    def test_two_yellow_tiles_one_after_the_other(self):
        now = self.ecr()
        now = self.yellow(now)
        assert step(now) == "track"
        upgrades = [c for c in lays(now) if self.colour(now.table, c) != "yellow"]
        assert upgrades == []
        now = self.yellow(now)
        assert step(now) != "track"

    def test_an_upgrade_is_the_only_one_of_its_turn(self):
        now = self.ecr()
        green = next(c for c in lays(now) if self.colour(now.table, c) == "green")
        assert step(now.when("ann", green)) != "track"
        after = self.yellow(now)
        after.when("ann", green).then(Code.NO_LAY_LEFT)

    def test_the_route_is_asked_for(self):
        self.ecr().when("ann", lay("H5", "202", 5)).then(Code.NOT_CONNECTED)

    def test_a_small_station_stands_in_the_place_of_all_track_and_needs_no_route(self):
        """A21 (2)."""
        names = ruleset_of(self.ecr().table).facts.tiles
        green = next(t for t, tile in names.items() if tile.colour == "green" and not tile.city)
        tiles = {**ESSEX, "G6": (green, 0)}
        now = started("ECR", tiles, {"ECR": ["D13"]}, first=False)
        place = next(
            c.command for c in now.listed("ann") if isinstance(c.command, PlaceSmallStation)
        )
        assert place.hex == HexId("G6")
        after = now.when("ann", place)
        assert after.table.board.small_stations[HexId("G6")] == (place.line,)
        assert step(after) != "track"
        again = given(turn_of(msgspec.structs.replace(after.table, agenda=()), "ECR", "track"))
        again.when("ann", place).then(Code.TOKEN_THERE)
        self.yellow(now).when("ann", place).then(Code.NO_LAY_LEFT)

    def test_a_link_to_london_stands_in_the_place_of_track_and_of_the_token(self):
        """7.6.5."""
        now = self.ecr().when("ann", LONDON)
        assert now.happened()[0] == e.TokenPlaced(
            Token(company("ECR"), "london", None, 0, "ordinary"), None, ()
        )
        assert now.table.charters[company("ECR")].tokens == 1
        assert step(now) not in {"track", "token"}

    def test_no_link_beside_a_tile(self):
        now = self.yellow(self.ecr())
        now.when("ann", LONDON).then(Code.NO_LAY_LEFT)
        now = now.when("ann", Pass())
        if step(now) == "token":
            now.when("ann", LONDON).then(Code.NO_SUCH_HEX)

    def test_four_spaces_and_one_to_a_company(self):
        others: Tokens = {
            "ECR": ["D13"],
            "EUR": ["E12", "london"],
            "FDR": ["G12", "london"],
            "N&E": ["B13", "london"],
        }
        now = self.ecr(tokens=others).when("ann", Pass())
        assert LONDON in [choice.command for choice in now.listed("ann")]
        mine: Tokens = {"ECR": ["D13", "london"]}
        self.ecr(tokens=mine).when("ann", LONDON).then(Code.TOKEN_THERE)

    def test_the_route_must_lead_to_london(self):
        now = started("FDR", {"G12": ("6", 2)}, {"FDR": ["G12"]}, first=False)
        now.when("ann", LONDON).then(Code.NOT_CONNECTED)

    def colour(self, table: Table, command: LayTile) -> str:
        return ruleset_of(table).facts.tiles[command.tile].colour

    def yellow(self, now: Given) -> Given:
        plain = (
            c
            for c in lays(now)
            if self.colour(now.table, c) == "yellow"
            and ruleset_of(now.table).facts.tiles[c.tile].label != "N"
        )
        return now.when("ann", next(plain))


@pytest.mark.parametrize("name", list(ruleset_of(position()).facts.publics))
def test_every_company_has_a_first_lay_on_its_home(name):
    """A21 (4), through the rules: after every change of shared code."""
    now = started(name, phase="A")
    home = ruleset_of(now.table).facts.publics[company(name)].home
    first = lays(now)
    assert first
    assert {command.hex for command in first} == {home}
    now.when("ann", first[0]).accepted()


def test_tokens_cost_nothing_and_one_is_placed_a_turn():
    """7.7."""
    now = started("ECR", ESSEX, {"ECR": ["D13"]}, first=False, step="token")
    place = next(c.command for c in now.listed("ann") if isinstance(c.command, PlaceToken))
    after = now.when("ann", place)
    assert after.table.cash[company("ECR")] == now.table.cash[company("ECR")]
    assert step(after) != "token"


def test_a_phase_brings_its_colours():
    now = started("ECR", ESSEX, {"ECR": ["D13"]}, first=False, phase="A")
    colours = {
        ruleset_of(now.table).facts.tiles[c.command.tile].colour
        for c in now.listed("ann")
        if isinstance(c.command, LayTile)
    }
    assert colours == {"yellow"}
    assert now.table.phase == PhaseId("A")


def test_by_ruling_a_home_without_a_tile_may_be_left_for_another_turn():
    """7.2, ruling "bare home": nothing else may be built before it all the same."""
    started("EUR").when("ann", Pass()).then(Code.HOME_FIRST)
    now = started("EUR", rulings={"bare home": "may be left"})
    now.when("ann", lay("D13", "57", 1)).then(Code.NOT_CONNECTED)
    after = now.when("ann", Pass()).accepted()
    (token,) = after.table.board.tokens
    assert (token.company, token.place, token.kind) == ("EUR", "E12", "home")
    assert not after.table.board.tiles

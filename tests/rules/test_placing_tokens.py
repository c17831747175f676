"""The token of a company's turn: 3.5.2 and 3.5.3 of the rules."""

import msgspec
import pytest

from contracts import events as e
from contracts.commands import Pass, PlaceToken
from contracts.ids import BANK, HexId
from contracts.money import pay
from contracts.placed import Token
from contracts.rejections import Code
from services.engine.table.agenda import current_turn
from tests.given import Given, given
from tests.operating import Tiles, Tokens, board, trains, turn_of
from tests.positions import at, company, position

PRR = company("PRR")
TO_H16: Tiles = {"H14": ("9", 1), "H16": ("57", 1)}
BOTH_WAYS: Tiles = {**TO_H16, "H10": ("57", 1)}


def token(hex_id: str, city: int = 0) -> PlaceToken:
    return PlaceToken(HexId(hex_id), city)


def turn(
    tiles: Tiles = TO_H16, tokens: Tokens | None = None, cash: int = 100, phase: str = "2"
) -> Given:
    """PRR at its token step, with a train, so that it stays its turn."""
    table = position(companies=[at("PRR", "0,6", director="ann", ann=6, cash=cash)], phase=phase)
    lying = board(table, tiles, {"PRR": ["H12"], **(tokens or {})})
    return given(turn_of(trains(lying, {"PRR": ["2"]}), "PRR", "token"))


def step(now: Given) -> str:
    playing = current_turn(now.table)
    assert playing is not None
    return playing.steps[0]


def test_the_second_token_costs_40_and_the_third_100():
    turn().when("ann", token("H16")).then(
        e.TokenPlaced(Token(PRR, "H16", 0, 0, "ordinary"), None, pay(PRR, BANK, 40))
    )
    turn(BOTH_WAYS, {"PRR": ["H12", "H10"]}).when("ann", token("H16")).then(
        e.TokenPlaced(Token(PRR, "H16", 0, 0, "ordinary"), None, pay(PRR, BANK, 100))
    )


def test_one_token_a_turn():
    now = turn(BOTH_WAYS, cash=500).when("ann", token("H16")).accepted()
    assert step(now) == "run"
    now.when("ann", token("H10")).then(Code.WRONG_STEP)


def test_the_director_may_place_none():
    assert step(turn().when("ann", Pass()).accepted()) == "run"


@pytest.mark.parametrize(
    ("command", "code"),
    [
        (token("H14"), Code.NO_SUCH_HEX),
        (token("H12"), Code.TOKEN_THERE),
        (token("I15"), Code.NO_FREE_SLOT),
        (token("E19"), Code.NO_FREE_SLOT),
        (token("D2"), Code.NOT_CONNECTED),
        (PlaceToken(HexId("H16"), 1), Code.NO_SUCH_HEX),
    ],
)
def test_where_no_token_goes(command, code):
    # No city in H14; its own token in H12; I15 and E19 are homes of others; D2 is far away.
    turn().when("ann", command).then(code)


def test_all_that_speaks_against_a_token_in_order():
    turn(BOTH_WAYS, {"PRR": ["H12", "H10"]}).when("ann", token("I15")).refused_for(
        Code.NO_FREE_SLOT, Code.NOT_CONNECTED
    )


def test_a_full_city_is_reached_but_not_passed():
    # NYC fills H16; behind it H18 has no track, and I17 leads to I15.
    tiles: Tiles = {"H14": ("9", 1), "H16": ("15", 4), "I17": ("7", 1), "J14": ("57", 0)}
    others: Tokens = {"NYC": ["E19", "H16"], "CPR": ["A19", "H16/0"]}
    closed = turn(tiles, others, phase="3")
    assert step(closed) == "run"
    opened = turn(tiles, {"NYC": ["E19", "H16"]}, phase="3")
    opened.when("ann", token("J14")).accepted()
    opened.when("ann", token("H16")).accepted()


def test_the_step_is_passed_over_where_no_token_can_be_paid_or_placed():
    assert step(turn(cash=39)) == "run"
    assert step(turn(cash=40)) == "token"
    assert step(turn({})) == "trains"


def test_a_company_with_no_token_left_places_none():
    now = turn(BOTH_WAYS, {"PRR": ["H12", "H10", "D2", "F4"]}, cash=500)
    assert step(now) == "run"
    again = msgspec.structs.replace(now.table, agenda=turn(BOTH_WAYS, cash=500).table.agenda)
    given(again).when("ann", token("H16")).then(Code.NO_TOKEN_LEFT)

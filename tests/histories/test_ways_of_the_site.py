"""What the site allows beside the common course of a game, played from positions."""

import msgspec

from contracts.commands import DiscardTrain, LayTile, PlaceToken
from contracts.frames import Question, RaiseMoney
from contracts.ids import HexId, TileId, TrainId
from services.engine.table.agenda import current_turn, top
from services.engine.table.state import Table
from services.histories.trace import priority
from tests.histories.test_translation import (
    ANN,
    BOB,
    CID,
    DH,
    NYC,
    PRR,
    SEATS,
    SET,
    Playing,
    by,
    operating,
    stock,
)
from tests.operating import board, trains, turn_of
from tests.positions import at, position, stock_round

END = {"type": "end_game", "entity": 11, "entity_type": "player"}
LINE = {"H14": ("9", 1), "H16": ("57", 1)}


def short_of_money() -> Table:
    """The PRR must have a train that neither it nor Ann can pay for."""
    there = position(
        companies=[at("PRR", "0,6", director="11", cash=50, **{"11": 6})],
        cash={"11": 10},
        players=SEATS,
        rulings=SET,
        phase="4",
    )
    return turn_of(trains(board(there, LINE, {"PRR": ["H12"]}), left="4"), "PRR", "trains")


def test_a_finish_may_be_agreed_to_while_somebody_is_asked_for_money():
    there = short_of_money()
    question = top(there)
    assert isinstance(question, Question)
    assert isinstance(question.matter, RaiseMoney)
    now = Playing(there, END)
    assert [who for who, _ in now.commands[0]] == [ANN, BOB, CID]
    assert now.table.ending is not None
    assert now.table.ending.over


def test_certificates_bought_are_the_buyers_before_he_gives_two_for_the_directors():
    companies = [at("PRR", "6,0", director="11", **{"11": 2, "12": 1, "pool": 2})]
    there = stock_round(position(companies=companies, players=SEATS, rulings=SET), turn="12")
    now = Playing(
        there,
        by(12, "buy_shares", shares=["PRR_4", "PRR_5"], percent=20),
        p11=["PRR_0"],
        p12=["PRR_3"],
        pool=["PRR_4", "PRR_5"],
    )
    assert now.table.charters[PRR].director == BOB
    certificates = now.translator.game.certificates
    holders = {number: certificates.holder(f"PRR_{number}") for number in (0, 3, 4, 5)}
    assert holders == {0: BOB, 3: ANN, 4: ANN, 5: BOB}


def test_the_name_of_a_hex_may_be_followed_by_the_track_used_there():
    there = board(operating(), LINE, {"PRR": ["H12"], "NYC": ["E19"]})
    there = turn_of(trains(there, {"PRR": ["2", "2"]}), "PRR", "run")
    routes = [
        {"train": "2-1", "connections": [["H12 1", "H14", "H16"]], "hexes": ["H12", "H16"]},
        {"train": "2-2", "connections": []},
    ]
    now = Playing(there, by("PRR", "run_routes", routes=routes))
    turn = current_turn(now.table)
    assert turn is not None
    assert (turn.ran, turn.earned) == ((TrainId("2-1"),), 30)


def owning_dh(step: str) -> Table:
    there = operating(phase="3")
    holdings = {DH: {PRR: {"1d": 1}}}
    there = msgspec.structs.replace(there, certificates={**there.certificates, **holdings})
    return turn_of(there, "PRR", step)


def test_tile_and_token_by_right_come_in_later_steps_of_the_turn_too():
    now = Playing(
        owning_dh("trains"),
        by("DH", "lay_tile", hex="F16", tile="57-0", rotation=1),
        by("DH", "place_token", city="57-0-0", slot=0, tokener="PRR"),
    )
    assert now.commands == [
        [(ANN, LayTile(HexId("F16"), TileId("57"), 1, DH))],
        [(ANN, PlaceToken(HexId("F16"), 0, DH))],
    ]


def test_a_token_by_right_that_the_turn_waits_for_may_be_declined():
    now = Playing(
        owning_dh("trains"),
        by("DH", "lay_tile", hex="F16", tile="57-0", rotation=1),
        by("DH", "pass"),
        by("PRR", "pass"),
        by("PRR", "pass"),
        by("NYC", "pass"),
    )
    turn = current_turn(now.tables[3])
    assert turn is not None
    assert turn.who == NYC


def test_companies_discard_in_any_order():
    there = position(
        companies=[
            at("PRR", "0,6", director="11", cash=500, **{"11": 6}),
            at("NYC", "1,6", director="12", **{"12": 6}),
            at("CPR", "2,6", director="13", **{"13": 6}),
        ],
        players=SEATS,
        rulings=SET,
        phase="4",
    )
    owned = {"NYC": ["4", "4", "3"], "CPR": ["3", "3", "3"]}
    there = trains(board(there, LINE, {"PRR": ["H12"]}), owned, left="5")
    now = Playing(
        turn_of(there, "PRR", "trains"),
        by("PRR", "buy_train", train="5-0", price=450, variant="5"),
        by("CPR", "discard_train", train="3-2"),
        by("NYC", "discard_train", train="3-0"),
    )
    assert now.commands[1:] == [
        [(CID, DiscardTrain(TrainId("3-2")))],
        [(BOB, DiscardTrain(TrainId("3-0")))],
    ]


def test_somebody_bankrupt_has_no_priority():
    there = stock()
    assert priority(there) == ANN
    assert priority(there, {ANN}) == BOB
    assert priority(there, {ANN, BOB}) == CID

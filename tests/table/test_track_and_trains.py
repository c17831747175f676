"""Evolve: tiles, tokens, trains, runs and dividends. Cardboard is conserved."""

import pytest

from contracts import events as e
from contracts.frames import Laying, Turn
from contracts.ids import BANK, BOX, POOL, SUPPLY, HexId, TileId, TrainId, TrainKind
from contracts.money import Payment, pay
from contracts.pieces import Train
from contracts.placed import LaidTile, Token
from contracts.runs import Run
from services.engine.table.agenda import current_turn
from services.engine.table.change import NotThereError
from services.engine.table.evolve import evolve
from services.engine.table.state import Table
from tests.tables import ANN, NYC, PRR, SV, operated, token

F16, H12 = HexId("F16"), HexId("H12")
T57, T14 = TileId("57"), TileId("14")
TWO, THREE = Train(TrainId("2-0"), TrainKind("2")), Train(TrainId("3-0"), TrainKind("3"))


def begun() -> Table:
    """PRR's turn has begun; its home token lies on H12."""
    return operated().tables[6]


def turn_of(table: Table) -> Turn:
    found = current_turn(table)
    assert found is not None
    return found


def laid(hex_: HexId, tile: TileId, replaced: LaidTile | None = None, *tokens: Token) -> e.TileLaid:
    return e.TileLaid(PRR, hex_, tile, 1, replaced, tokens, None, pay(PRR, BANK, 40))


def test_a_tile_comes_from_the_supply_and_is_tallied_and_paid():
    after = evolve(begun(), laid(F16, T57))
    assert after.board.tiles == {F16: LaidTile(T57, 1)}
    assert after.board.supply == {T57: 1, T14: 1, "9": 1}
    assert turn_of(after).laid == (Laying(F16, T57, None),)
    assert after.cash[PRR] == 630


def test_the_tile_replaced_goes_back():
    after = evolve(evolve(begun(), laid(F16, T57)), laid(F16, T14, LaidTile(T57, 1)))
    assert after.board.tiles == {F16: LaidTile(T14, 1)}
    assert after.board.supply == {T57: 2, T14: 0, "9": 1}


def test_a_tile_without_number_is_never_used_up():
    after = evolve(begun(), laid(F16, TileId("999")))
    assert after.board.supply == begun().board.supply


def test_tokens_of_the_hex_lie_as_the_event_says_and_others_stay():
    placed = evolve(begun(), e.TokenPlaced(token(PRR, "F16"), None, ()))
    after = evolve(placed, laid(H12, T57, None, token(PRR, "H12", "home", city=1)))
    assert after.board.tokens == (token(PRR, "H12", "home", city=1), token(PRR, "F16"))


def test_a_token_leaves_its_charter_and_is_paid_and_tallied():
    after = evolve(begun(), e.TokenPlaced(token(PRR, "F16"), SV, pay(PRR, BANK, 40)))
    assert after.board.tokens[-1] == token(PRR, "F16")
    assert (after.charters[PRR].tokens, after.cash[PRR]) == (1, 630)
    assert turn_of(after).placed == ("F16",)


def test_a_home_token_is_no_placing_of_the_turn():
    assert begun().charters[PRR].tokens == 2
    assert turn_of(begun()).placed == ()


def test_a_train_is_bought_from_the_supply():
    after = evolve(begun(), e.TrainBought(PRR, TWO, SUPPLY, pay(PRR, BANK, 80)))
    assert after.trains[PRR] == (TWO,)
    assert [train.id for train in after.trains[SUPPLY]] == ["2-1", "3-0"]
    assert (after.cash[PRR], turn_of(after).trains) == (590, ("2-0",))


def test_a_train_handed_in_lies_in_the_pool():
    table = evolve(begun(), e.TrainBought(PRR, TWO, SUPPLY, ()))
    after = evolve(table, e.TrainBought(PRR, THREE, SUPPLY, (), TWO.id))
    assert (after.trains[PRR], after.trains[POOL]) == ((THREE,), (TWO,))


def test_a_kind_without_end_makes_its_card_when_it_is_bought():
    diesel = Train(TrainId("D-0"), TrainKind("D"))
    after = evolve(begun(), e.TrainBought(PRR, diesel, SUPPLY, ()))
    assert after.trains[PRR] == (diesel,)
    assert after.trains[SUPPLY] == begun().trains[SUPPLY]


def test_a_train_is_bought_from_another_company():
    table = evolve(begun(), e.TrainBought(PRR, TWO, SUPPLY, ()))
    after = evolve(table, e.TrainBought(NYC, TWO, PRR, ()))
    assert (after.trains[PRR], after.trains[NYC]) == ((), (TWO,))


def test_trains_are_discarded_into_the_pool():
    table = evolve(begun(), e.TrainBought(PRR, TWO, SUPPLY, ()))
    after = evolve(table, e.TrainsMoved((TWO.id,), PRR, POOL, "discarded"))
    assert (after.trains[PRR], after.trains[POOL]) == ((), (TWO,))
    with pytest.raises(NotThereError, match="PRR has no train 2-0"):
        evolve(after, e.TrainsMoved((TWO.id,), PRR, POOL, "discarded"))


def test_rusted_trains_lie_in_the_box_wherever_they_were():
    table = evolve(begun(), e.TrainBought(PRR, TWO, SUPPLY, ()))
    after = evolve(table, e.TrainsRusted((TrainId("2-0"), TrainId("2-1"))))
    assert (after.trains[PRR], after.trains[SUPPLY]) == ((), (THREE,))
    assert {train.id for train in after.trains[BOX]} == {"2-0", "2-1"}


def test_what_trains_earned_waits_to_be_divided():
    run = Run((TWO.id,), (), (), ())
    ran = evolve(begun(), e.RoutesRun(PRR, (run,), (), 60, 10))
    assert (turn_of(ran).ran, turn_of(ran).earned, ran.cash) == (("2-0",), 60, begun().cash)
    payments = (Payment(BANK, ANN, 24), Payment(BANK, PRR, 10))
    after = evolve(ran, e.EarningsDivided(PRR, 60, 0, 60, 0, payments))
    assert (turn_of(after).earned, after.cash[ANN], after.cash[PRR]) == (
        0,
        begun().cash[ANN] + 24,
        680,
    )


def test_cardboard_is_the_same_after_every_record():
    for table in operated().tables[1:]:
        assert sorted(train.id for trains in table.trains.values() for train in trains) == [
            "2-0",
            "2-1",
            "3-0",
        ]
        laid_tiles = [tile.tile for tile in table.board.tiles.values()]
        assert {t: n + laid_tiles.count(t) for t, n in table.board.supply.items()} == {
            "57": 2,
            "14": 1,
            "9": 1,
        }
        for company in (PRR, NYC):
            placed = sum(one.company == company for one in table.board.tokens)
            assert placed + table.charters[company].tokens == 3

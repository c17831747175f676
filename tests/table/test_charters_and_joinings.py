"""Evolve: charters, companies that join, tokens bought and lost, small stations, warranties."""

from contracts import events as e
from contracts.frames import Fines, Laying, Merging, Round, Turn
from contracts.ids import BANK, SUPPLY, FrameId, HexId, TileId, TrainId, TrainKind
from contracts.money import pay
from contracts.pieces import Train
from services.engine.table.agenda import current_round, current_turn, top
from services.engine.table.evolve import evolve, evolve_all
from services.engine.table.state import Table
from tests.tables import ANN, BOB, NYC, PRR, opened, operated, token

F16 = HexId("F16")


def turn_of(table: Table) -> Turn:
    found = current_turn(table)
    assert found is not None
    return found


def playing(table: Table) -> Round:
    found = current_round(table)
    assert found is not None
    return found


def turn_of_prr() -> Table:
    """PRR's turn in an operating round; NYC waits for its own."""
    return operated().tables[6]


def turn_of_nyc() -> Table:
    """NYC's turn; PRR has operated."""
    return operated().table


def test_a_charter_that_is_taken_binds_its_player_until_the_company_floats():
    taken = evolve(opened().table, e.CharterTaken(NYC, BOB, "duty"))
    assert (taken.charters[NYC].bound, taken.charters[NYC].status) == (BOB, "open")
    assert evolve(taken, e.CompanyFloated(NYC, ())).charters[NYC].bound is None


def test_a_par_stands_in_its_part_of_the_chart_and_moves_no_marker():
    before = turn_of_prr()
    after = evolve(before, e.ParSet(PRR, 82, "chartered"))
    assert (after.charters[PRR].par, after.charters[PRR].column) == (82, "chartered")
    assert after.markers == before.markers


def test_a_returned_charter_is_blank_and_waits_until_the_company_is_opened():
    events = (e.CharterTaken(PRR, ANN, "duty"), e.CharterReturned(PRR, "fined", opens=False))
    charter = evolve_all(turn_of_nyc(), events).charters[PRR]
    assert (charter.status, charter.tokens, charter.whole) == ("waiting", 0, 10)
    assert (charter.par, charter.column, charter.bound) == (None, None, None)
    assert (charter.director, charter.acting, charter.has_operated) == (None, None, False)
    again = evolve_all(turn_of_nyc(), (*events, e.CompaniesOpened((PRR,))))
    assert again.charters[PRR].status == "open"


def test_a_charter_returned_by_a_joining_may_be_taken_at_once():
    after = evolve(turn_of_nyc(), e.CharterReturned(NYC, "absorbed", opens=True))
    assert after.charters[NYC].status == "open"


def test_the_director_before_there_was_none_stays_known_until_there_is_one():
    without = evolve(turn_of_prr(), e.DirectorChanged(PRR, None, BOB))
    assert (without.charters[PRR].last_director, without.charters[PRR].acting) == (ANN, BOB)
    assert evolve(without, e.DirectorChanged(PRR, BOB, BOB)).charters[PRR].last_director is None


def test_a_turn_of_the_absorbed_company_is_the_survivors_from_then_on():
    after = evolve(turn_of_prr(), e.CompaniesMerged(NYC, PRR, operates=True))
    assert (turn_of(after).who, playing(after).operated) == (NYC, ())
    assert turn_of(after).steps == turn_of(turn_of_prr()).steps


def test_a_survivor_that_does_not_operate_any_more_counts_as_one_that_has():
    assert playing(turn_of_nyc()).operated == (PRR,)
    after = evolve(turn_of_nyc(), e.CompaniesMerged(NYC, PRR, operates=False))
    assert (turn_of(after).who, playing(after).operated) == (NYC, (NYC,))


def test_tokens_are_on_the_charter_and_paid_for():
    before = turn_of_prr()
    after = evolve(before, e.TokensSet(PRR, 5, pay(PRR, BANK, 200)))
    assert after.charters[PRR].tokens == 5
    assert after.cash[PRR] == before.cash[PRR] - 200


def test_a_token_goes_back_to_its_charter_or_is_lost():
    placed = evolve(turn_of_prr(), e.TokenPlaced(token(PRR, "F16"), None, ()))
    unused = placed.charters[PRR].tokens
    back = evolve(placed, e.TokenRemoved(PRR, "F16", "charter"))
    lost = evolve(placed, e.TokenRemoved(PRR, "F16", "lost"))
    assert (back.charters[PRR].tokens, lost.charters[PRR].tokens) == (unused + 1, unused)
    assert back.board.tokens == lost.board.tokens == turn_of_prr().board.tokens


def test_a_small_station_lies_on_its_line_and_counts_as_the_turns_laying():
    after = evolve_all(
        turn_of_prr(),
        (e.SmallStationPlaced(PRR, F16, "1-4"), e.SmallStationPlaced(PRR, F16, "0-3")),
    )
    assert after.board.small_stations == {F16: ("0-3", "1-4")}
    assert turn_of(after).laid == (Laying(F16, TileId(""), None),) * 2


def test_small_stations_of_a_hex_are_those_that_its_last_tile_came_with():
    placed = evolve(turn_of_prr(), e.SmallStationPlaced(PRR, F16, "0-3"))
    kept = e.TileLaid(PRR, F16, TileId("57"), 0, None, (), None, (), ("0-3", "1-4"))
    gone = e.TileLaid(PRR, F16, TileId("57"), 0, None, (), None, ())
    assert evolve(placed, kept).board.small_stations == {F16: ("0-3", "1-4")}
    assert evolve(placed, gone).board.small_stations == {}


def test_a_train_is_bought_with_its_side_and_loses_warranties_by_name():
    card = Train(TrainId("2-0"), TrainKind("2"), "freight", 2)
    other = Train(TrainId("2-1"), TrainKind("2"), "local", 1)
    events = (
        e.TrainBought(PRR, card, SUPPLY, pay(PRR, BANK, 80)),
        e.TrainBought(PRR, other, SUPPLY, pay(PRR, BANK, 80)),
        e.WarrantiesSet(PRR, {TrainId("2-0"): 1}),
    )
    owned = evolve_all(turn_of_prr(), events).trains[PRR]
    assert owned == (Train(TrainId("2-0"), TrainKind("2"), "freight", 1), other)


def test_procedures_of_joining_and_of_fines_are_on_the_agenda():
    merging = Merging(FrameId("9.0"), "merge", ANN, PRR, NYC, 92, (ANN, BOB), PRR)
    fines = Fines(FrameId("9.1"), ((ANN, PRR),))
    table = evolve(turn_of_prr(), e.ProcedureSet(merging))
    assert top(table) == merging
    assert top(evolve(table, e.ProcedureSet(fines))) == fines
    assert top(evolve(table, e.ProcedureEnded(FrameId("9.0"), "done"))) == top(turn_of_prr())

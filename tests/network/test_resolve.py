"""Runs made out of looser descriptions: lists of hexes, and what people write (3.6)."""

from contracts.ids import CompanyId, HexId
from contracts.runs import Track
from services.engine.rules.network.resolve import Sketch, resolve, sketched
from services.engine.rules.network.routes import checked
from tests.network.boards import built, held, last_phase, trains_of

PRR = CompanyId("PRR")


def hexes(*names):
    return tuple(HexId(name) for name in names)


def read(box, board, trains, *sketches):
    return resolve(box, board, last_phase(box), PRR, trains=trains, sketches=sketches)


def line(box, bare):
    lays = ("H10:57/1", "H14:9/1", "H16:57/1")
    return held(box, built(box, bare, *lays), "PRR@H12")


def test_stretches_may_be_written_either_way(box, bare):
    board, (train,) = line(box, bare), trains_of(3)
    wanted = read(
        box, board, (train,), Sketch(train.id, (hexes("H10", "H12"), hexes("H12", "H14", "H16")))
    )
    assert [stop.hex for stop in wanted.runs[0].stops] == ["H10", "H12", "H16"]
    for stretches in (
        (hexes("H12", "H10"), hexes("H12", "H14", "H16")),
        (hexes("H16", "H14", "H12"), hexes("H12", "H10")),
        (hexes("H12", "H14", "H16"), hexes("H10", "H12")),
    ):
        assert read(box, board, (train,), Sketch(train.id, stretches)) == wanted


def test_hexes_that_are_only_passed_tell_the_by_pass_from_the_call(box, bare):
    board = held(box, line(box, bare), "PRR@H16")
    (train,) = trains_of(2)
    past = Sketch(train.id, (hexes("H10", "H12", "H14", "H16"),))
    (run,) = read(box, board, (train,), past).runs
    assert Track(HexId("H12"), "1", "4") in run.track
    assert [stop.hex for stop in run.stops] == ["H10", "H16"]


def test_by_hand_a_station_that_is_named_is_a_call(box, bare):
    board, (train,) = line(box, bare), trains_of(3)
    assert sketched(box, board, train.id, "H10-H12-H14-H16").stretches == (
        hexes("H10", "H12"),
        hexes("H12", "H14", "H16"),
    )
    for text in ("H10-H12-H14-H16", "H16-H12-H10"):
        (run,) = read(box, board, (train,), sketched(box, board, train.id, text)).runs
        assert len(run.stops) == 3
    (past,) = read(box, board, (train,), sketched(box, board, train.id, "H16-H10")).runs
    assert [stop.hex for stop in past.stops] == ["H10", "H16"]


def test_a_node_tells_the_city_of_a_hex(box, bare):
    board = built(box, bare, "G19:54/0", "G17:2/2", "F18:7/5")
    board = held(box, board, "PRR@G19.0")
    (train,) = trains_of(2)
    one = Sketch(train.id, (hexes("G17", "G19"),), nodes=("G17-1", "G19-0"))
    (run,) = read(box, board, (train,), one).runs
    assert {(stop.hex, stop.node) for stop in run.stops} == {("G17", "t1"), ("G19", "c0")}


def test_where_hexes_leave_a_choice_the_set_is_made_legal_and_dear(box, bare):
    """Both trains could be read onto the short line; one has to take the way round."""
    board = built(box, bare, "G19:54/0", "G17:2/2", "F18:7/5")
    board = held(box, board, "PRR@G19.0", "PRR@G19.1")
    trains = trains_of(2, 2)
    runs = read(
        box, board, trains, *(sketched(box, board, train.id, "G17-G19") for train in trains)
    ).runs
    assert sorted(stop.node for run in runs for stop in run.stops) == ["c0", "c1", "t1", "t1"]
    found = checked(box, board, last_phase(box), PRR, trains=trains, runs=runs)
    assert (found.objections, found.revenue) == ((), 140)


def test_what_no_legal_set_can_be_is_still_made_out_and_left_to_the_check(box, bare):
    board, trains = line(box, bare), trains_of(2, 2)
    runs = read(
        box, board, trains, *(sketched(box, board, train.id, "H10-H12") for train in trains)
    ).runs
    found = checked(box, board, last_phase(box), PRR, trains=trains, runs=runs)
    assert [one.code for one in found.objections] == ["track-shared"]


def test_hexes_that_no_track_joins_are_refused(box, bare):
    board, (train,) = line(box, bare), trains_of(3)
    for text in ("H10-H16-I15", "H10", "", "H12-Z9"):
        found = read(box, board, (train,), sketched(box, board, train.id, text))
        assert [one.code for one in found.objections] == ["no-such-track"], text
        assert found.runs == ()

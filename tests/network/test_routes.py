"""Runs that are submitted: what is refused, what they score (3.6)."""

from itertools import permutations

import msgspec
import pytest

from contracts.ids import CompanyId, HexId, PhaseId
from contracts.runs import Run, Track
from services.engine.rules.network.best import best
from services.engine.rules.network.routes import checked
from tests.network.boards import built, held, last_phase, random_board, run_along, trains_of

LINE = ("H4:57/1", "H6:9/1", "H8:9/1", "H10:57/1", "H14:9/1", "H16:57/1")
"""Columbus, Pittsburgh, Altoona and Lancaster on one straight line."""


def check(box, board, trains, runs, company="PRR", *, phase=None):
    return checked(
        box, board, phase or last_phase(box), CompanyId(company), trains=trains, runs=runs
    )


def codes(box, board, trains, runs, company="PRR"):
    found = check(box, board, trains, runs, company)
    assert not (found.objections and found.lines)
    return [objection.code for objection in found.objections]


def backwards(run):
    track = tuple(Track(piece.hex, piece.other, piece.one) for piece in reversed(run.track))
    return Run(run.trains, track, run.stops[::-1], run.counted[::-1])


def shuffled_ends(run):
    """The order of the two ends of a piece says nothing."""
    return msgspec.structs.replace(
        run, track=tuple(Track(piece.hex, piece.other, piece.one) for piece in run.track)
    )


@pytest.fixture
def line(box, bare):
    return held(box, built(box, bare, *LINE), "PRR@H12")


def test_a_run_scores_every_station_that_it_passes(box, line):
    trains = trains_of(4)
    found = check(box, line, trains, run_along(box, line, "PRR", trains, "H4-H10-H12-H16"))
    assert [(part.what, part.where, part.amount) for part in found.lines] == [
        ("stop", "H16-c0", 20),
        ("stop", "H12-c0", 10),
        ("stop", "H10-c0", 20),
        ("stop", "H4-c0", 20),
    ], "told from the end that comes first by name"
    assert found.revenue == 70


def test_a_line_past_a_city_runs_by_without_a_call(box, line):
    board = held(box, line, "PRR@H10")
    trains = trains_of(2)
    (run,) = run_along(box, board, "PRR", trains, "H10-H16")
    assert Track(HexId("H12"), "1", "4") in run.track
    assert check(box, board, trains, (run,)).revenue == 40
    assert codes(box, line, trains, (run,)) == ["no-token"]


def test_a_train_calls_at_no_more_stations_than_its_number(box, line):
    runs = run_along(box, line, "PRR", trains_of(2), "H10-H12-H16")
    assert codes(box, line, trains_of(2), runs) == ["run-too-long"]
    (run,) = runs
    unlimited = trains_of(None)
    run = msgspec.structs.replace(run, trains=(unlimited[0].id,))
    assert codes(box, line, unlimited, (run,)) == []


def test_two_trains_may_meet_in_stations_but_share_no_track(box, line):
    trains = trains_of(2, 2)
    assert codes(box, line, trains, run_along(box, line, "PRR", trains, "H10-H12", "H12-H16")) == []
    again = run_along(box, line, "PRR", trains, "H10-H12", "H10-H12")
    assert "track-shared" in codes(box, line, trains, again)


def test_two_branches_share_the_side_that_they_part_from(box, bare):
    board = built(box, bare, "H14:23/1", "H16:57/1", "I15:53/0")
    board = held(box, board, "PRR@H12")
    trains = trains_of(2, 2)
    runs = run_along(box, board, "PRR", trains, "H12-H16", "H12-I15")
    assert codes(box, board, trains, runs) == ["track-shared"]
    for run in runs:
        assert codes(box, board, trains, (run,)) == []


@pytest.mark.parametrize("turn", [lambda run: run, backwards, shuffled_ends])
def test_a_city_full_of_others_ends_a_run_in_whatever_order_it_is_written(box, line, turn):
    board = held(box, line, "NYC@H10")
    trains = trains_of(3)
    (through,) = run_along(box, board, "PRR", trains, "H4-H10-H12")
    assert codes(box, board, trains, (turn(through),)) == ["through-full-city"]
    (ending,) = run_along(box, board, "PRR", trains, "H10-H12")
    assert codes(box, board, trains, (turn(ending),)) == []


def test_an_area_ends_a_run_and_pays_by_the_phase(box, bare):
    board = held(box, built(box, bare, "J14:57/0"), "PRR@J14")
    trains = trains_of(3)
    runs = run_along(box, board, "PRR", trains, "K13-J14-I15")
    assert check(box, board, trains, runs, phase=PhaseId("4")).revenue == 30 + 20 + 30
    assert check(box, board, trains, runs, phase=PhaseId("5")).revenue == 40 + 20 + 30


@pytest.mark.parametrize("turn", [list, reversed])
def test_no_run_goes_through_an_area_in_whatever_order_it_is_written(box, bare, turn):
    board = built(box, bare, "J14:57/0", "J12:9/2", "I11:9/2", "H10:57/2")
    board = held(box, board, "PRR@H10", "PRR@J14")
    trains = trains_of(4)
    text = "-".join(turn(["H10", "K13", "J14"]))
    assert codes(box, board, trains, run_along(box, board, "PRR", trains, text)) == ["through-area"]
    for ends in ("H10-K13", "K13-J14"):
        assert codes(box, board, trains, run_along(box, board, "PRR", trains, ends)) == []


def test_an_area_is_one_station_wherever_it_is_entered(box, bare):
    """The Gulf is drawn on two hexes, I1 and J2."""
    board = built(box, bare, "I3:8/1", "H4:57/2", "H4:15/5", "I5:8/0", "J4:8/1")
    board = held(box, board, "NYC@H4")
    trains = trains_of(3)
    both = run_along(box, board, "NYC", trains, "I1-H4-J2")
    assert codes(box, board, trains, both, "NYC") == ["station-twice"]
    assert best(box, board, last_phase(box), CompanyId("NYC"), trains).revenue == 60 + 30


def test_the_two_cities_of_a_hex_are_two_stations(box, bare):
    board = held(box, built(box, bare, "G19:54/0", "G17:2/2", "F18:7/5"), "NYNH@G19.1")
    trains = trains_of(3)
    (run,) = run_along(box, board, "NYNH", trains, "G19-G17-G19")
    assert [(stop.hex, stop.node) for stop in run.stops] == [
        ("G19", "c0"),
        ("G17", "t1"),
        ("G19", "c1"),
    ]
    assert check(box, board, trains, (run,), "NYNH").revenue == 60 + 10 + 60


def test_nothing_is_believed_about_stops_and_counts(box, line):
    trains = trains_of(3)
    (run,) = run_along(box, line, "PRR", trains, "H10-H12-H16")
    fewer = msgspec.structs.replace(run, stops=run.stops[:2], counted=run.counted[:2])
    assert codes(box, line, trains, (fewer,)) == ["other-stops", "other-count"]
    skipping = msgspec.structs.replace(run, counted=run.counted[:2])
    assert codes(box, line, trains, (skipping,)) == ["other-count"]


def test_track_that_is_not_there_or_does_not_hang_together_is_refused(box, line):
    trains = trains_of(3)
    (run,) = run_along(box, line, "PRR", trains, "H10-H12-H16")
    gap = msgspec.structs.replace(run, track=(*run.track[:2], *run.track[3:]))
    assert "track-apart" in codes(box, line, trains, (gap,))
    bent = msgspec.structs.replace(
        run, track=(*run.track[:-2], Track(HexId("H14"), "1", "5"), run.track[-1])
    )
    assert codes(box, line, trains, (bent,)) == ["no-such-track"]
    nothing = msgspec.structs.replace(run, track=(), stops=(), counted=())
    assert codes(box, line, trains, (nothing,)) == ["track-apart"]


def test_a_run_back_over_its_own_track_is_refused(box, line):
    trains = trains_of(None)
    (run,) = run_along(box, line, "PRR", trains, "H12-H16")
    back = backwards(run)
    there_and_back = Run(
        run.trains,
        run.track + back.track,
        run.stops + back.stops[1:],
        run.counted + back.counted[1:],
    )
    found = codes(box, line, trains, (there_and_back,))
    assert {"station-twice", "track-twice"} <= set(found)


def test_a_train_runs_once_and_must_be_the_company_s(box, line):
    trains = trains_of(2)
    one, other = run_along(box, line, "PRR", trains_of(2, 2), "H10-H12", "H12-H16")
    other = msgspec.structs.replace(other, trains=one.trains)
    assert codes(box, line, trains, (one, other)) == ["train-twice", "train-twice"]
    stranger = msgspec.structs.replace(one, trains=("9-9",))
    assert codes(box, line, trains, (stranger,)) == ["no-such-train"]


def test_nothing_run_scores_nothing(box, line):
    found = check(box, line, trains_of(2), ())
    assert (found.objections, found.lines, found.revenue) == ((), (), 0)


@pytest.mark.parametrize("seed", range(40))
def test_a_score_belongs_to_the_set_of_runs(box, seed):
    board, company = random_board(box, seed, lays=60, radius=2)
    trains = trains_of(2, 3, None)
    found = best(box, board, last_phase(box), company, trains)
    scores = [
        check(box, board, trains, tuple(map(turn, runs)), company)
        for runs in permutations(found.runs)
        for turn in (lambda run: run, backwards, shuffled_ends)
    ]
    assert all(score == scores[0] for score in scores)
    assert scores[0].revenue == found.revenue

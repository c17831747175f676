"""Running trains: 3.6.1 to 3.6.3 of the rules. The engine alone works out what is earned."""

import pytest

from contracts import events as e
from contracts.choices import OpenRoutes
from contracts.commands import Pass, RunTrains
from contracts.ids import HexId, TrainId
from contracts.rejections import Code
from contracts.runs import Run, ScoreLine, Stop, Track
from services.engine.rules.network.tiles import face_at
from services.engine.rules.ruleset import ruleset_of
from services.engine.table.agenda import current_turn
from tests.given import Given, given
from tests.operating import Tiles, Tokens, board, run, trains, turn_of
from tests.positions import at, company, position

PRR = company("PRR")
LINE: Tiles = {"H14": ("9", 1), "H16": ("57", 1), "H10": ("57", 1)}
"""Pittsburgh, Altoona, Lancaster in a row."""


def turn(
    *owned: str,
    tiles: Tiles = LINE,
    tokens: Tokens | None = None,
    phase: str = "2",
    rulings: dict[str, str] | None = None,
) -> Given:
    """PRR at its step of running."""
    table = position(
        companies=[at("PRR", "0,6", director="ann", ann=6)], phase=phase, rulings=rulings
    )
    lying = board(table, tiles, {"PRR": ["H12"], **(tokens or {})})
    return given(turn_of(trains(lying, {"PRR": owned}), "PRR", "run"))


def step(now: Given) -> str:
    playing = current_turn(now.table)
    assert playing is not None
    return playing.steps[0]


def test_a_2_train_calls_at_two_stations_and_earns_what_they_pay():
    now = turn("2")
    after = now.when("ann", run(now.table, "PRR", t2_0="H12-H14-H16")).begins(e.RoutesRun)
    ran = after.outcome[0]
    assert isinstance(ran, e.RoutesRun)
    assert ran.revenue == 30
    assert ran.lines == (ScoreLine("stop", "H12-c0", 10), ScoreLine("stop", "H16-c0", 20))
    assert step(after) == "dividend"


def test_altoona_may_be_passed_on_its_by_pass():
    now = turn("2", tokens={"PRR": ["H12", "H10"]})
    after = now.when("ann", run(now.table, "PRR", t2_0="H10-H14-H16")).accepted()
    assert isinstance(after.outcome[0], e.RoutesRun)
    assert after.outcome[0].revenue == 40


def test_the_best_runs_are_offered_and_any_legal_ones_are_taken():
    now = turn("2", "2")
    (offer,) = [choice for choice in now.listed("ann") if isinstance(choice.command, RunTrains)]
    # H10-H12 and H12-H16 meet in Altoona and share no track: 30 and 30.
    assert offer.open == OpenRoutes((TrainId("2-0"), TrainId("2-1")), 60, proven=True)
    now.when("ann", offer.command).accepted()
    after = now.when("ann", run(now.table, "PRR", t2_1="H12-H14-H16")).accepted()
    playing = current_turn(after.table)
    assert playing is not None
    assert (playing.ran, playing.earned) == ((TrainId("2-1"),), 30)


def test_trains_do_not_all_stay_idle_where_one_can_run():
    now = turn("2")
    now.when("ann", RunTrains(())).then(Code.MUST_RUN)
    now.when("ann", Pass()).then(Code.MUST_RUN)
    allowed = turn("2", rulings={"running nothing": "allowed"})
    after = allowed.when("ann", RunTrains(())).begins(e.RoutesRun, e.EarningsDivided, e.MarkerMoved)
    assert after.table.markers[PRR].space == "0,5"
    allowed.when("ann", Pass()).then(Code.MUST_RUN)


def test_two_trains_share_no_track():
    # B17.
    now = turn("2", "2")
    one = run(now.table, "PRR", t2_0="H12-H14-H16").runs
    two = run(now.table, "PRR", t2_1="H12-H14-H16").runs
    now.when("ann", RunTrains((*one, *two))).then(Code.BAD_RUN)


def test_a_train_runs_once():
    now = turn("3")
    once = run(now.table, "PRR", t3_0="H12-H14-H16").runs
    other = run(now.table, "PRR", t3_0="H10-H12").runs
    now.when("ann", RunTrains((*once, *other))).then(Code.BAD_RUN)


def test_a_run_is_no_longer_than_its_train():
    now = turn("2", "3")
    route = run(now.table, "PRR", t2_0="H10-H12-H14-H16")
    now.when("ann", route).then(Code.BAD_RUN)
    now.when("ann", run(now.table, "PRR", t3_0="H10-H12-H14-H16")).accepted()


def test_a_run_calls_at_a_token_of_the_company():
    now = turn("2")
    now.when("ann", run(now.table, "PRR", t2_0="H10-H14-H16")).then(Code.BAD_RUN)


def test_a_train_of_somebody_else_does_not_run():
    now = turn("2")
    runs = run(now.table, "PRR", t2_0="H12-H14-H16").runs
    strange = Run((TrainId("2-5"),), runs[0].track, runs[0].stops, runs[0].counted)
    now.when("ann", RunTrains((strange,))).then(Code.NO_SUCH_TRAIN)


@pytest.mark.parametrize(
    ("route", "legal"),
    [
        ("H12-H14-H16", True),
        ("H16-H14-H12", True),
        ("H12-H14-H16-I17-I15", False),
        ("I15-I17-H16-H14-H12", False),
    ],
)
def test_a_city_full_of_others_ends_a_run_whichever_way_it_is_written(route, legal):
    # B17: NYC and CPR fill H16; beyond it is Baltimore.
    tiles: Tiles = {"H14": ("9", 1), "H16": ("15", 4), "I17": ("7", 1)}
    tokens: Tokens = {"NYC": ["E19", "H16"], "CPR": ["A19", "H16"]}
    table = position(companies=[at("PRR", "0,6", director="ann", ann=6)], phase="3")
    lying = board(table, tiles, {"PRR": ["H12"], **tokens})
    now = given(turn_of(trains(lying, {"PRR": ["3"]}), "PRR", "run"))
    outcome = now.when("ann", run(now.table, "PRR", t3_0=route))
    if legal:
        outcome.accepted()
    else:
        outcome.then(Code.BAD_RUN)


def test_the_two_cities_of_new_york_are_two_stations():
    now = given(
        turn_of(
            trains(
                board(
                    position(companies=[at("NYNH", "0,6", director="ann", ann=6)]),
                    {"F20": ("55", 0)},
                    {"NYNH": ["G19/0"]},
                ),
                {"NYNH": ["2"]},
            ),
            "NYNH",
            "run",
        )
    )
    face = face_at(ruleset_of(now.table).facts, now.table.board, HexId("F20"))
    after = now.when("ann", run(now.table, "NYNH", t2_0="G19-F20")).accepted()
    assert isinstance(after.outcome[0], e.RoutesRun)
    assert after.outcome[0].revenue == 50
    assert len(face.towns) == 2
    # Claiming the other city's stop instead does not help.
    run_ = run(now.table, "NYNH", t2_0="G19-F20").runs[0]
    other = Run(
        run_.trains,
        tuple(
            Track(p.hex, p.one.replace("c0", "c1"), p.other.replace("c0", "c1")) for p in run_.track
        ),
        tuple(Stop(s.hex, s.node.replace("c0", "c1")) for s in run_.stops),
        run_.counted,
    )
    now.when("ann", RunTrains((other,))).then(Code.BAD_RUN)


def test_more_stops_than_the_track_calls_at_are_not_counted():
    # B21: a claimed stop changes nothing, it is refused.
    now = turn("3")
    honest = run(now.table, "PRR", t3_0="H12-H14-H16").runs[0]
    more = (*honest.stops, Stop(HexId("K13"), "o0"))
    now.when("ann", RunTrains((Run(honest.trains, honest.track, more, more),))).then(Code.BAD_RUN)
    counted = Run(honest.trains, honest.track, honest.stops, honest.stops[:1])
    now.when("ann", RunTrains((counted,))).then(Code.BAD_RUN)
    empty = Run(honest.trains, (), honest.stops, honest.stops)
    now.when("ann", RunTrains((empty,))).then(Code.BAD_RUN)


def test_red_areas_pay_more_from_phase_5_on():
    tiles: Tiles = {"J14": ("57", 0)}
    for phase, revenue in (("4", 60), ("5", 70)):
        table = position(companies=[at("B&O", "0,6", director="ann", ann=6)], phase=phase)
        lying = board(table, tiles, {"B&O": ["I15"]})
        now = given(turn_of(trains(lying, {"B&O": ["3"]}), "B&O", "run"))
        # Baltimore 30, Washington 20; the Deep South 30 or 40 is a third station.
        after = now.when("ann", run(now.table, "B&O", t3_0="I15-J14-K13")).accepted()
        assert isinstance(after.outcome[0], e.RoutesRun)
        assert after.outcome[0].revenue == revenue + 20


def test_without_a_train_or_a_route_nothing_runs_and_the_marker_goes_left():
    for now in (turn(), turn("2", tiles={})):
        assert now.table.markers[PRR].space == "0,5"

"""Running trains of several types together: 7.8, the worked examples of 1862.md, A15, A16."""

from itertools import permutations

import pytest

from contracts import events as e
from contracts.choices import OpenRoutes
from contracts.commands import Pass, PayDividend, RunTrains
from contracts.frames import Round
from contracts.ids import FrameId, TrainId
from contracts.rejections import Code
from services.engine.rules.ruleset import ruleset_of
from services.engine.rules.track.surveys import best_runs
from services.engine.table.agenda import current_turn
from services.engine.table.state import Table
from tests.eastern import position, railway, sold_up_to
from tests.given import Given, given
from tests.operating import Tiles, board, run, turn_of
from tests.positions import company, playing_on

NORFOLK: Tiles = {"H5": ("202", 5), "G6": ("8851", 4), "F5": ("790", 2), "F3": ("57", 0)}
"""Yarmouth, Acle, Norwich, Cromer: a line with small stations on plain track."""
ESSEX: Tiles = {"G12": ("6", 2), "F11": ("790", 1), "E12": ("790", 0), "D13": ("57", 1)}
"""Felixstowe, Ipswich, Colchester, and on towards London."""


def at_the_run(
    name: str,
    trains: tuple[str, ...],
    permits: tuple[str, ...],
    *places: str,
    tiles: Tiles = NORFOLK,
    phase: str = "B",
    rulings: dict[str, str] | None = None,
    director: str | None = "ann",
) -> Given:
    """A company at its step of running."""
    line = (
        railway(name, 95, director=director, ann=5, bob=2, cash=50, trains=trains, permits=permits)
        if director
        else railway(name, 95, director=None, ann=2, bob=2, cash=50, trains=trains, permits=permits)
    )
    table = sold_up_to(position(line, phase=phase, rulings=rulings), phase)
    return given(turn_of(board(table, tiles, {name: places}), name, "run"))


def ran(now: Given) -> e.RoutesRun:
    """What was run."""
    return next(one for one in now.happened() if isinstance(one, e.RoutesRun))


def earned(now: Given, name: str, **routes: str) -> tuple[int, int]:
    """Revenue and subsidy of some runs."""
    done = ran(now.when("ann", run(now.table, name, **routes)))
    return done.revenue, done.subsidy


def test_a_local_earns_its_stations_and_a_subsidy_for_each_hex_that_the_treasury_has_at_once():
    now = at_the_run("Y&N", ("A local",), ("local",), "H5")
    after = now.when("ann", run(now.table, "Y&N", A_0="H5-G6-F5"))
    assert (ran(after).revenue, ran(after).subsidy) == (90, 30)
    assert after.table.cash[company("Y&N")] == 80
    playing = current_turn(after.table)
    assert playing is not None
    assert (playing.earned, playing.steps[0]) == (90, "dividend")


def test_a_local_that_visits_three_counts_two_and_its_small_stations():
    now = at_the_run("Y&N", ("B local",), ("local",), "H5")
    assert earned(now, "Y&N", B_0="H5-G6-F5-F3") == (90, 40)


def test_express_and_local_together_score_each_station_once():
    now = at_the_run("Y&N", ("B express", "B local"), ("express", "local"), "H5", "F5")
    assert earned(now, "Y&N", B_1="H5-G6-F5-F3", B_0="F1-F3-F5") == (190, 40)


def test_a_train_without_a_permit_stands_and_is_not_offered():
    now = at_the_run("Y&N", ("A local", "A express"), ("local",), "H5")
    (offer,) = [choice for choice in now.listed("ann") if isinstance(choice.command, RunTrains)]
    assert isinstance(offer.open, OpenRoutes)
    assert offer.open.trains == (TrainId("A-0"),)
    now.when("ann", run(now.table, "Y&N", A_0="H5-G6-F5", A_1="H5-G6-F5")).then(Code.NO_SUCH_TRAIN)
    now.when("ann", run(now.table, "Y&N", A_0="H5-G6-F5")).accepted()


def test_a_company_without_a_permit_for_any_of_its_trains_runs_nothing_and_its_price_falls():
    now = at_the_run("Y&N", ("A express",), ("local",), "H5")
    assert now.table.markers[company("Y&N")].price == 86


def test_where_there_are_no_permits_every_train_may_run():
    """11.1: the simple games use none."""
    line = railway("Y&N", 95, director="ann", ann=5, trains=("A express",))
    table = position(line, variants={"train types": "express"})
    now = given(turn_of(board(table, NORFOLK, {"Y&N": ["H5"]}), "Y&N", "run"))
    assert earned(now, "Y&N", A_0="H5-G6-F5") == (70, 0)


def test_a_train_that_can_run_does_not_stand_unless_a_ruling_lets_it():
    now = at_the_run("Y&N", ("A local", "A local"), ("local",), "H5")
    now.when("ann", run(now.table, "Y&N", A_0="H5-G6-F5")).then(Code.MUST_RUN)
    now.when("ann", RunTrains(())).then(Code.MUST_RUN)
    now.when("ann", Pass()).then(Code.MUST_RUN)
    lenient = at_the_run(
        "Y&N", ("A local", "A local"), ("local",), "H5", rulings={"idle trains": "may stand"}
    )
    lenient.when("ann", run(lenient.table, "Y&N", A_0="H5-G6-F5")).accepted()


class TestFreights:
    """A15 (5): freights that join, and what may not be an end."""

    def test_a_chain_scores_only_its_outer_ends(self):
        now = at_the_run(
            "FDR",
            ("B freight", "C freight"),
            ("freight",),
            "G12",
            "F11",
            "london",
            tiles=ESSEX,
            phase="C",
        )
        assert earned(now, "FDR", B_0="H11-G12-F11", C_0="F11-E12-D13-C14") == (430, 0)

    def test_the_entry_that_was_used_counts_by_ruling(self):
        now = at_the_run(
            "ECR",
            ("B freight",),
            ("freight",),
            "D13",
            "london",
            tiles=ESSEX,
            rulings={"freight entry": "used"},
        )
        assert earned(now, "ECR", B_0="E12-D13-C14") == (160, 0)

    def test_london_is_no_station_of_a_company_without_a_link(self):
        now = at_the_run("ECR", ("B freight",), ("freight",), "D13", tiles=ESSEX)
        now.when("ann", run(now.table, "ECR", B_0="E12-D13-C14")).then(Code.BAD_RUN)

    def test_neighbours_bring_no_bonus(self):
        now = at_the_run(
            "WNR", ("A freight",), ("freight",), "E2", tiles={"E2": ("14", 1)}, phase="A"
        )
        assert earned(now, "WNR", A_0="E2-D1") == (110, 0)


@pytest.mark.parametrize("order", list(permutations(("C_0", "C_1", "C_2"))))
def test_the_order_and_direction_in_which_runs_are_drawn_change_nothing(order):
    """A16: that runs join and call at home is a property of the set."""
    now = at_the_run(
        "FDR",
        ("C freight", "C freight", "C freight"),
        ("freight",),
        "G12",
        "F11",
        "E12",
        "london",
        tiles=ESSEX,
        phase="C",
    )
    drawn = {"C_0": "H11-G12", "C_1": "F11-G12", "C_2": "F11-E12"}
    routes = {name: drawn[name] for name in order}
    assert earned(now, "FDR", **routes) == (100 + 40 + 2 * 30, 0)
    back = {name: "-".join(reversed(drawn[name].split("-"))) for name in order}
    assert earned(now, "FDR", **back) == (100 + 40 + 2 * 30, 0)


class TestWarranties:
    """7.10, A18."""

    def test_each_train_loses_one_whether_it_ran_or_not(self):
        now = at_the_run("Y&N", ("A local 2", "A express 1"), ("local",), "H5")
        after = now.when("ann", run(now.table, "Y&N", A_0="H5-G6-F5"))
        left = {TrainId("A-0"): 1, TrainId("A-1"): 0}
        assert e.WarrantiesSet(company("Y&N"), left) in after.happened()
        assert not [one for one in after.happened() if isinstance(one, e.TrainsRusted)]

    def test_a_saved_train_goes_with_its_last_right_after_the_run(self):
        now = at_the_run("Y&N", ("A local 1",), ("local",), "H5", phase="C")
        after = now.when("ann", run(now.table, "Y&N", A_0="H5-G6-F5"))
        kinds = [type(one) for one in after.happened()]
        assert kinds.index(e.RoutesRun) < kinds.index(e.WarrantiesSet) < kinds.index(e.TrainsRusted)
        assert after.table.trains[company("Y&N")] == ()

    def test_a_company_that_cannot_run_loses_them_too(self):
        now = at_the_run("Y&N", ("A express 2",), ("local",), "H5")
        assert [train.warranties for train in now.table.trains[company("Y&N")]] == [1]

    def test_by_ruling_they_go_after_the_dividend(self):
        late = {"warranties go": "after the dividend"}
        now = at_the_run("Y&N", ("A local 1",), ("local",), "H5", phase="C", rulings=late)
        after = now.when("ann", run(now.table, "Y&N", A_0="H5-G6-F5"))
        assert [train.warranties for train in after.table.trains[company("Y&N")]] == [1]
        after = after.when("ann", PayDividend("none"))
        assert after.table.trains[company("Y&N")] == ()


class TestReceivership:
    """7.3, 8.0, 4.77 of 1862.md: what a company without a director does by itself."""

    def test_it_runs_for_the_most_revenue_and_subsidy_and_keeps_it(self):
        table: Table = at_the_run("Y&N", ("B local",), ("local",), "H5", director=None).table
        id = company("Y&N")
        assert table.markers[id].price == 86
        # 50, and 90 of revenue with 40 of subsidy; a train of the bank costs 200.
        assert table.cash[id] == 180
        best = best_runs(ruleset_of(table), table, id, both=True)
        assert best.revenue + best.subsidy == 130

    def test_it_builds_nothing_places_nothing_redeems_nothing_and_joins_nobody(self):
        """A07: its turn has no such steps."""
        table = position(
            railway(
                "Y&N", 95, director=None, ann=2, pool=3, cash=150, trains=("B local",), tokens=2
            ),
            phase="B",
        )
        lying = board(sold_up_to(table, "B"), NORFOLK, {"Y&N": ("H5",)})
        after = playing_on(lying, Round(FrameId("10.0"), "operating", 2, 1, 1))
        id = company("Y&N")
        assert (after.board.tiles, after.board.tokens) == (lying.board.tiles, lying.board.tokens)
        assert after.certificates[id] == lying.certificates[id]
        assert after.markers[id].price == 86
        # 130 earned and 200 for a train, as what its one permit is for.
        assert after.cash[id] == 150 + 130 - 200
        assert [train.side for train in after.trains[id]] == ["local", "local"]

    def test_by_ruling_whoever_acts_for_it_names_the_runs(self):
        by_hand = {"receivership runs": "who acts for it"}
        now = at_the_run(
            "Y&N", ("B local",), ("local",), "H5", director=None, rulings=by_hand
        ).awaits("ann")
        after = now.when("ann", run(now.table, "Y&N", B_0="H5-G6-F5"))
        assert after.table.markers[company("Y&N")].price == 86
        assert after.table.cash[company("Y&N")] == 50 + 90 + 30


@pytest.mark.parametrize(
    ("name", "train", "tiles", "calls", "rule"),
    [
        ("FDR", "A freight", ESSEX, "H11-G12-F11", "1862 7.8.1"),
        ("Y&N", "A local", NORFOLK, "H5-G6-F5-F3", "1862 7.8.2"),
        ("Y&N", "A express", NORFOLK, "H5-G6-F5-F3", "1862 7.8.3"),
    ],
)
def test_a_run_too_long_is_refused_by_the_rule_of_its_type(name, train, tiles, calls, rule):
    side = train.split(" ")[1]
    home = {"FDR": "G12", "Y&N": "H5"}[name]
    now = at_the_run(name, (train,), (side,), home, tiles=tiles)
    now.when("ann", run(now.table, name, A_0=calls)).then(Code.BAD_RUN)
    assert now.when("ann", run(now.table, name, A_0=calls)).refusals[0].rule == rule


def test_one_run_apart_meets_no_other_and_several_meet_none():
    """7.8: told in the number that it is."""
    now = at_the_run("Y&N", ("A local", "A express"), ("local", "express"), "H5", "F3")
    said = now.when("ann", run(now.table, "Y&N", A_0="H5-G6-F5", A_1="F1-F3")).refusals[0]
    assert said.sentence == "A-1 meets no other run at a large station."

"""Runs that share track and hang together: what is refused, what each set scores (7.4, 7.8)."""

from itertools import permutations

import msgspec
import pytest

from contracts.ids import CompanyId, PhaseId
from contracts.runs import Run, Stop, Track
from services.engine.rules.network.best import best
from services.engine.rules.network.building import SmallStation, with_small_station
from services.engine.rules.network.freight import End, bonus
from services.engine.rules.network.readings import RULEBOOK, Readings, readings_of
from services.engine.rules.network.resolve import resolve, sketched
from services.engine.rules.network.routes import checked
from tests.network.recorded_united import runners
from tests.network.united_boards import empty, held, laid

IDLE = Readings(may_idle=True)
USED = Readings(entry="used", may_idle=True)
SITE = Readings("used", permanents_apart=True, any_stop_joins=True, may_idle=True)


class Company:
    """A company on a board in a phase, with trains that run along hexes."""

    def __init__(self, facts, lays, tokens, phase="B", readings=IDLE):
        self.facts, self.phase, self.readings = facts, PhaseId(phase), readings
        self.board = held(facts, laid(facts, empty(facts), *lays.split()), *tokens.split())
        self.id = CompanyId(tokens.partition("@")[0])

    def runs(self, **trains_along):
        """`_2F="G12-F11"` runs a 2F; `M` stands for the stroke of an N/M train's name."""
        names = tuple(name[1:].replace("M", "/").rstrip("x") for name in trains_along)
        trains = runners(self.facts, *names)
        found = resolve(
            self.facts,
            self.board,
            self.phase,
            self.id,
            trains=trains,
            sketches=tuple(
                sketched(self.facts, self.board, train.id, text)
                for train, text in zip(trains, trains_along.values(), strict=True)
            ),
            rulings=self.readings,
        )
        assert not found.objections, found.objections
        return trains, found.runs

    def checked(self, trains, runs):
        return checked(
            self.facts,
            self.board,
            self.phase,
            self.id,
            trains=trains,
            runs=runs,
            readings=self.readings,
        )

    def earned(self, **trains_along):
        outcome = self.checked(*self.runs(**trains_along))
        assert not outcome.objections, outcome.objections
        return outcome.revenue, outcome.subsidy

    def refused(self, **trains_along):
        return {o.code for o in self.checked(*self.runs(**trains_along)).objections}

    def best(self, *names):
        trains = runners(self.facts, *names)
        found = best(self.facts, self.board, self.phase, self.id, trains, readings=self.readings)
        assert found.proven
        outcome = self.checked(trains, found.runs)
        assert (outcome.objections, outcome.revenue) == ((), found.revenue)
        return found.revenue, found.subsidy


NORFOLK = "H5:202/5 G6:8851/4 F5:790/2 F3:57/0"
ESSEX = "G12:6/2 F11:790/1 E12:790/0 D13:57/1"


class TestWorkedExamples:
    """1862.md, part 5."""

    def test_a_local_counts_small_stations_and_brings_ten_a_hex(self, anglia):
        y_and_n = Company(anglia, NORFOLK, "Y&N@H5")
        assert y_and_n.earned(_2L="H5-G6-F5") == (90, 30)
        assert y_and_n.earned(_2M3L="H5-G6-F5-F3") == (90, 40)
        assert y_and_n.best("2L") == (90, 30)
        assert y_and_n.best("2/3L") == (90, 40)

    def test_an_express_counts_the_best_two_of_three(self, anglia):
        enr = Company(anglia, NORFOLK, "ENR@F3")
        assert enr.earned(_2M3E="F1-F3-F5") == (120, 0)

    def test_local_and_express_together_score_each_station_once(self, anglia):
        y_and_n = Company(anglia, NORFOLK, "Y&N@H5 Y&N@F5")
        both = {"_2M3L": "H5-G6-F5-F3", "_2M3E": "F1-F3-F5"}
        assert y_and_n.earned(**both) == (190, 40)
        assert y_and_n.best("2/3L", "2/3E") == (190, 40)

    def test_a_freight_to_a_port_earns_thirty_a_hex(self, anglia):
        fdr = Company(anglia, ESSEX, "FDR@G12")
        assert fdr.earned(_2F="H11-G12-F11") == (140, 0)

    def test_a_freight_to_london_counts_from_any_entry_or_the_one_used(self, anglia):
        ecr = Company(anglia, ESSEX, "ECR@D13 ECR@london")
        assert ecr.earned(_2F="E12-D13-C14") == (200, 0)
        ecr.readings = USED
        assert ecr.earned(_2F="E12-D13-C14") == (160, 0)

    def test_a_chain_scores_only_its_outer_ends(self, anglia):
        chain = {"_2F": "H11-G12-F11", "_3F": "F11-E12-D13-C14"}
        fdr = Company(anglia, ESSEX, "FDR@G12 FDR@F11 FDR@london", phase="C")
        assert fdr.earned(**chain) == (430, 0)
        assert fdr.best("2F", "3F")[0] >= 430
        fdr.readings = USED
        assert fdr.earned(**chain) == (370, 0)

    def test_two_freights_reach_as_far_as_one_of_their_sum(self, anglia):
        fdr = Company(anglia, ESSEX, "FDR@G12 FDR@F11 FDR@london", phase="C")
        alone = Company(anglia, ESSEX, "FDR@G12 FDR@F11 FDR@london", phase="C")
        assert alone.earned(_5F="H11-G12-F11-E12-D13-C14") == fdr.earned(
            _2F="H11-G12-F11", _3F="F11-E12-D13-C14"
        )


class TestFreightArithmetic:
    """A15."""

    def test_neighbours_bring_no_bonus(self, anglia):
        wnr = Company(anglia, "E2:14/1", "WNR@E2", phase="A")
        assert wnr.earned(_1F="E2-D1") == (110, 0)

    @pytest.mark.parametrize(
        ("lay", "mouth"), [("H7:5/0", "H9"), ("H7:6/5", "I8"), ("H7:57/1", "I6")]
    )
    @pytest.mark.parametrize("readings", [IDLE, USED])
    def test_every_mouth_of_a_port_is_measured_alike(self, anglia, lay, mouth, readings):
        wvr = Company(anglia, f"G8:57/1 {lay}", "WVR@G8", phase="C", readings=readings)
        assert wvr.earned(_2F=f"G8-H7-{mouth}") == (140, 0)

    def test_plain_track_at_the_end_counts_as_a_hex_between(self, anglia):
        lays = "D5:57/0 D7:8852/0 D9:202/1 C10:6/4 C12:8852/0"
        l_and_d = Company(anglia, lays, "L&D@D5 L&D@london", phase="E", readings=USED)
        assert l_and_d.earned(_5F="D5-D7-D9-C10-C12-C14") == (300, 0)

    def test_a_chain_between_neighbours_earns_its_ends(self, anglia):
        eur = Company(anglia, "D11:57/5 E12:790/1 D13:57/1", "EUR@E12")
        assert eur.earned(_1F="D11-E12", _1Fx="E12-D13") == (40, 0)

    def test_no_freight_ends_in_a_small_station(self, anglia):
        y_and_n = Company(anglia, NORFOLK, "Y&N@H5 Y&N@F5")
        trains, (run,) = y_and_n.runs(_2F="H5-G6-F5")
        at = [piece.other for piece in run.track].index("t0") + 1
        for half, end in ((run.track[:at], run.stops[:1]), (run.track[at:], run.stops[-1:])):
            short = Run(run.trains, half, end, end)
            for written in (short, _turned(short)):
                found = y_and_n.checked(trains, (written,))
                assert "ends-small" in {o.code for o in found.objections}

    def test_barriers_are_flown_over(self, anglia):
        ends = [End(Stop(hex_id, "c0"), "", "") for hex_id in ("F13", "G12", "G10")]
        assert bonus(anglia, "any", ends[0], ends[1]) == 0
        assert bonus(anglia, "any", ends[0], ends[2]) == 20

    def test_freights_that_do_not_join_are_refused_unless_permanents_may_run_apart(self, anglia):
        lays, tokens = ESSEX, "FDR@G12 FDR@F11 FDR@london"
        apart = {"_6F": "H11-G12-F11", "_7F": "G12-F11-E12"}
        fdr = Company(anglia, lays, tokens, phase="E")
        assert fdr.refused(**apart) == {"no-chain"}
        fdr.readings = SITE
        assert not fdr.refused(**apart)
        rusting = {"_3F": "H11-G12-F11", "_5F": "G12-F11-E12"}
        assert fdr.refused(**rusting) == {"no-chain"}
        beside = {"_3F": "H11-G12-F11", "_7F": "G12-F11-E12"}
        assert fdr.refused(**beside) == {"no-chain"}

    def test_a_ring_and_a_star_are_no_chain(self, anglia):
        eur = Company(anglia, "D11:5/5 E12:790/1 D13:5/3 F11:790/1", "EUR@E12 EUR@D11")
        line = {"_1F": "D11-E12", "_1Fx": "E12-D13"}
        assert eur.earned(**line) == (40, 0)
        assert eur.refused(**line, _1Fxx="D13-D11") == {"no-chain"}
        assert eur.refused(**line, _1Fxx="E12-F11") == {"no-chain"}

    def test_where_permanents_may_run_apart_a_star_is_a_line_and_what_else_joins_it(self, anglia):
        tokens = "EUR@E12 EUR@D11"
        eur = Company(anglia, "D11:5/5 E12:790/1 D13:5/3 F11:790/1", tokens, phase="G")
        star = {"_6F": "D11-E12", "_7F": "E12-D13", "_8F": "E12-F11"}
        assert eur.refused(**star) == {"no-chain"}
        eur.readings = SITE
        assert eur.earned(**star) == (20 + 20 + 40 + 40, 0)
        trains, runs = eur.runs(**star)
        for order in permutations(runs):
            assert eur.checked(trains, order).revenue == 120
        # One that rusts goes on with a permanent one, wherever it stands among them.
        rusting = {"_6F": "D11-E12", "_7F": "E12-D13", "_3F": "E12-F11"}
        assert eur.earned(**rusting) == ((40 + 20 + 20) + (40 + 20), 0)
        for third in ("_2F", "_8F"):
            two_rust = {"_3F": "D11-E12", "_5F": "E12-D13", third: "E12-F11"}
            assert eur.refused(**two_rust) == {"no-chain"}


LINE = "G12:57/2 F11:791/1 E12:791/1 D13:14/1 D11:14/2"
"""From Felixstowe over Ipswich and Colchester to Witham."""


class TestTheSet:
    """A16: legality belongs to the set of runs, whatever the order and direction."""

    def company(self, anglia, **settings):
        return Company(anglia, LINE, "ECR@D13 ECR@E12 ECR@F11 ECR@G12", **settings)

    def test_any_order_and_direction_gives_the_same(self, anglia):
        ecr = self.company(anglia)
        trains, runs = ecr.runs(_2E="G12-F11", _2Ex="F11-E12", _2Exx="E12-D13")
        wanted = ecr.checked(trains, runs)
        assert not wanted.objections
        for order in permutations(runs):
            for turned in range(8):
                given = tuple(
                    _turned(run) if turned >> at & 1 else run for at, run in enumerate(order)
                )
                assert ecr.checked(trains[::-1], given) == wanted

    def test_freights_drawn_from_the_outer_ends_join_all_the_same(self, anglia):
        ecr = self.company(anglia)
        trains, runs = ecr.runs(_1F="G12-F11", _2F="E12-D13", _3F="F11-E12")
        wanted = ecr.checked(trains, runs)
        assert not wanted.objections
        for order in permutations(runs):
            assert ecr.checked(trains, tuple(map(_turned, order))) == wanted

    def test_one_run_calls_at_home(self, anglia):
        assert self.company(anglia).refused(_2E="G12-F11") == {"no-home"}

    def test_runs_that_do_not_meet_are_refused(self, anglia):
        apart = {"_2E": "E12-D13", "_2Ex": "G12-F11"}
        assert self.company(anglia).refused(**apart) == {"runs-apart"}

    def test_an_area_joins_no_runs_unless_a_ruling_says_so(self, anglia):
        ngc = Company(anglia, "C10:57/1 B11:8851/4 B9:790/0", "NGC@C10 NGC@B9", phase="C")
        joined = {"_2E": "C10-B11-A10", "_2Ex": "B9-A10"}
        assert ngc.refused(**joined) == {"runs-apart"}
        ngc.readings = SITE
        assert not ngc.refused(**joined)

    @pytest.mark.parametrize("along", ["C10-B11-A10-B9", "B9-A10-B11-C10"])
    def test_no_run_goes_through_an_area(self, anglia, along):
        ngc = Company(anglia, "C10:57/1 B11:8851/4 B9:790/0", "NGC@C10 NGC@B9", phase="C")
        assert ngc.refused(_4M5E=along) == {"through-area"}

    def test_a_full_town_where_both_end_joins_them(self, anglia):
        lays = "G12:6/2 F11:790/1 E12:790/0"
        fdr = Company(anglia, lays, "FDR@G12 FDR@E12 ESR@F11 WVR@F11", phase="B")
        assert not fdr.refused(_2E="G12-F11", _2Ex="F11-E12")
        assert "through-full-city" in fdr.refused(_3E="G12-F11-E12")

    def test_trains_may_share_track_but_not_use_it_twice(self, anglia):
        ecr = self.company(anglia)
        assert ecr.earned(_2E="D13-E12", _3E="D13-E12-F11") == ecr.earned(_3E="D13-E12-F11")
        trains, (run,) = ecr.runs(_3E="D13-E12-F11")
        there_and_back = Run(
            run.trains,
            run.track + _turned(run).track,
            run.stops + _turned(run).stops[1:],
            run.counted,
        )
        found = {o.code for o in ecr.checked(trains, (there_and_back,)).objections}
        assert {"station-twice", "track-twice"} <= found

    def test_a_token_in_london_opens_it_and_makes_no_route(self, anglia):
        ecr = Company(anglia, ESSEX, "ECR@D13")
        assert ecr.refused(_2E="D13-C14") == {"no-link"}
        linked = Company(anglia, ESSEX, "ECR@D13 ECR@london")
        assert not linked.refused(_2E="D13-C14")
        only = Company(anglia, ESSEX, "ECR@london ECR@E12")
        assert {"no-token", "no-home"} & only.refused(_2E="D13-C14")

    def test_a_run_has_one_red_area_and_one_port_at_most_and_a_large_station(self, anglia):
        y_and_n = Company(anglia, "H5:201/4", "Y&N@H5")
        assert "two-areas-of-a-kind" in y_and_n.refused(_3E="I6-H5-I4")

    def test_a_local_runs_to_no_area(self, anglia):
        fdr = Company(anglia, ESSEX, "FDR@G12")
        assert fdr.refused(_2L="G12-H11") == {"local-to-area"}

    def test_lengths(self, anglia):
        ecr = self.company(anglia)
        assert ecr.refused(_2E="D13-E12-F11") == {"express-too-long"}
        assert ecr.refused(_1F="D13-E12-F11") == {"freight-too-far"}

    def test_the_stations_counted_are_as_many_as_the_train_counts(self, anglia):
        ecr = self.company(anglia)
        trains, (run,) = ecr.runs(_2M3E="D13-E12-F11")
        for counted in ((), run.stops, run.stops[:1] * 2, (Stop("A8", "o0"), run.stops[0])):
            wrong = msgspec.structs.replace(run, counted=counted)
            found = {o.code for o in ecr.checked(trains, (wrong,)).objections}
            assert found == {"express-count"}
        for left_out in range(3):
            some = run.stops[:left_out] + run.stops[left_out + 1 :]
            right = msgspec.structs.replace(run, counted=some)
            assert not ecr.checked(trains, (right,)).objections, "even home may be left out"


class TestIdleTrains:
    """A train must run if it can, if not well (7.8)."""

    tokens = "ECR@D13 ECR@E12 ECR@F11 ECR@G12"

    def test_a_train_that_could_run_beside_the_others_may_not_stand(self, anglia):
        ecr = Company(anglia, LINE, self.tokens, readings=RULEBOOK)
        trains, runs = ecr.runs(_2E="D13-E12", _2L="D13-E12")
        assert not ecr.checked(trains, runs).objections
        assert [o.code for o in ecr.checked(trains, runs[:1]).objections] == ["train-idle"]
        assert len(ecr.checked(trains, ()).objections) == 2

    def test_a_freight_must_run_even_where_that_earns_less(self, anglia):
        lays, tokens = "F11:790/1 E12:794/0 D13:57/1", "ECR@D13 ECR@E12 ECR@london"
        ecr = Company(anglia, lays, tokens, readings=RULEBOOK)
        both = {"_2F": "E12-D13-C14", "_1F": "E12-F11"}
        trains, runs = ecr.runs(**both)
        (long,) = [run for run in runs if run.trains == (trains[0].id,)]
        alone = (msgspec.structs.replace(long, counted=(long.stops[0], long.stops[-1])),)
        assert [o.code for o in ecr.checked(trains, alone).objections] == ["train-idle"]
        ecr.readings = IDLE
        assert ecr.checked(trains, alone).revenue > ecr.earned(**both)[0]
        # Both can share the way that one ran alone, which earns as much.
        most = ecr.checked(trains, alone).revenue
        ecr.readings = RULEBOOK
        assert ecr.best("2F", "1F") == (most, 0)

    def test_without_a_home_token_nothing_runs_and_nothing_must(self, anglia):
        lost = Company(anglia, LINE, "ECR@E12", readings=RULEBOOK)
        assert not lost.checked(runners(anglia, "2E"), ()).objections
        assert lost.best("2E", "3F") == (0, 0)


def test_the_small_stations_of_two_lines_pay_apart_and_their_hex_once(anglia):
    lays = "E8:57/0 E6:8852/0 E6:20/0 E4:57/0 F5:790/0 D7:8850/4 D5:57/0"
    n_and_b = Company(anglia, lays, "N&B@E8 N&B@F5")
    n_and_b.board = with_small_station(n_and_b.board, SmallStation("E6", "1-4"))
    trains, runs = n_and_b.runs(_2L="E8-E6-E4")
    outcome = n_and_b.checked(trains, runs)
    assert (outcome.revenue, outcome.subsidy) == (20 + 20 + 20, 30)
    assert [line.what for line in outcome.lines].count("small station") == 1


def test_rulings_become_readings(anglia):
    assert readings_of({}) == RULEBOOK
    defaults = {id_: ruling.default for id_, ruling in anglia.rulings.items()}
    assert readings_of(defaults) == RULEBOOK
    assert readings_of(anglia.ruling_sets["18xx.games"]) == SITE


def test_the_distance_from_the_hex_entered_is_a_reading_too(anglia):
    ecr = Company(anglia, ESSEX, "ECR@D13 ECR@london", readings=Readings("hex entered"))
    assert ecr.earned(_2F="E12-D13-C14") == (160, 0)


def _turned(run):
    track = tuple(Track(piece.hex, piece.other, piece.one) for piece in reversed(run.track))
    return Run(run.trains, track, run.stops[::-1], run.counted[::-1])

"""The best runs where trains share track: exact, or honest about what is not proven (7.8)."""

import random

import msgspec
import pytest

from services.engine.rules.network.best import Limits, best
from services.engine.rules.network.readings import RULEBOOK, Readings
from services.engine.rules.network.routes import checked
from tests.network.brute_united import Brute, BruteRules, BruteTrain
from tests.network.recorded_united import runners
from tests.network.united_boards import united_board

MIXTURES = (
    ("2E",),
    ("2/3E",),
    ("2/3L",),
    ("2F",),
    ("6F",),
    ("2E", "2/3E"),
    ("2/3L", "3E"),
    ("2L", "2/3L"),
    ("2F", "3F"),
    ("3F", "6F"),
    ("6F", "7F"),
    ("3F", "2/3L"),
    ("2E", "2E", "2E"),
    ("1F", "2F", "3F"),
    ("2F", "6F", "7F"),
    ("1F", "2L", "2E"),
    ("2/3E", "2/3L", "2F"),
    ("2/3L", "2/3L", "1F"),
    ("1F", "1F", "1F", "2E"),
)
READINGS = (
    RULEBOOK,
    Readings("used", permanents_apart=True, any_stop_joins=True, may_idle=True),
    Readings(may_idle=True),
    Readings("any", permanents_apart=True, may_idle=True),
)
SITE = READINGS[1]


def scored(facts, board, phase, company, trains, readings, found):
    """Revenue and subsidy by the rules of running, which share no scoring with the search."""
    outcome = checked(
        facts, board, phase, company, trains=trains, runs=found.runs, readings=readings
    )
    assert not outcome.objections
    return outcome.revenue, outcome.subsidy


@pytest.mark.parametrize("seed", range(380))
def test_it_is_what_the_obvious_searcher_finds(anglia, seed):
    lots = random.Random(seed)
    board, company = united_board(anglia, seed)
    readings = READINGS[seed // len(MIXTURES) % len(READINGS)]
    phase, both = lots.choice(list(anglia.phases)), seed % 5 == 0
    rules = BruteRules(
        readings.entry, readings.permanents_apart, readings.any_stop_joins, readings.may_idle
    )
    obvious = Brute(anglia, board, phase, company, rules)
    trains = runners(anglia, *MIXTURES[seed % len(MIXTURES)])
    plain = [
        BruteTrain(t.side, t.stations or 0, t.counts or 0, t.hexes or 0, t.rusts) for t in trains
    ]
    while obvious.number_of_sets(plain) > 2_000:
        plain, trains = plain[:-1], trains[:-1]
    revenue, subsidy = obvious.best(plain, both=both)
    found = best(anglia, board, phase, company, trains, readings=readings, both=both)
    assert found.proven
    if both:
        assert found.revenue + found.subsidy == revenue + subsidy == found.bound
    else:
        assert (found.revenue, found.subsidy, found.bound) == (revenue, subsidy, revenue)
    assert scored(anglia, board, phase, company, trains, readings, found) == (
        found.revenue,
        found.subsidy,
    )


@pytest.mark.parametrize("seed", range(40))
def test_little_work_gives_a_legal_answer_and_an_honest_bound(anglia, seed):
    board, company = united_board(anglia, seed, lays=60, radius=3)
    trains = runners(anglia, "2/3E", "2/3L", "3F", "2E")
    whole = best(anglia, board, "D", company, trains, readings=SITE)
    assert whole.proven
    for steps, nodes in ((5, 1_000), (40, 3), (0, 0), (100_000, 1), (100_000, 100)):
        limits = Limits(steps=steps, nodes=nodes)
        less = best(anglia, board, "D", company, trains, readings=SITE, limits=limits)
        assert scored(anglia, board, "D", company, trains, SITE, less) == (
            less.revenue,
            less.subsidy,
        )
        assert less.revenue <= whole.revenue <= less.bound
        assert not less.proven or (less.revenue, less.subsidy) == (whole.revenue, whole.subsidy)
        kept = best(
            anglia, board, "D", company, trains, readings=SITE, limits=limits, known=whole.runs
        )
        assert (kept.revenue, kept.subsidy) == (whole.revenue, whole.subsidy)


@pytest.mark.parametrize("seed", range(30))
def test_the_order_of_trains_and_tiles_changes_nothing(anglia, seed):
    board, company = united_board(anglia, seed, lays=50, radius=3)
    trains = runners(anglia, "2/3E", "2/3L", "3F", "1F")
    first = best(anglia, board, "D", company, trains)
    mirrored = msgspec.structs.replace(board, tiles=dict(reversed(board.tiles.items())))
    again = best(anglia, mirrored, "D", company, trains[::-1])
    assert (again.revenue, again.subsidy) == (first.revenue, first.subsidy)
    assert best(anglia, board, "D", company, trains) == first


@pytest.mark.parametrize("seed", range(30))
def test_one_more_train_that_is_no_freight_never_earns_less(anglia, seed):
    board, company = united_board(anglia, seed, lays=50, radius=3)
    names = ("2E", "2/3L", "3E")
    earned = [
        best(anglia, board, "D", company, runners(anglia, *names[:number])).revenue
        for number in range(4)
    ]
    assert earned == sorted(earned)
    assert earned[0] == 0


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("mixture", [("6E", "6L", "9F"), ("9F", "9F", "9F"), ("5/6E", "6E", "6L")])
def test_a_full_board_is_proven_by_work_alone(anglia, seed, mixture):
    board, company = united_board(anglia, 1_000 + seed, lays=400, radius=20)
    trains = runners(anglia, *mixture)
    for readings in (RULEBOOK, SITE):
        found = best(anglia, board, "H", company, trains, readings=readings)
        assert found.proven
        scored(anglia, board, "H", company, trains, readings, found)


def test_nine_small_trains_get_a_legal_answer_and_a_bound_in_bounded_work(anglia):
    board, company = united_board(anglia, 1_000, lays=400, radius=20)
    names = ("2/3E",) * 3 + ("2/3L",) * 3 + ("2F",) * 3
    trains = runners(anglia, *names)
    found = best(anglia, board, "H", company, trains, limits=Limits(nodes=30_000))
    assert not found.proven
    assert 0 < found.revenue < found.bound
    scored(anglia, board, "H", company, trains, RULEBOOK, found)


def test_a_clock_that_has_run_out_still_gives_a_legal_answer(anglia):
    board, company = united_board(anglia, 1_000, lays=400, radius=20)
    ticks = iter(range(10**9))
    limits = Limits(clock=lambda: float(next(ticks)), deadline=3.0)
    trains = runners(anglia, "2/3E", "2/3E", "2/3L", "2F", "3F")
    found = best(anglia, board, "H", company, trains, readings=SITE, limits=limits)
    assert not found.proven
    assert scored(anglia, board, "H", company, trains, SITE, found)[0] == found.revenue > 0
    assert found.bound >= best(anglia, board, "H", company, trains, readings=SITE).revenue
    assert next(ticks) < 2_000, "the clock was asked seldom, and obeyed"


def test_a_home_cut_off_runs_nothing(anglia):
    board, company = united_board(anglia, 3, lays=40, radius=2)
    alone = msgspec.structs.replace(
        board, tokens=tuple(t for t in board.tokens if t.kind != "home")
    )
    found = best(anglia, alone, "H", company, runners(anglia, "6E", "9F"))
    assert (found.runs, found.revenue, found.bound, found.proven) == ((), 0, 0, True)

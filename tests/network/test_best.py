"""The best runs: exact against an obvious searcher, honest where work is limited (3.6)."""

import random

import msgspec
import pytest

from contracts.ids import CompanyId
from services.engine.rules.network.best import Limits, best
from services.engine.rules.network.paths import can_run, ground
from services.engine.rules.network.routes import checked
from services.engine.table.board import Token
from tests.network.boards import (
    built,
    held,
    last_phase,
    random_board,
    run_along,
    trains_of,
    unlimited,
)
from tests.network.brute import Brute
from tests.network.recorded import with_token

MIXTURES = (
    (2,),
    (3,),
    (None,),
    (2, 3),
    (4, 4),
    (3, None),
    (2, 2, 3),
    (5, 6),
    (2, 3, 4),
)
PRR = CompanyId("PRR")


def scored(box, board, company, trains, found):
    """The answer's revenue by the rules of running, which share no scoring with the search."""
    outcome = checked(box, board, last_phase(box), company, trains=trains, runs=found.runs)
    assert not outcome.objections
    return outcome.revenue


@pytest.mark.parametrize("seed", range(400))
def test_it_is_what_the_obvious_searcher_finds(box, seed):
    lots = random.Random(seed)
    board, company = random_board(box, seed, lots.randint(20, 90), lots.randint(1, 4))
    mixture = MIXTURES[seed % len(MIXTURES)]
    obvious = Brute(box, board, last_phase(box), company)
    if len(obvious.runs()) ** (len(mixture) - 1) > 60_000:
        mixture = mixture[:1]
    wanted = obvious.best(list(mixture))
    trains = trains_of(*mixture)
    found = best(box, board, last_phase(box), company, trains)
    assert (found.revenue, found.proven, found.bound) == (wanted, True, wanted)
    assert scored(box, board, company, trains, found) == wanted
    for steps, nodes in ((5, 100_000), (5, 40), (40, 3), (40, 60_000), (0, 0)):
        limits = Limits(steps=steps, nodes=nodes)
        less = best(box, board, last_phase(box), company, trains, limits=limits)
        assert scored(box, board, company, trains, less) == less.revenue <= wanted <= less.bound
        assert less.proven == (less.revenue == less.bound)
        # What is known already is never lost, however little work is allowed.
        kept = best(box, board, last_phase(box), company, trains, known=found.runs, limits=limits)
        assert kept.revenue == wanted


@pytest.mark.parametrize("seed", range(60))
def test_the_order_of_trains_and_tokens_changes_nothing(box, seed):
    board, company = random_board(box, seed, lays=60, radius=3)
    trains = trains_of(2, 3, None)
    first = best(box, board, last_phase(box), company, trains)
    mirrored = msgspec.structs.replace(
        board, tokens=board.tokens[::-1], tiles=dict(reversed(board.tiles.items()))
    )
    assert best(box, mirrored, last_phase(box), company, trains[::-1]) == first


@pytest.mark.parametrize("seed", range(60))
def test_one_more_train_never_earns_less(box, seed):
    board, company = random_board(box, seed, lays=60, radius=3)
    earned = [
        best(box, board, last_phase(box), company, trains_of(*mixture)).revenue
        for mixture in ((), (2,), (2, 3), (2, 3, None))
    ]
    assert earned == sorted(earned)
    assert earned[0] == 0


def test_a_known_run_that_is_not_legal_is_passed_over(box, bare):
    board = held(box, built(box, bare, "H10:57/1"), "PRR@H12")
    trains = trains_of(2)
    (run,) = run_along(box, board, "PRR", trains, "H10-H12")
    forged = msgspec.structs.replace(run, counted=run.counted * 2)
    found = best(box, board, last_phase(box), PRR, trains, known=(forged,))
    assert (found.runs, found.revenue) == ((run,), 30)


def test_runs_are_told_in_the_order_of_trains_and_idle_trains_are_left_out(box, bare):
    board = held(box, built(box, bare, "H10:57/1", "H14:9/1", "H16:57/1"), "PRR@H12")
    found = best(box, board, last_phase(box), PRR, trains_of(2, 2, 2))
    assert [run.trains for run in found.runs] == [("2-0",), ("2-1",)]
    assert found.revenue == 60


@pytest.mark.parametrize("seed", range(6))
def test_a_full_board_is_proven_at_once_by_work_alone(box, seed):
    board, company = random_board(box, seed, lays=500, radius=30)
    for mixture in ((None, None), (None, 6, 5), (5, 5, 5)):
        trains = trains_of(*mixture)
        found = best(box, board, last_phase(box), company, trains, limits=Limits(20_000, 20_000))
        assert found.proven
        assert scored(box, board, company, trains, found) == found.revenue


def test_a_board_beyond_any_box_gets_a_legal_answer_and_an_honest_bound(box):
    many = unlimited(box)
    board, company = random_board(many, 0, lays=600, radius=30)
    trains = trains_of(None, 5)
    found = best(many, board, last_phase(many), company, trains, limits=Limits(20_000, 20_000))
    assert scored(many, board, company, trains, found) == found.revenue
    assert 0 < found.revenue <= found.bound
    assert found.proven == (found.revenue == found.bound)
    again = best(many, board, last_phase(many), company, trains, limits=Limits(20_000, 20_000))
    assert again == found


def test_a_clock_that_has_run_out_still_gives_a_legal_answer(box):
    many = unlimited(box)
    board, company = random_board(many, 0, lays=600, radius=30)
    ticks = iter(range(10**9))
    limits = Limits(clock=lambda: float(next(ticks)), deadline=5.0)
    trains = trains_of(None, 5)
    found = best(many, board, last_phase(many), company, trains, limits=limits)
    assert scored(many, board, company, trains, found) == found.revenue > 0
    assert not found.proven
    assert next(ticks) < 2_000, "the clock was asked seldom, and obeyed"


def test_a_company_can_run_if_a_token_is_joined_to_any_station(box, bare):
    """Two stations joined by track from a token, whatever the train (3.7.5)."""

    def possible(board):
        return can_run(ground(box, board, last_phase(box), PRR))

    alone = held(box, bare, "PRR@H12")
    assert not possible(bare)
    assert not possible(alone)
    assert not possible(built(box, alone, "H10:57/0"))
    assert possible(built(box, alone, "H10:57/1"))
    full = held(box, built(box, alone, "H10:57/1"), "NYC@H10")
    assert possible(full), "a route may end in a city full of others"
    waiting = with_token(built(box, bare, "H10:57/1"), Token(PRR, "E11", None, None, "home"))
    assert not possible(waiting)

"""Evenings with clock and notifier, in which everything goes wrong; and bugs that are found."""

import pytest

from tests.world.bugs import Bug
from tests.world.evening import Evening, evening_plan
from tests.world.evening_bugs import BUGS
from tests.world.whole import Whole
from tests.world.world import run

NO_BUG = Bug("none", memory=Whole)
SEEDS_TO_FIND_A_BUG = 12


def broken(seed: int, bug: Bug = NO_BUG) -> str:
    return run(seed, bug, plan=evening_plan(seed), kind=Evening).broken


@pytest.mark.parametrize("seed", range(6))
def test_everybody_is_told_once_and_no_timer_is_lost_or_done_twice(seed):
    assert broken(seed) == ""


@pytest.mark.slow
@pytest.mark.parametrize("bug", BUGS, ids=lambda bug: bug.name)
def test_a_planted_bug_is_found(bug):
    assert any(broken(seed, bug) for seed in range(SEEDS_TO_FIND_A_BUG))

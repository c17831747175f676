"""Whole worlds in which everything goes wrong, and nothing may be lost, doubled or left undone."""

import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from tests.world.__main__ import kept_seeds
from tests.world.bugs import BUGS, Bug
from tests.world.world import run

ROOT = Path(__file__).resolve().parents[2]
BATCHES = 8
SEEDS_OF_A_BATCH = 25
SEEDS_TO_FIND_A_BUG = 150


@pytest.mark.parametrize("batch", range(BATCHES))
def test_nothing_is_lost_doubled_or_left_undone_whatever_goes_wrong(batch):
    records = 0
    for seed in range(batch * SEEDS_OF_A_BATCH, (batch + 1) * SEEDS_OF_A_BATCH):
        outcome = run(seed)
        records += outcome.records
        assert not outcome.broken, str(outcome)
        assert outcome.answers >= outcome.plan.clients * outcome.plan.orders
    # Not in each: a store that writes to its disk once a second may lose all there is.
    assert records > 10 * SEEDS_OF_A_BATCH


@pytest.mark.parametrize("seed", kept_seeds())
def test_a_world_that_once_broke_does_not_break_again(seed):
    outcome = run(seed)
    assert not outcome.broken, str(outcome)


def test_every_trouble_comes_to_pass_within_a_few_seeds():
    happened: Counter[str] = Counter()
    for seed in range(SEEDS_OF_A_BATCH // 2):
        happened.update(run(seed).happened)
    assert [name for name, count in happened.items() if not count] == []


@pytest.mark.parametrize("bug", BUGS, ids=lambda bug: bug.name)
def test_a_planted_bug_is_found(bug: Bug):
    found = next((seed for seed in range(SEEDS_TO_FIND_A_BUG) if run(seed, bug).broken), None)
    assert found is not None, f"{bug.name}: not found in {SEEDS_TO_FIND_A_BUG} worlds"
    assert not run(found, Bug("none", is_of_lost_tails=bug.is_of_lost_tails)).broken


def test_the_same_seed_gives_the_same_world_step_by_step():
    for seed in (3, 14):
        one, other = run(seed), run(seed)
        assert one.trace == other.trace
        assert len(one.trace) > 100
        assert {mark_of(seed, hashing) for hashing in ("1", "2")} == {one.mark}


def mark_of(seed: int, hashing: str) -> str:
    """The checksum of a world's trace in another process, where hashes are otherwise."""
    program = f"from tests.world.world import run; print(run({seed}).mark)"
    found = subprocess.run(
        [sys.executable, "-c", program],
        cwd=ROOT,
        env={**os.environ, "PYTHONHASHSEED": hashing},
        capture_output=True,
        text=True,
        check=True,
    )
    return found.stdout.strip()

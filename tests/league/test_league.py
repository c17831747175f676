"""A small season: everybody is told what he should be, whatever dies; and planted bugs are found.

The season by which this is judged is larger, and run by hand: `python -m tests.league`.
"""

import pytest

from tests.league.__main__ import played
from tests.league.bugs import BUGS, Bug
from tests.league.plan import Plan

SMALL = Plan(seed=5, tables=6, days=6, kills_a_day=6.0, restarts=1)
LONGER = Plan(seed=7, tables=12, days=10, restarts=1)
"""Long enough for time to be called and turns to be taken back, which some bugs are about."""


def test_everybody_is_told_what_he_should_be_and_nothing_else():
    season, verdict = played(SMALL)
    assert verdict.is_sound, f"\n{verdict}"
    counts = verdict.counts
    assert counts["tables"] == SMALL.tables
    assert counts["turns by channel that must be told"] > 50
    assert counts["turns by channel that must not be told"] > 10
    assert season.happened["notifier died"] > 5
    assert season.happened["server restarted"] == SMALL.restarts


@pytest.mark.slow
@pytest.mark.parametrize("bug", BUGS, ids=lambda bug: bug.name)
def test_a_planted_bug_is_found(bug: Bug):
    _, verdict = played(LONGER, bug)
    assert not verdict.is_sound

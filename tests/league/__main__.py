"""Play and judge a season: `python -m tests.league --tables 200 --days 30 --seed 1`."""

import argparse
import asyncio
import logging
import sys
import tempfile
import time
from pathlib import Path

import structlog

from tests.league.bugs import BUGS, NO_BUG, Bug
from tests.league.judge import judged
from tests.league.plan import Plan
from tests.league.season import Played, Season
from tests.league.verdict import Verdict

NAMES = {bug.name: bug for bug in (NO_BUG, *BUGS)}


def played(plan: Plan, bug: Bug = NO_BUG, *, tells: bool = False) -> tuple[Played, Verdict]:
    """Play a season in a folder that is gone afterwards, and judge it."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))
    try:
        with tempfile.TemporaryDirectory() as folder, bug.planted():
            found = asyncio.run(Season(plan, Path(folder), tells=tells).play())
    finally:
        structlog.reset_defaults()
    return found, judged(found)


def main(arguments: list[str]) -> int:
    """Play a season and print the verdict; 1 if anything is wrong."""
    parser = argparse.ArgumentParser(prog="python -m tests.league", description=__doc__)
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--days", type=int, default=30)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--bug", choices=sorted(NAMES), default=NO_BUG.name, help="plant a bug")
    given = parser.parse_args(arguments)
    plan = Plan(given.seed, given.tables, given.days)
    found, verdict = played(plan, NAMES[given.bug], tells=True)
    print(f"seed {given.seed}: {given.tables} tables, {given.days} days, {found.seconds:.0f} s")
    print(", ".join(f"{name} {count}" for name, count in sorted(found.happened.items())))
    print(verdict)
    print(f"{time.process_time():.0f} s of this process's own time")
    wrong = sum(map(len, verdict.faults.values()))
    print(f"{wrong} wrong." if wrong else "All is well.")
    return 0 if verdict.is_sound else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

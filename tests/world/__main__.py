"""Run worlds by the thousand: `python -m tests.world --seeds N`, from where the last run ended."""

import argparse
import sys
import time
from collections import Counter
from pathlib import Path

from tests.world.world import Outcome, commit, run

KEPT_SEEDS = Path(__file__).with_name("kept_seeds.txt")
SECONDS_BETWEEN_LINES = 5.0


def kept_seeds() -> list[int]:
    """The seeds whose worlds once broke."""
    lines = KEPT_SEEDS.read_text().splitlines()
    return [int(line.split()[0]) for line in lines if line.strip() and not line.startswith("#")]


def main(arguments: list[str]) -> int:
    """Run the worlds that the arguments name; 1 if any of them breaks."""
    parser = argparse.ArgumentParser(prog="python -m tests.world", description=__doc__)
    parser.add_argument("--seeds", type=int, default=1000, help="how many worlds")
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--seed", type=int, help="this one world, with its whole trace")
    parser.add_argument("--keep", action="store_true", help="add seeds that break to the kept ones")
    given = parser.parse_args(arguments)
    if given.seed is not None:
        outcome = run(given.seed)
        print("\n".join(outcome.trace))
        print(f"\n{outcome}" if outcome.broken else f"\nseed {given.seed}: all is well")
        return 1 if outcome.broken else 0
    return many(range(given.first, given.first + given.seeds), keep=given.keep)


def many(seeds: range, *, keep: bool) -> int:
    """Run many worlds, saying how it goes."""
    began = told = time.monotonic()
    totals: Counter[str] = Counter()
    broken: list[Outcome] = []
    print(f"commit {commit()}, seeds {seeds.start} to {seeds.stop - 1}")
    for number, seed in enumerate(seeds, 1):
        outcome = run(seed)
        totals.update(outcome.happened)
        totals.update(records=outcome.records, answers=outcome.answers, looks=outcome.looks)
        if outcome.broken:
            broken.append(outcome)
            print(outcome)
            if keep:
                with KEPT_SEEDS.open("a") as file:
                    file.write(f"{seed}  {outcome.broken}\n")
        if time.monotonic() - told > SECONDS_BETWEEN_LINES or number == len(seeds):
            told = time.monotonic()
            took = told - began
            print(f"{number}/{len(seeds)} worlds, {len(broken)} broken, {took:.0f} s", flush=True)
    print(", ".join(f"{name} {count}" for name, count in sorted(totals.items())))
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""What a benchmark measures, and how: a figure beside a baseline taken in the same run.

A second on a shared machine means little; how often something goes into a fixed piece of other work
means the same on any. Work of one process is measured in its own CPU time, latencies by the clock
on the wall.
"""

import gc
import time
from collections.abc import Callable, Sequence
from typing import Final

from msgspec import Struct

ROUNDS: Final = 100_000
"""Of the calibration loop; it takes some ten milliseconds."""
CALIBRATION: Final = "calibration loop"


class Figure(Struct, frozen=True):
    """Something measured.

    `ratio` is the figure beside its baseline of the same run, so that runs can be compared; a lower
    one is better unless it `should_grow`. `goal` is what the design asks for, in words.
    """

    name: str
    value: float
    unit: str
    baseline: str = ""
    ratio: float | None = None
    goal: str = ""
    should_grow: bool = False


class Benchmark(Struct, frozen=True):
    """One subject: what it measures, and whether it needs nothing but this process."""

    name: str
    what: str
    run: Callable[[bool], list[Figure]]
    """Takes whether it is to be quick: the same work, less often or on less."""
    is_pure: bool = True


def cpu_seconds(work: Callable[[], object], *, most_seconds: float = 1.0, times: int = 7) -> float:
    """The least CPU time that some work took of so many times, or as often as there is time for."""
    best, spent, done = float("inf"), 0.0, 0
    while done < times and (done == 0 or spent < most_seconds):
        gc.collect()
        began = time.process_time()
        work()
        took = time.process_time() - began
        best, spent, done = min(best, took), spent + took, done + 1
    return best


def calibration() -> float:
    """The CPU time of a loop over numbers and a dict, which nothing of ours makes slower."""

    def loop() -> None:
        found: dict[int, int] = {}
        for number in range(ROUNDS):
            found[number & 255] = (found.get((number * 7) & 255, 0) + number) & 0xFFFF

    return cpu_seconds(loop, times=15)


def in_calibrations(
    name: str, seconds: float, value: float, unit: str, *, goal: str = "", baseline: float
) -> Figure:
    """A figure of CPU time, its ratio in calibration loops."""
    return Figure(name, value, unit, CALIBRATION, seconds / baseline, goal)


def quantile(sorted_values: Sequence[float], part: float) -> float:
    """The value below which such a part of all values lies.

    >>> quantile([1, 2, 3, 4, 5], 0.5), quantile([1, 2, 3, 4, 5], 0.99)
    (3, 5)
    """
    return sorted_values[min(len(sorted_values) - 1, int(part * len(sorted_values)))]

"""All benchmarks, by name, in the order in which they run."""

from typing import Final

from benchmarks.appending import APPENDING
from benchmarks.choosing import CHOOSING
from benchmarks.deciding import DECIDING
from benchmarks.evolving import EVOLVING
from benchmarks.measuring import Benchmark
from benchmarks.opening import OPENING
from benchmarks.ordering import LATENCY, PROCESSES
from benchmarks.running import RUNNING
from benchmarks.storing import ENCODED, KEPT
from benchmarks.timing import TIMING

BENCHMARKS: Final[tuple[Benchmark, ...]] = (
    EVOLVING,
    DECIDING,
    CHOOSING,
    RUNNING,
    ENCODED,
    OPENING,
    APPENDING,
    KEPT,
    LATENCY,
    PROCESSES,
    TIMING,
)

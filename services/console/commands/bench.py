"""`bench`: how fast it is, as ratios to baselines taken in the same run."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

from cyclopts import Parameter

from services.console.options import AsJson, Flag

if TYPE_CHECKING:
    from collections.abc import Sequence

    from benchmarks.measuring import Benchmark
    from benchmarks.results import Results

EXAMPLE: Final = "bench evolve decide --quick"
ROOT: Final = Path(__file__).resolve().parents[3]
FOLDER: Final = "benchmarks"
"""The folder of the benchmarks in the project; an installed Minutebook has none."""


def bench(
    *names: Annotated[str, Parameter(name="NAME")],
    quick: Flag = False,
    write: Flag = False,
    as_json: AsJson = False,
) -> int:
    """Measure, and hold the figures against those that were kept last.

    Figures of a run are ratios to a baseline of the same run, so that runs on different machines
    can be compared. Recorded games are used where they are at hand (`MINUTEBOOK_HISTORIES`), else
    games of house players.

    Parameters
    ----------
    names
        What to measure; everything if nothing is named.
    quick
        Measure less and less often, only to see that it works.
    write
        Keep the figures, in benchmarks/results.md and results.json.
    as_json
        Print one object of JSON.
    """
    from services.console.errors import BadInputError
    from services.console.screen import say

    if not (ROOT / FOLDER).is_dir():
        raise BadInputError("Benchmarks run in the project's own folder: clone it and run there.")
    if quick and write:
        raise BadInputError("--write keeps whole measurements, not --quick ones.")
    # The benchmarks are no part of what is installed.
    if str(ROOT) not in sys.path:
        sys.path.insert(0, str(ROOT))
    from benchmarks.results import Taken, conditions, keep, kept

    before = kept()
    taken: Results = {}
    for one in _chosen(names):
        say(f"{one.name}: {one.what} ...")
        began = conditions()
        taken[one.name] = Taken(began, tuple(one.run(quick)))
    if as_json:
        _print_json(taken)
    else:
        _print(taken, {} if quick else before)
    if write:
        keep({**before, **taken})
        say(f"Kept in {FOLDER}/results.md and results.json.")
    return 0


def _chosen(names: "Sequence[str]") -> "tuple[Benchmark, ...]":
    from benchmarks.catalogue import BENCHMARKS
    from services.console.errors import BadInputError

    known = {one.name: one for one in BENCHMARKS}
    for name in names:
        if name not in known:
            raise BadInputError(f"There is no benchmark {name}. There are: {', '.join(known)}.")
    return tuple(known[name] for name in names) if names else BENCHMARKS


def _print(taken: "Results", before: "Results") -> None:
    from benchmarks.results import beside, number
    from services.console.screen import show, table

    columns = ("what", "figure", "goal", "beside", "ratio", "to the last kept")
    shown = table(columns, right=("figure", "goal", "ratio", "to the last kept"))
    for one in taken.values():
        for figure in one.figures:
            ratio = "" if figure.ratio is None or not figure.baseline else number(figure.ratio)
            change = beside(figure, before)
            shown.add_row(
                figure.name,
                f"{number(figure.value)} {figure.unit}",
                figure.goal,
                figure.baseline,
                ratio,
                "" if change is None else f"{change:.2f}",
            )
    show(shown)


def _print_json(taken: "Results") -> None:
    import msgspec

    from services.console.screen import data

    data(msgspec.json.encode(taken).decode())

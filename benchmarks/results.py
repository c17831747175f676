"""Results: kept for machines and for people, and held against those that were kept last."""

import os
import platform
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from benchmarks.measuring import Figure

FOLDER: Final = Path(__file__).parent
FILE: Final = FOLDER / "results.json"
TOLD: Final = FOLDER / "results.md"
NOTES: Final = FOLDER / "notes.md"
"""What was learned, by hand; it comes after the figures."""


class Conditions(Struct, frozen=True):
    """Where and when figures were taken. `load` is how many programs wanted to run just before."""

    at: str
    python: str
    system: str
    cores: int
    load: float


class Taken(Struct, frozen=True):
    """The figures of one benchmark, with their conditions."""

    conditions: Conditions
    figures: tuple[Figure, ...]


Results = dict[str, Taken]


def conditions() -> Conditions:
    """The conditions now."""
    return Conditions(
        at=datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"),
        python=sys.version.split()[0],
        system=f"{platform.system()} {platform.machine()}",
        cores=os.cpu_count() or 1,
        load=round(os.getloadavg()[0], 1),
    )


def kept() -> Results:
    """The results that were kept last."""
    if not FILE.exists():
        return {}
    return msgspec.json.decode(FILE.read_bytes(), type=Results)


def keep(results: Results) -> None:
    """Keep results for machines and for people."""
    FILE.write_bytes(msgspec.json.format(msgspec.json.encode(results)) + b"\n")
    TOLD.write_text(told(results))


def beside(figure: Figure, before: Results) -> float | None:
    """How much dearer a figure is than the one kept last (1.0 is equal), None without one.

    Ratios to the baselines of their runs are compared, so the machine matters little.
    """
    for taken in before.values():
        for old in taken.figures:
            if old.name == figure.name and old.ratio and figure.ratio:
                dearer = figure.ratio / old.ratio
                return 1 / dearer if figure.should_grow else dearer
    return None


def told(results: Results) -> str:
    """Results as a page."""
    lines = ["# Results of the benchmarks", "", _FOREWORD]
    for name, taken in results.items():
        lines += ["", f"## {name}", "", _words(taken.conditions), ""]
        lines += ["| what | figure | to be reached | beside | ratio |", "|---|--:|--:|---|--:|"]
        lines += [_row(figure) for figure in taken.figures]
    notes = NOTES.read_text() if NOTES.exists() else ""
    return "\n".join((*lines, "", notes)).rstrip() + "\n"


def number(value: float) -> str:
    """A figure with three digits that count.

    >>> number(12345.6), number(0.01234), number(7.0)
    ('12,346', '0.0123', '7')
    """
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def _row(figure: Figure) -> str:
    ratio = "" if figure.ratio is None or not figure.baseline else number(figure.ratio)
    value = f"{number(figure.value)} {figure.unit}"
    return f"| {figure.name} | {value} | {figure.goal} | {figure.baseline} | {ratio} |"


def _words(found: Conditions) -> str:
    return (
        f"{found.at}, Python {found.python}, {found.system}, {found.cores} cores, "
        f"load {found.load:g} as it began."
    )


_FOREWORD: Final = """\
Written by `./minutebook bench --write`; the same figures for programs are in `results.json`.

The machine was **shared with other work while these were taken**, so seconds say little: half or
less of a core was often all there was. Work of one process is therefore given in its own CPU time
and as a ratio to a calibration loop of the same run; on a core of one's own both the work and the
loop are faster. Latencies are by the clock on the wall, beside a bare append taken just before.
What is to be reached is in the design, for an idle machine."""

"""What the console prints: tables and colours at a terminal, plain aligned text anywhere else.

Results go to standard output, everything about the work itself (progress, warnings, errors) to
standard error, so that a result can be piped.
"""

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from io import StringIO
from typing import Protocol

from rich.box import SIMPLE_HEAD
from rich.console import Console, RenderableType
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

# Wide enough that nothing is folded or cut where no terminal sets a width.
_PLAIN_WIDTH = 4000

out = Console(highlight=False, soft_wrap=True)
err = Console(stderr=True, highlight=False, soft_wrap=True)


def table(columns: Iterable[str], *, right: Iterable[str] = (), title: str | None = None) -> Table:
    """An empty table; the columns named in `right` hold figures."""
    figures = set(right)
    made = Table(
        title=title if out.is_terminal else None,
        title_justify="left",
        box=SIMPLE_HEAD if out.is_terminal else None,
        pad_edge=out.is_terminal,
        padding=(0, 1),
    )
    for column in columns:
        made.add_column(column, justify="right" if column in figures else "left")
    return made


def show(what: RenderableType) -> None:
    """Print a result."""
    if out.is_terminal:
        Console(highlight=False).print(what)
    else:
        print(plain(what))


def plain(what: RenderableType) -> str:
    """A result as plain text, with nothing at the ends of lines."""
    text = StringIO()
    Console(file=text, width=_PLAIN_WIDTH, color_system=None, highlight=False).print(what)
    return "\n".join(line.rstrip() for line in text.getvalue().rstrip("\n").split("\n"))


def say(text: str, style: str = "") -> None:
    """Print a line about the work itself."""
    err.print(text, style=style or None, markup=False)


def data(text: str) -> None:
    """Print a line of data exactly as it is."""
    sys.stdout.write(text)
    sys.stdout.write("\n")


class Advance(Protocol):
    """Tells how far some work has come."""

    def __call__(self, done: int, of: int) -> None:
        """Say that so much of it is done."""


def _silent(done: int, of: int) -> None:
    """Say nothing."""


@contextmanager
def progress(words: str) -> Iterator[Advance]:
    """Show how long work is coming on, with a bar at a terminal and not at all elsewhere."""
    if not err.is_terminal:
        yield _silent
        return
    bar = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=err,
        transient=True,
    )
    with bar:
        task = bar.add_task(words, total=None)

        def advance(done: int, of: int) -> None:
            bar.update(task, completed=done, total=of)

        yield advance

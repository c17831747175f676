"""Turn whatever went wrong into one message for a person, and an exit code for a script."""

import contextlib
import os
import sys
import traceback
from pathlib import Path
from typing import Final

from services.console.errors import ConsoleError
from services.console.place import data_directory, logs

DEBUG_SETTING: Final = "MINUTEBOOK_DEBUG"
WRONG_INPUT: Final = 2
UNREACHABLE: Final = 3
OWN_FAULT: Final = 4
"""A fault in Minutebook itself, which no input should be able to cause."""
INTERRUPTED: Final = 130
AROUND: Final = 200
"""Characters of a line that are shown on each side of what is wrong in it."""


def explained(error: BaseException) -> tuple[str, int]:
    """What to tell the person who typed the command, and the exit code."""
    if isinstance(error, ConsoleError):
        return str(error), error.exit_code
    return _of_input(error) or _of_surroundings(error) or _own_fault(error)


def _of_input(error: BaseException) -> tuple[str, int] | None:
    from contracts.book import BookError
    from contracts.titles.load import FactsError
    from contracts.words import NotationError
    from services.archive.errors import ArchiveError, FileError
    from services.histories.errors import HistoryError

    if isinstance(error, NotationError):
        return f"{_pointed_at(error.line, error.at)}\n{error}", WRONG_INPUT
    if isinstance(error, BookError):
        return f"This is not a whole minute book: {error}", WRONG_INPUT
    if isinstance(error, ArchiveError):
        return str(error), WRONG_INPUT if isinstance(error, FileError) else 1
    if isinstance(error, HistoryError | FactsError):
        return str(error), WRONG_INPUT
    return None


def _pointed_at(line: str, at: int) -> str:
    """A line, or what of a long one lies near a character, with a pointer at that character.

    >>> print(_pointed_at("sel PRR 3", 1))
    sel PRR 3
    ^
    """
    first = max(0, at - 1 - AROUND)
    return f"{line[first : at - 1 + AROUND]}\n{' ' * (at - 1 - first)}^"


def _of_surroundings(error: BaseException) -> tuple[str, int] | None:
    from services.bus.connection import STORE_ERRORS
    from services.bus.errors import BusError, DamagedLogError
    from services.embedded.errors import EmbeddedError

    if isinstance(error, BusError | EmbeddedError):
        return str(error), UNREACHABLE
    if isinstance(error, DamagedLogError):
        return str(error), 1
    if isinstance(error, STORE_ERRORS):
        return f"The store does not answer ({error}).", UNREACHABLE
    if isinstance(error, OSError) and error.filename is not None:
        return f"{error.filename}: {error.strerror}.", WRONG_INPUT
    return None


def _own_fault(error: BaseException) -> tuple[str, int]:
    kept = _kept(error)
    where = f" The whole of it is in {kept}." if kept else ""
    what = f"A fault in Minutebook itself: {type(error).__name__}: {error}."
    return f"{what}{where} ({DEBUG_SETTING}=1 shows it here.)", OWN_FAULT


def _kept(error: BaseException) -> Path | None:
    """Write the trace of an error to the console's log, and say where."""
    log = logs(data_directory()) / "console.log"
    with contextlib.suppress(OSError):
        log.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with log.open("a", encoding="utf-8") as file:
            file.write(f"minutebook {' '.join(sys.argv[1:])}\n")
            file.writelines(traceback.format_exception(error))
        return log
    return None


def is_debugging() -> bool:
    """Whether the person wants to see the whole trace."""
    return bool(os.environ.get(DEBUG_SETTING))

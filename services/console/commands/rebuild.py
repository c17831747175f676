"""`rebuild`: all views, from nothing."""

from typing import Final

from services.console.options import Data

EXAMPLE: Final = "rebuild"


def rebuild(*, data: Data = None) -> int:
    """Throw all views away and build them again from the minute books.

    What was shown is then held against what came out; the exit code is 0 only if it is the same.

    Parameters
    ----------
    data
        The data directory, if not the user's own.
    """
    import asyncio

    from services.console.rebuilding import all_rebuilt
    from services.console.screen import progress, say
    from services.console.session import Place, reached, until_stopped

    with reached(Place.of(data), "store") as url, progress("building all views again"):
        found = asyncio.run(until_stopped(all_rebuilt(url)))
    say(f"The views of {found.tables} tables were built again; {found.compared} could be compared.")
    for line in found.changed:
        say(line, "red")
    return 1 if found.changed else 0

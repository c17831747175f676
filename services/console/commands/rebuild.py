"""`rebuild`: all views, from nothing."""

from typing import Final

from services.console.options import Data

EXAMPLE: Final = "rebuild"


def rebuild(*, data: Data = None) -> int:
    """Throw all views away and build them again from the minute books.

    The exit code is 0 only if every view came out as it was stored.

    Parameters
    ----------
    data
        The data directory, if not the user's own.
    """
    from services.console.desk import Desk, run
    from services.console.screen import progress, say
    from services.console.session import Place

    async def work(desk: Desk) -> tuple[int, list[str]]:
        with progress("rebuilding views") as advance:
            return await desk.rebuilt(advance)

    number, changed = run(Place.of(data), "store", work)
    say(f"The views of {number} tables were built again.")
    for line in changed:
        say(line, "red")
    return 1 if changed else 0

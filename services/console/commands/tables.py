"""`tables`: the lobby."""

from typing import TYPE_CHECKING, Final

from services.console.options import AsJson, Data, Flag

if TYPE_CHECKING:
    from contracts.views import TableLine

EXAMPLE: Final = "tables --waiting-for ann"


def tables(
    *,
    waiting_for: str | None = None,
    running: Flag = False,
    finished: Flag = False,
    as_json: AsJson = False,
    data: Data = None,
) -> int:
    """List the tables: those that moved last come first.

    Parameters
    ----------
    waiting_for
        Only tables that wait for a person, by his own name or that of his seat; those that have
        waited longest come first. A request that he has not answered counts too.
    running
        Only tables where play goes on.
    finished
        Only tables where the game is over.
    as_json
        Print one object of JSON for each table, one a line.
    data
        The data directory, if not the user's own.
    """
    import msgspec

    from services.console import screen
    from services.console.desk import Desk, run
    from services.console.errors import BadInputError
    from services.console.lobby import lines_of, picked
    from services.console.pictures import lobby
    from services.console.session import Place

    if running and finished:
        raise BadInputError("A table is running or finished: name one of the two.")

    async def work(desk: Desk) -> "list[TableLine]":
        return await lines_of(desk)

    lines = picked(
        run(Place.of(data), "store", work), waiting_for, running=running, finished=finished
    )
    if as_json:
        for line in lines:
            screen.data(msgspec.json.encode(line).decode())
    elif lines:
        screen.show(lobby(lines))
    else:
        screen.say(
            "There is no such table."
            if waiting_for is None
            else f"No table waits for {waiting_for}."
        )
    return 0

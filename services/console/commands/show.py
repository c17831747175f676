"""`show`: a view of a table, now or as it was."""

from typing import TYPE_CHECKING, Final, Literal

from services.console.options import AsJson, Data

if TYPE_CHECKING:
    from contracts.views import AnyView

EXAMPLE: Final = "show friday wealth --at 120"

View = Literal[
    "wealth",
    "order",
    "market",
    "companies",
    "board",
    "turn",
    "ledger",
    "minutes",
    "seats",
    "programmes",
    "requests",
    "clock",
]


def show(
    table: str,
    view: View,
    /,
    *,
    at: int | None = None,
    last: int | None = None,
    as_json: AsJson = False,
    data: Data = None,
) -> int:
    """Show a view of a table, as it is or as it was after any version.

    Parameters
    ----------
    table
        The table.
    view
        What to show.
    at
        The version after which it is shown; the last one if none is named.
    last
        Of ledger and minutes, only so many of the last lines.
    as_json
        Print one object of JSON.
    data
        The data directory, if not the user's own.
    """
    import msgspec

    from services.console import screen
    from services.console.desk import Desk, run, table_id
    from services.console.pictures import picture
    from services.console.session import Place
    from services.console.timing import clock_view, now

    name = table_id(table)

    async def work(desk: Desk) -> "AnyView":
        if view == "clock":
            return clock_view(name, await desk.book_until(name, at), None if at else now())
        return await desk.view(name, view, at)

    found = run(Place.of(data), "store", work)
    if as_json:
        screen.data(msgspec.json.encode(found).decode())
    else:
        screen.show(picture(found, last))
    return 0

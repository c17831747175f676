"""`redecide`: every recorded order decided again by today's rules."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

from cyclopts import Parameter

from services.console.options import AsJson, Data, Flag

if TYPE_CHECKING:
    from services.engine.rules.redecide import Redecided

EXAMPLE: Final = "redecide friday"


def redecide(
    book: Annotated[str | None, Parameter(name="TABLE|FILE")] = None,
    /,
    *,
    every: Annotated[Flag, Parameter(name="--all")] = False,
    as_json: AsJson = False,
    data: Data = None,
) -> int:
    """Decide every recorded order again by today's rules, and list what comes out otherwise.

    The tables are not touched: what was recorded stands. The exit code is 0 only if every order is
    decided as it was.

    Parameters
    ----------
    book
        A table of the store, or a file that `export` wrote.
    every
        All tables of the store and of the archive.
    as_json
        Print one object of JSON for each book, a line each.
    data
        The data directory, if not the user's own.
    """
    from services.console.books import means_a_file
    from services.console.errors import BadInputError

    if every == (book is not None):
        raise BadInputError("Name a table or a file, or ask for --all of the store.")
    if book is None:
        found = _of_tables(None, data)
    else:
        found = [_of_file(Path(book))] if means_a_file(book) else _of_tables(book, data)
    for one in found:
        if as_json:
            _print_json(one)
        else:
            _print(one)
    return 1 if any(one.differences for one in found) else 0


def _of_file(path: Path) -> "Redecided":
    from contracts.book import read
    from services.console.books import text_of
    from services.console.screen import progress
    from services.engine.rules.redecide import redecided

    found = read(text_of(path).splitlines())
    with progress(f"deciding {path.name} again") as advance:
        return redecided(found.header.table, found.records, advance)


def _of_tables(name: str | None, data: Path | None) -> "list[Redecided]":
    from services.console.desk import Desk, run, table_id
    from services.console.screen import progress
    from services.console.session import Place
    from services.engine.rules.redecide import redecided

    async def work(desk: Desk) -> "list[Redecided]":
        names = await desk.bus.tables() if name is None else [table_id(name)]
        found: list[Redecided] = []
        for table in names:
            records = [sealed.record for sealed in await desk.book(table)]
            with progress(f"deciding {table} again") as advance:
                found.append(redecided(table, records, advance))
        return found

    return run(Place.of(data), "store", work)


def _print(one: "Redecided") -> None:
    from services.console.screen import data, say
    from services.engine.rules.redecide import told

    for difference in one.differences:
        data(told(difference))
    number = len(one.differences)
    words = f"{number} of {one.records} orders are decided otherwise today."
    if not number:
        words = f"All {one.records} orders are decided as they were."
    say(f"Table {one.table}: {words}", "red" if number else "green")


def _print_json(one: "Redecided") -> None:
    import msgspec

    from contracts.plain import to_plain
    from services.console.screen import data

    data(msgspec.json.encode(to_plain(one)).decode())

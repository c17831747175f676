"""`audit`: a minute book proved from the first record to the last."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

from cyclopts import Parameter

from services.console.options import AsJson, Data
from services.console.screen import data as print_data
from services.console.screen import say

if TYPE_CHECKING:
    from contracts.views import Report

EXAMPLE: Final = "audit friday"


def audit(
    book: Annotated[str, Parameter(name="TABLE|FILE")],
    /,
    *,
    as_json: AsJson = False,
    data: Data = None,
) -> int:
    """Prove a minute book: digests, gapless versions, conservation, every number of each view.

    The exit code is 0 only if the book is sound.

    Parameters
    ----------
    book
        A table of the store, or a file that `export` wrote.
    as_json
        Print one object of JSON.
    data
        The data directory, if not the user's own.
    """
    from services.console.books import means_a_file

    report = _of_file(Path(book)) if means_a_file(book) else _of_table(book, data)
    if as_json:
        import msgspec

        print_data(msgspec.json.encode(report).decode())
    else:
        _print(report)
    return 0 if report.sound else 1


def _of_file(path: Path) -> "Report":
    from contracts.book import BookError, entries
    from services.console.books import text_of
    from services.engine.projections.audit import audit as proved

    lines = text_of(path).splitlines()
    header, _ = entries(lines[:1])
    try:
        _, found = entries(lines)
    except BookError as error:
        return _unreadable(header.table, error)
    return proved(header.table, found, bytes.fromhex(header.seal))


def _unreadable(table: str, error: Exception) -> "Report":
    from contracts.ids import TableId
    from contracts.views import Fault, Report

    line = getattr(error, "line", 1)
    fault = Fault("unreadable", max(0, line - 1), f"{error}")
    return Report(TableId(table), sound=False, records=0, events=0, seal="", checks={}, fault=fault)


def _of_table(name: str, data: Path | None) -> "Report":
    from services.console.desk import Desk, run, table_id
    from services.console.session import Place
    from services.engine.projections.audit import audit as proved

    table = table_id(name)

    async def work(desk: Desk) -> "Report":
        entries, seal = await desk.entries(table)
        return proved(table, entries, seal, await desk.current_views(table))

    return run(Place.of(data), "store", work)


def _print(report: "Report") -> None:
    counted = ", ".join(f"{number} {check}" for check, number in report.checks.items())
    say(f"Table {report.table}: {report.records} records, {report.events} events.")
    if counted:
        say(f"Checked: {counted}.")
    if report.fault is None:
        say(f"Sound. Its seal is {report.seal}.", "green")
    else:
        say(f"Not sound ({report.fault.what}): {report.fault.sentence}", "red")

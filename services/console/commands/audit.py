"""`audit`: a minute book proved from the first record to the last."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

from cyclopts import Parameter

from services.console.options import AsJson, Data
from services.console.screen import data as print_data
from services.console.screen import say

if TYPE_CHECKING:
    from contracts.views import Report
    from services.console.archiving import Formerly

EXAMPLE: Final = "audit friday"


def audit(
    book: Annotated[str, Parameter(name="TABLE|FILE")],
    /,
    *,
    formerly: list[str] | None = None,
    as_json: AsJson = False,
    data: Data = None,
) -> int:
    """Prove a minute book: digests, gapless versions, conservation, every number of each view.

    The exit code is 0 only if the book is sound, and every former seal proved whose names are told.

    Parameters
    ----------
    book
        A table of the store or the archive, or a file that `export` or `archive` wrote.
    formerly
        Whom a stand-in stands for, such as `removed-1=ann`, to prove the seal that the book had
        with the name in it.
    as_json
        Print one object of JSON.
    data
        The data directory, if not the user's own.
    """
    from services.console.books import means_a_file

    is_file = means_a_file(book)
    report = _of_file(Path(book)) if is_file else _of_table(book, data)
    if as_json:
        import msgspec

        print_data(msgspec.json.encode(report).decode())
    else:
        _print(report)
    is_proved = True
    if report.sound:
        found = _earlier(Path(book) if is_file else book, formerly or [], data)
        is_proved = all(one.is_proved is not False for one in found)
        if not as_json:
            _print_earlier(found)
    return 0 if report.sound and is_proved else 1


def _earlier(book: "Path | str", told: list[str], data: Path | None) -> "list[Formerly]":
    """Each time that a book was sealed anew, with whether its seal before is proved."""
    from contracts.archived import Resealed
    from contracts.records import Sealed
    from services.archive.folder import contents_of
    from services.console.archiving import formerly, names_told, resealed_at
    from services.console.desk import Desk, run, table_id
    from services.console.session import Place

    names = names_told(told)
    if isinstance(book, Path):
        if book.suffix != ".xz":
            return []
        contents = contents_of(book)
        return formerly(contents.sealed, contents.resealed, names)
    table = table_id(book)

    async def work(desk: Desk) -> tuple[list[Sealed], tuple[Resealed, ...]]:
        return await resealed_at(desk, table)

    return formerly(*run(Place.of(data), "store", work), names)


def _print_earlier(found: "list[Formerly]") -> None:
    for one in found:
        resealed = one.resealed
        words = f"Sealed anew at version {resealed.version}, with {', '.join(resealed.names)} for "
        words += f"somebody's name; its seal was {resealed.before.hex()} before"
        match one.is_proved:
            case None:
                each = " ".join(f"--formerly {name}=NAME" for name in resealed.names)
                say(f"{words}, which --formerly can prove. It needs whom each stands for: {each}")
            case True:
                say(f"{words}: proved.", "green")
            case False:
                say(f"{words}, and these names do not give it.", "red")


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

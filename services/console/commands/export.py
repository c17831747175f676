"""`export`: a table's minute book as JSON Lines."""

from pathlib import Path
from typing import TYPE_CHECKING, Final

from services.console.options import Data

if TYPE_CHECKING:
    from contracts.records import Sealed

EXAMPLE: Final = "export friday --out friday.jsonl"


def export(table: str, /, *, out: Path | None = None, data: Data = None) -> int:
    """Write a table's minute book as JSON Lines, every record with its digest.

    Parameters
    ----------
    table
        The table.
    out
        The file; standard output if none is named.
    data
        The data directory, if not the user's own.
    """
    from contracts.book import written
    from services.console import screen
    from services.console.books import write_book
    from services.console.desk import Desk, run, table_id
    from services.console.session import Place

    name = table_id(table)

    async def work(desk: Desk) -> "list[Sealed]":
        return await desk.book(name)

    sealed = run(Place.of(data), "store", work)
    if out is None:
        for line in written(name, sealed):
            screen.data(line)
    else:
        write_book(out, name, sealed)
        screen.say(f"{len(sealed)} records written to {out}; seal {sealed[-1].digest.hex()}.")
    return 0

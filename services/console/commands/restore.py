"""`restore`: a table out of the archive back into the store."""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

from cyclopts import Parameter

from services.console.options import Data

if TYPE_CHECKING:
    from services.archive.archiving import Archived
    from services.console.desk import Desk

EXAMPLE: Final = "restore friday"


def restore(book: Annotated[str, Parameter(name="TABLE|FILE")], /, *, data: Data = None) -> int:
    """Bring a table back out of the archive, to be played on as if it had never been away.

    Its file stays where it is, until the table is archived again. A file may come from another
    store.

    Parameters
    ----------
    book
        A table of the archive, or a file that `archive` wrote.
    data
        The data directory, if not the user's own.
    """
    from services.archive.folder import folder_of
    from services.console import screen
    from services.console.archiving import restored
    from services.console.books import means_a_file
    from services.console.desk import run, table_id
    from services.console.session import Place

    place = Place.of(data)
    file = Path(book).absolute() if means_a_file(book) else None
    table = table_id(book) if file is None else None
    folder = folder_of(place.data, os.environ)

    async def work(desk: "Desk") -> "Archived":
        return await restored(desk, table, file, folder)

    done = run(place, "store", work)
    screen.data(f"Table {done.table} is back: {done.records} records, seal {done.seal.hex()}.")
    return 0

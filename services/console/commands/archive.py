"""`archive`: finished tables out of the store into files, one each."""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Final

from services.console.options import AsJson, Data, Flag

if TYPE_CHECKING:
    from services.console.archiving import Done
    from services.console.desk import Desk
    from services.console.session import Place

EXAMPLE: Final = "archive --finished --idle-days 30"


def archive(
    *tables: str,
    finished: Flag = False,
    idle_days: int | None = None,
    untold: Flag = False,
    to: Path | None = None,
    as_json: AsJson = False,
    data: Data = None,
) -> int:
    """Put tables into files of the archive, one each, and take them out of the store.

    Nothing leaves the store before its file is on the disk, was read back and is proved to be a
    sound book. An archived table is read by its name as before, at any version; `restore` brings it
    back to be played on. Without tables and without --finished, what is in the archive is listed.

    Parameters
    ----------
    tables
        The tables. Each has to be over; with --idle-days it is enough that nobody moved for so
        long.
    finished
        All tables that are over; with --idle-days those only where nobody moved for so long.
    idle_days
        For how many days nobody may have moved.
    untold
        Even tables of which the notifier has still to tell somebody something.
    to
        The folder of the files, if not that of `MINUTEBOOK_ARCHIVE` or of the data directory.
    as_json
        Print one object of JSON for each table, one a line.
    data
        The data directory, if not the user's own.
    """
    from services.archive.archiving import Wish
    from services.archive.folder import folder_of
    from services.console.archiving import archived, days_ago
    from services.console.desk import run, table_id
    from services.console.errors import BadInputError
    from services.console.session import Place

    place = Place.of(data)
    if finished and tables:
        raise BadInputError("Name tables, or ask for all that are --finished.")
    if not finished and not tables:
        return _listed(place, as_json=as_json)
    wish = Wish(finished or idle_days is None, days_ago(idle_days), untold)
    named = [table_id(name) for name in tables]
    folder = folder_of(place.data, os.environ, to)

    async def work(desk: "Desk") -> "Done":
        return await archived(desk, named, wish, folder)

    return _told(run(place, "store", work), as_json=as_json)


def _listed(place: "Place", *, as_json: bool) -> int:
    import msgspec

    from services.console import screen
    from services.console.archiving import picture, plain, stones
    from services.console.desk import run

    found = run(place, "store", stones)
    if as_json:
        for stone in found:
            screen.data(msgspec.json.encode(plain(stone)).decode())
    elif found:
        screen.show(picture(found))
    else:
        screen.say("No table is in the archive.")
    return 0


def _told(done: "Done", *, as_json: bool) -> int:
    import msgspec

    from services.console import screen

    for one in done.archived:
        if as_json:
            told = {"table": one.table, "file": str(one.file), "records": one.records}
            screen.data(msgspec.json.encode({**told, "seal": one.seal.hex()}).decode())
        else:
            size = f"{one.records} records in {one.bytes} bytes"
            screen.data(f"Table {one.table} is in {one.file}: {size}, seal {one.seal.hex()}.")
    for sentence in done.failed:
        screen.say(sentence, "red")
    if not done.archived and not done.failed:
        screen.say("No table is to be archived.")
    return 1 if done.failed else 0

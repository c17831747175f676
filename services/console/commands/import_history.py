"""`import`: a game recorded on 18xx.games, played through the running services."""

from pathlib import Path
from typing import TYPE_CHECKING, Final

from services.console.options import AsJson, Data

if TYPE_CHECKING:
    from services.console.importing import Imported

EXAMPLE: Final = "import game.json --table old-friends"


def import_history(
    file: Path,
    /,
    *,
    table: str | None = None,
    rulings: str | None = None,
    as_json: AsJson = False,
    data: Data = None,
) -> int:
    """Play a game that was recorded on 18xx.games through the services, into a table.

    An import that was cut off goes on where it ended, if it is started again with the same file and
    table. The exit code is 0 only if every action was accepted and the result is the file's.

    Parameters
    ----------
    file
        The game as the site exports it.
    table
        What the table is called; the file's name if none is given.
    rulings
        The set of rulings to play under: that of the site if none is named, or `rulebook`.
    as_json
        Print one object of JSON.
    data
        The data directory, if not the user's own.
    """
    import msgspec

    from services.console import screen
    from services.console.desk import Desk, run, table_id
    from services.console.importing import imported
    from services.console.rulings import ruling_choices
    from services.console.session import Place
    from services.histories.export import read

    history = read(file)
    name = table_id(table or file.stem)

    async def work(desk: Desk) -> "Imported":
        with screen.progress(f"importing {file.name}") as advance:
            return await imported(desk, history, name, ruling_choices(rulings), advance)

    found = run(Place.of(data), "services", work)
    if as_json:
        screen.data(msgspec.json.encode(found).decode())
    else:
        screen.say(
            f"Table {name}: {found.accepted} of {found.commands} actions accepted, "
            f"{found.records} records; seal {found.seal}."
        )
        if found.first_difference is not None:
            screen.say(f"{found.first_difference}", "red")
        elif found.expected is not None:
            screen.say("The result is the file's.", "green")
    return 0 if found.equal else 1

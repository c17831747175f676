"""`remove-person`: somebody's name out of everything, and all games left whole."""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

from cyclopts import Parameter

from services.console.options import Data, Flag

if TYPE_CHECKING:
    from services.archive.removing import Removed
    from services.console.desk import Desk

EXAMPLE: Final = "remove-person ann --as removed-1"


def remove_person(
    name: str,
    /,
    *,
    stand_in: Annotated[str | None, Parameter(name="--as")] = None,
    leave: Flag = False,
    archive: Path | None = None,
    data: Data = None,
) -> int:
    """Put a stand-in in place of a person's name, in every minute book and wherever else it stands.

    Every game stays as it was, but for the name; its book is sealed anew, and says so. His notes,
    tokens, channels and letters are gone. It cannot be undone. A removal that was interrupted is
    ended by giving the same command again.

    Parameters
    ----------
    name
        The person: the id that he plays under.
    stand_in
        The name in place of his; a free one such as `removed-1` if none is named.
    leave
        Even if he sits at a table that is not over. The seat is the stand-in's then, for whom
        nobody acts: the host gives it to somebody, or the clock does what it was set to do.
    archive
        Another folder with files of the archive, beside the one of this place.
    data
        The data directory, if not the user's own.
    """
    from services.archive.folder import folder_of
    from services.console import screen
    from services.console.archiving import removed
    from services.console.desk import run
    from services.console.session import Place

    place = Place.of(data)
    folders = [folder_of(place.data, os.environ)]
    if archive is not None:
        folders.append(folder_of(place.data, {}, archive))

    async def work(desk: "Desk") -> "Removed":
        return await removed(desk, name, stand_in, folders, leave=leave)

    done = run(place, "store", work)
    books = len(done.tables) + len(done.files)
    screen.data(
        f"{done.stand_in} stands in {books} minute books ({len(done.files)} of them in the "
        f"archive); {done.letters} letters are gone."
    )
    for sentence in done.failed:
        screen.say(sentence, "red")
    if done.failed:
        screen.say("It is not done. Mend this, and give the same command again.", "red")
    return 1 if done.failed else 0

"""`note`: what somebody notes at a table for himself alone."""

from typing import TYPE_CHECKING, Final

from services.console.options import AsJson, Data, TokenOption

if TYPE_CHECKING:
    from contracts.talk import Note

EXAMPLE: Final = "note friday ann Buy the second train before the phase ends"


def note(
    table: str,
    person: str,
    /,
    *text: str,
    id: str | None = None,
    remove: str | None = None,
    token: TokenOption = None,
    as_json: AsJson = False,
    data: Data = None,
) -> int:
    """Read one's own notes at a table, note something, or change or remove a note.

    Nobody else is shown them, and they change nothing in the game.

    Parameters
    ----------
    table
        The table; one need not sit there.
    person
        Whose notes they are.
    text
        What is noted. Without it the notes are shown.
    id
        The note that is changed, or a name for a new one.
    remove
        The note that is taken away.
    token
        Who notes, by his token; `-` reads it, `MINUTEBOOK_TOKEN` sets it.
    as_json
        Print one object of JSON for each note.
    data
        The data directory, if not the user's own.
    """
    from services.bus.talk import Talk
    from services.console import talking
    from services.console.admitting import speaker, token_given
    from services.console.desk import Desk, run, table_id
    from services.console.errors import BadInputError
    from services.console.session import Place

    name, shown = table_id(table), token_given(token)

    async def work(desk: Desk) -> "tuple[Note, ...]":
        one = Talk(desk.bus.client, desk.bus.partitions)
        sender = await speaker(desk, shown, name, person)
        await talking.known(desk, name)
        if remove is not None and not await one.remove_note(name, sender, remove):
            raise BadInputError(f"--remove: {person} has no note {remove} at {name}.")
        if text:
            return (talking.accepted(await one.write_note(name, sender, " ".join(text), id=id)),)
        if (contents := await desk.archived(name)) is not None:
            return talking.notes_of_archived(contents, person)
        return await one.notes(name, person)

    talking.show_notes(run(Place.of(data), "store", work), as_json=as_json)
    return 0

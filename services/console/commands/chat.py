"""`chat`: what people say at a table, and to say something there."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from services.console.options import AsJson, Data, Flag, TokenOption

if TYPE_CHECKING:
    from contracts.ids import TableId
    from contracts.talk import Line
    from services.bus.talk import Talk

EXAMPLE: Final = "chat friday ann Well played!"
LINES_MOST: Final = 10_000
"""Lines that are shown at most, new ones too; what is new beyond them stays new."""


def chat(
    table: str,
    person: str = "",
    /,
    *text: str,
    only: str | None = None,
    since: str | None = None,
    last: int = 50,
    peek: Flag = False,
    id: str | None = None,
    token: TokenOption = None,
    as_json: AsJson = False,
    data: Data = None,
) -> int:
    """Read what was said at a table, or say something; lines that are new to a person have a `*`.

    Nothing that is said changes the game or its minute book. Where a table names people, they and
    the host may write, else anybody; everybody may read what is not private.

    Parameters
    ----------
    table
        The table.
    person
        Who reads or writes; without one, what everybody may read is shown.
    text
        What he says. Without it he reads, and what he saw is marked as read.
    only
        The seats to which alone it is said, with commas between.
    since
        Only what was said after this line, by its id, or this moment, such as `2026-12-24T18:00`.
    last
        How many of the last lines are shown, beside all that are new.
    peek
        Mark nothing as read.
    id
        The line's own id: the same id given twice is one line.
    token
        Who speaks or reads, by his token; `-` reads it, `MINUTEBOOK_TOKEN` sets it.
    as_json
        Print one object of JSON for each line.
    data
        The data directory, if not the user's own.
    """
    wish = Wish(table, person, " ".join(text), only, since, last, peek, id, token)
    return _carried_out(wish, data, as_json=as_json)


@dataclass(frozen=True)
class Wish:
    """What somebody wants to hear or to say."""

    table: str
    person: str
    text: str
    only: str | None
    since: str | None
    last: int
    peek: bool
    id: str | None
    token: str | None


def _carried_out(wish: Wish, data: Path | None, *, as_json: bool) -> int:
    from services.bus.talk import Talk
    from services.console import talking
    from services.console.admitting import speaker, token_given
    from services.console.desk import Desk, player_id, run, table_id
    from services.console.options import listed
    from services.console.session import Place

    name, token, after = table_id(wish.table), token_given(wish.token), talking.after(wish.since)
    # What is meant for some must not go to everybody because nobody was named.
    seats = tuple(map(player_id, listed("--only", "seat", wish.only)))
    last = talking.most_lines(wish.last)

    async def work(desk: Desk) -> "tuple[list[Line], str | None]":
        one = Talk(desk.bus.client, desk.bus.partitions)
        sender = await speaker(desk, token, name, wish.person) if wish.person else ""
        if wish.text:
            said = await one.say(name, sender, wish.text, only=seats, id=wish.id)
            return [talking.accepted(said)], None
        await talking.known(desk, name)
        if (contents := await desk.archived(name)) is not None:
            return talking.of_archived(contents, wish.person or None, after, last), None
        return await _read(one, name, wish.person, after, last, is_kept=not wish.peek)

    lines, mark = run(Place.of(data), "store", work)
    talking.show_lines(lines, wish.person, mark, as_json=as_json)
    return 0


async def _read(
    one: "Talk", table: "TableId", person: str, after: str | None, last: int, *, is_kept: bool
) -> "tuple[list[Line], str | None]":
    """The lines that are to be shown, and up to where the person had read before (None: nobody)."""
    reader = person or None
    if reader is None:
        lines = await _lines(one, table, None, after, last)
        return lines, None
    unread = await one.unread(table, reader)
    new = await one.lines(table, reader, after=unread.up_to, most=LINES_MOST)
    if after is not None:
        lines = await _lines(one, table, reader, after, last)
    else:
        lines = new if len(new) > last else await one.last_lines(table, reader, most=last)
    # Nothing counts as read that was not shown.
    passed_over = new[: new.index(lines[0])] if lines and lines[0] in new else ()
    if lines and is_kept and all(line.person == reader for line in passed_over):
        await one.read_up_to(table, reader, lines[-1].id)
    return lines, unread.up_to


async def _lines(
    one: "Talk", table: "TableId", reader: str | None, after: str | None, last: int
) -> "list[Line]":
    if after is None:
        return await one.last_lines(table, reader, most=last)
    return await one.lines(table, reader, after=after, most=LINES_MOST)

"""What `chat` and `note` show, and what they are asked in words."""

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Final, TypeVar

import msgspec
from rich.text import Text

from contracts import talk
from contracts.ids import TableId
from contracts.rejections import Rejection, in_words
from contracts.talk import Line, Note
from services.archive.form import Contents
from services.bus.talk import line_of
from services.console import screen
from services.console.desk import Desk
from services.console.errors import BadInputError, RefusedError

T = TypeVar("T")
ARCHIVED_CHAT: Final = "chat"
"""Under which name a table's file has its chat."""
ARCHIVED_NOTES: Final = "notes"
"""Under which name it has everybody's notes."""


async def known(desk: Desk, table: TableId) -> None:
    """Raise if there is no such table."""
    if await desk.bus.head(table) is None:
        await desk.book(table)


def accepted(found: T | Rejection) -> T:
    """What was written; raises if it was refused."""
    if isinstance(found, Rejection):
        raise RefusedError(in_words(found))
    return found


def after(since: str | None) -> str | None:
    """The id after which lines are wanted, out of an id or a moment.

    >>> after("1798000000000-3"), after("2026-12-24T18:00"), after(None)
    ('1798000000000-3', '1798135200000-0', None)
    """
    if since is None or talk.is_place(since):
        return since
    try:
        moment = datetime.fromisoformat(since)
    except ValueError:
        raise BadInputError(
            f"--since: {since!r} is neither a line's id nor a moment such as 2026-12-24T18:00."
        ) from None
    # A moment without a zone is one of UTC, as all times are that are shown.
    moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return f"{max(0, round(moment.timestamp() * 1000))}-0"


def most_lines(last: int) -> int:
    """How many lines are to be shown; raises if there can be no such number."""
    if last < 0:
        raise BadInputError(f"--last: there cannot be {last} lines.")
    return last


def of_archived(contents: Contents, reader: str | None, after: str | None, last: int) -> list[Line]:
    """What somebody may read of the chat of a table that lies in the archive."""
    lines: list[Line] = []
    for kept in contents.kept:
        if kept.name == ARCHIVED_CHAT:
            entries = ((id, dict(zip(of[::2], of[1::2], strict=True))) for id, of in kept.value)
            lines += (line for line in map(line_of, entries) if line.is_for(reader))
    if after is None:
        return lines[-last:] if last else []
    return [line for line in lines if talk.place(line.id) > talk.place(after)]


def notes_of_archived(contents: Contents, person: str) -> tuple[Note, ...]:
    """What somebody had noted at a table that lies in the archive."""
    for kept in contents.kept:
        if kept.name == ARCHIVED_NOTES:
            bodies = {name.decode(): body for name, body in kept.value}
            return talk.decode_notes(bodies[person]).notes if person in bodies else ()
    return ()


def show_lines(lines: Iterable[Line], person: str, mark: str | None, *, as_json: bool) -> None:
    """Print lines; those after the mark that are not the person's own are new to him."""
    if as_json:
        for line in lines:
            row = msgspec.to_builtins(line)
            screen.data(msgspec.json.encode(row | {"new": _is_new(line, person, mark)}).decode())
        return
    shown = screen.table(("new", "when", "version", "who", "to", "said"), right=("version",))
    for line in lines:
        new = "*" if _is_new(line, person, mark) else ""
        row = (new, _when(line.at), str(line.version), line.sender, " ".join(line.only), line.text)
        shown.add_row(*map(_cell, row))
    if shown.row_count:
        screen.show(shown)
    else:
        screen.say("Nothing was said yet.")


def _is_new(line: Line, person: str, mark: str | None) -> bool:
    return mark is not None and line.person != person and talk.place(line.id) > talk.place(mark)


def show_notes(notes: Iterable[Note], *, as_json: bool) -> None:
    """Print notes."""
    if as_json:
        for note in notes:
            row = {name: getattr(note, name) for name in note.__struct_fields__}
            screen.data(msgspec.json.encode(row).decode())
        return
    shown = screen.table(("note", "when", "version", "text"), right=("version",))
    for note in notes:
        shown.add_row(*map(_cell, (note.id, _when(note.changed), str(note.version), note.text)))
    if shown.row_count:
        screen.show(shown)
    else:
        screen.say("No notes.")


def _when(microseconds: int) -> str:
    return f"{datetime.fromtimestamp(microseconds // 1_000_000, UTC):%Y-%m-%d %H:%M:%S}"


def _cell(text: str) -> Text:
    # What people write is never taken for marks of colour, and stays in its row.
    return Text(" / ".join(text.splitlines()))

"""Chat at a table and private notes: written, read, and marked as read.

Whoever calls has made sure who speaks (`tokens`). Who may write: where a table names people, those
who sit there now, and the host; where it names nobody, any person. Everybody may read what is said
to everybody, and anybody may keep notes for himself at any table.
"""

from collections.abc import Iterator, Sequence
from importlib import resources
from typing import Final
from uuid import uuid4

import msgspec

from contracts import streams, talk
from contracts.ids import PlayerId, TableId
from contracts.people import NOBODY, is_person, is_program, person_of, program_of
from contracts.rejections import Code, Rejection
from contracts.talk import Line, Note, Notes, Unread
from services.bus.seats import SeatReader, Seats
from services.bus.typed import Client, LogEntry, Script

PAGE: Final = 500
"""Lines that are fetched at a time."""
COUNTED_MOST: Final = 1000
"""Unread lines that are counted at most."""

_STATE: Final = f"""
local time = redis.call('TIME')
local head = redis.call('HMGET', KEYS[1], '{streams.HEAD_VERSION}', '{streams.HEAD_ARCHIVED}')
return {{head[1], head[2], redis.call('HGET', KEYS[2], ARGV[1]), time[1], time[2]}}
"""
"""A table's version, whether it is archived, somebody's notes, and the time, of one moment."""


class Talk:
    """What is said at the tables of a store that has been opened."""

    def __init__(self, client: Client, partitions: int) -> None:
        self.client = client
        self.partitions = partitions
        self._seats = SeatReader(client, partitions)
        self._say = self._script("say")
        self._mark = self._script("mark")
        self._note = self._script("note")
        self._state = client.register_script(_STATE)

    def _script(self, name: str) -> Script:
        text = (resources.files("services.bus") / f"{name}.lua").read_text()
        return self.client.register_script(text)

    def _partition(self, table: TableId) -> int:
        return streams.partition_of(table, self.partitions)

    def keys(self, table: TableId) -> tuple[str, ...]:
        """Every key in which anything of a table's talk lies, to be kept or taken away with it."""
        return talk.keys(self._partition(table), table)

    # --- chat --------------------------------------------------------------------------------

    async def say(
        self,
        table: TableId,
        sender: str,
        text: str,
        *,
        only: Sequence[PlayerId] = (),
        id: str | None = None,
    ) -> Line | Rejection:
        """Say something at a table, to everybody or to the people of some seats only.

        The same `id` of the same person gives the line that he said first, so a line that was
        perhaps lost can be sent again.
        """
        own_id = uuid4().hex if id is None else id
        said = talk.cleaned(text)
        refusal = _text_objection(said, talk.TEXT_MOST) or _own_id_objection(own_id)
        if refusal is not None:
            return refusal
        seats = await self._seats.seats(table)
        if seats is None:
            return _not_said(table, await self._why_not(table))
        refusal = _writer_objection(seats, sender) or _readers_objection(seats, only)
        if refusal is not None:
            return refusal
        person = person_of(sender)
        readers = dict.fromkeys(seats.person(seat) for seat in only)
        partition = self._partition(table)
        answer = await self._say(
            [
                streams.head(partition, table),
                talk.chat(partition, table),
                talk.sent(partition, table),
            ],
            [
                *(talk.mine(person, own_id), person, talk.TALK_CHANNEL, table),
                *(talk.LINES_A_MINUTE, talk.ALL_LINES_A_MINUTE, talk.LINES_MOST),
                *(sender, said, own_id, " ".join(readers)),
            ],
        )
        if answer[0] != b"said":
            return _not_said(table, answer[0])
        place = answer[1].decode()
        (entry,) = await self.client.xrange(talk.chat(partition, table), place, place)
        return line_of(entry)

    async def _why_not(self, table: TableId) -> bytes:
        """Why a table has no book in the store."""
        head = await self.client.hgetall(streams.head(self._partition(table), table))
        return b"archived" if streams.HEAD_ARCHIVED.encode() in head else b"unknown"

    async def lines(
        self, table: TableId, reader: str | None = None, *, after: str = "", most: int = PAGE
    ) -> list[Line]:
        """The oldest lines after one that somebody may read; of all lines if `after` is empty."""
        key = talk.chat(self._partition(table), table)
        start, found = f"({after}" if after else "-", list[Line]()
        while True:
            page = await self.client.xrange(key, start, "+", count=PAGE)
            found += _readable(page, reader)
            if len(page) < PAGE or len(found) >= most:
                return found[:most]
            start = f"({page[-1][0].decode()}"

    async def last_lines(
        self, table: TableId, reader: str | None = None, *, most: int = PAGE
    ) -> list[Line]:
        """The newest lines that somebody may read, the oldest of them first."""
        key = talk.chat(self._partition(table), table)
        end, found = "+", list[Line]()
        while True:
            page = await self.client.xrevrange(key, end, "-", count=PAGE)
            found += _readable(page, reader)
            if len(page) < PAGE or len(found) >= most:
                return found[:most][::-1]
            end = f"({page[-1][0].decode()}"

    async def unread(self, table: TableId, person: str) -> Unread:
        """How much others have said since the line up to which a person has read."""
        mark = await self.client.hget(talk.read(self._partition(table), table), person)
        up_to = "" if mark is None else mark.decode()
        count, after = 0, up_to
        while page := await self.lines(table, person, after=after):
            count += sum(line.person != person for line in page)
            after = page[-1].id
            if count > COUNTED_MOST:
                return Unread(COUNTED_MOST, up_to, is_more=True)
        return Unread(count, up_to)

    async def read_up_to(self, table: TableId, person: str, place: str) -> str | Rejection:
        """Mark a line, and all before it, as read by a person; gives how far he has read now.

        A mark moves forward only, so that two windows of one person cannot undo each other's.
        """
        if not is_person(person):
            return _no_person(person)
        if not talk.is_place(place):
            return Rejection(
                Code.BAD_TEXT, "design", f"{place[:80]!r} is no line.", "A line's id names it."
            )
        partition = self._partition(table)
        keys = [talk.chat(partition, table), talk.read(partition, table)]
        mark: bytes = await self._mark(keys, [person, place])
        return mark.decode()

    # --- notes -------------------------------------------------------------------------------

    async def notes(self, table: TableId, person: str) -> tuple[Note, ...]:
        """What a person has noted for himself at a table, the oldest first."""
        body = await self.client.hget(talk.notes(self._partition(table), table), person)
        return () if body is None else talk.decode_notes(body).notes

    async def write_note(
        self, table: TableId, sender: str, text: str, *, id: str | None = None
    ) -> Note | Rejection:
        """Note something, or change the note of that id."""
        own_id = uuid4().hex[:8] if id is None else id
        noted = talk.cleaned(text)
        refusal = (
            _sender_objection(sender)
            or _text_objection(noted, talk.NOTE_MOST)
            or _own_id_objection(own_id)
        )
        if refusal is not None:
            return refusal
        person, keys = person_of(sender), self._note_keys(table)
        while True:
            version, archived, before, seconds, microseconds = await self._state(keys, [person])
            if version is None or archived is not None:
                return _not_said(table, b"unknown" if version is None else b"archived")
            notes = () if before is None else talk.decode_notes(before).notes
            now = int(seconds) * 1_000_000 + int(microseconds)
            note = Note(own_id, noted, int(version), now, now)
            after = _with_note(notes, note)
            if len(after) > talk.NOTES_MOST:
                sentence = f"Nobody can keep more than {talk.NOTES_MOST} notes at a table."
                return Rejection(Code.TOO_MUCH, "design", sentence, "Take one away first.")
            if await self._note(keys, [person, before or b"", talk.encode(Notes(after))]):
                return next(one for one in after if one.id == own_id)

    async def remove_note(self, table: TableId, sender: str, id: str) -> bool:
        """Take a note of one's own away; false if there is none of that id."""
        person, keys = person_of(sender), self._note_keys(table)
        while True:
            _, archived, before, _, _ = await self._state(keys, [person])
            notes = () if before is None else talk.decode_notes(before).notes
            left = tuple(note for note in notes if note.id != id)
            if archived is not None or len(left) == len(notes):
                return False
            body = talk.encode(Notes(left)) if left else b""
            if await self._note(keys, [person, before, body]):
                return True

    def _note_keys(self, table: TableId) -> list[str]:
        partition = self._partition(table)
        return [streams.head(partition, table), talk.notes(partition, table)]


def _readable(entries: Sequence[LogEntry], reader: str | None) -> Iterator[Line]:
    return (line for line in map(line_of, entries) if line.is_for(reader))


def line_of(entry: LogEntry) -> Line:
    """A line as it lies in the stream."""
    id, fields = entry[0].decode(), {name.decode(): value for name, value in entry[1].items()}
    return Line(
        id=id,
        at=int(id.partition("-")[0]) * 1000,
        sender=fields[talk.SENDER].decode(),
        text=fields[talk.TEXT].decode(),
        version=int(fields[talk.VERSION]),
        own_id=fields[talk.ID].decode(),
        only=tuple(fields.get(talk.ONLY, b"").decode().split()),
    )


def _with_note(notes: tuple[Note, ...], note: Note) -> tuple[Note, ...]:
    """Notes with one more, or with one changed in its place."""
    if not any(one.id == note.id for one in notes):
        return (*notes, note)
    return tuple(
        msgspec.structs.replace(one, text=note.text, changed=note.changed)
        if one.id == note.id
        else one
        for one in notes
    )


# --- what may be refused ---------------------------------------------------------------------


def _no_person(name: str) -> Rejection:
    sentence = f"{name[:80]!r} is no person."
    legal = "A person's id is one printable word, and no program's."
    return Rejection(Code.NOT_ADMITTED, "design", sentence, legal)


def _sender_objection(sender: str) -> Rejection | None:
    """What is wrong with who speaks: a person, or a program of one."""
    program = program_of(sender)
    if is_person(person_of(sender)) and (program is None or is_program(program)):
        return None
    return _no_person(sender)


def _writer_objection(seats: Seats, sender: str) -> Rejection | None:
    """What speaks against somebody's writing at a table."""
    refusal = _sender_objection(sender)
    if refusal is not None or seats.belongs(person_of(sender)):
        return refusal
    sentence = f"{person_of(sender)} does not belong to the table."
    legal = "Who sits there, and the host, may write; everybody may read."
    return Rejection(Code.NOT_SEATED, "design", sentence, legal)


def _readers_objection(seats: Seats, only: Sequence[PlayerId]) -> Rejection | None:
    """What is wrong with the seats to which alone something is said."""
    named = ", ".join(seats.order)
    for seat in only:
        if seat not in seats.order:
            sentence = f"{seat} has no seat here."
            return Rejection(Code.NOT_SEATED, "design", sentence, f"Seats: {named}.")
        if seats.person(seat) == NOBODY:
            return Rejection(Code.NOT_SEATED, "design", f"Nobody sits in the seat of {seat}.")
    if len(only) > talk.READERS_MOST:
        sentence = f"A private line goes to at most {talk.READERS_MOST} seats."
        return Rejection(Code.TOO_MUCH, "design", sentence)
    return None


def _text_objection(text: str, most: int) -> Rejection | None:
    """What is wrong with a text."""
    if not text:
        return Rejection(Code.BAD_TEXT, "design", "There is nothing to read in it.")
    if len(text) > most:
        sentence = f"It has {len(text)} characters, and {most} are the most."
        return Rejection(Code.BAD_TEXT, "design", sentence, "Say it in several.")
    return None


def _own_id_objection(id: str) -> Rejection | None:
    if talk.is_own_id(id):
        return None
    sentence = f"An id of one's own has 1 to {talk.ID_MOST} printable characters."
    return Rejection(Code.BAD_TEXT, "design", sentence)


def _not_said(table: TableId, why: bytes) -> Rejection:
    match why:
        case b"often":
            sentence = f"One person may write {talk.LINES_A_MINUTE} lines a minute at a table, "
            sentence += f"all together {talk.ALL_LINES_A_MINUTE}."
            return Rejection(Code.TOO_MUCH, "design", sentence, "Wait a minute.")
        case b"full":
            sentence = f"A table keeps {talk.LINES_MOST} lines, and this one has them."
            return Rejection(Code.TOO_MUCH, "design", sentence)
        case b"archived":
            sentence = f"Table {table} has gone into the archive, with all that was said there."
            return Rejection(Code.NOT_ALLOWED, "design", sentence)
        case _:
            return Rejection(
                Code.UNKNOWN_TABLE, "design", f"There is no table {table[:80]}.", "Open it first."
            )

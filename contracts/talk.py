"""Talk: what people say at a table beside the game, and what each notes for himself.

None of it is in the minute book. It lies in keys of its own, in the table's partition, and nothing
that reads minute books looks there: so no line of chat can move a version, a digest, a programme or
a timer, and no undo takes one back. A line only notes at which version of the table it was written,
so that a reader can see it between the minutes.

A line is for everybody, or private: then only its writer and the people whom it names may read it.
People, not seats: a substitute takes a seat over with everything that it has at the table, but not
the letters that were written to the one before. A note is seen by its writer alone.
"""

import re
import unicodedata
from typing import Final

import msgspec
from msgspec import Struct

from contracts.ids import TableId
from contracts.people import person_of

TALK_CHANNEL: Final = "minutebook:talk"
"""Channel that names the table of each new line, for those who follow along; one may be missed."""

TEXT_MOST: Final = 2000
"""Characters of a line at most."""
LINES_A_MINUTE: Final = 20
"""Lines that a person may write at one table in any minute."""
ALL_LINES_A_MINUTE: Final = 200
"""Lines that may be written at one table in any minute, whoever writes."""
LINES_MOST: Final = 20_000
"""Lines of one table at most; none is ever thrown away to make room."""
NOTE_MOST: Final = 4000
"""Characters of a note at most."""
NOTES_MOST: Final = 100
"""Notes of one person at one table at most."""
ID_MOST: Final = 64
"""Characters of a client's own id for a line or a note at most."""
READERS_MOST: Final = 12
"""People to whom a private line may go at most."""

# --- fields of a line in the stream ----------------------------------------------------------

SENDER: Final = "f"
"""The true actor, such as `ann` or `ann/robot`."""
TEXT: Final = "t"
VERSION: Final = "v"
"""The version of the table at which it was written."""
ID: Final = "i"
"""The client's own id of it."""
ONLY: Final = "o"
"""Whom it is for, with spaces between; missing if it is for everybody."""

# --- keys ------------------------------------------------------------------------------------


def chat(partition: int, table: TableId) -> str:
    """Stream of a table's lines; the id of an entry says when it was written.

    >>> chat(8, TableId("friday"))
    '{8}:table:friday:chat'
    """
    return f"{{{partition}}}:table:{table}:chat"


def sent(partition: int, table: TableId) -> str:
    """Hash of the entry of each line, by `mine`: so a line that is sent again is one line."""
    return f"{{{partition}}}:table:{table}:chat:sent"


def read(partition: int, table: TableId) -> str:
    """Hash of the entry up to which each person has read."""
    return f"{{{partition}}}:table:{table}:chat:read"


def notes(partition: int, table: TableId) -> str:
    """Hash of people's private notes, by person, each a `Notes`."""
    return f"{{{partition}}}:table:{table}:notes"


def keys(partition: int, table: TableId) -> tuple[str, ...]:
    """Every key in which anything of a table's talk lies."""
    return tuple(key(partition, table) for key in (chat, sent, read, notes))


def mine(person: str, id: str) -> str:
    """Under what a person's own id for a line is remembered: nobody else's can be the same."""
    return f"{person}\0{id}"


# --- what is said and noted ------------------------------------------------------------------


class Line(Struct, frozen=True):
    """A line of chat. `at` is server time in microseconds since 1970, UTC; it never falls.

    `id` is its place: `<milliseconds>-<number>`. `version` is the table's when it was written.
    `only` are the people to whom alone it is said, empty for everybody.
    """

    id: str
    at: int
    sender: str
    text: str
    version: int
    own_id: str
    only: tuple[str, ...] = ()

    @property
    def person(self) -> str:
        """Who said it, himself or by his program."""
        return person_of(self.sender)

    def is_for(self, reader: str | None) -> bool:
        """Whether somebody may read it; None is anybody who looks on."""
        return not self.only or reader in {self.person, *self.only}


class Unread(Struct, frozen=True):
    """How much a person has not read of what others wrote to him or to everybody.

    `up_to` is the last line that he has read, empty if none. At `is_more` there is more than was
    counted.
    """

    count: int
    up_to: str
    is_more: bool = False


class Note(Struct, frozen=True, array_like=True):
    """Something that a person noted for himself at a version of the table.

    `written` and `changed` are server time, in microseconds since 1970, UTC.
    """

    id: str
    text: str
    version: int
    written: int
    changed: int


class Notes(Struct, frozen=True, array_like=True):
    """All notes of one person at one table, the oldest first."""

    notes: tuple[Note, ...] = ()


_encode = msgspec.msgpack.Encoder().encode
_notes = msgspec.msgpack.Decoder(Notes).decode


def encode(notes: Notes) -> bytes:
    """Notes as MessagePack."""
    return _encode(notes)


def decode_notes(body: bytes) -> Notes:
    """The notes that were encoded."""
    return _notes(body)


# --- texts and ids ---------------------------------------------------------------------------

_PLACE: Final = re.compile(r"\d{1,15}-\d{1,15}")
_UNSEEN: Final = frozenset({"Cc", "Cs", "Co", "Cn"})
"""Kinds of characters that nobody can read, or that turn a terminal about."""
_TURNS_TEXT: Final = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""Marks that make the rest of a line run the other way."""


def cleaned(text: str) -> str:
    r"""A text as it is kept: one kind of line end, no blanks at its ends, nothing unprintable.

    >>> cleaned("  Well played!\r\nAgain?\t\x1b[31m ")
    'Well played!\nAgain? [31m'
    """
    lines = text.replace("\r\n", "\n").replace("\r", "\n").replace("\t", " ")
    kept = "".join(
        one
        for one in lines
        if one == "\n" or (unicodedata.category(one) not in _UNSEEN and one not in _TURNS_TEXT)
    )
    return kept.strip()


def is_place(text: str) -> bool:
    """Whether this can be the id of a line.

    >>> is_place("1798000000000-0"), is_place("yesterday")
    (True, False)
    """
    return _PLACE.fullmatch(text) is not None


def place(id: str) -> tuple[int, int]:
    """The id of a line as something that can be compared; before all lines if it is empty.

    >>> place("1798000000000-10") > place("1798000000000-9") > place("")
    True
    """
    milliseconds, _, number = id.partition("-")
    return (int(milliseconds), int(number)) if id else (-1, 0)


def is_own_id(text: str) -> bool:
    """Whether a client may call a line or a note this."""
    return 0 < len(text) <= ID_MOST and text.isprintable()

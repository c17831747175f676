"""What is known in the store of a table whose minute book lies in a file of the archive.

The head of such a table stays, with a mark (`streams.HEAD_ARCHIVED`), so that nobody opens another
table of its name or takes its missing log for damage. Beside it a `Tombstone` says where the book
lies. A book that was sealed anew, because a person's name was taken out of it, says so in its head
and in its file: a `Resealed` for each time.
"""

from typing import Final

import msgspec
from msgspec import Struct

from contracts.ids import TableId

FOLDER_NAME: Final = "archive"
"""The folder of the data directory in which files lie if no other is named."""
FOLDER_SETTING: Final = "MINUTEBOOK_ARCHIVE"
"""The setting that names another folder."""
SUFFIX: Final = ".minutebook.xz"
"""How the name of a file of the archive ends; the table's id stands before."""
HEAD_RESEALED: Final = "p"
"""Of a table's head: each time that its book was sealed anew, if it ever was."""
REMOVING: Final = "minutebook:removing"
"""Hash of removals of people that are not done yet, by the name that goes, each a `Removal`."""
REMOVED: Final = "minutebook:removed"
"""Hash that counts the stand-ins that were given out."""


def tombstones(partition: int) -> str:
    """Hash of the tombstones of a partition, by table.

    >>> tombstones(3)
    '{3}:archived'
    """
    return f"{{{partition}}}:archived"


class Tombstone(Struct, frozen=True, array_like=True):
    """What is left in the store of an archived table.

    `version` and `digest` are those of its last record, `file` where its book was put, `at` when
    (microseconds since 1970, UTC), `line` its last line in the lobby as MessagePack, or nothing.
    """

    table: TableId
    version: int
    digest: bytes
    file: str
    at: int
    line: bytes


class Resealed(Struct, frozen=True, array_like=True):
    """A book was sealed anew: its seal at a version before and after, and the new names in it.

    The old names are nowhere. Whoever knows them can put them back, and gets the old seal.
    """

    version: int
    before: bytes
    after: bytes
    names: tuple[str, ...]
    at: int


class Removal(Struct, frozen=True, array_like=True):
    """The removal of a person: the name in place of his, and when it began."""

    stand_in: str
    at: int


encode: Final = msgspec.msgpack.Encoder().encode
_tombstone = msgspec.msgpack.Decoder(Tombstone).decode
_resealed = msgspec.msgpack.Decoder(tuple[Resealed, ...]).decode
_removal = msgspec.msgpack.Decoder(Removal).decode


def decode_tombstone(body: bytes) -> Tombstone:
    """The tombstone that was encoded."""
    return _tombstone(body)


def decode_resealed(body: bytes | None) -> tuple[Resealed, ...]:
    """Each time that a book was sealed anew, the first one first."""
    return _resealed(body) if body else ()


def decode_removal(body: bytes) -> Removal:
    """The removal that was encoded."""
    return _removal(body)

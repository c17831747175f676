"""Names on the bus: keys, fields, groups and channels, and the answers that come back.

Every key of a partition begins with the partition's hash tag, so one script can touch all of them,
on a single server and on a cluster alike. A table lives in one partition for ever: its id decides.
"""

import re
import zlib
from hashlib import blake2b
from typing import Final

import msgspec
from msgspec import Struct

from contracts.ids import CommandId, TableId
from contracts.rejections import Rejection

STORE_FORMAT: Final = 1
"""Number of the way keys and fields are laid out; a store of another number is refused."""
PARTITIONS: Final = 16
"""Partitions of a new store; fixed when a store is first opened."""

# --- the store's marker ----------------------------------------------------------------------

STORE: Final = "minutebook:store"
"""Hash that says what the store is."""
STORE_FORMAT_FIELD: Final = "format"
STORE_PARTITIONS_FIELD: Final = "partitions"

# --- groups, consumers, channels -------------------------------------------------------------

ENGINE_GROUP: Final = "engine"
ENGINE_CONSUMER: Final = "engine"
"""The one consumer of a partition's commands, whichever process holds the lease."""
VIEWS_CHANNEL: Final = "minutebook:views"
"""Channel on which each new version of a table's views is announced, as a `Shown`."""

# --- fields ----------------------------------------------------------------------------------

COMMAND_ORDER: Final = "o"
"""Of a command: the encoded order."""
COMMAND_ANSWERS: Final = "a"
"""Of a command: the channel on which the answer is awaited; may be left out."""
LOG_FORMAT: Final = "f"
"""Of a log entry: number of the record's encoding."""
LOG_BODY: Final = "b"
"""Of a log entry: the encoded record."""
LOG_DIGEST: Final = "d"
"""Of a log entry: the digest that chains it to the one before."""
FEED_TABLE: Final = "t"
"""Of a feed entry: the table that has a new record."""
FEED_VERSION: Final = "v"
"""Of a feed entry: the record's version, or `FEED_ANEW`."""
FEED_ANEW: Final = 0
"""In place of a version: the whole book was restored, or sealed anew."""
HEAD_VERSION: Final = "v"
"""Of a table's head: the version of its last record."""
HEAD_DIGEST: Final = "d"
"""Of a table's head: the digest of its last record."""
HEAD_ARCHIVED: Final = "a"
"""Of a table's head: there if its book has gone into the archive and its log is not here."""
DEAD_WHY: Final = "why"
"""Of a dead letter: what is wrong with it, in words."""
DEAD_ENTRY: Final = "entry"
"""Of a dead letter: the id that the command had in its stream."""
DEAD_FIELDS: Final = "fields"
"""Of a dead letter: the fields of the command as they were, as a MessagePack map."""
VIEWS_VERSION: Final = "version"
"""Of a table's views: the version that all of them show."""
VIEWS_LINE: Final = "tables"
"""Of a table's views: its line in the lobby, which stands in the lobby too."""
VIEWS_WAITING: Final = "waiting"
"""Of a table's views: the players it waits for, with a NUL between them."""
VIEWS_READER: Final = "views"
"""Name of the projector among the readers of a feed."""
CLOCK_READER: Final = "clock"
"""Name of the clock among the readers of a feed."""

# --- keys ------------------------------------------------------------------------------------


def commands(partition: int) -> str:
    """Stream of the commands that wait to be decided.

    >>> commands(7)
    '{7}:commands'
    """
    return f"{{{partition}}}:commands"


def feed(partition: int) -> str:
    """Stream that names each new record of all the partition's tables, in order of writing."""
    return f"{{{partition}}}:feed"


def readers(partition: int) -> str:
    """Hash of the feed's readers: how far each has come; what all have passed is trimmed."""
    return f"{{{partition}}}:readers"


def dead(partition: int) -> str:
    """Stream of the commands that can never succeed, kept for the operator."""
    return f"{{{partition}}}:dead"


def lease(partition: int) -> str:
    """Hash that says which engine decides for the partition, with the epoch that fences others."""
    return f"{{{partition}}}:lease"


def tables(partition: int) -> str:
    """Set of the ids of all tables in the partition."""
    return f"{{{partition}}}:tables"


def lobby(partition: int) -> str:
    """Hash of the lobby's lines, by table."""
    return f"{{{partition}}}:lobby"


def waiting(partition: int) -> str:
    """Sorted set of who is waited for at which table; its members are made by `waits`."""
    return f"{{{partition}}}:waiting"


def timers(partition: int) -> str:
    """Sorted set of the names of timers, by the moment at which they are due."""
    return f"{{{partition}}}:timers"


def timer_bodies(partition: int) -> str:
    """Hash of what timers do, by name: `c` and an order to send, or `p` and a prompt."""
    return f"{{{partition}}}:timers:bodies"


def timers_of_tables(partition: int) -> str:
    """Hash of the timers of each table, done or not: its version, and names, a line for each."""
    return f"{{{partition}}}:timers:tables"


def reckonings(partition: int) -> str:
    """Hash of what the clock made of each table's book: a short cut, never relied on."""
    return f"{{{partition}}}:timers:reckonings"


def log(partition: int, table: TableId) -> str:
    """Stream of a table's records; the entry of record n has the id `n-0`."""
    return f"{{{partition}}}:table:{table}:log"


def head(partition: int, table: TableId) -> str:
    """Hash of the version and digest of a table's last record."""
    return f"{{{partition}}}:table:{table}:head"


def outcomes(partition: int, table: TableId) -> str:
    """Hash of what became of each command sent to a table, by the command's id."""
    return f"{{{partition}}}:table:{table}:outcomes"


def snapshot(partition: int, table: TableId) -> str:
    """A table as it stood after a recent record: a short cut for opening it, never relied on."""
    return f"{{{partition}}}:table:{table}:snapshot"


def views(partition: int, table: TableId) -> str:
    """Hash of a table's views by name, as MessagePack maps; long ones are packed (`packed`)."""
    return f"{{{partition}}}:table:{table}:views"


def answers(client: str) -> str:
    """Channel on which a client awaits its answers."""
    return f"minutebook:answers:{client}"


def waits(player: str, table: str = "") -> str:
    r"""A member of the set of who is waited for; all of a player's begin with `waits(player)`.

    >>> waits("ann", "friday")
    'ann\x00friday'
    """
    return f"{player}\0{table}"


# --- partitions and ids ----------------------------------------------------------------------

_TABLE_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,63}")
COMMAND_ID_MOST: Final = 100
"""Characters that a command's id may have at most."""


def partition_of(table: TableId, partitions: int) -> int:
    """The partition in which a table lives.

    >>> partition_of(TableId("friday"), 16)
    8
    """
    return int.from_bytes(blake2b(table.encode(), digest_size=4).digest()) % partitions


def is_table_id(text: str) -> bool:
    """Whether a table may be called this: letters, digits, `_`, `.` and `-`, at most 64 of them.

    >>> is_table_id("friday-7"), is_table_id("a table"), is_table_id("")
    (True, False, False)
    """
    return _TABLE_ID.fullmatch(text) is not None


# --- long views ------------------------------------------------------------------------------

PACKED_FROM: Final = 2048
"""Bytes from which on a view is compressed."""
_PACKED = b"\x78"
"""How zlib begins, and no MessagePack map does."""


def packed(view: bytes) -> bytes:
    r"""A view as it is stored: compressed by zlib if it is long.

    >>> short, long = b"\x80", b"\x81" + bytes(5000)
    >>> packed(short) == short, len(packed(long)) < 100, unpacked(packed(long)) == long
    (True, True, True)
    """
    return zlib.compress(view, 1) if len(view) >= PACKED_FROM else view


def unpacked(stored: bytes) -> bytes:
    """A view as it was before it was stored, a MessagePack map."""
    return zlib.decompress(stored) if stored.startswith(_PACKED) else stored


# --- answers ---------------------------------------------------------------------------------


class Recorded(Struct, frozen=True, array_like=True, tag=True):
    """A command was accepted: the version of its record."""

    version: int


class Refused(Struct, frozen=True, array_like=True, tag=True):
    """A command was refused."""

    rejection: Rejection


Outcome = Recorded | Refused
"""What became of a command; kept for the life of the table, so that a repeat gets the same."""


class Answer(Struct, frozen=True, array_like=True):
    """What became of one command, as its sender is told."""

    table: TableId
    id: CommandId
    outcome: Outcome


class Shown(Struct, frozen=True, array_like=True):
    """The views of a table now show this version."""

    table: TableId
    version: int


_encode = msgspec.msgpack.Encoder().encode
_outcome = msgspec.msgpack.Decoder(Outcome).decode
_answer = msgspec.msgpack.Decoder(Answer).decode
_shown = msgspec.msgpack.Decoder(Shown).decode
_ARRAY_OF_THREE = b"\x93"


def encode(message: Struct) -> bytes:
    """A message as MessagePack."""
    return _encode(message)


def decode_outcome(body: bytes) -> Outcome:
    """The outcome that was encoded."""
    return _outcome(body)


def decode_answer(body: bytes) -> Answer:
    """The answer that was encoded."""
    return _answer(body)


def decode_shown(body: bytes) -> Shown:
    """The announcement that was encoded."""
    return _shown(body)


def answer_head(table: TableId, id: CommandId) -> bytes:
    """An encoded answer without its outcome: the script that keeps outcomes appends the right one.

    >>> head = answer_head(TableId("friday"), CommandId("c1"))
    >>> decode_answer(head + encode(Recorded(3))).outcome
    Recorded(version=3)
    """
    return _ARRAY_OF_THREE + _encode(table) + _encode(id)

"""A table as it stood after a recent record, kept so that opening a long one takes no longer.

A snapshot is never relied on. It names the release and the shape of the table that it was written
with, the record after which the table stood like this with that record's digest, and a digest over
all of it. Whatever does not agree is left aside, and the table is folded from its records.
"""

from functools import cache
from hashlib import blake2b

import msgspec
from msgspec import Struct

from contracts.ids import TableId
from contracts.records import DIGEST_BYTES
from services.engine.table.state import Table


class Snapshot(Struct, frozen=True, array_like=True):
    """An encoded table, with what it takes to know whether it still counts."""

    made_by: str
    version: int
    digest: bytes
    table: bytes
    check: bytes


class Start(Struct, frozen=True):
    """A table that a snapshot gave, with the digest of the record after which it stood so."""

    table: Table
    digest: bytes


_encode = msgspec.msgpack.Encoder().encode
_snapshot = msgspec.msgpack.Decoder(Snapshot).decode
_table = msgspec.msgpack.Decoder(Table).decode


@cache
def shape() -> str:
    """A name for the shape of a table in this program: another shape has another name."""
    schema = msgspec.json.encode(msgspec.json.schema(Table), order="deterministic")
    return blake2b(schema, digest_size=8).hexdigest()


def written(release: str, table: Table, digest: bytes) -> bytes:
    """The snapshot of a table, as bytes."""
    made_by = f"{release} {shape()}"
    body = _encode(table)
    check = _check(made_by, table.version, digest, body)
    return _encode(Snapshot(made_by, table.version, digest, body, check))


def read(release: str, id: TableId, snapshot: bytes | None) -> Start | None:
    """The table in a snapshot, or None where there is none that counts."""
    if snapshot is None:
        return None
    try:
        found = _snapshot(snapshot)
        if found.made_by != f"{release} {shape()}":
            return None
        if found.check != _check(found.made_by, found.version, found.digest, found.table):
            return None
        table = _table(found.table)
    except msgspec.DecodeError:
        return None
    return Start(table, found.digest) if table.id == id and table.version > 0 else None


def _check(made_by: str, version: int, digest: bytes, body: bytes) -> bytes:
    head = f"{made_by} {version} ".encode()
    return blake2b(head + digest + body, digest_size=DIGEST_BYTES).digest()

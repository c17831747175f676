"""A table as a file: everything that cannot be worked out again, compressed, each byte checked.

The file is JSON Lines, compressed by xz: `xz -dc friday.minutebook.xz` shows it. The first line
says what it is. Then comes a line for each record (its plain form, as `export` writes it, without
the digest: that follows from the record and the one before, and the last one is the seal in the
first line), for each outcome that does not follow from a record, and for each thing that is kept
with the table. The last line is a checksum over all lines before it.

A record whose plain form would not give its bytes again is written as bytes, so what is read back
is what was archived, byte for byte.
"""

import base64
import binascii
import lzma
from collections.abc import Iterator, Mapping
from hashlib import blake2b
from typing import Any, Final

import msgspec
from msgspec import Struct

from contracts.archived import Resealed
from contracts.commands import OpenTable
from contracts.ids import TableId, TitleId
from contracts.plain import PlainError, as_read, as_written, from_plain, to_plain
from contracts.records import FIRST_DIGEST, FORMAT, Record, Sealed, decode, digest
from contracts.streams import Recorded, encode
from services.archive.errors import FileError

ARCHIVE_FORMAT: Final = 1
"""Number of the form of the file; raised when a reader of today could not read it."""
_PRESET: Final = 6 | lzma.PRESET_EXTREME
_CHECK_BYTES: Final = 32
_BYTES: Final = "base64:"
"""How a text begins that stands for bytes that are no text."""

Value = bytes | list["Value"]
"""What is kept: bytes, or parts in order."""


class Kept(Struct, frozen=True):
    """Something that is kept with a table: under which name, of which kind of the store's, what."""

    name: str
    kind: str
    value: Any


class Contents(Struct, frozen=True):
    """All that a file holds of a table.

    `outcomes` are those of all commands, by id, as the store has them. `at` is when the table was
    archived, in microseconds since 1970, UTC.
    """

    table: TableId
    sealed: tuple[Sealed, ...]
    outcomes: Mapping[bytes, bytes]
    kept: tuple[Kept, ...] = ()
    resealed: tuple[Resealed, ...] = ()
    at: int = 0

    @property
    def version(self) -> int:
        """The version of the last record."""
        return len(self.sealed)

    @property
    def seal(self) -> bytes:
        """The digest of the last record."""
        return self.sealed[-1].digest if self.sealed else FIRST_DIGEST


class _Resealed(Struct, frozen=True, forbid_unknown_fields=True):
    version: int
    before: str
    after: str
    names: tuple[str, ...]
    at: int


class _Header(Struct, frozen=True, forbid_unknown_fields=True):
    minutebook_archive: int
    table: TableId
    title: TitleId
    encoding: int
    records: int
    seal: str
    outcomes: int
    kept: int
    at: int
    resealed: tuple[_Resealed, ...]


# --- writing -------------------------------------------------------------------------------------


def written(contents: Contents) -> bytes:
    """The bytes of the file."""
    lines = b"".join(msgspec.json.encode(line) + b"\n" for line in _lines(contents))
    last = msgspec.json.encode({"check": _checksum(lines)}) + b"\n"
    return lzma.compress(lines + last, check=lzma.CHECK_SHA256, preset=_PRESET)


def _lines(contents: Contents) -> Iterator[object]:
    following = _following(contents)
    others = {id: body for id, body in contents.outcomes.items() if following.get(id) != body}
    first = contents.sealed[0].record.order.command if contents.sealed else None
    yield _Header(
        minutebook_archive=ARCHIVE_FORMAT,
        table=contents.table,
        title=first.title if isinstance(first, OpenTable) else TitleId(""),
        encoding=FORMAT,
        records=len(contents.sealed),
        seal=contents.seal.hex(),
        outcomes=len(others),
        kept=len(contents.kept),
        at=contents.at,
        resealed=tuple(
            _Resealed(one.version, one.before.hex(), one.after.hex(), one.names, one.at)
            for one in contents.resealed
        ),
    )
    for sealed in contents.sealed:
        yield _record_line(sealed)
    for id, body in sorted(others.items()):
        yield {"outcome": _text(id), "body": _text(body)}
    for one in contents.kept:
        yield {"kept": one.name, "kind": one.kind, "value": _text(one.value)}


def _following(contents: Contents) -> dict[bytes, bytes]:
    """The outcomes that follow from records: each was the answer to its order."""
    return {
        one.record.order.id.encode(): encode(Recorded(one.record.version))
        for one in contents.sealed
    }


def _record_line(sealed: Sealed) -> dict[str, Any]:
    plain = to_plain(sealed.record)
    try:
        read: dict[str, Any] = as_read(plain, sealed.record, msgspec.msgpack.decode(sealed.body))
        if msgspec.msgpack.encode(as_written(sealed.record, read)) == sealed.body:
            return read
    except (msgspec.DecodeError, ValueError, TypeError, LookupError):
        pass
    return {"record": _text(sealed.body)}


def _text(value: Value) -> Any:  # noqa: ANN401 - a text, or lists of texts
    if isinstance(value, list):
        return [_text(part) for part in value]
    try:
        text = value.decode()
    except UnicodeDecodeError:
        pass
    else:
        if not text.startswith(_BYTES):
            return text
    return _BYTES + base64.b64encode(value).decode()


def _checksum(lines: bytes) -> str:
    return blake2b(lines, digest_size=_CHECK_BYTES).hexdigest()


# --- reading -------------------------------------------------------------------------------------


def read(body: bytes, table: TableId | None = None) -> Contents:
    """What a file holds, every byte checked; of another table than `table` it is refused."""
    lines = _checked(body)
    header = _header(lines[0])
    if table is not None and header.table != table:
        raise FileError(f"The file is of table {header.table}, not of {table}.")
    records: list[Sealed] = []
    outcomes: dict[bytes, bytes] = {}
    kept: list[Kept] = []
    try:
        for text in lines[1:]:
            match msgspec.json.decode(text):
                case {"outcome": str(id), "body": outcome}:
                    outcomes[_value(id)] = _value(outcome)
                case {"kept": str(name), "kind": str(kind), "value": value}:
                    kept.append(Kept(name, kind, _value(value)))
                case line:
                    records.append(_sealed(header, records, line))
    except (msgspec.DecodeError, PlainError, binascii.Error, TypeError) as error:
        raise FileError(f"A line of the file cannot be read ({error}).") from error
    counted = (len(records), len(outcomes), len(kept))
    if counted != (header.records, header.outcomes, header.kept):
        raise FileError("The first line of the file announces more or less than follows.")
    resealed = tuple(
        Resealed(
            one.version, bytes.fromhex(one.before), bytes.fromhex(one.after), one.names, one.at
        )
        for one in header.resealed
    )
    found = Contents(header.table, tuple(records), {}, tuple(kept), resealed, header.at)
    if found.seal.hex() != header.seal:
        raise FileError("The seal in the first line is not the digest of the last record.")
    return msgspec.structs.replace(found, outcomes={**_following(found), **outcomes})


def _checked(body: bytes) -> list[bytes]:
    """The lines of the file without the last one, whose checksum over them holds."""
    try:
        text = lzma.decompress(body, format=lzma.FORMAT_XZ)
    except (lzma.LZMAError, EOFError) as error:
        raise FileError(f"The file is cut off or damaged ({error}).") from None
    lines = text.splitlines(keepends=True)
    try:
        last = msgspec.json.decode(lines[-1] if lines else b"")
    except msgspec.DecodeError:
        last = None
    if not isinstance(last, dict) or "check" not in last:
        # It may be of a later form, which says so itself.
        _header(lines[0] if lines else b"")
        raise FileError("The file is cut off: its last line is no checksum.")
    if last["check"] != _checksum(b"".join(lines[:-1])):
        raise FileError("The file was changed: its checksum is another.")
    return lines[:-1]


def _header(line: bytes) -> _Header:
    try:
        document = msgspec.json.decode(line)
        number = document["minutebook_archive"]
    except (msgspec.DecodeError, LookupError, TypeError):
        raise FileError("It is no file of the archive: its first line does not say so.") from None
    if number != ARCHIVE_FORMAT:
        raise FileError(
            f"The file is written in form {number}; this release reads form {ARCHIVE_FORMAT}. "
            "Use the release that wrote it, or a later one."
        )
    try:
        header = msgspec.convert(document, _Header)
    except msgspec.ValidationError as error:
        raise FileError(f"The first line of the file is wrong ({error}).") from None
    if header.encoding != FORMAT:
        raise FileError(
            f"Its records are written in encoding {header.encoding}; this release reads {FORMAT}."
        )
    return header


def _sealed(header: _Header, before: list[Sealed], line: object) -> Sealed:
    """A record out of its line, with the digest that follows."""
    if not isinstance(line, dict):
        raise FileError("A line of the file is not an object.")
    if "record" in line:
        body = _value(line["record"])
        record = decode(body)
    else:
        record = from_plain(line, Record)
        body = msgspec.msgpack.encode(as_written(record, line))
    version = len(before) + 1
    if record.version != version or record.order.table != header.table:
        raise FileError(f"Record {version} of table {header.table} is missing or out of order.")
    return Sealed(record, body, digest(before[-1].digest if before else FIRST_DIGEST, body))


def _value(text: Any) -> Any:  # noqa: ANN401 - a text, or lists of texts
    if isinstance(text, list):
        return [_value(part) for part in text]
    if text.startswith(_BYTES):
        return base64.b64decode(text.removeprefix(_BYTES), validate=True)
    return text.encode()

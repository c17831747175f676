"""A minute book as a file: JSON Lines, one record a line, under a header.

The header names format, table and title, how many records follow and the last digest, so that a
file cut off anywhere is found out. A record's line is its plain form with its digest. Reading works
the digests out again, over the fields that a line has: a book of an older release, written before
some field was added, is as whole as ever. What is altered, missing, out of order or foreign is a
`BookError` that names the line and the field.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

import msgspec
from msgspec import Struct

from contracts.commands import OpenTable
from contracts.ids import TableId, TitleId
from contracts.plain import PlainError, as_read, as_written, from_plain, to_plain
from contracts.records import FIRST_DIGEST, Record, Sealed, digest

BOOK_FORMAT: Final = 1
"""Number of the form of the file; raised when a reader of today could not read it."""


class BookError(ValueError):
    """A file is not a whole, unaltered minute book: in which line (from 1) and which field."""

    def __init__(self, line: int, field: str, sentence: str) -> None:
        """Say where and what."""
        super().__init__(f"line {line}, {field}: {sentence}")
        self.line = line
        self.field = field
        self.sentence = sentence


class Header(Struct, frozen=True, forbid_unknown_fields=True):
    """The first line of the file."""

    minutebook: int
    table: TableId
    title: TitleId
    records: int
    seal: str


class Book(Struct, frozen=True):
    """A minute book that was read: whose it is, and its records with their digests."""

    header: Header
    sealed: tuple[Sealed, ...]

    @property
    def records(self) -> tuple[Record, ...]:
        """The records alone."""
        return tuple(entry.record for entry in self.sealed)


def written(table: TableId, sealed: Sequence[Sealed]) -> Iterator[str]:
    """The lines of the file, without line ends."""
    first = sealed[0].record.order.command if sealed else None
    title = first.title if isinstance(first, OpenTable) else TitleId("")
    seal = sealed[-1].digest.hex() if sealed else FIRST_DIGEST.hex()
    header = Header(BOOK_FORMAT, table, title, len(sealed), seal)
    yield msgspec.json.encode(header).decode()
    for entry in sealed:
        line = as_read(to_plain(entry.record), entry.record, msgspec.msgpack.decode(entry.body))
        line["digest"] = entry.digest.hex()
        yield msgspec.json.encode(line).decode()


def read(lines: Iterable[str]) -> Book:
    """The whole book in a file, every digest checked."""
    numbered = _numbered(lines)
    header = _header(numbered)
    sealed: list[Sealed] = []
    before = FIRST_DIGEST
    number = 1
    for number, text in numbered:
        entry = _entry(number, text)
        _belongs(number, header, entry.record, len(sealed) + 1)
        if entry.digest != digest(before, entry.body):
            raise BookError(
                number, "digest", "It does not follow from the line and the digest before it."
            )
        before = entry.digest
        sealed.append(entry)
    if len(sealed) != header.records:
        raise BookError(
            number,
            "records",
            f"The header announces {header.records} records and {len(sealed)} follow.",
        )
    if before.hex() != header.seal:
        raise BookError(1, "seal", "It is not the digest of the last record.")
    return Book(header, tuple(sealed))


def entries(lines: Iterable[str]) -> tuple[Header, tuple[tuple[bytes, bytes], ...]]:
    """The header and each record's encoding and digest as they stand, for an audit to judge."""
    numbered = _numbered(lines)
    header = _header(numbered)
    sealed = [_entry(number, text) for number, text in numbered]
    return header, tuple((entry.body, entry.digest) for entry in sealed)


def _numbered(lines: Iterable[str]) -> Iterator[tuple[int, str]]:
    return ((number, line) for number, line in enumerate(lines, 1) if line.strip())


def _header(numbered: Iterator[tuple[int, str]]) -> Header:
    number, text = next(numbered, (1, ""))
    document = _object(number, text)
    if "minutebook" not in document:
        raise BookError(number, "minutebook", "The file has no minute book's header.")
    if document["minutebook"] != BOOK_FORMAT:
        raise BookError(
            number,
            "minutebook",
            f"The form is {document['minutebook']!r}; this release reads form {BOOK_FORMAT}.",
        )
    try:
        return msgspec.convert(document, Header)
    except msgspec.ValidationError as error:
        raise BookError(number, *_placed(str(error))) from error


def _entry(number: int, text: str) -> Sealed:
    document = _object(number, text)
    seal = document.pop("digest", None)
    if not isinstance(seal, str):
        raise BookError(number, "digest", "There is none.")
    try:
        mark = bytes.fromhex(seal)
    except ValueError:
        raise BookError(number, "digest", f"{seal!r} is not hexadecimal.") from None
    try:
        record = from_plain(document, Record)
    except PlainError as error:
        raise BookError(number, *_placed(str(error))) from error
    return Sealed(record, msgspec.msgpack.encode(as_written(record, document)), mark)


def _object(number: int, text: str) -> dict[str, Any]:
    try:
        document = msgspec.json.decode(text)
    except msgspec.DecodeError as error:
        raise BookError(number, "the line", f"It is cut off or damaged ({error}).") from error
    if not isinstance(document, dict):
        raise BookError(number, "the line", "It is not an object.")
    return document


def _placed(message: str) -> tuple[str, str]:
    """The path that an error names, and what it says.

    >>> _placed("Expected `int`, got `str` - at `$.order.version`")
    ('order.version', 'Expected `int`, got `str`')
    """
    sentence, _, path = message.partition(" - at `$")
    return path.strip("`").lstrip(".") or "the line", sentence


def _belongs(number: int, header: Header, record: Record, version: int) -> None:
    if record.version != version:
        raise BookError(number, "version", f"It is {record.version} where {version} has to follow.")
    if record.order.table != header.table:
        raise BookError(
            number,
            "order.table",
            f"The record is of table {record.order.table!r}, the file of {header.table!r}.",
        )

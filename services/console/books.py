"""Minute books as files: written whole or not at all, read with every digest checked."""

import gzip
import os
import zlib
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

from contracts.book import BookError, Header, entries, written
from contracts.ids import TableId
from contracts.records import FIRST_DIGEST, Record, Sealed, seal
from services.archive.folder import contents_of
from services.console.errors import BadInputError

_SUFFIXES: Final = frozenset({".gz", ".json", ".jsonl", ".xz"})


def chained(records: Iterable[Record]) -> list[Sealed]:
    """Records with the digests that chain them, the first being the first of its book."""
    sealed: list[Sealed] = []
    for record in records:
        sealed.append(seal(sealed[-1].digest if sealed else FIRST_DIGEST, record))
    return sealed


def write_book(path: Path, table: TableId, sealed: Sequence[Sealed]) -> None:
    """Write a minute book to a file, which holds either all of it or what it held before."""
    fresh = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with fresh.open("w", encoding="utf-8") as file:
            file.writelines(f"{line}\n" for line in written(table, sealed))
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(path)
    except OSError as error:
        fresh.unlink(missing_ok=True)
        raise BadInputError(f"{path} cannot be written ({error.strerror}).") from None


def read_entries(path: Path) -> tuple[Header, tuple[tuple[bytes, bytes], ...]]:
    """The header of a minute book's file, and each record's encoding and digest as they stand."""
    return entries(text_of(path).splitlines())


def means_a_file(text: str) -> bool:
    """Whether somebody means a file, there or not, and no table; a table's name may have a dot."""
    path = Path(text)
    return path.is_file() or len(path.parts) > 1 or path.suffix in _SUFFIXES


def is_book(path: Path) -> bool:
    """Whether a file says that it is a minute book."""
    try:
        entries(text_of(path).splitlines()[:1])
    except BookError:
        return False
    return True


def text_of(path: Path) -> str:
    """The text of a file, which may be compressed; a file of the archive as `export` writes it."""
    if path.suffix == ".xz":
        contents = contents_of(path)
        return "".join(f"{line}\n" for line in written(contents.table, contents.sealed))
    try:
        body = path.read_bytes()
        return (gzip.decompress(body) if path.suffix == ".gz" else body).decode("utf-8")
    except (EOFError, zlib.error, gzip.BadGzipFile):
        raise BadInputError(f"{path} is cut off or damaged.") from None
    except OSError as error:
        raise BadInputError(f"{path} cannot be read ({error.strerror}).") from None
    except UnicodeDecodeError as error:
        raise BadInputError(f"{path} is not text (byte {error.start}).") from None

"""Files of the archive: written whole or not at all, and found again."""

import asyncio
import contextlib
import fcntl
import os
from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import Final

from contracts.archived import FOLDER_NAME, FOLDER_SETTING, SUFFIX, Tombstone
from contracts.ids import TableId
from services.archive.errors import ArchiveError, FileError
from services.archive.form import Contents, read, written

LOCK_NAME: Final = ".lock"
PAUSE_SECONDS: Final = 0.05


def folder_of(data: Path, environment: Mapping[str, str], named: Path | None = None) -> Path:
    """Where files lie: the folder that is named, or the setting's, or one of the data directory."""
    given = environment.get(FOLDER_SETTING)
    chosen = named if named is not None else Path(given) if given else data / FOLDER_NAME
    return chosen.expanduser().absolute()


def file_of(folder: Path, table: TableId) -> Path:
    """The file of a table."""
    return folder / f"{table}{SUFFIX}"


def contents_of(path: Path, table: TableId | None = None) -> Contents:
    """What a file holds; raises `FileError` in words, with the file's name."""
    try:
        body = path.read_bytes()
    except OSError as error:
        raise FileError(f"{path} cannot be read ({error.strerror}).") from None
    try:
        return read(body, table)
    except FileError as error:
        raise FileError(f"{path}: {error}") from None


def put(folder: Path, contents: Contents) -> Path:
    """Write a table's file: it holds all of it, or what it held before. It is on the disk then.

    A file of another table, or with records that this one does not go on from, is not written over.
    """
    path = file_of(folder, contents.table)
    if path.exists():
        _see_that_it_may_go(path, contents)
    return write_over(path, contents)


def write_over(path: Path, contents: Contents) -> Path:
    """Put a file in place of whatever is there, whole or not at all."""
    fresh = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        handle = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(handle, "wb") as file:
            file.write(written(contents))
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(path)
        _sync(path.parent)
    except OSError as error:
        fresh.unlink(missing_ok=True)
        raise ArchiveError(f"{path} cannot be written ({error.strerror}).") from None
    return path


@contextlib.asynccontextmanager
async def held(folder: Path) -> AsyncIterator[None]:
    """Hold a folder, so that no two commands write to it at once; it is made if it is not there."""
    handle = _opened(folder)
    try:
        while not _locked(handle):  # noqa: ASYNC110 - it is another process that is waited for
            await asyncio.sleep(PAUSE_SECONDS)
        yield
    finally:
        os.close(handle)


def _opened(folder: Path) -> int:
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        # The folder's own name has to be on the disk before anything relies on a file in it.
        _sync(folder.parent)
        return os.open(folder / LOCK_NAME, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise ArchiveError(f"{folder} cannot be used ({error.strerror}).") from None


def _locked(handle: int) -> bool:
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def place_of(tombstone: Tombstone, folder: Path) -> Path:
    """Where the file of an archived table lies: where it was put, or moved to, by its name."""
    put_there = Path(tombstone.file)
    return put_there if put_there.exists() else folder / put_there.name


def of_tombstone(tombstone: Tombstone, folder: Path) -> Contents:
    """What the file of an archived table holds; it has to be what was archived.

    A file that was sealed anew since counts, if its first line says from which seal.
    """
    path = place_of(tombstone, folder)
    if not path.exists():
        raise FileError(
            f"Table {tombstone.table} is archived, but its file {tombstone.file} is not there, "
            f"nor {path}. Put it back there, or name its folder ({FOLDER_SETTING})."
        )
    contents = contents_of(path, tombstone.table)
    seals = {contents.seal, *(one.before for one in contents.resealed)}
    if contents.version != tombstone.version or tombstone.digest not in seals:
        raise FileError(
            f"{path} is not the file that was archived: it has {contents.version} records and the "
            f"seal {contents.seal.hex()}, the store knows of {tombstone.version} records and the "
            f"seal {tombstone.digest.hex()}."
        )
    return contents


def expect(path: Path) -> None:
    """Raise if a file is not there in which a table is archived."""
    if not path.exists():
        raise FileError(f"{path} is not there, and a table is archived in it.")


def files_in(folder: Path) -> list[Path]:
    """All files of an archive, in order of their names."""
    return sorted(folder.glob(f"*{SUFFIX}")) if folder.is_dir() else []


def _see_that_it_may_go(path: Path, contents: Contents) -> None:
    try:
        there = contents_of(path)
    except FileError:
        # Nobody has relied on it: a file is proved before anything leaves the store.
        return
    at = there.version
    goes_on = at <= contents.version and (
        not at
        or contents.sealed[at - 1].digest == there.seal
        or there.seal in {one.before for one in contents.resealed}
    )
    if there.table != contents.table or not goes_on:
        raise ArchiveError(
            f"{path} holds another book (table {there.table}, {at} records, seal "
            f"{there.seal.hex()}). Move it away, or name another folder with --to."
        )


def _sync(folder: Path) -> None:
    """Have the names in a folder on the disk too."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)

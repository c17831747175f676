"""The data directory: who has it open, and which server wrote what lies in it.

Two servers start happily on one directory and ruin it, so one lock comes first. The lock is
inherited by the server, and so it is held exactly as long as anything can still write: when a
launcher was killed and its server is still closing its files, the next start waits for it.
"""

import contextlib
import fcntl
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import msgspec

from services.embedded.errors import DirectoryInUseError, DirectoryUnfitError, ServerTooOldError
from services.embedded.versions import Family, ServerVersion, read_version, written

# Raised when keys or their contents change so that an older Minutebook must not touch them.
STORE_FORMAT = 1

# Where the server listens: a directory of this prefix, made for one run in a short place.
SOCKET_DIRECTORY_PREFIX = "minutebook-"
SOCKET_NAME = "store.sock"

_LOCK_NAME = "minutebook.lock"
_MARKER_NAME = "minutebook-store.json"
_APPEND_ONLY_NAME = "appendonlydir"
# Files that a server leaves; in a directory without our marker they are somebody else's.
_SERVER_FILES = (_APPEND_ONLY_NAME, "appendonly.aof", "dump.rdb")
# How long a server whose launcher has gone may take to close its files.
_PATIENCE_SECONDS = 15.0
_PAUSE_SECONDS = 0.05


class Holder(msgspec.Struct, frozen=True):
    """Who holds the lock: the launcher, and where its socket lies, to be swept after a crash."""

    launcher: int
    socket_directory: str = ""


class Marker(msgspec.Struct, frozen=True):
    """Which server wrote the data last, in which format, and whether any has been written."""

    family: Family
    version: str
    store_format: int
    state: Literal["new", "in use"]

    @property
    def server(self) -> ServerVersion:
        """The server that wrote the data last."""
        return ServerVersion(self.family, read_version(self.version))


class DataDirectory:
    """One data directory, once its lock is taken."""

    def __init__(self, path: Path, lock: int) -> None:
        self.path = path
        self.lock = lock

    def note_socket(self, socket_directory: Path) -> None:
        """Write down where the socket lies, for whoever has to sweep up after a crash."""
        _write_holder(self.lock, Holder(os.getpid(), str(socket_directory)))

    def admit(self, server: ServerVersion) -> None:
        """Refuse a server that must not open what lies here, and mark the directory as its own."""
        marker = self._marker()
        has_data = (self.path / _APPEND_ONLY_NAME).exists()
        if marker is None:
            self._refuse_foreign_files()
            # Written before the server writes anything, so that a crash leaves no data without it.
            self._mark(server, "new")
        else:
            self._refuse_unfit(marker, server, has_data=has_data)

    def mark_in_use(self, server: ServerVersion) -> None:
        """Note that the server is up: from now on, missing files are a loss and not a beginning."""
        self._mark(server, "in use")

    def _marker(self) -> Marker | None:
        file = self.path / _MARKER_NAME
        try:
            return msgspec.json.decode(file.read_bytes(), type=Marker)
        except FileNotFoundError:
            return None
        except (msgspec.DecodeError, ValueError) as error:
            raise DirectoryUnfitError(
                f"{file} cannot be read ({error}), so it is not known which server wrote the data "
                "beside it. Put the file back from a backup, or use another data directory."
            ) from None

    def _mark(self, server: ServerVersion, state: Literal["new", "in use"]) -> None:
        marker = Marker(server.family, written(server.version), STORE_FORMAT, state)
        file = self.path / _MARKER_NAME
        fresh = file.with_suffix(".new")
        with fresh.open("wb") as output:
            output.write(msgspec.json.format(msgspec.json.encode(marker)) + b"\n")
            output.flush()
            os.fsync(output.fileno())
        fresh.replace(file)

    def _refuse_foreign_files(self) -> None:
        for name in _SERVER_FILES:
            if (self.path / name).exists():
                raise DirectoryUnfitError(
                    f"{self.path} holds {name}, written by a server that Minutebook did not start. "
                    "Use an empty data directory, or run that server yourself and give its "
                    "address in MINUTEBOOK_REDIS."
                )

    def _refuse_unfit(self, marker: Marker, server: ServerVersion, *, has_data: bool) -> None:
        if marker.store_format != STORE_FORMAT:
            raise DirectoryUnfitError(
                f"{self.path} was written in store format {marker.store_format}; this Minutebook "
                f"knows format {STORE_FORMAT}. Use the Minutebook that wrote it, or another data "
                "directory."
            )
        if marker.state == "in use" and not has_data:
            raise DirectoryUnfitError(
                f"{self.path} has been used, but {_APPEND_ONLY_NAME} with all its tables is gone. "
                "Put it back from a backup; or, to begin anew with no tables, remove "
                f"{_MARKER_NAME} there."
            )
        if server.is_older_release_than(marker.server):
            raise ServerTooOldError(
                f"{self.path} was last written by {marker.server}; {server} is older and must not "
                f"open it. Start it with {marker.server} or newer (MINUTEBOOK_REDIS_BINARY names a "
                "program)."
            )


@contextlib.contextmanager
def locked(path: Path) -> Iterator[DataDirectory]:
    """Take the directory's lock, making it if need be; refuse it if a server has it open."""
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
        lock = os.open(path / _LOCK_NAME, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise DirectoryUnfitError(
            f"The data directory {path} cannot be used ({error.strerror}). Name one that you may "
            "write to."
        ) from None
    try:
        _take(path, lock)
        _sweep(_read_holder(lock))
        _write_holder(lock, Holder(os.getpid()))
        yield DataDirectory(path, lock)
    finally:
        os.close(lock)


def _take(path: Path, lock: int) -> None:
    until = time.monotonic() + _PATIENCE_SECONDS
    while True:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            holder = _read_holder(lock)
            if _is_alive(holder.launcher):
                raise DirectoryInUseError(
                    f"{path} is open in another Minutebook (process {holder.launcher}). Stop that "
                    "one first, or use another data directory."
                ) from None
            if time.monotonic() > until:
                raise DirectoryInUseError(
                    f"{path} is still open in a server whose Minutebook (process "
                    f"{holder.launcher}) has gone. Find it with `fuser {path / _LOCK_NAME}`, stop "
                    "it, and try again."
                ) from None
            time.sleep(_PAUSE_SECONDS)
        else:
            return


def _read_holder(lock: int) -> Holder:
    try:
        return msgspec.json.decode(os.pread(lock, 4096, 0), type=Holder)
    except msgspec.DecodeError:
        # Just made, or its writer was killed between emptying and filling it.
        return Holder(launcher=0)


def _write_holder(lock: int, holder: Holder) -> None:
    os.ftruncate(lock, 0)
    os.pwrite(lock, msgspec.json.encode(holder), 0)


def _sweep(predecessor: Holder) -> None:
    """Remove the socket that a killed predecessor left behind; nothing but what is ours by name."""
    folder = Path(predecessor.socket_directory)
    if not folder.name.startswith(SOCKET_DIRECTORY_PREFIX):
        return
    with contextlib.suppress(OSError):
        (folder / SOCKET_NAME).unlink(missing_ok=True)
        folder.rmdir()


def _is_alive(process: int) -> bool:
    if process <= 0:
        return False
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True

"""Where data lies on this machine, and whether a Minutebook is up there.

`running.json` in the data directory says where the store of a running Minutebook is reached. It is
locked for as long as the process that wrote it lives, so a file left by a crash misleads nobody.
"""

import contextlib
import fcntl
import os
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Literal

import msgspec

from services.console.errors import UnreachableError

DATA_SETTING = "MINUTEBOOK_DATA"
_RUNNING_NAME = "running.json"
_LOGS_NAME = "logs"


class Running(msgspec.Struct, frozen=True):
    """A Minutebook that is up: the process, the store, and whether it stays (`up`) or soon ends."""

    process: int
    url: str
    kind: Literal["up", "command"]


class InUse(UnreachableError):  # noqa: N818 (a state that some wait for, not always an error)
    """Another Minutebook has the data directory; `running` is what it says of itself."""

    def __init__(self, path: Path, running: Running | None) -> None:
        who = f"process {running.process}" if running else "another process"
        super().__init__(
            f"{path} is open in another Minutebook ({who}). Stop that one first, or name another "
            "data directory with --data."
        )
        self.running = running


def data_directory(named: Path | None = None, environment: Mapping[str, str] | None = None) -> Path:
    """The data directory: the one named, the setting's, or the user's own."""
    settings = os.environ if environment is None else environment
    if named is not None:
        return named.expanduser().absolute()
    if given := settings.get(DATA_SETTING):
        return Path(given).expanduser().absolute()
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "minutebook"
    base = settings.get("XDG_DATA_HOME")
    return (Path(base) if base else Path.home() / ".local" / "share") / "minutebook"


def logs(data: Path) -> Path:
    """Where the services of a data directory write their logs."""
    return data / _LOGS_NAME


def running(data: Path) -> Running | None:
    """The Minutebook that is up on a data directory, None where none is."""
    with contextlib.suppress(OSError), (data / _RUNNING_NAME).open("rb") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return _told_in(file.read())
    return None


@contextlib.contextmanager
def announced(data: Path, kind: Literal["up", "command"]) -> Iterator["Announcement"]:
    """Hold the data directory; raise `InUse` if another Minutebook does."""
    file = data / _RUNNING_NAME
    try:
        data.mkdir(mode=0o700, parents=True, exist_ok=True)
        handle = os.open(file, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise UnreachableError(
            f"The data directory {data} cannot be used ({error.strerror}). Name one that you may "
            "write to with --data."
        ) from None
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise InUse(data, _told_in(os.pread(handle, 4096, 0))) from None
        os.ftruncate(handle, 0)
        yield Announcement(handle, kind)
        os.ftruncate(handle, 0)
    finally:
        os.close(handle)


class Announcement:
    """The data directory, held; others are told once the store is up."""

    def __init__(self, handle: int, kind: Literal["up", "command"]) -> None:
        self._handle = handle
        self._kind: Literal["up", "command"] = kind

    def tell(self, url: str) -> None:
        """Let others know where the store is reached."""
        told = Running(os.getpid(), url, self._kind)
        os.pwrite(self._handle, msgspec.json.encode(told), 0)


def _told_in(text: bytes) -> Running | None:
    with contextlib.suppress(msgspec.DecodeError):
        return msgspec.json.decode(text, type=Running)
    return None

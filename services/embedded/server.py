"""Start and stop the private server.

It listens on a unix socket that only this user can reach, writes every change through to the disk
before it answers, and ends with its launcher. A second start on the same directory goes on where
the first ended.
"""

import asyncio
import contextlib
import os
import subprocess
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self
from urllib.parse import quote

import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from services.embedded.directory import (
    SOCKET_DIRECTORY_PREFIX,
    SOCKET_NAME,
    DataDirectory,
    locked,
)
from services.embedded.errors import DirectoryUnfitError, ServerFailedError
from services.embedded.find import ServerBinary, find_server
from services.embedded.guard import Guard

# Every answer waits for the disk; a process or a power supply that dies loses nothing that was
# answered. The base of the append-only file is written as plain commands, which any server of the
# floor can open.
DURABLE = (
    *("--appendonly", "yes"),
    *("--appendfsync", "always"),
    *("--aof-use-rdb-preamble", "no"),
    *("--save", ""),
    *("--maxmemory-policy", "noeviction"),
)

_LOG_NAME = "server.log"
_LOG_BYTES_MOST = 1_000_000
_LOG_LINES_SHOWN = 8
# A unix socket's path may have 104 bytes on macOS and 108 on Linux, the closing zero among them.
_SOCKET_PATH_BYTES_MOST = 103
_SECONDS_TO_ANSWER = 30.0
_SECONDS_TO_STOP = 20.0
_PAUSE_SECONDS = 0.01


class Server:
    """One private server on one data directory.

    Starting and stopping block; in asynchronous code use `async with`, which does both in a thread.
    """

    def __init__(self, data_directory: Path, *, binary: ServerBinary | None = None) -> None:
        self.data_directory = data_directory.absolute()
        self._named_binary = binary
        self._running: _Running | None = None

    @property
    def url(self) -> str:
        """The address, as redis-py and FastStream take it."""
        return f"unix://{quote(str(self._started().socket))}"

    @property
    def process(self) -> int:
        """The number of the server's process."""
        return self._started().process.pid

    @property
    def is_running(self) -> bool:
        """Whether it was started and has not ended, of itself or otherwise."""
        return self._running is not None and self._running.process.poll() is None

    def ensure_running(self) -> None:
        """Raise, with the end of its log, if the server has ended of itself, as on a full disk."""
        running = self._started()
        if running.process.poll() is not None:
            raise ServerFailedError(
                f"The server ended (exit code {running.process.returncode}). "
                f"{_end_of_log(self.data_directory)}"
            )

    def start(self) -> None:
        """Start the server and return when it has loaded its data and answers."""
        if self._running is not None:
            raise ServerFailedError("This server has been started already; stop it first.")
        binary = self._named_binary or find_server()
        with contextlib.ExitStack() as undo:
            directory = undo.enter_context(locked(self.data_directory))
            directory.admit(binary.is_a)
            socket = undo.enter_context(_socket_in_a_short_place())
            directory.note_socket(socket.parent)
            guard = Guard()
            undo.callback(guard.release)
            process = _spawn(binary, directory, socket)
            undo.callback(_end, process, socket)
            guard.watch(process.pid)
            _wait_until_loaded(process, socket, self.data_directory)
            directory.mark_in_use(binary.is_a)
            self._running = _Running(process, socket, undo.pop_all())

    def stop(self) -> None:
        """Stop the server and let go of its directory; do nothing if it was not started."""
        if self._running is None:
            return
        running, self._running = self._running, None
        had_ended = running.process.poll() is not None
        running.undo.close()
        if running.process.returncode and not had_ended:
            raise ServerFailedError(
                f"The server did not close its files in good order (exit code "
                f"{running.process.returncode}). {_end_of_log(self.data_directory)}"
            )

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()

    async def __aenter__(self) -> Self:
        await asyncio.to_thread(self.start)
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await asyncio.to_thread(self.stop)

    def _started(self) -> "_Running":
        if self._running is None:
            raise ServerFailedError("This server has not been started.")
        return self._running


@dataclass(frozen=True)
class _Running:
    """What there is while the server runs, and how to take it down again in order."""

    process: subprocess.Popen[bytes]
    socket: Path
    undo: contextlib.ExitStack


@contextlib.contextmanager
def _socket_in_a_short_place() -> Iterator[Path]:
    """Give a path for the socket, in a directory of its own that only this user can enter.

    The data directory may lie too deep: a longer path than the system allows is refused by the
    server with nothing but a line in its log.
    """
    places = [os.environ.get("XDG_RUNTIME_DIR"), tempfile.gettempdir(), "/var/tmp"]  # noqa: S108
    for place in places:
        if not place or not os.access(place, os.W_OK | os.X_OK):
            continue
        folder = Path(tempfile.mkdtemp(prefix=SOCKET_DIRECTORY_PREFIX, dir=place))
        socket = folder / SOCKET_NAME
        if len(os.fsencode(socket)) <= _SOCKET_PATH_BYTES_MOST:
            try:
                yield socket
            finally:
                socket.unlink(missing_ok=True)
                folder.rmdir()
            return
        folder.rmdir()
    raise DirectoryUnfitError(
        "No place for the server's socket: none of $XDG_RUNTIME_DIR, $TMPDIR and the temporary "
        "directory can be written to with a short enough path. Set TMPDIR to a short one."
    )


def _spawn(binary: ServerBinary, directory: DataDirectory, socket: Path) -> subprocess.Popen[bytes]:
    log = directory.path / _LOG_NAME
    if log.exists() and log.stat().st_size > _LOG_BYTES_MOST:
        log.replace(log.with_suffix(".log.1"))
    with log.open("ab") as output:
        try:
            return subprocess.Popen(
                [
                    *(binary.path, *DURABLE),
                    *("--port", "0", "--unixsocket", socket, "--unixsocketperm", "700"),
                    *("--daemonize", "no", "--always-show-logo", "no"),
                ],
                # The data directory is the current one, so that no character in its path needs
                # quoting.
                cwd=directory.path,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                pass_fds=(directory.lock,),
                # An interrupt typed at the terminal is for the launcher, which stops the server in
                # order.
                start_new_session=True,
            )
        except OSError as error:
            raise ServerFailedError(f"{binary.path} could not be started ({error}).") from None


def _wait_until_loaded(
    process: subprocess.Popen[bytes], socket: Path, data_directory: Path
) -> None:
    """Return when the server answers and has loaded all its data, however long that takes."""
    until = time.monotonic() + _SECONDS_TO_ANSWER
    with _client(socket) as client:
        while process.poll() is None:
            try:
                if not client.info("persistence")["loading"] and client.ping():
                    return
                until = time.monotonic() + _SECONDS_TO_ANSWER
            except redis.RedisError:
                if time.monotonic() > until:
                    raise ServerFailedError(
                        f"The server does not answer. {_end_of_log(data_directory)}"
                    ) from None
            time.sleep(_PAUSE_SECONDS)
    raise ServerFailedError(
        f"The server did not start (exit code {process.returncode}). {_end_of_log(data_directory)}"
    )


def _end(process: subprocess.Popen[bytes], socket: Path) -> None:
    """Have the server close its files and end; if it will not, end it all the same."""
    if process.poll() is None:
        with _client(socket) as client:
            try:
                client.shutdown()
            except redis.RedisError:
                process.terminate()
    for insist in (process.terminate, process.kill):
        try:
            process.wait(_SECONDS_TO_STOP)
        except subprocess.TimeoutExpired:
            insist()
    process.wait()


def _client(socket: Path) -> redis.Redis:
    # No retries: we ask again ourselves, and a server that has shut down is not to be waited for.
    return redis.Redis(
        unix_socket_path=str(socket),
        socket_timeout=_SECONDS_TO_ANSWER,
        retry=Retry(NoBackoff(), 0),
    )


def _end_of_log(data_directory: Path) -> str:
    log = data_directory / _LOG_NAME
    with contextlib.suppress(OSError):
        lines = log.read_text(errors="replace").splitlines()[-_LOG_LINES_SHOWN:]
        return "\n".join([f"The end of {log}:", *(f"  {line}" for line in lines)])
    return f"Its log is {log}."

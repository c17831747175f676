"""Keep the services running: start them, start them again when they end, stop them in order.

A service that ends, for whatever reason and with whatever exit code, is started again after a pause
that grows while it keeps ending at once. One that never gets going is given up, with the end of its
log for the person who started it. No service outlives this process (see `Guard`).
"""

import contextlib
import subprocess
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

from services.console.errors import UnreachableError
from services.embedded.guard import Guard

LOG_BYTES_MOST = 5_000_000
_LINES_SHOWN = 6
_PAUSE_SECONDS_LEAST = 0.1
_PAUSE_SECONDS_MOST = 10.0
# Shorter than this, it did not get going; so often in a row, and it is given up.
_SECONDS_TO_GET_GOING = 5.0
_FALSE_STARTS_MOST = 5
_SECONDS_TO_STOP = 15.0


@dataclass(frozen=True)
class Service:
    """A program to keep running; the others go on without it if it is optional."""

    name: str
    arguments: Sequence[str]
    is_optional: bool = False


class Supervisor:
    """Keeps some services running from `start` to `stop`, each watched by a thread of its own."""

    def __init__(
        self, services: Sequence[Service], *, logs: Path, environment: Mapping[str, str]
    ) -> None:
        self._watches = [_Watch(service, logs, dict(environment)) for service in services]

    def start(self) -> None:
        """Start all services."""
        for watch in self._watches:
            watch.start()

    def stop(self) -> None:
        """Ask all services to end, wait for them, and end those that will not."""
        for watch in self._watches:
            watch.ask_to_end()
        for watch in self._watches:
            watch.join()

    def ensure_running(self) -> None:
        """Raise, with the end of its log, if a service was given up."""
        for watch in self._watches:
            if watch.failure and not watch.service.is_optional:
                raise UnreachableError(watch.failure)

    @property
    def processes(self) -> dict[str, int]:
        """The number of each service's process, of those that run at the moment."""
        running = ((watch.service.name, watch.process) for watch in self._watches)
        return {name: process for name, process in running if process is not None}

    @property
    def restarts(self) -> dict[str, int]:
        """How often each service was started again."""
        return {watch.service.name: max(0, watch.starts - 1) for watch in self._watches}

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


class _Watch(threading.Thread):
    """Runs one service over and over until told to end."""

    def __init__(self, service: Service, logs: Path, environment: dict[str, str]) -> None:
        super().__init__(name=f"watch-{service.name}", daemon=True)
        self.service = service
        self.log = logs / f"{service.name}.log"
        self.starts = 0
        self.failure = ""
        self._environment = environment
        self._is_to_end = threading.Event()
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def process(self) -> int | None:
        """The number of the process, None between two runs."""
        process = self._process
        return None if process is None or process.poll() is not None else process.pid

    def run(self) -> None:
        """Start the service, wait for its end, and again."""
        false_starts, pause = 0, _PAUSE_SECONDS_LEAST
        while not self._is_to_end.is_set():
            began = time.monotonic()
            try:
                code = self._run_once()
            except OSError as error:
                self.failure = f"The {self.service.name} could not be started ({error})."
                return
            if time.monotonic() - began > _SECONDS_TO_GET_GOING:
                false_starts, pause = 0, _PAUSE_SECONDS_LEAST
            else:
                false_starts += 1
            if false_starts >= _FALSE_STARTS_MOST and not self._is_to_end.is_set():
                self.failure = (
                    f"The {self.service.name} ended {false_starts} times as soon as it was started "
                    f"(exit code {code}). {self._end_of_log()}"
                )
                return
            self._is_to_end.wait(pause)
            pause = min(2 * pause, _PAUSE_SECONDS_MOST)

    def ask_to_end(self) -> None:
        """Have the service end, and start it no more."""
        with self._lock:
            self._is_to_end.set()
            if self._process is not None:
                self._process.terminate()

    def _run_once(self) -> int:
        self.log.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        if self.log.exists() and self.log.stat().st_size > LOG_BYTES_MOST:
            self.log.replace(self.log.with_suffix(".log.1"))
        guard = Guard()
        try:
            with self._lock, self.log.open("ab") as output:
                if self._is_to_end.is_set():
                    return 0
                process = subprocess.Popen(
                    list(self.service.arguments),
                    env=self._environment,
                    stdin=subprocess.DEVNULL,
                    stdout=output,
                    stderr=output,
                    # An interrupt typed at the terminal is for the console, which ends it in order.
                    start_new_session=True,
                )
                self._process = process
                self.starts += 1
            guard.watch(process.pid)
            return self._wait(process)
        finally:
            guard.release()

    def _wait(self, process: subprocess.Popen[bytes]) -> int:
        while True:
            try:
                return process.wait(0.5)
            except subprocess.TimeoutExpired:
                if self._is_to_end.is_set():
                    return self._insist(process)

    def _insist(self, process: subprocess.Popen[bytes]) -> int:
        try:
            return process.wait(_SECONDS_TO_STOP)
        except subprocess.TimeoutExpired:
            process.kill()
            return process.wait()

    def _end_of_log(self) -> str:
        with contextlib.suppress(OSError):
            lines = self.log.read_text(errors="replace").splitlines()[-_LINES_SHOWN:]
            return "\n".join([f"The end of {self.log}:", *(f"  {line}" for line in lines)])
        return f"Its log is {self.log}."

"""Processes that are kept running, whatever is done to them, and that end with this one."""

import asyncio
import contextlib
import os
import signal
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from pathlib import Path
from typing import Final, NoReturn

from services.embedded.guard import Guard

SECONDS_TO_STOP: Final = 10.0
_PAUSE_SECONDS: Final = 0.1

Ready = Callable[[], Awaitable[None]]


class Kept:
    """A program that is started again whenever it ends."""

    def __init__(
        self,
        name: str,
        arguments: Sequence[str],
        *,
        folder: Path,
        environment: Mapping[str, str],
        before: Ready | None = None,
    ) -> None:
        self.name = name
        self.log = folder / f"{name}.log"
        self.starts = 0
        self._arguments = arguments
        self._folder = folder
        self._environment = environment
        self._before = before
        self._process: asyncio.subprocess.Process | None = None

    @property
    def is_running(self) -> bool:
        """Whether there is a process at the moment."""
        return self._process is not None and self._process.returncode is None

    @property
    def process(self) -> int | None:
        """The number of the process, None between two runs."""
        return self._process.pid if self._process is not None and self.is_running else None

    def send(self, number: signal.Signals) -> bool:
        """Send the process a signal; false if there is none at the moment."""
        if self._process is None or self._process.returncode is not None:
            return False
        with contextlib.suppress(ProcessLookupError):
            self._process.send_signal(number)
        return True

    async def run(self) -> NoReturn:
        """Start the program over and over, once what it needs is there."""
        while True:
            if self._before is not None:
                await self._before()
            await self._run_once()
            await asyncio.sleep(_PAUSE_SECONDS)

    async def _run_once(self) -> None:
        guard = Guard("KILL")
        try:
            with self.log.open("ab") as output:
                self._process = await asyncio.create_subprocess_exec(
                    *self._arguments,
                    cwd=self._folder,
                    env=self._environment,
                    stdin=asyncio.subprocess.DEVNULL,
                    stdout=output,
                    stderr=output,
                    start_new_session=True,
                )
            self.starts += 1
            guard.watch(self._process.pid)
            await self._process.wait()
        finally:
            await self._end()
            guard.release()

    async def _end(self) -> None:
        """End the process in order if it will, and otherwise all the same."""
        if self._process is None or self._process.returncode is not None:
            return
        self.send(signal.SIGCONT)
        self.send(signal.SIGTERM)
        try:
            async with asyncio.timeout(SECONDS_TO_STOP):
                await self._process.wait()
        except TimeoutError:
            self.send(signal.SIGKILL)
            await self._process.wait()


@contextlib.asynccontextmanager
async def running(programs: Sequence[Kept]) -> AsyncIterator[None]:
    """Keep some programs running while inside; they are stopped last first."""
    tasks = [asyncio.create_task(program.run()) for program in programs]
    try:
        yield
    finally:
        for task in reversed(tasks):
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task


def environment(store: str) -> dict[str, str]:
    """The environment of a service on a store; no setting of the caller gets into it."""
    kept = {name: value for name, value in os.environ.items() if "MINUTEBOOK" not in name}
    return {**kept, "MINUTEBOOK_REDIS": store}

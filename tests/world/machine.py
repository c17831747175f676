"""A machine of the world, with the process on it: it runs, stands still, dies and is run again."""

import asyncio
from collections.abc import Callable, Coroutine
from random import Random
from typing import Any, NoReturn

from redis.exceptions import RedisError

from services.engine.handling import StuckError
from services.engine.ports import LeaseLostError
from tests.world.plan import Rates
from tests.world.server import Wall

ENDINGS = (RedisError, LeaseLostError, StuckError)
"""What may end a process; it is started again. Anything else is a fault of ours."""

Main = Callable[["Machine"], Coroutine[Any, Any, object]]


class Machine:
    """Keeps one process running, as a supervisor does."""

    def __init__(
        self, name: str, wall: Wall, lots: Random, rates: Rates, told: Callable[[str], None]
    ) -> None:
        self.name = name
        self.wall = wall
        self.rates = rates
        self.starts = 0
        self.fault: BaseException | None = None
        self._lots = lots
        self._told = told
        self._thawed = asyncio.Event()
        self._thawed.set()
        self._tasks: list[asyncio.Task[Any]] = []
        self._ended = asyncio.Event()

    def note(self, what: str) -> None:
        """Leave a line in the world's trace."""
        self._told(f"{self.name}.{self.starts} {what}")

    # --- what happens to it ------------------------------------------------------------------

    def kill(self) -> None:
        """End the process here and now."""
        self.note("killed")
        for task in self._tasks:
            task.cancel()

    def freeze(self) -> None:
        """Stop the process; it knows nothing of it."""
        self.note("frozen")
        self._thawed.clear()

    def thaw(self) -> None:
        """Let the process go on."""
        if not self._thawed.is_set():
            self.note("goes on")
            self._thawed.set()

    # --- what the process does ---------------------------------------------------------------

    async def wait(self) -> None:
        """Wait as long as a request or an answer takes; the process may die of it."""
        if self.rates.crash and self._lots.random() < self.rates.crash:
            self.kill()
        slow = self.rates.slow and self._lots.random() < self.rates.slow
        await asyncio.sleep(self._lots.randrange(50, 3_000_000 if slow else 2_000) / 1_000_000)
        await self._thawed.wait()

    async def rest(self) -> None:
        """Wait a while, there being nothing to do."""
        await asyncio.sleep(self._lots.randrange(10, 200) / 1000)

    def also(self, coroutine: Coroutine[Any, Any, object]) -> None:
        """Run something beside; it ends with the process, and the process with it."""
        task = asyncio.get_running_loop().create_task(coroutine)
        ended = self._ended
        task.add_done_callback(lambda _: ended.set())
        self._tasks.append(task)

    async def keep(self, main: Main) -> NoReturn:
        """Run a process over and over."""
        while True:
            self.starts += 1
            self._tasks = []
            self._ended = asyncio.Event()
            self.note("starts")
            self.also(main(self))
            await self._first_ended()
            await asyncio.sleep(self._lots.randrange(10, 2_000) / 1000)

    async def _first_ended(self) -> None:
        """Wait until anything of the process has ended, and end the rest."""
        await self._ended.wait()
        for task in self._tasks:
            task.cancel()
        for error in await asyncio.gather(*self._tasks, return_exceptions=True):
            if error is None or isinstance(error, asyncio.CancelledError):
                continue
            self.note(f"ended: {type(error).__name__}")
            if not isinstance(error, ENDINGS):
                self.fault = error

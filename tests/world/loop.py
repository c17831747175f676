"""An event loop without a clock of its own: time stands still while anything can be done.

Of all that can be done next, lots choose. So a program of many tasks runs in any order that asyncio
allows, hours pass in an instant, and the same lots give the same run, step by step.
"""

import asyncio
import heapq
from asyncio import events
from collections.abc import Callable, Coroutine
from contextvars import Context
from random import Random
from typing import Any

MICROSECONDS = 1_000_000


class StandstillError(RuntimeError):
    """Nothing can be done and nothing is waited for: every task is stuck."""


class VirtualLoop(asyncio.AbstractEventLoop):
    """Runs tasks in an order that lots choose, in time that passes only when all of them wait."""

    def __init__(self, lots: Random) -> None:
        self.microseconds = 0
        self.unhandled: list[dict[str, Any]] = []
        self._lots = lots
        self._ready: list[asyncio.Handle] = []
        self._timers: list[tuple[int, int, asyncio.TimerHandle]] = []
        self._number = 0
        self._tasks: list[asyncio.Task[Any]] = []
        self._is_running = False

    # --- what asyncio asks of a loop ---------------------------------------------------------

    def time(self) -> float:
        return self.microseconds / MICROSECONDS

    def call_soon(  # type: ignore[override]
        self, callback: Callable[..., object], *args: Any, context: Context | None = None
    ) -> asyncio.Handle:
        handle = asyncio.Handle(callback, args, self, context)
        self._ready.append(handle)
        return handle

    def call_later(  # type: ignore[override]
        self, delay: float, callback: Callable[..., object], *args: Any, context: Any = None
    ) -> asyncio.TimerHandle:
        return self.call_at(self.time() + delay, callback, *args, context=context)

    def call_at(  # type: ignore[override]
        self, when: float, callback: Callable[..., object], *args: Any, context: Any = None
    ) -> asyncio.TimerHandle:
        timer = asyncio.TimerHandle(when, callback, args, self, context)
        self._number += 1
        heapq.heappush(self._timers, (round(when * MICROSECONDS), self._number, timer))
        return timer

    def create_future(self) -> asyncio.Future[Any]:
        return asyncio.Future(loop=self)

    def create_task(  # type: ignore[override]
        self, coroutine: Coroutine[Any, Any, Any], *, name: object = None, context: Any = None
    ) -> asyncio.Task[Any]:
        task = asyncio.Task(coroutine, loop=self, name=str(name or "task"), context=context)
        self._tasks = [one for one in self._tasks if not one.done()]
        self._tasks.append(task)
        return task

    def get_debug(self) -> bool:
        return False

    def is_running(self) -> bool:
        return self._is_running

    def is_closed(self) -> bool:
        return False

    def call_exception_handler(self, context: dict[str, Any]) -> None:
        self.unhandled.append(context)

    def _timer_handle_cancelled(self, handle: asyncio.TimerHandle) -> None:
        """Nothing to do: what is cancelled is passed over when its time comes."""

    # --- running -----------------------------------------------------------------------------

    def run(self, main: Coroutine[Any, Any, Any]) -> Any:
        """Run a coroutine to its end, then end every task that is left, and give its result."""
        events._set_running_loop(self)
        self._is_running = True
        try:
            task = self.create_task(main)
            self._until_done(task)
            left = [one for one in self._tasks if not one.done()]
            for one in left:
                one.cancel()
            for one in left:
                self._until_done(one)
            return task.result()
        finally:
            self._is_running = False
            events._set_running_loop(None)

    def _until_done(self, task: asyncio.Task[Any]) -> None:
        while not task.done():
            self._step()

    def _step(self) -> None:
        """Do one thing that can be done; if there is none, let time pass until there is."""
        while self._timers and (not self._ready or self._timers[0][0] <= self.microseconds):
            when, _, timer = heapq.heappop(self._timers)
            if not timer.cancelled():
                self.microseconds = max(self.microseconds, when)
                self._ready.append(timer)
        if not self._ready:
            raise StandstillError
        ready = self._ready
        place = self._lots.randrange(len(ready)) if len(ready) > 1 else 0
        ready[place], ready[-1] = ready[-1], ready[place]
        handle = ready.pop()
        if not handle.cancelled():
            handle._run()

"""Kills, stops and restarts processes at random moments."""

import asyncio
import contextlib
import signal
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from random import Random
from typing import Final

from redis.exceptions import RedisError

from contracts import streams
from services.bus.client import Bus
from services.chaos.processes import Kept
from services.chaos.troubles import Trouble

PAUSE_SECONDS_LEAST: Final = 0.6
PAUSE_SECONDS_MOST: Final = 3.0
LONGER: Final = 1.5
"""How much longer than its lease a process stands still: another has taken over long since."""
IN_ORDER: Final = 0.25
"""How often a clock or a notifier is told to stop instead of being killed."""
STALL_SECONDS: Final = 0.5
"""A machine that keeps this process from its work for so long keeps others from theirs."""
_BEAT_SECONDS: Final = 0.1

Told = Callable[[str], None]


class Nemesis:
    """Makes trouble; `troubles` says which, and when.

    `leases` says for how long a process of a kind may hold what it has taken: an engine its
    partitions, a notifier its letters. A clock holds nothing and stands still as long as an engine.
    """

    def __init__(
        self, bus: Bus, programs: Sequence[Kept], *, leases: Mapping[str, float], seed: int
    ) -> None:
        self.troubles: list[Trouble] = []
        self._bus = bus
        self._programs = programs
        self._leases = leases
        self._lots = Random(f"{seed} nemesis")  # noqa: S311 - no secret
        self._frozen: set[asyncio.Task[None]] = set()

    @property
    def counts(self) -> Counter[str]:
        """How often what was done."""
        return Counter(one.what for one in self.troubles if one.process != "machine")

    async def work(self, is_over: Callable[[], bool], told: Told) -> None:
        """Make trouble until it is over, one trouble after another in turn."""
        kinds: tuple[Callable[[], Awaitable[str]], ...] = (
            self._kill_engine,
            lambda: self._freeze("engine"),
            lambda: self._kill("store"),
            lambda: self._kill("projector"),
            lambda: self._end("clock"),
            lambda: self._freeze("clock"),
            lambda: self._end("notifier"),
            lambda: self._freeze("notifier"),
        )
        watching = asyncio.create_task(self._watch())
        try:
            while not is_over():
                for kind in self._lots.sample(kinds, len(kinds)):
                    pause = self._lots.uniform(PAUSE_SECONDS_LEAST, PAUSE_SECONDS_MOST)
                    await asyncio.sleep(pause)
                    if is_over():
                        return
                    if what := await kind():
                        told(what)
        finally:
            await asyncio.gather(*self._frozen)
            watching.cancel()

    # --- what is done ------------------------------------------------------------------------

    async def _kill_engine(self) -> str:
        return self._done(await self._deciding(), signal.SIGKILL)

    async def _kill(self, kind: str) -> str:
        return self._done(self._any(kind), signal.SIGKILL)

    async def _end(self, kind: str) -> str:
        in_order = self._lots.random() < IN_ORDER
        return self._done(self._any(kind), signal.SIGTERM if in_order else signal.SIGKILL)

    def _done(self, program: Kept, number: signal.Signals) -> str:
        began = time.time()
        if not program.send(number):
            return ""
        how = "killed" if number == signal.SIGKILL else "stopped in order"
        trouble = Trouble(program.name, f"{kind_of(program)} {how}", began, began)
        self.troubles.append(trouble)
        return trouble.what

    async def _freeze(self, kind: str) -> str:
        """Stop a process until long after its lease has run out; it goes on by itself."""
        program = await self._deciding() if kind == "engine" else self._any(kind)
        began = time.time()
        if not program.send(signal.SIGSTOP):
            return ""
        seconds = LONGER * self._leases.get(kind, self._leases["engine"])
        what = f"{kind} frozen for longer than its lease"
        # What it excuses is known from the beginning, also if the run ends meanwhile.
        self.troubles.append(Trouble(program.name, what, began, began + seconds))

        async def thawed() -> None:
            await asyncio.sleep(seconds)
            program.send(signal.SIGCONT)

        task = asyncio.create_task(thawed())
        self._frozen.add(task)
        task.add_done_callback(self._frozen.discard)
        return what

    # --- to whom -----------------------------------------------------------------------------

    def _any(self, kind: str) -> Kept:
        return self._lots.choice([one for one in self._programs if kind_of(one) == kind])

    async def _deciding(self) -> Kept:
        """The engine that holds the lease of some partition, as far as the store says so."""
        key = streams.lease(self._lots.randrange(self._bus.partitions))
        holder = b""
        with contextlib.suppress(RedisError):
            holder = await self._bus.client.hget(key, "holder") or b""
        number = holder.split(b"/")[1] if holder.count(b"/") > 1 else b""
        any_other = self._any("engine")
        named = (one for one in self._programs if str(one.process).encode() == number)
        return next(named, any_other)

    async def _watch(self) -> None:
        """Note when the machine had no time for us."""
        before = time.time()
        while True:
            await asyncio.sleep(_BEAT_SECONDS)
            now = time.time()
            if now - before > _BEAT_SECONDS + STALL_SECONDS:
                self.troubles.append(Trouble("machine", "the machine stood still", before, now))
            before = now


def kind_of(program: Kept) -> str:
    """The kind of a process by its name."""
    return program.name.partition("-")[0]

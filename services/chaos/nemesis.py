"""Kills and stops processes at random moments."""

import asyncio
import contextlib
import signal
from collections import Counter
from collections.abc import Callable, Sequence
from random import Random
from typing import Final

from redis.exceptions import RedisError

from contracts import streams
from services.bus.client import Bus
from services.chaos.processes import Kept

PAUSE_SECONDS_LEAST: Final = 1.0
PAUSE_SECONDS_MOST: Final = 4.0
LONGER_THAN_A_LEASE: Final = 1.5
"""Leases for which a process that is stopped stands still: another has taken over long since."""


class Nemesis:
    """Makes trouble; `troubles` counts it."""

    def __init__(
        self,
        bus: Bus,
        store: Kept,
        engines: Sequence[Kept],
        projector: Kept,
        *,
        lease_seconds: float,
        seed: int,
    ) -> None:
        self.troubles: Counter[str] = Counter()
        self._bus = bus
        self._store = store
        self._engines = engines
        self._projector = projector
        self._lease_seconds = lease_seconds
        self._lots = Random(f"{seed} nemesis")  # noqa: S311 - no secret

    async def work(self, is_over: Callable[[], bool], told: Callable[[str], None]) -> None:
        """Make trouble until it is over, one trouble after another in turn."""
        kinds = (self._kill_engine, self._freeze_engine, self._kill_store, self._kill_projector)
        while not is_over():
            for kind in self._lots.sample(kinds, len(kinds)):
                pause = self._lots.uniform(PAUSE_SECONDS_LEAST, PAUSE_SECONDS_MOST)
                await asyncio.sleep(pause)
                if is_over():
                    return
                if what := await kind():
                    self.troubles[what] += 1
                    told(what)

    async def _kill_engine(self) -> str:
        engine = await self._deciding()
        return "engine killed" if engine.send(signal.SIGKILL) else ""

    async def _kill_projector(self) -> str:
        return "projector killed" if self._projector.send(signal.SIGKILL) else ""

    async def _kill_store(self) -> str:
        return "store killed" if self._store.send(signal.SIGKILL) else ""

    async def _freeze_engine(self) -> str:
        """Stop an engine until long after its lease has run out, and let it go on."""
        engine = await self._deciding()
        if not engine.send(signal.SIGSTOP):
            return ""
        await asyncio.sleep(LONGER_THAN_A_LEASE * self._lease_seconds)
        return "engine stopped for longer than its lease" if engine.send(signal.SIGCONT) else ""

    async def _deciding(self) -> Kept:
        """The engine that holds the lease of some partition, as far as the store says so."""
        key = streams.lease(self._lots.randrange(self._bus.partitions))
        holder = b""
        with contextlib.suppress(RedisError):
            holder = await self._bus.client.hget(key, "holder") or b""
        number = holder.split(b"/")[1] if holder.count(b"/") > 1 else b""
        named = (engine for engine in self._engines if str(engine.process).encode() == number)
        return next(named, self._lots.choice(self._engines))

"""What befalls the world beside lost messages: deaths, long silences, power cuts, wrong clocks."""

import asyncio
from collections.abc import Callable, Sequence
from random import Random

from tests.world.machine import Machine
from tests.world.plan import Plan
from tests.world.safety import Safety
from tests.world.server import Server, Wall

TICK_SECONDS = 0.25
CLOCK_WRONG_SECONDS = (-3600, -30, -1, 1, 30, 3600)


class Nemesis:
    """Makes trouble for a while, and then puts back what it can."""

    def __init__(
        self,
        plan: Plan,
        server: Server,
        safety: Safety,
        machines: Sequence[Machine],
        told: Callable[[str], None],
    ) -> None:
        self.plan = plan
        self.server = server
        self.safety = safety
        self.machines = machines
        self.told = told
        self._thawing: list[asyncio.Task[None]] = []

    async def troubles(self, lots: Random) -> None:
        """Make trouble."""
        rates, loop = self.plan.rates, asyncio.get_running_loop()
        until = loop.time() + self.plan.trouble_seconds
        while loop.time() < until:
            await asyncio.sleep(TICK_SECONDS * (0.5 + lots.random()))
            if lots.random() < rates.kill * TICK_SECONDS:
                lots.choice(self.machines).kill()
            if lots.random() < rates.freeze * TICK_SECONDS:
                silence = self.plan.lease_seconds * (0.5 + lots.random())
                self._thawing.append(loop.create_task(frozen(lots.choice(self.machines), silence)))
            if lots.random() < rates.power * TICK_SECONDS:
                await self.power_cut(lots)
            if lots.random() < rates.clock * TICK_SECONDS:
                self.wrong_clock(lots)
        for thawing in self._thawing:
            await thawing

    async def power_cut(self, lots: Random) -> None:
        """The store stops, and starts again from its disk."""
        self.server.stop()
        # A short one is noticed only by those who ask for something meanwhile.
        await asyncio.sleep(lots.randrange(lots.choice((2, 20, 3_000))) / 1000)
        lost = self.server.start(lots)
        self.told(f"store power lost, {lost} acts of its tail with it")
        self.safety.restarted()

    def wrong_clock(self, lots: Random) -> None:
        """Somebody sets a clock, forward or back."""
        walls: list[tuple[str, Wall]] = [("store", self.server.wall)]
        walls += [(machine.name, machine.wall) for machine in self.machines]
        name, wall = lots.choice(walls)
        wall.wrong_by += lots.choice(CLOCK_WRONG_SECONDS) * 1_000_000
        self.told(f"{name} clock wrong by {wall.wrong_by // 1_000_000} s")


async def frozen(machine: Machine, seconds: float) -> None:
    """Stop a process for a while."""
    machine.freeze()
    await asyncio.sleep(seconds)
    machine.thaw()

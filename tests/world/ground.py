"""The ports of the world where nothing goes wrong, for the tests that all ports have to pass."""

import asyncio
from random import Random

from services.engine.memory import Memory
from tests.ports.ground import MemoryGround, TestClock
from tests.world.machine import Machine
from tests.world.plan import NO_FAULTS
from tests.world.ports import Ports
from tests.world.server import Server, Wall


class ClockWall(Wall):
    """A clock that a test sets by hand."""

    def __init__(self, clock: TestClock) -> None:
        super().__init__(lambda: 0)
        self._clock = clock

    def now(self) -> int:
        return self._clock.time


class PromptMachine(Machine):
    """A machine whose requests take no time, but are waited for."""

    async def wait(self) -> None:
        await asyncio.sleep(0)


class SimulatedGround(MemoryGround):
    """What a test does and sees outside of the ports is done to the memory behind them."""

    def __post_init__(self) -> None:
        wall = ClockWall(self.clock)
        server = Server(wall, Memory, partitions=16, lease_seconds=10, is_durable=True)
        machine = PromptMachine("test", wall, Random(0), NO_FAULTS, lambda _: None)
        self.ports = Ports(server, machine, Random(0))
        self.memory = server.memory

"""Clients of the world: each has a bus, and sends its orders until they are answered."""

import asyncio
from collections.abc import Coroutine
from random import Random
from typing import Any

from redis.exceptions import RedisError

from contracts import streams
from contracts.commands import Order
from contracts.ids import TableId
from contracts.streams import Outcome, Recorded
from services.bus.client import Bus
from services.bus.errors import NoAnswerError
from tests.ports import purse
from tests.world.games import named, purse_order, script
from tests.world.machine import Machine
from tests.world.plan import Plan
from tests.world.ports import Ports
from tests.world.safety import BrokenPromiseError, Safety
from tests.world.wire import Wire

PATIENCE_SECONDS = 5.0
AGAIN = 0.15
"""How often an order that was answered is sent once more, to be given the same answer."""


class Client:
    """Sends orders; `done` once each has been answered."""

    def __init__(
        self, machine: Machine, ports: Ports, plan: Plan, safety: Safety, lots: Random
    ) -> None:
        self.machine = machine
        self.ports = ports
        self.plan = plan
        self.safety = safety
        self.done = False
        self.answers = 0
        self.retries = 0
        self._lots = lots
        self._seen: dict[TableId, int] = {}

    async def finished(self, orders: Coroutine[Any, Any, None]) -> None:
        """Send orders to the last one; what goes wrong is this machine's fault."""
        try:
            await orders
            self.done = True
        except Exception as error:  # noqa: BLE001 - the world wants to know
            self.machine.fault = error

    async def bus(self) -> Bus:
        """A bus with a channel that lots do not change."""
        bus = Bus(Wire(self.ports, self._lots), self.plan.partitions)
        bus._channel = streams.answers(self.machine.name)
        return bus

    async def answered(self, bus: Bus, order: Order) -> Outcome:
        """The answer to an order, however often it has to be sent."""
        while True:
            starts = self.ports.server.starts
            try:
                outcome = await bus.send(order, PATIENCE_SECONDS)
            except NoAnswerError:
                self.retries += 1
                self.machine.note(f"{order.table} {order.id}: no answer")
                continue
            self.answers += 1
            self.safety.told(order.table, order.id, outcome, starts)
            if isinstance(outcome, Recorded):
                self._seen[order.table] = outcome.version
            elif outcome.rejection.version is not None:
                self._seen[order.table] = outcome.rejection.version
            if self._lots.random() >= AGAIN:
                return outcome

    async def think(self) -> None:
        """Wait a while."""
        await asyncio.sleep(self._lots.randrange(1, 800) / 1000)

    # --- the purse ----------------------------------------------------------------------------

    async def send_orders(self) -> None:
        """Send orders for any table, some at once."""
        async with await self.bus() as bus:
            await asyncio.gather(*(self.line(bus, line) for line in range(self.plan.at_once)))

    async def line(self, bus: Bus, line: int) -> None:
        for number in range(line, self.plan.orders, self.plan.at_once):
            table = TableId(f"purse-{self._lots.randrange(self.plan.tables)}")
            id = f"{self.machine.name}-{number}"
            if table not in self._seen:
                await self.answered(bus, purse.opening(table, self._lots.choice(("open", id))))
                self._seen.setdefault(table, 1)
            await self.answered(bus, purse_order(self._lots, table, f"{id}!", self._seen[table]))
            await self.think()

    # --- games by the rules -------------------------------------------------------------------

    async def play(self, table: TableId) -> None:
        """Play a game to the end of its script; what a restart has lost is played again."""
        orders = script(table, self.plan.moves)
        refusals = 0
        async with await self.bus() as bus:
            version = 0
            while version < len(orders):
                # An order that was refused has had its answer: the next one has another id.
                id = f"{self.machine.name}-{version}-{refusals}"
                starts = self.ports.server.starts
                outcome = await self.answered(bus, named(orders[version], id))
                if isinstance(outcome, Recorded):
                    version = outcome.version
                else:
                    nothing_was_lost = self.ports.server.starts == starts and not refusals
                    refusals += 1
                    now = await self.version(bus, table)
                    if now == version and (self.plan.is_durable or nothing_was_lost):
                        said = outcome.rejection.sentence
                        raise BrokenPromiseError(f"{table}: version {version} refused: {said}")
                    version = now
                await self.think()

    async def version(self, bus: Bus, table: TableId) -> int:
        """Where a table stands, asked until the store says so."""
        while True:
            try:
                head = await bus.head(table)
            except RedisError:
                await self.think()
            else:
                return 0 if head is None else head.version

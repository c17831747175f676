"""Engine and projector of the world: the services' own code, run over the ports of the world."""

import asyncio
from collections.abc import Callable, Collection, Sequence

from services.engine.catchup import Projector
from services.engine.drain import Stranded, drain
from services.engine.handling import Handled, Handling
from services.engine.lease import all_renewed, all_taken
from services.engine.ports import Entry, Held, Lease
from tests.world.games import bodies, decide, project
from tests.world.machine import Machine
from tests.world.plan import Plan
from tests.world.ports import Ports

RELEASE = "world"
RENEWALS_PER_LEASE = 4


class Engine:
    """What `services.engine` does, without FastStream and its sockets."""

    def __init__(self, plan: Plan, ports: Ports, told: Callable[[Sequence[Handled]], None]) -> None:
        self.plan = plan
        self.ports = ports
        self.told = told

    async def __call__(self, machine: Machine) -> None:
        plan = self.plan
        handling = Handling(
            self.ports,
            machine.wall,
            partitions=plan.partitions,
            release=RELEASE,
            decide=decide,
            snapshot_every=plan.snapshot_every,
            tables_at_hand=plan.tables_at_hand,
        )
        leases = await all_taken(
            self.ports,
            range(plan.partitions),
            f"{machine.name}.{machine.starts}",
            sleep=asyncio.sleep,
            waiting=lambda partition, by: waited(machine, partition, by),
        )
        await self.drained(handling, leases.values())
        self.in_turn = {partition: asyncio.Lock() for partition in leases}
        stranded = self.stranded()
        for lease in leases.values():
            machine.also(self.serve(machine, handling, lease))
        while True:
            await asyncio.sleep(plan.lease_seconds / RENEWALS_PER_LEASE)
            await all_renewed(self.ports, leases.values())
            for lease in leases.values():
                if entries := await stranded.look(lease.partition, plan.batch):
                    machine.note(f"stranded: {' '.join(entry.id for entry in entries)}")
                    await self.handled(handling, lease, entries)

    async def drained(self, handling: Handling, leases: Collection[Lease]) -> None:
        """Finish what the engine before has left."""
        await drain(self.ports, handling, leases, most=self.plan.batch, told=self.told)

    def stranded(self) -> Stranded:
        """What finds the commands that nobody handles."""
        return Stranded(self.ports)

    async def handled(self, handling: Handling, lease: Lease, entries: Sequence[Entry]) -> None:
        """Handle a batch, and no other of its partition meanwhile."""
        async with self.in_turn[lease.partition]:
            self.told(await handling.handle(lease, entries))

    async def serve(self, machine: Machine, handling: Handling, lease: Lease) -> None:
        """Handle what comes to a partition."""
        while True:
            entries = await self.ports.fresh(lease.partition, self.plan.batch)
            if entries:
                await self.handled(handling, lease, entries)
            else:
                await machine.rest()


def waited(machine: Machine, partition: int, by: Held) -> None:
    machine.note(f"waits for partition {partition}, held by {by.holder}")


class Views:
    """What `services.engine.projector` does."""

    def __init__(self, plan: Plan, ports: Ports) -> None:
        self.plan = plan
        self.ports = ports

    async def __call__(self, machine: Machine) -> None:
        projector = Projector(
            self.ports,
            self.ports,
            range(self.plan.partitions),
            project=project,
            encoded=bodies,
            tables_at_hand=self.plan.tables_at_hand,
        )
        await projector.begin()
        while True:
            if not await projector.catch_up():
                await machine.rest()

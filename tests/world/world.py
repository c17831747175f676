"""A whole world of one seed: a store, engines, projectors, clients, and what goes wrong.

First comes trouble, then everything is healed and has to come right: every order answered, every
command off its stream, every view at the end of its log and equal to one built anew.
"""

import asyncio
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from hashlib import blake2b
from pathlib import Path
from random import Random
from typing import Any
from unittest import mock

from msgspec import Struct
from structlog.testing import capture_logs

from contracts.ids import TableId
from services.bus import following
from services.engine import catchup
from tests.world.bugs import NO_BUG, Bug
from tests.world.clients import Client
from tests.world.games import GAMES
from tests.world.loop import StandstillError, VirtualLoop
from tests.world.machine import Machine, Main
from tests.world.nemesis import Nemesis
from tests.world.plan import NO_FAULTS, Plan, planned
from tests.world.processes import Views
from tests.world.safety import BrokenPromiseError, Safety
from tests.world.server import FSYNC_MICROSECONDS, Server, Wall

SECONDS_TO_COME_RIGHT = 120
SECONDS_TO_SYNC = FSYNC_MICROSECONDS / 1_000_000
TRIM_EVERY = 20
TABLES_AT_ONCE = 2
LINES_SHOWN = 30


class Outcome(Struct, frozen=True):
    """What came of a world: `broken` says what broke, or nothing."""

    plan: Plan
    broken: str
    trace: tuple[str, ...]
    records: int
    answers: int
    looks: int
    happened: dict[str, int]

    @property
    def mark(self) -> str:
        """A checksum of the trace."""
        return blake2b("\n".join(self.trace).encode(), digest_size=16).hexdigest()

    def __str__(self) -> str:
        """What broke, how to see it again, and what went before."""
        last = "\n".join(self.trace[-LINES_SHOWN:])
        seed = self.plan.seed
        return (
            f"seed {seed}, commit {commit()}: {self.broken}\n"
            f"python -m tests.world --seed {seed}\n{self.plan}\n{last}"
        )


class World:
    """Everything there is."""

    def __init__(self, plan: Plan, bug: Bug, loop: VirtualLoop) -> None:
        self.plan = plan
        self.bug = bug
        self.loop = loop
        self.trace: list[str] = []
        self.server = Server(
            self.wall(),
            bug.memory,
            partitions=plan.partitions,
            lease_seconds=plan.lease_seconds,
            is_durable=plan.is_durable,
        )
        self.safety = Safety(self.server)
        self.processes: list[Machine] = []
        self.clients: list[Client] = []
        self.tasks: list[asyncio.Task[Any]] = []

    def lots(self, purpose: str) -> Random:
        """Chance for one purpose."""
        return Random(f"{self.plan.seed} {purpose}")

    def wall(self) -> Wall:
        """A clock for one machine."""
        return Wall(lambda: self.loop.microseconds)

    def told(self, line: str) -> None:
        """Add a line to the trace."""
        self.trace.append(f"{self.loop.microseconds} {line}")

    def machine(self, name: str) -> Machine:
        """One more machine."""
        return Machine(name, self.wall(), self.lots(name), self.plan.rates, self.told)

    # --- who is there -------------------------------------------------------------------------

    def start(self) -> None:
        """Start all processes and all clients."""
        plan, bug = self.plan, self.bug
        for number in range(plan.engines):
            machine = self.machine(f"engine-{number}")
            ports = bug.ports(self.server, machine, self.lots(f"{machine.name} ports"))
            self.run(machine, bug.engine(plan, ports, lambda _: None))
        for number in range(plan.projectors):
            machine = self.machine(f"projector-{number}")
            ports = bug.ports(self.server, machine, self.lots(f"{machine.name} ports"))
            self.run(machine, Views(plan, ports))
        for number in range(plan.clients):
            client = self.client(f"client-{number}")
            self.run_client(client, client.send_orders())
        for number in range(plan.games):
            table = TableId(f"{GAMES}{plan.seed % 7}-{number}")
            client = self.client(f"player-{number}")
            self.run_client(client, client.play(table))

    def run(self, machine: Machine, main: Main) -> None:
        """Have a process run, over and over."""
        self.processes.append(machine)
        self.tasks.append(self.loop.create_task(machine.keep(main)))

    def client(self, name: str) -> Client:
        """One more client. Its process does not die, but its requests and answers do."""
        machine = self.machine(name)
        machine.rates = machine.rates.without_crashes()
        ports = self.bug.ports(self.server, machine, self.lots(f"{name} ports"))
        return Client(machine, ports, self.plan, self.safety, self.lots(f"{name} whims"))

    def run_client(self, client: Client, orders: Any) -> None:
        """Have a client send its orders."""
        self.clients.append(client)
        self.tasks.append(self.loop.create_task(client.finished(orders)))

    # --- what happens -------------------------------------------------------------------------

    async def history(self) -> None:
        """Trouble, healing, and everything coming right."""
        self.start()
        nemesis = Nemesis(self.plan, self.server, self.safety, self.processes, self.told)
        syncing = self.loop.create_task(self.syncing())
        troubled = self.loop.create_task(nemesis.troubles(self.lots("nemesis")))
        await self.until(troubled.done, self.plan.trouble_seconds + 60, "trouble is over")
        for machine in (*self.processes, *(client.machine for client in self.clients)):
            machine.rates = NO_FAULTS
            machine.thaw()
        self.told("healed")
        await self.until(self.is_right, SECONDS_TO_COME_RIGHT, "everything has come right")
        syncing.cancel()
        self.safety.logs_hold()
        self.safety.views_hold(all_of_them=True)

    async def syncing(self) -> None:
        """Write to the disk once in a while."""
        while True:
            await asyncio.sleep(SECONDS_TO_SYNC)
            self.server.sync()

    async def until(self, is_so: Any, seconds: float, what: str) -> None:
        """Wait until something is so, failing as soon as anything is wrong."""
        until = self.loop.time() + seconds
        while not is_so():
            for context in self.loop.unhandled:
                raise context.get("exception") or BrokenPromiseError(str(context))
            for machine in (*self.processes, *(client.machine for client in self.clients)):
                if machine.fault is not None:
                    raise machine.fault
            if self.loop.time() > until:
                raise BrokenPromiseError(f"not in {seconds:g} s: {what} ({self.state()})")
            await asyncio.sleep(0.1)

    def is_right(self) -> bool:
        """Whether every order is answered, nothing waits, and all views show the end."""
        return self.state() == ""

    def state(self) -> str:
        """What is not yet right."""
        memory = self.server.memory
        waiting = sum(
            len(memory.waiting[number]) + len(memory.given[number])
            for number in range(memory.partitions)
        )
        left = [client.machine.name for client in self.clients if not client.done]
        behind = [
            f"{table}@{views.version if views else 0}<{len(log)}"
            for table, log in memory.logs.items()
            if (views := memory.views.get(table)) is None or views.version < len(log)
        ]
        parts = (
            f"not answered: {', '.join(left)}" if left else "",
            f"{waiting} commands wait" if waiting else "",
            f"views behind: {', '.join(behind)}" if behind else "",
        )
        return "; ".join(part for part in parts if part)


def run(
    seed: int, bug: Bug = NO_BUG, *, plan: Plan | None = None, kind: type[World] = World
) -> Outcome:
    """Let a world run; what breaks in it is told, not raised."""
    plan = bug.plan(planned(seed)) if plan is None else plan
    loop = VirtualLoop(Random(f"{seed} order"))  # type: ignore[abstract]
    world = kind(plan, bug, loop)
    broken = ""
    with quick_to_trim(), bug.planted(), capture_logs() as logs:
        try:
            loop.run(world.history())
        except StandstillError:
            broken = f"nobody does anything any more ({world.state()})"
        except BrokenPromiseError as error:
            broken = str(error)
        except Exception as error:  # noqa: BLE001 - whatever our code raises has broken something
            broken = f"{type(error).__name__}: {error}"
    errors = [line for line in logs if line["log_level"] == "error"]
    if errors and not broken:
        broken = f"logged as an error: {errors[0]}"
    happened = counted(world.trace)
    return Outcome(
        plan,
        broken,
        tuple(world.trace),
        sum(len(log) for log in world.server.memory.logs.values()),
        sum(client.answers for client in world.clients),
        world.safety.looks,
        happened,
    )


def counted(trace: list[str]) -> dict[str, int]:
    """How often each kind of trouble happened."""
    words = {
        "killed": "killed",
        "frozen": "frozen",
        "power lost": "power lost",
        "request lost": "request lost",
        "answer lost": "answer lost",
        "late": ": late",
        "given twice": " again",
        "fenced": "LeaseLostError",
        "clock": "clock",
    }
    return {name: sum(word in line for line in trace) for name, word in words.items()}


@contextmanager
def quick_to_trim() -> Iterator[None]:
    """Let the projector throw away feed entries, and store views piecemeal, in small worlds too."""
    few = mock.patch.object(following, "TABLES_AT_ONCE", TABLES_AT_ONCE)
    with mock.patch.object(catchup, "TRIM_EVERY", TRIM_EVERY), few:
        yield


@cache
def commit() -> str:
    """The commit that this is, as far as it can be told."""
    try:
        found = subprocess.run(
            ["git", "rev-parse", "--short", "HEAD"],
            cwd=Path(__file__).parent,
            capture_output=True,
            text=True,
            check=False,
        )
    except OSError:
        return "unknown"
    return found.stdout.strip() or "unknown"

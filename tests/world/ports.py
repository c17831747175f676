"""The ports as a process of the world has them: each waits before and after the store acts.

While it waits, everything may happen: the process may be stopped or die, the store may be
restarted, the request may never come to it, or come late, or its answer may be lost.
"""

import asyncio
from collections.abc import Mapping, Sequence
from random import Random
from typing import TypeVar

from redis.exceptions import ConnectionError as NoConnectionError

from contracts.ids import TableId
from contracts.records import Sealed
from services.engine.ports import Entry, Head, Held, Lease, Mention, Views, Write, Written
from tests.world.machine import Machine
from tests.world.plan import Rates
from tests.world.server import Change, Server

T = TypeVar("T")


class Ports:
    """Log, inbox, leases and shelf of one process."""

    def __init__(self, server: Server, machine: Machine, lots: Random) -> None:
        self.server = server
        self.machine = machine
        self.partitions = server.memory.partitions
        self._lots = lots
        self._given: list[tuple[int, Entry]] = []
        self._on_their_way: list[asyncio.Task[None]] = []

    @property
    def rates(self) -> Rates:
        """What goes wrong how often, at present."""
        return self.machine.rates

    async def ask(
        self, what: str, change: Change[T], *, is_write: bool = True, about: object = None
    ) -> T:
        """Send a request and wait for the answer."""
        await self.machine.wait()
        connected_to = self.server.starts
        if not self.server.is_up:
            raise NoConnectionError("the store is not there")
        if self._happens(self.rates.lost_request):
            self.machine.note(f"{what}: request lost")
            raise NoConnectionError("the request is lost")
        if self._happens(self.rates.late_request):
            late = self._late(what, change, is_write, about)
            self._on_their_way.append(asyncio.get_running_loop().create_task(late))
            raise NoConnectionError("the request is on its way")
        self.machine.note(what)
        result = self.server.act(what, change, is_write=is_write, about=about)
        await self.machine.wait()
        if self.server.starts != connected_to or self._happens(self.rates.lost_answer):
            self.machine.note(f"{what}: answer lost")
            raise NoConnectionError("the answer is lost")
        return result

    async def _late(self, what: str, change: Change[T], is_write: bool, about: object) -> None:
        """A request that comes when nobody waits for its answer any more."""
        connected_to = self.server.starts
        await asyncio.sleep(self._lots.randrange(1, 15_000) / 1000)
        if self.server.is_up and self.server.starts == connected_to:
            self.machine.note(f"{what}: late")
            try:
                self.server.act(what, change, is_write=is_write, about=about)
            except Exception as error:  # noqa: BLE001 - nobody is there to be told
                self.machine.note(f"{what}: {type(error).__name__}")

    def _happens(self, rate: float) -> bool:
        return rate > 0 and self._lots.random() < rate

    # --- minute books ------------------------------------------------------------------------

    async def head(self, table: TableId) -> Head:
        return await self.ask(f"head {table}", lambda m: m.head(table), is_write=False)

    async def read(self, table: TableId, first: int = 1, last: int | None = None) -> list[Sealed]:
        what = f"read {table} {first} {last}"
        return await self.ask(what, lambda m: m.read(table, first, last), is_write=False)

    async def commit(self, lease: Lease, writes: Sequence[Write]) -> list[Written]:
        kept = tuple(writes)
        what = f"commit {lease.partition} {lease.epoch} {' '.join(w.id for w in kept)}"
        return await self.ask(what, lambda m: m.commit(lease, kept), about=(lease, kept))

    # --- commands ----------------------------------------------------------------------------

    async def pending(self, partition: int, most: int) -> list[Entry]:
        what = f"pending {partition}"
        return await self.ask(what, lambda m: m.pending(partition, most), is_write=False)

    async def fresh(self, partition: int, most: int) -> list[Entry]:
        entries = await self.ask(f"fresh {partition}", lambda m: m.fresh(partition, most))
        self._given += [(partition, entry) for entry in entries]
        again = [entry for number, entry in self._given if number == partition]
        if again and self._happens(self.rates.twice):
            entries = [*entries, self._lots.choice(again)]
            self.machine.note(f"fresh {partition}: {entries[-1].id} again")
        return entries

    # --- leases ------------------------------------------------------------------------------

    async def take(self, partition: int, holder: str, dead: str = "") -> Lease | Held:
        what = f"take {partition} {holder}"
        return await self.ask(what, lambda m: m.take(partition, holder, dead))

    async def renew(self, lease: Lease) -> bool:
        return await self.ask(f"renew {lease.partition} {lease.epoch}", lambda m: m.renew(lease))

    async def release(self, lease: Lease) -> None:
        await self.ask(f"release {lease.partition} {lease.epoch}", lambda m: m.release(lease))

    # --- feeds and views ---------------------------------------------------------------------

    async def place(self, partition: int) -> str | None:
        return await self.ask(f"place {partition}", lambda m: m.place(partition), is_write=False)

    async def newest(self, partition: int) -> str:
        return await self.ask(f"newest {partition}", lambda m: m.newest(partition), is_write=False)

    async def after(
        self, places: Mapping[int, str], most: int, block_milliseconds: int | None = None
    ) -> list[tuple[int, list[Mention]]]:
        kept = dict(places)
        return await self.ask(f"after {kept}", lambda m: m.after(kept, most), is_write=False)

    async def tables(self, partition: int) -> list[TableId]:
        return await self.ask(f"tables {partition}", lambda m: m.tables(partition), is_write=False)

    async def show(self, partition: int, before: str, now: str, views: Sequence[Views]) -> bool:
        kept = tuple(views)
        shown = " ".join(f"{one.table}@{one.version}" for one in kept)
        what = f"show {partition} {before}>{now} {shown}"
        return await self.ask(what, lambda m: m.show(partition, before, now, kept))

    async def forget(self, partition: int) -> int:
        return await self.ask(f"forget {partition}", lambda m: m.forget(partition))

    async def trim(self, partition: int) -> None:
        await self.ask(f"trim {partition}", lambda m: m.trim(partition))

"""What tests of the archive do and look at: tables in a store, and the files beside it."""

from collections.abc import Callable
from pathlib import Path

from contracts import streams
from contracts.commands import AnyCommand, Order
from contracts.ids import CommandId, Party, PlayerId, TableId
from contracts.rejections import Rejection
from contracts.streams import Outcome, Recorded, encode
from services.archive import folder as files
from services.archive.archiving import Archiving, Wish
from services.archive.form import Contents
from services.archive.removing import Removing
from services.archive.taking import taken
from services.bus.typed import Client
from services.clock.keeping import Keeper
from services.clock.store import Store as ClockStore
from services.engine import live
from services.engine.catchup import Projector
from services.engine.handling import Handling
from services.engine.ports import Entry, Lease
from services.engine.shelves import Shelves
from services.engine.store import Store
from services.engine.table.state import Table
from services.notifier.books import StoredBooks
from services.notifier.noticing import Noticing
from services.notifier.store import Store as Outbox
from tests.golden.logs.kept import book
from tests.ports.ground import TestClock

NOW = 2_000_000_000_000_000
ANY = Wish(finished=False)
OVER = "soak-1830-2-11"
"""The name of a golden log of a game that is over; ann and bob played it."""


class DiedError(Exception):
    """The process ended here."""


def dies_at(step: str, times: int = 1) -> Callable[[str], None]:
    """Die when a step is over, the n-th time."""
    left = [times]

    def between(done: str) -> None:
        if done == step:
            left[0] -= 1
            if not left[0]:
                raise DiedError(step)

    return between


def contents(name: str = OVER, most: int | None = None) -> Contents:
    """A kept minute book, or how it begins, as the archive has it, each order with its outcome."""
    sealed = book(name).sealed[:most]
    outcomes = {
        one.record.order.id.encode(): encode(Recorded(one.record.version)) for one in sealed
    }
    return Contents(TableId(name), sealed, outcomes)


class Shelf:
    """A store that has been opened, with an engine, and a folder of files."""

    def __init__(self, client: Client, partitions: int, folder: Path, url: str) -> None:
        self.client = client
        self.partitions = partitions
        self.folder = folder
        self.url = url
        self.clock = TestClock()
        self.store = Store(client, partitions)
        self.engine = Handling(self.store, self.clock, partitions=partitions, release="test")
        self.projector = Projector(self.store, Shelves(client), range(partitions))
        timers = ClockStore(client, partitions)
        self.keeper = Keeper(timers, timers, range(partitions))
        self._leases: dict[int, Lease] = {}

    # --- the archive -------------------------------------------------------------------------

    def archiving(self, between: Callable[[str], None] | None = None) -> Archiving:
        if between is None:
            return Archiving(self.client, self.partitions, self.folder)
        return Archiving(self.client, self.partitions, self.folder, between=between)

    def removing(self, between: Callable[[str], None] | None = None) -> Removing:
        if between is None:
            return Removing(self.client, self.partitions, (self.folder,))
        return Removing(self.client, self.partitions, (self.folder,), between=between)

    async def put_in(self, found: Contents) -> None:
        """Have a table in the store, as if it had been played there."""
        spare = self.folder.parent / "elsewhere"
        file = files.put(spare, found)
        await self.archiving().restore(found.table, file)

    async def held(self, table: str) -> Contents:
        """All that the store has of a table."""
        return (await taken(self.client, self.partitions, TableId(table), 0)).contents

    async def keys(self) -> dict[str, bytes]:
        """Everything in the store but feeds and readers, in the store's own form."""
        names = sorted(await self.client.execute_command("KEYS", "*"))
        kept = [name for name in names if not name.endswith((b":feed", b":readers", b":lease"))]
        return {name.decode(): await self.client.execute_command("DUMP", name) for name in kept}

    # --- play --------------------------------------------------------------------------------

    async def order(
        self, table: str, player: str, command: AnyCommand, *, id: str = "", **fields
    ) -> Outcome:
        """Have an order decided by the engine, which keeps in mind what it knows."""
        name = TableId(table)
        partition = streams.partition_of(name, self.partitions)
        if partition not in self._leases:
            await self.store.create_group(partition)
            lease = await self.store.take(partition, "test")
            assert isinstance(lease, Lease)
            self._leases[partition] = lease
        self.clock.time += 1_000_000
        sender = fields.pop("sender", player)
        seat, number = PlayerId(Party(player)), CommandId(id or f"c-{self.clock.time}")
        body = streams.encode(Order(name, number, sender, seat, command, **fields))
        (done,) = await self.engine.handle(self._leases[partition], [Entry("", {b"o": body})])
        return done.outcome

    async def refused(self, table: str, player: str, command: AnyCommand, **fields) -> Rejection:
        """Have an order decided that has to be refused."""
        outcome = await self.order(table, player, command, **fields)
        assert isinstance(outcome, streams.Refused), outcome
        return outcome.rejection

    async def table(self, table: str) -> Table:
        """A table as another engine opens it."""
        return (await live.opened(self.store, "test", TableId(table))).table

    async def view(self, table: str, name: str) -> bytes | None:
        partition = streams.partition_of(TableId(table), self.partitions)
        return await self.client.hget(streams.views(partition, TableId(table)), name)


class Telling:
    """A notifier on the same store, whose clock goes on by a minute each time."""

    def __init__(self, shelf) -> None:
        self.now = NOW
        self.outbox = Outbox(shelf.client, shelf.partitions)
        books = StoredBooks(shelf.client, shelf.partitions)
        partitions = range(shelf.partitions)
        self.noticing = Noticing(books, self.outbox, partitions, lambda: self.now, Unwatched())

    async def on(self) -> None:
        await self.noticing.read()
        self.now += 61_000_000
        await self.noticing.look()


class Unwatched:
    """Nobody listens to what the notifier says of itself; a puzzle fails the test."""

    def noticed(self, notices, withdrawn) -> None:
        pass

    def dealt_with(self, what, letter, why="", again=0) -> None:
        pass

    def puzzled(self, what, where, why) -> None:
        raise AssertionError(f"{what} {where}: {why}")

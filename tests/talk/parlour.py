"""A table at which people talk, and everything that lies in its store."""

from contracts import streams
from contracts.commands import AnyCommand, OpenTable, Order
from contracts.ids import CommandId, TableId, TitleId
from contracts.pieces import Seat, Settings
from contracts.rejections import Code, Rejection
from contracts.streams import Outcome, Recorded
from contracts.talk import Line
from contracts.titles.load import titles
from services.bus.client import Bus
from services.bus.talk import Talk
from services.engine.handling import Handling
from services.engine.ports import Entry, Lease
from services.engine.store import Store
from services.engine.table.fold import table_at
from services.engine.table.state import Table
from tests.ports.ground import TestClock

FRIDAY = TableId("friday")
PEOPLE = {"ann": "Andrea", "bob": "Boris", "cyd": "Cilla"}


class Parlour:
    """A table of three people with a host who need not sit there, and its talk."""

    def __init__(self, at: Bus) -> None:
        self.at = at
        self.talk = Talk(at.client, at.partitions)
        self.store = Store(at.client, at.partitions)
        self.clock = TestClock()
        self.handling = Handling(self.store, self.clock, partitions=at.partitions, release="test")
        self.lease: Lease | None = None
        self.number = 0

    async def decided(self, order: Order) -> Outcome:
        """What an engine makes of an order."""
        partition = self.store.partition_of(FRIDAY)
        if self.lease is None:
            await self.store.create_group(partition)
            lease = await self.store.take(partition, "test")
            assert isinstance(lease, Lease)
            self.lease = lease
        self.clock.time += 1_000_000
        entry = Entry("", {b"o": streams.encode(order)})
        done, *_ = await self.handling.handle(self.lease, [entry])
        return done.outcome

    def order(self, sender: str, seat: str, command: AnyCommand, version: int = 0, **more) -> Order:
        self.number += 1
        id = CommandId(f"c{self.number}")
        return Order(FRIDAY, id, sender, seat, command, version, **more)

    async def done(self, sender: str, seat: str, command: AnyCommand) -> None:
        """Have something done; it has to be accepted."""
        version = (await self.table()).version
        outcome = await self.decided(self.order(sender, seat, command, version))
        assert isinstance(outcome, Recorded), outcome

    async def open(self, people: dict[str, str] | None = None, **settings) -> None:
        named = PEOPLE if people is None else people
        seats = tuple(Seat(name, name.title(), named.get(name)) for name in PEOPLE)
        opening = OpenTable(TitleId(titles()[0]), seats, 1, settings=Settings(**settings))
        await self.done("operator", "ann", opening)

    async def table(self) -> Table:
        return table_at(FRIDAY, [one.record for one in await self.at.records(FRIDAY)])

    async def said(self, sender: str, text: str, **more) -> Line:
        """A line that is taken."""
        found = await self.talk.say(FRIDAY, sender, text, **more)
        assert isinstance(found, Line), found
        return found

    async def says(self, sender: str, text: str, **more) -> Code | str:
        """The text that is kept, or the code of what speaks against it."""
        found = await self.talk.say(FRIDAY, sender, text, **more)
        return found.code if isinstance(found, Rejection) else found.text

    async def hears(self, reader: str | None) -> list[str]:
        return [line.text for line in await self.talk.lines(FRIDAY, reader)]

    async def notes(self, person: str) -> list[str]:
        return [note.text for note in await self.talk.notes(FRIDAY, person)]

    async def everything(self) -> dict[bytes, object]:
        """All that lies in the table's partition, but for talk, as the store keeps it."""
        talk = {key.encode() for key in self.talk.keys(FRIDAY)}
        partition = self.at.partition_of(FRIDAY)
        found: dict[bytes, object] = {}
        for key in await keys(self.at, f"{{{partition}}}:*"):
            if key not in talk:
                found[key] = await self.at.client.execute_command("DUMP", key)
        return found


async def keys(at: Bus, pattern: str) -> list[bytes]:
    """All keys of the store that look so."""
    client = at.client
    return [key async for key in client.scan_iter(match=pattern)]  # type: ignore[attr-defined]

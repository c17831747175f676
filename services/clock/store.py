"""Books and timers on Redis; only two scripts write timers (`keep.lua`, `fire.lua`)."""

from collections.abc import Callable, Sequence
from importlib import resources

from contracts import notices, streams
from contracts.ids import TableId
from contracts.records import Sealed
from services.bus.feeds import FeedReader, keeping_script
from services.bus.following import Head
from services.bus.reading import read_head, read_log
from services.bus.typed import Client, Sent
from services.clock.ports import BEHIND, Fired
from services.clock.timers import Done, Kept, done

Told = Callable[[Sequence[Done], int], None]
"""Is told which timers were done, and at what moment."""


def _nobody(done: Sequence[Done], now: int) -> None:
    """Tell nobody."""


class Store(FeedReader):
    """What the clock reads and keeps in a store that has been opened."""

    def __init__(self, client: Client, partitions: int, told: Told = _nobody) -> None:
        super().__init__(client, streams.CLOCK_READER)
        self.partitions = partitions
        self._keep = client.register_script(keeping_script(_text("keep.lua")))
        self._fire = client.register_script(_text("fire.lua"))
        self._told = told

    async def head(self, table: TableId) -> Head:
        """Where a table's book ends, and its snapshot."""
        partition = streams.partition_of(table, self.partitions)
        return await read_head(self._client, partition, table)

    async def read(self, table: TableId, first: int = 1) -> list[Sealed]:
        """Records of a table from one on, each checked against the one before."""
        partition = streams.partition_of(table, self.partitions)
        return await read_log(self._client, partition, table, first)

    async def keep(self, partition: int, before: str, now: str, kept: Sequence[Kept]) -> bool:
        """Keep tables' timers and move the place, as one act; false if that cannot be."""
        keys = [
            streams.readers(partition),
            streams.feed(partition),
            streams.timers(partition),
            streams.timer_bodies(partition),
            streams.timers_of_tables(partition),
            notices.prompts(partition),
            streams.reckonings(partition),
        ]
        for one in kept:
            keys += (streams.log(partition, one.table), notices.deadlines(partition, one.table))
        arguments: list[Sent] = [streams.CLOCK_READER, before, now, len(kept)]
        for one in kept:
            arguments += (one.version, one.digest)
        for one in kept:
            arguments += _arguments(one)
        return bool(await self._keep(keys, arguments))

    async def saved(self, table: TableId) -> bytes | None:
        """What was saved of a table when its timers were kept last."""
        partition = streams.partition_of(table, self.partitions)
        return await self._client.hget(streams.reckonings(partition), table)

    async def fire(self, partition: int, now: int, most: int) -> Fired:
        """Do the timers that are due, as one act, the earliest first."""
        keys = [
            streams.timers(partition),
            streams.timer_bodies(partition),
            streams.commands(partition),
            notices.prompts(partition),
            streams.timers_of_tables(partition),
        ]
        tables = streams.head(partition, TableId("")).removesuffix(":head")
        number, following, flat = await self._fire(keys, [now, most, tables, BEHIND])
        if flat:
            pairs = zip(flat[::2], flat[1::2], strict=True)
            self._told([done(name.decode(), round(float(due))) for name, due in pairs], now)
        return Fired(int(number), round(float(following)) if following else None)


def _arguments(kept: Kept) -> list[Sent]:
    timers = [part for one in kept.timers for part in (one.name, one.due, one.body)]
    deadlines = [part for who, one in kept.deadlines for part in (who, notices.encode(one))]
    return [
        *(kept.table, kept.version, kept.saved, len(kept.timers), *timers),
        *(len(kept.deadlines), *deadlines, len(kept.prompts), *kept.prompts),
    ]


def _text(name: str) -> str:
    return (resources.files("services.clock") / name).read_text()

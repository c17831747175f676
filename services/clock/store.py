"""Books and timers on Redis; only two scripts write timers (`keep.lua`, `fire.lua`)."""

from collections.abc import Mapping, Sequence
from importlib import resources

from contracts import notices, streams
from contracts.ids import TableId
from contracts.records import Sealed
from services.bus.feeds import entries_after
from services.bus.reading import read_log
from services.bus.typed import Client, LogEntry, Sent
from services.clock.ports import Fired, Mention
from services.clock.timers import Kept


class Store:
    """What the clock reads and keeps in a store that has been opened."""

    def __init__(self, client: Client, partitions: int) -> None:
        self.partitions = partitions
        self._client = client
        self._keep = client.register_script(_text("keep.lua"))
        self._fire = client.register_script(_text("fire.lua"))

    async def read(self, table: TableId, first: int = 1) -> list[Sealed]:
        """Records of a table from one on, each checked against the one before."""
        partition = streams.partition_of(table, self.partitions)
        return await read_log(self._client, partition, table, first)

    async def tables(self, partition: int) -> list[TableId]:
        """All tables of a partition."""
        members = await self._client.smembers(streams.tables(partition))
        return [TableId(id) for id in sorted(member.decode() for member in members)]

    async def newest(self, partition: int) -> str:
        """The place of the feed's last entry; before the first one if there is none."""
        newest = await self._client.xrevrange(streams.feed(partition), "+", "-", count=1)
        return newest[0][0].decode() if newest else "0-0"

    async def after(
        self, places: Mapping[int, str], most: int, block_milliseconds: int | None = None
    ) -> list[tuple[int, list[Mention]]]:
        """What the feeds of some partitions have after these places, oldest first."""
        partitions = {streams.feed(partition): partition for partition in places}
        named = {feed: places[partition] for feed, partition in partitions.items()}
        found = await entries_after(self._client, named, most, block_milliseconds)
        return [
            (partitions[feed.decode()], [_mention(entry) for entry in entries])
            for feed, entries in found
        ]

    async def place(self, partition: int) -> str | None:
        """How far the feed was read; None if never."""
        place = await self._client.hget(streams.readers(partition), streams.CLOCK_READER)
        return None if place is None else place.decode()

    async def keep(self, partition: int, before: str, now: str, kept: Sequence[Kept]) -> bool:
        """Keep tables' timers and move the place, as one act; false if it is not `before`."""
        keys = [
            streams.readers(partition),
            streams.timers(partition),
            streams.timer_bodies(partition),
            streams.timers_of_tables(partition),
            notices.prompts(partition),
            *(notices.deadlines(partition, one.table) for one in kept),
        ]
        arguments: list[Sent] = [streams.CLOCK_READER, before, now, len(kept)]
        for one in kept:
            arguments += _arguments(one)
        return bool(await self._keep(keys, arguments))

    async def fire(self, partition: int, now: int, most: int) -> Fired:
        """Do the timers that are due, as one act, the earliest first."""
        keys = [
            streams.timers(partition),
            streams.timer_bodies(partition),
            streams.commands(partition),
            notices.prompts(partition),
        ]
        number, following = await self._fire(keys, [now, most])
        return Fired(int(number), round(float(following)) if following else None)


def _mention(entry: LogEntry) -> Mention:
    id, fields = entry
    table = TableId(fields[streams.FEED_TABLE.encode()].decode())
    return Mention(id.decode(), table, int(fields[streams.FEED_VERSION.encode()]))


def _arguments(kept: Kept) -> list[Sent]:
    timers = [part for one in kept.timers for part in (one.name, one.due, one.body)]
    deadlines = [part for who, one in kept.deadlines for part in (who, notices.encode(one))]
    return [
        *(kept.table, kept.version, len(kept.timers), *timers),
        *(len(kept.deadlines), *deadlines, len(kept.prompts), *kept.prompts),
    ]


def _text(name: str) -> str:
    return (resources.files("services.clock") / name).read_text()

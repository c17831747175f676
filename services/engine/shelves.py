"""Feeds and views on Redis.

One script writes views (`views.lua`), with how far the feed has been read for them, and one takes
them away. Nothing else does.
"""

from collections.abc import Mapping, Sequence
from importlib import resources
from typing import Final

from contracts import streams
from contracts.ids import TableId
from contracts.streams import VIEWS_CHANNEL, VIEWS_READER, Shown
from services.bus.feeds import entries_after
from services.bus.typed import Client, LogEntry, Sent
from services.engine.ports import Mention, Views

_FORGET: Final = """
redis.call('HDEL', KEYS[1], ARGV[1])
for number = 2, #KEYS do
  redis.call('DEL', KEYS[number])
end
"""


class Shelves:
    """Feeds and views in a store that has been opened."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._write = client.register_script(
            (resources.files("services.engine") / "views.lua").read_text()
        )
        self._forget = client.register_script(_FORGET)

    async def place(self, partition: int) -> str | None:
        """How far the feed has been read for the views that are stored; None if never."""
        place = await self._client.hget(streams.readers(partition), VIEWS_READER)
        return None if place is None else place.decode()

    async def newest(self, partition: int) -> str:
        """The place of the feed's last entry; before the first one if there is none."""
        newest = await self._client.xrevrange(streams.feed(partition), "+", "-", count=1)
        return newest[0][0].decode() if newest else "0-0"

    async def after(
        self, places: Mapping[int, str], most: int, block_milliseconds: int | None = None
    ) -> list[tuple[int, list[Mention]]]:
        """What the feeds of some partitions have after these places, oldest first."""
        partitions = {streams.feed(partition): partition for partition in places}
        found = await entries_after(
            self._client,
            {feed: places[partition] for feed, partition in partitions.items()},
            most,
            block_milliseconds,
        )
        return [
            (partitions[feed.decode()], [_mention(entry) for entry in entries])
            for feed, entries in found
        ]

    async def tables(self, partition: int) -> list[TableId]:
        """All tables of a partition, in order of the alphabet."""
        members = await self._client.smembers(streams.tables(partition))
        return [TableId(id) for id in sorted(member.decode() for member in members)]

    async def show(self, partition: int, before: str, now: str, views: Sequence[Views]) -> bool:
        """Store views and move the place, as one act; false if the place is not `before`."""
        keys = [
            streams.readers(partition),
            streams.lobby(partition),
            streams.waiting(partition),
            *(streams.views(partition, one.table) for one in views),
        ]
        arguments: list[Sent] = [VIEWS_READER, before, now, VIEWS_CHANNEL, len(views)]
        for one in views:
            arguments += _arguments(one)
        return bool(await self._write(keys, arguments))

    async def forget(self, partition: int) -> int:
        """Throw away the views of all tables of a partition, and the place; how many tables."""
        tables = await self.tables(partition)
        keys = [
            streams.readers(partition),
            streams.lobby(partition),
            streams.waiting(partition),
            *(streams.views(partition, table) for table in tables),
        ]
        await self._forget(keys, [VIEWS_READER])
        return len(tables)

    async def trim(self, partition: int) -> None:
        """Throw away what all readers of a feed have passed."""
        places = (await self._client.hgetall(streams.readers(partition))).values()
        passed = min(places, key=_placed, default=None)
        if passed is not None:
            await self._client.execute_command(
                "XTRIM", streams.feed(partition), "MINID", "~", passed
            )


def _mention(entry: LogEntry) -> Mention:
    id, fields = entry
    return Mention(
        id.decode(),
        TableId(fields[streams.FEED_TABLE.encode()].decode()),
        int(fields[streams.FEED_VERSION.encode()]),
    )


def _placed(place: bytes) -> tuple[int, int]:
    """A place as numbers, which sort."""
    milliseconds, _, number = place.partition(b"-")
    return int(milliseconds), int(number or 0)


def _arguments(views: Views) -> list[Sent]:
    waiting = "".join(f"{player}\0" for player in views.waiting)
    line = views.bodies.get(streams.VIEWS_LINE, b"")
    announcement = streams.encode(Shown(views.table, views.version))
    pairs = [part for pair in views.bodies.items() for part in pair]
    return [
        *(views.table, views.version, announcement, line, waiting),
        *(len(views.bodies), *pairs),
    ]

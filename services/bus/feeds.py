"""Read what is new in several streams at once, and the feeds, on one server and a cluster alike."""

import asyncio
from collections.abc import Mapping
from importlib import resources
from typing import Final

from contracts import streams
from contracts.ids import TableId
from services.bus.connection import is_cluster
from services.bus.following import Mention, Place
from services.bus.typed import Client, LogEntry

_PAUSE_SECONDS: Final = 0.02


async def entries_after(
    client: Client,
    places: Mapping[str, str | bytes],
    most: int,
    block_milliseconds: int | None = None,
) -> list[tuple[bytes, list[LogEntry]]]:
    """Entries of several streams after the ids named, of each stream at most so many.

    If there are none, they are waited for. On a cluster the streams lie on several servers, and no
    single request can wait for all of them, so they are asked again and again, together.
    """
    if not is_cluster(client):
        return await client.xread(places, count=most, block=block_milliseconds) or []
    until = asyncio.get_running_loop().time() + (block_milliseconds or 0) / 1000
    while True:
        async with client.pipeline(transaction=False) as together:
            for stream, place in places.items():
                after = place if isinstance(place, str) else place.decode()
                together.execute_command("XRANGE", stream, f"({after}", "+", "COUNT", most)
            answers = await together.execute()
        found = [
            (stream.encode(), entries)
            for stream, entries in zip(places, answers, strict=True)
            if entries
        ]
        if found or asyncio.get_running_loop().time() >= until:
            return found
        await asyncio.sleep(_PAUSE_SECONDS)


def keeping_script(body: str) -> str:
    """A script that keeps what was made of a feed, with what it asks of the reader's place."""
    return (resources.files("services.bus") / "place.lua").read_text() + body


class FeedReader:
    """The feeds, as the reader of that name sees them."""

    def __init__(self, client: Client, reader: str) -> None:
        self._client = client
        self._reader = reader

    async def place(self, partition: int) -> Place | None:
        """How far the feed has been read; None if never."""
        place = await self._client.hget(streams.readers(partition), self._reader)
        return None if place is None else place.decode()

    async def newest(self, partition: int) -> Place:
        """The place of the feed's last entry; before the first one if there is none."""
        newest = await self._client.xrevrange(streams.feed(partition), "+", "-", count=1)
        return newest[0][0].decode() if newest else "0-0"

    async def after(
        self, places: Mapping[int, Place], most: int, block_milliseconds: int | None = None
    ) -> list[tuple[int, list[Mention]]]:
        """What the feeds of some partitions have after these places, oldest first."""
        partitions = {streams.feed(partition): partition for partition in places}
        named = {feed: places[partition] for feed, partition in partitions.items()}
        found = await entries_after(self._client, named, most, block_milliseconds)
        return [
            (partitions[feed.decode()], [_mention(entry) for entry in entries])
            for feed, entries in found
        ]

    async def tables(self, partition: int) -> list[TableId]:
        """All tables of a partition, in order of the alphabet."""
        members = await self._client.smembers(streams.tables(partition))
        return [TableId(id) for id in sorted(member.decode() for member in members)]


def _mention(entry: LogEntry) -> Mention:
    id, fields = entry
    table = TableId(fields[streams.FEED_TABLE.encode()].decode())
    return Mention(id.decode(), table, int(fields[streams.FEED_VERSION.encode()]))

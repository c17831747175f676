"""Feeds and views on Redis.

One script writes views (`views.lua`), with how far the feed has been read for them, and one takes
them away. Nothing else does.
"""

from collections.abc import Sequence
from importlib import resources
from typing import Final

from contracts import streams
from contracts.streams import VIEWS_CHANNEL, VIEWS_READER, Shown
from services.bus.feeds import FeedReader, keeping_script
from services.bus.typed import Client, Sent
from services.engine.ports import Views

_FORGET: Final = """
redis.call('HDEL', KEYS[1], ARGV[1])
for number = 2, #KEYS do
  redis.call('DEL', KEYS[number])
end
"""


class Shelves(FeedReader):
    """Feeds and views in a store that has been opened."""

    def __init__(self, client: Client) -> None:
        super().__init__(client, VIEWS_READER)
        self._write = client.register_script(
            keeping_script((resources.files("services.engine") / "views.lua").read_text())
        )
        self._forget = client.register_script(_FORGET)

    async def show(self, partition: int, before: str, now: str, views: Sequence[Views]) -> bool:
        """Store views and move the place, as one act; false if that cannot be."""
        keys = [
            streams.readers(partition),
            streams.feed(partition),
            streams.lobby(partition),
            streams.waiting(partition),
        ]
        for one in views:
            keys += (streams.log(partition, one.table), streams.views(partition, one.table))
        arguments: list[Sent] = [VIEWS_READER, before, now, VIEWS_CHANNEL, len(views)]
        for one in views:
            arguments += (one.version, one.digest)
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

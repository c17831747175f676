"""How far a reader of the feeds is behind, as a figure."""

from collections.abc import Collection

from contracts import streams
from services.bus import lag
from services.bus.typed import Client
from services.running.metrics import BEHIND, BEHIND_SECONDS


class Reader:
    """Asks the store how far a reader is behind in some partitions, and shows it."""

    def __init__(self, client: Client, reader: str, partitions: Collection[int]) -> None:
        self._client = client
        self._reader = reader
        self._partitions = tuple(partitions)

    async def __call__(self) -> None:
        """Show how far it is behind now."""
        places = await lag.places(
            self._client, [streams.readers(one) for one in self._partitions], self._reader
        )
        feeds = [streams.feed(one) for one in self._partitions]
        found = await lag.after(self._client, dict(zip(feeds, places, strict=True)))
        behind = lag.all_of(found)
        BEHIND.labels(self._reader).set(behind.entries)
        BEHIND_SECONDS.labels(self._reader).set(behind.seconds(await lag.server_time(self._client)))

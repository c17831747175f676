"""Run the projector: `python -m services.engine.projector --redis redis://localhost:6379/0`."""

import asyncio
import os
import sys
from collections.abc import Sequence

import structlog
from prometheus_client import Counter, Histogram

from contracts.streams import VIEWS_READER
from services.bus.connection import connection, opened, said_in_words
from services.engine.catchup import Projector
from services.engine.ports import Views
from services.engine.settings import Settings, chosen, settings
from services.engine.shelves import Shelves
from services.engine.store import Store
from services.running.beating import beating
from services.running.metrics import READ, REGISTRY, SHORT_SECONDS
from services.running.process import failed, run, signals
from services.running.reading import Reader
from services.running.settings import SettingsError
from services.running.standing import Standing

BLOCK_MILLISECONDS = 1000

STORED = Counter(
    "minutebook_views_stored_total", "Tables whose views were stored.", registry=REGISTRY
)
STORE = Histogram(
    "minutebook_views_store_seconds",
    "Time until the store has written the views of some tables.",
    buckets=SHORT_SECONDS,
    registry=REGISTRY,
)

_log = structlog.get_logger("projector")


class CountedShelves(Shelves):
    """Feeds and views in a store, with figures of what is stored."""

    async def show(self, partition: int, before: str, now: str, views: Sequence[Views]) -> bool:
        """Store views and move the place, as one act; false if the place is not `before`."""
        with STORE.time():
            is_stored = await super().show(partition, before, now, views)
        if is_stored:
            STORED.inc(len(views))
        return is_stored


async def serve(settings: Settings, standing: Standing) -> None:
    """Keep the views up until a signal ends it; raises what went wrong."""
    with said_in_words(settings.redis):
        async with connection(settings.redis) as client:
            store = Store(client, await opened(client))
            partitions = chosen(settings.partitions, store.partitions)
            projector = Projector(
                store,
                CountedShelves(client),
                partitions,
                tables_at_hand=settings.tables_at_hand,
            )
            async with beating(client, standing, Reader(client, VIEWS_READER, partitions)):
                standing.waits("the views of all tables")
                await projector.begin()
                standing.ready(partitions)
                _log.info("ready", partitions=len(partitions))
                ended = asyncio.Event()
                with signals(ended):
                    while not ended.is_set():
                        await caught_up(projector, standing)
    _log.info("stopped")


async def caught_up(projector: Projector, standing: Standing) -> None:
    """Deal with what the feeds have, and say so."""
    count = await projector.catch_up(BLOCK_MILLISECONDS)
    standing.progressed()
    standing.reached()
    if count:
        READ.labels(VIEWS_READER).inc(count)
        _log.debug("caught up", entries=count)


async def rebuilt(url: str) -> int:
    """Build all views again from the minute books; how many tables."""
    with said_in_words(url):
        async with connection(url) as client:
            store = Store(client, await opened(client))
            shelves = Shelves(client)
            return await Projector(store, shelves, range(store.partitions)).rebuild()


def main() -> int:
    """Run the projector and give its exit code."""
    try:
        found = settings("projector", sys.argv[1:], os.environ)
    except SettingsError as error:
        return failed(error)
    return run("projector", found, lambda standing: serve(found, standing))


if __name__ == "__main__":
    sys.exit(main())

"""Run the projector: `python -m services.engine.projector --redis redis://localhost:6379/0`."""

import asyncio
import os
import sys

import structlog

from services.bus.connection import connection, opened, said_in_words
from services.engine.catchup import Projector
from services.engine.process import failed, run, signals
from services.engine.settings import Settings, SettingsError, chosen, settings
from services.engine.shelves import Shelves
from services.engine.store import Store

BLOCK_MILLISECONDS = 1000

_log = structlog.get_logger("projector")


async def serve(settings: Settings) -> None:
    """Keep the views up until a signal ends it; raises what went wrong."""
    with said_in_words(settings.redis):
        async with connection(settings.redis) as client:
            store = Store(client, await opened(client))
            projector = Projector(
                store,
                Shelves(client),
                chosen(settings.partitions, store.partitions),
                tables_at_hand=settings.tables_at_hand,
            )
            await projector.begin()
            _log.info("ready")
            ended = asyncio.Event()
            with signals(ended):
                while not ended.is_set():
                    await projector.catch_up(BLOCK_MILLISECONDS)
    _log.info("stopped")


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
        found = settings("python -m services.engine.projector", sys.argv[1:], os.environ)
    except SettingsError as error:
        return failed(error)
    return run(serve(found))


if __name__ == "__main__":
    sys.exit(main())

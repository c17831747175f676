"""Run the clock: `python -m services.clock --redis redis://localhost:6379/0`."""

import asyncio
import os
import sys
from collections.abc import Coroutine
from typing import Any, Final

import structlog

from contracts.streams import CLOCK_READER
from services.bus.connection import connection, opened, said_in_words
from services.clock.keeping import Keeper
from services.clock.noting import Figures, told
from services.clock.settings import Settings, settings
from services.clock.store import Store
from services.running.beating import beating
from services.running.metrics import READ
from services.running.process import failed, run, signals
from services.running.reading import Reader
from services.running.settings import SettingsError
from services.running.standing import Standing, now

WAIT_MILLISECONDS: Final = 250
"""So long new records are waited for at most, and as often what is due is looked at."""

_log = structlog.get_logger("clock")


def wait_seconds(following: int | None, moment: int) -> float:
    """How long to wait before what is due is looked at: not beyond the next timer.

    >>> wait_seconds(None, 0), wait_seconds(30_500, 0), wait_seconds(9, 10)
    (0.25, 0.0305, 0.0)
    """
    left = WAIT_MILLISECONDS * 1000 if following is None else following - moment
    return min(max(0, left), WAIT_MILLISECONDS * 1000) / 1_000_000


async def serve(settings: Settings, standing: Standing) -> None:
    """Keep time until a signal ends it; raises what went wrong.

    What is due is done beside the reading of the feed, so that a timer is on time however much
    there is to be read: also while all tables are reckoned for the first time.
    """
    with said_in_words(settings.redis):
        async with connection(settings.redis) as client:
            partitions = range(await opened(client))
            store = Store(client, len(partitions), told)
            keeper = Keeper(
                store,
                store,
                partitions,
                tables_at_hand=settings.tables_at_hand,
                release=standing.release,
            )
            looks = Reader(client, CLOCK_READER, partitions), Figures(client, partitions)
            async with beating(client, standing, *looks):
                standing.waits("the timers of all tables")
                ended = asyncio.Event()
                with signals(ended):
                    works = (firing(keeper), keeping(keeper, standing, partitions))
                    # Whatever they are at may be left: each act is whole or has not been.
                    await first_of(ended.wait(), *works)
    _log.info("stopped")


async def keeping(keeper: Keeper, standing: Standing, partitions: range) -> None:
    """Keep the timers up with what is new, for ever."""
    await keeper.begin()
    standing.ready(partitions)
    _log.info("ready", partitions=len(partitions))
    while True:
        count = await keeper.catch_up(WAIT_MILLISECONDS)
        standing.progressed()
        standing.reached()
        if count:
            READ.labels(CLOCK_READER).inc(count)
            _log.debug("caught up", entries=count)


async def firing(keeper: Keeper) -> None:
    """Do what is due, for ever."""
    while True:
        moment = now()
        number, following = await keeper.fire(moment)
        if number:
            _log.info("timers done", number=number)
        await asyncio.sleep(wait_seconds(following, moment))


async def first_of(*works: Coroutine[Any, Any, object]) -> None:
    """Do some things beside each other until one is over; it raises what that raised."""
    left = {asyncio.create_task(work) for work in works}
    over: set[asyncio.Task[object]] = set()
    try:
        over, left = await asyncio.wait(left, return_when=asyncio.FIRST_COMPLETED)
    finally:
        while left:
            for task in left:
                task.cancel()
            # A client may take this for the end of a time limit of its own, and go on: so again.
            _, left = await asyncio.wait(left, timeout=0.1)
    for task in over:
        task.result()


def main() -> int:
    """Run the clock and give its exit code; what went wrong is said in words."""
    try:
        found = settings(sys.argv[1:], os.environ)
    except SettingsError as error:
        return failed(error)
    return run("clock", found, lambda standing: serve(found, standing))


if __name__ == "__main__":
    sys.exit(main())

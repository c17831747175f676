"""The notifier's process: reads, looks and delivers until a signal ends it.

A plain reader and not FastStream: the feed is read from a checkpoint (as by every reader that must
not pass anything over), and letters wait in a sorted set (see `outbox`), which FastStream does not
read. More than one notifier may run on a store; each letter is taken by one of them.
"""

import asyncio
import os
import secrets
import signal
import time
from collections.abc import Awaitable, Callable

import structlog

from services.bus.connection import connection, opened, said_in_words
from services.notifier.channels.addresses import Allowed
from services.notifier.channels.sender import Channels
from services.notifier.delivering import Delivering
from services.notifier.noticing import Noticing
from services.notifier.outbox import Outbox
from services.notifier.sealing import seals
from services.notifier.settings import Settings, routes

BLOCK_MILLISECONDS = 1000
_PAUSE_SECONDS = 0.25

_log = structlog.get_logger("notifier")


def now() -> int:
    """Microseconds since 1970, UTC."""
    return time.time_ns() // 1000


async def serve(settings: Settings) -> None:
    """Tell people what there is to tell until a signal ends it; raises what went wrong."""
    keys = seals(os.environ)
    channels = Channels(Allowed.of(settings.notices_allow), routes(settings.notices_routes))
    with said_in_words(settings.redis):
        async with connection(settings.redis) as client:
            outbox = Outbox(client, await opened(client))
            partitions = range(outbox.partitions)
            noticing = Noticing(
                *(outbox, partitions, now),
                quiet_seconds=settings.notices_quiet_seconds,
                most_seconds=settings.notices_most_seconds,
            )
            deliverings = [
                Delivering(
                    *(outbox, partitions, channels, keys, now),
                    mark=secrets.token_hex(8),
                    link=settings.notices_link,
                    taken_seconds=settings.notices_taken_seconds,
                )
                for _ in range(settings.notices_workers)
            ]
            await noticing.begin()
            _log.info("ready")
            await _until_ended(
                [
                    lambda: noticing.read(BLOCK_MILLISECONDS),
                    noticing.look,
                    *(delivering.deliver for delivering in deliverings),
                ]
            )
    _log.info("stopped")


async def _until_ended(works: list[Callable[[], Awaitable[int]]]) -> None:
    """Do each work over and over, resting where there is nothing to do; one error ends all."""
    ended = asyncio.Event()
    loop = asyncio.get_running_loop()
    for one in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(one, ended.set)

    async def over_and_over(work: Callable[[], Awaitable[int]]) -> None:
        while not ended.is_set():
            if not await work():
                try:
                    async with asyncio.timeout(_PAUSE_SECONDS):
                        await ended.wait()
                except TimeoutError:
                    continue

    # The first error of a task ends the others and this process; the supervisor starts it again.
    tasks = [asyncio.create_task(over_and_over(work)) for work in works]
    try:
        await asyncio.gather(*tasks)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

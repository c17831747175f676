"""The notifier's process: reads, looks and delivers until a signal ends it.

A plain reader and not FastStream: the feed is read from a checkpoint (as by every reader that must
not pass anything over), and letters wait in a sorted set (see `outbox`), which FastStream does not
read. More than one notifier may run on a store; each letter is taken by one of them.
"""

import asyncio
import contextlib
import os
import secrets
from collections.abc import Awaitable, Callable

import structlog

from contracts import notices
from contracts.ids import TableId
from services.bus.connection import connection, opened, said_in_words
from services.bus.talk import Talk
from services.notifier.books import StoredBooks
from services.notifier.channels.addresses import Allowed
from services.notifier.channels.sender import Channels
from services.notifier.delivering import Delivering
from services.notifier.noticing import Noticing
from services.notifier.noting import CountedSender, Figures, Noting
from services.notifier.ports import Unread
from services.notifier.sealing import seals
from services.notifier.settings import Settings, routes
from services.notifier.store import Store
from services.running.beating import beating
from services.running.metrics import READ
from services.running.process import signals
from services.running.reading import Reader
from services.running.standing import Standing, now

BLOCK_MILLISECONDS = 1000
_PAUSE_SECONDS = 0.25
LETTERS_PER_WORKER = 16

_log = structlog.get_logger("notifier")


async def serve(settings: Settings, standing: Standing) -> None:
    """Tell people what there is to tell until a signal ends it; raises what went wrong."""
    keys = seals(os.environ)
    watch = Noting()
    at_once = settings.notices_workers * LETTERS_PER_WORKER
    channels = Channels(
        Allowed.of(settings.notices_allow),
        routes(settings.notices_routes),
        messages_at_once=at_once,
    )
    with said_in_words(settings.redis), contextlib.closing(channels):
        async with connection(settings.redis) as client:
            outbox = Store(client, await opened(client))
            partitions = range(outbox.partitions)
            noticing = Noticing(
                *(StoredBooks(client, outbox.partitions), outbox, partitions, now, watch),
                quiet_seconds=settings.notices_quiet_seconds,
                most_seconds=settings.notices_most_seconds,
                unread=_unread(Talk(client, outbox.partitions)),
            )
            delivering = Delivering(
                *(outbox, partitions, CountedSender(channels, watch), keys, now, watch),
                mark=secrets.token_hex(8),
                link=settings.notices_link,
                taken_seconds=settings.notices_taken_seconds,
                letters_at_once=at_once,
            )
            looks = Reader(client, notices.READER, partitions), Figures(client, partitions)
            async with beating(client, standing, *looks):
                standing.waits("a first look at the tables that there are")
                await noticing.begin()
                standing.ready(partitions)
                _log.info("ready", partitions=len(partitions))
                try:
                    await _until_ended(
                        [
                            lambda: _read(noticing, standing),
                            noticing.look,
                            lambda: delivering.go_on(_PAUSE_SECONDS),
                        ]
                    )
                finally:
                    await delivering.close()
    _log.info("stopped")


def _unread(talk: Talk) -> Unread:
    async def unread(table: TableId, person: str) -> int:
        return (await talk.unread(table, person)).count

    return unread


async def _read(noticing: Noticing, standing: Standing) -> int:
    """Note what is new, and that the work goes on."""
    count = await noticing.read(BLOCK_MILLISECONDS)
    standing.progressed()
    standing.reached()
    READ.labels(notices.READER).inc(count)
    return count


async def _until_ended(works: list[Callable[[], Awaitable[int]]]) -> None:
    """Do each work over and over, resting where there is nothing to do; one error ends all."""
    ended = asyncio.Event()

    async def over_and_over(work: Callable[[], Awaitable[int]]) -> None:
        while not ended.is_set():
            if not await work():
                try:
                    async with asyncio.timeout(_PAUSE_SECONDS):
                        await ended.wait()
                except TimeoutError:
                    continue

    # The first error of a task ends the others and this process; the supervisor starts it again.
    with signals(ended):
        tasks = [asyncio.create_task(over_and_over(work)) for work in works]
        try:
            await asyncio.gather(*tasks)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

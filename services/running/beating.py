"""Keep telling that a process lives: the event loop's own beat, and a sign of life in the store.

Nothing here mends or ends the process: a store that does not answer is noticed by the work itself.
"""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Final

import structlog

from contracts import heartbeats
from services.bus.connection import STORE_ERRORS
from services.bus.typed import Client
from services.running.metrics import LOOP_LAG, READY
from services.running.standing import Standing, now

TICK_SECONDS: Final = 0.5
LOOK_SECONDS: Final = 5.0
"""How often figures are asked of the store."""

Look = Callable[[], Awaitable[None]]
"""Asks figures of the store and shows them."""

_log = structlog.get_logger()


@contextlib.asynccontextmanager
async def ticking(standing: Standing) -> AsyncIterator[None]:
    """While this lasts, note that the event loop goes round, and how late it is."""

    async def tick() -> None:
        loop = asyncio.get_running_loop()
        while True:
            due = loop.time() + TICK_SECONDS
            await asyncio.sleep(TICK_SECONDS)
            LOOP_LAG.observe(max(0.0, loop.time() - due))
            READY.set(standing.is_ready)
            standing.ticked()

    async with _beside(tick):
        yield


@contextlib.asynccontextmanager
async def beating(client: Client, standing: Standing, *looks: Look) -> AsyncIterator[None]:
    """While this lasts, write signs of life and show figures; the last act takes the sign away."""

    async def beat() -> None:
        while True:
            standing.news.clear()
            with contextlib.suppress(*STORE_ERRORS):
                await written(client, standing)
                standing.reached()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(heartbeats.EVERY_SECONDS):
                    await standing.news.wait()

    async def look() -> None:
        while True:
            for one in looks:
                try:
                    await one()
                except STORE_ERRORS as error:
                    _log.debug("figures not to be had", why=str(error))
            await asyncio.sleep(LOOK_SECONDS)

    async with _beside(beat), _beside(look):
        try:
            yield
        finally:
            standing.ended()
    with contextlib.suppress(*STORE_ERRORS):
        await withdrawn(client, standing)


@contextlib.asynccontextmanager
async def _beside(work: Callable[[], Awaitable[None]]) -> AsyncIterator[None]:
    """Do some endless work beside what is done inside."""
    task = asyncio.ensure_future(work())
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def written(client: Client, standing: Standing) -> None:
    """Write a sign of life, and forget the processes that have been gone for long."""
    moment = now()
    expires = round(heartbeats.EXPIRES_SECONDS * 1000)
    forgotten = moment - heartbeats.REMEMBERED_SECONDS * 1_000_000
    body = heartbeats.encode(standing.heartbeat())
    async with client.pipeline(transaction=False) as together:
        together.execute_command("SET", heartbeats.sign(standing.name), body, "PX", expires)
        until = moment + expires * 1000
        together.execute_command("ZADD", heartbeats.INDEX, until, _member(standing))
        together.execute_command("ZREMRANGEBYSCORE", heartbeats.INDEX, "-inf", forgotten)
        await together.execute()


async def withdrawn(client: Client, standing: Standing) -> None:
    """Take a sign of life away: the process ends in order."""
    async with client.pipeline(transaction=False) as together:
        together.execute_command("DEL", heartbeats.sign(standing.name))
        together.execute_command("ZREM", heartbeats.INDEX, _member(standing))
        await together.execute()


def _member(standing: Standing) -> str:
    return heartbeats.member(standing.service, standing.name)

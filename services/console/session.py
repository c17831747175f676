"""A connection to the store and, where a command needs them, running services.

A Minutebook that is `up` on the data directory serves every other command. Where none is up, the
command itself starts what it needs (the private server; for orders, engine and projector too) and
stops it at its end. A store named by `MINUTEBOOK_REDIS` is used as it is; its engine is started
only if nobody decides there yet.
"""

import asyncio
import contextlib
import os
import signal
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeVar

from services.console.errors import UnreachableError
from services.console.place import Announcement, InUse, announced, data_directory, logs, running
from services.console.screen import say
from services.console.supervisor import Service, Supervisor
from services.embedded.errors import EmbeddedError

if TYPE_CHECKING:
    from services.embedded.server import Server
    from services.embedded.store import Store

T = TypeVar("T")

SERVICES = (
    Service("engine", (sys.executable, "-P", "-m", "services.engine")),
    Service("projector", (sys.executable, "-P", "-m", "services.engine.projector")),
)
CLOCK = Service("clock", (sys.executable, "-P", "-m", "services.clock"))
"""Runs where Minutebook stays up: a single command is over before anybody's time is."""
NOTIFIER = Service("notifier", (sys.executable, "-P", "-m", "services.notifier"), is_optional=True)
"""Runs where Minutebook stays up: a single command has nobody to tell."""
_SECONDS_TO_WAIT = 60.0
_PAUSE_SECONDS = 0.1


@dataclass(frozen=True)
class Place:
    """Where somebody wants to work: a data directory, and a store of his own if he names one."""

    data: Path
    redis: str | None

    @classmethod
    def of(cls, data: Path | None, redis: str | None = None) -> "Place":
        """The place that options and settings name."""
        from services.embedded.store import ADDRESS_SETTING

        return cls(data_directory(data), redis or os.environ.get(ADDRESS_SETTING) or None)


@contextlib.contextmanager
def store_at(place: Place) -> Iterator["Store"]:
    """Give the store, having started the private server unless another is named."""
    from services.embedded.store import ADDRESS_SETTING, store

    settings = dict(os.environ)
    settings.pop(ADDRESS_SETTING, None)
    if place.redis:
        settings[ADDRESS_SETTING] = place.redis
    with store(place.data, settings) as found:
        for warning in found.probe.warnings:
            say(f"Warning: {warning}")
        yield found


def supervisor(place: Place, url: str, *more: Service) -> Supervisor:
    """The services, and more of them, to be kept running on a store."""
    from services.embedded.store import ADDRESS_SETTING
    from services.notifier.settings import KEY_FILE_NAME, KEY_FILE_SETTING

    environment = {
        KEY_FILE_SETTING: str(place.data / KEY_FILE_NAME),
        **os.environ,
        ADDRESS_SETTING: url,
    }
    return Supervisor((*SERVICES, *more), logs=logs(place.data), environment=environment)


@contextlib.contextmanager
def reached(place: Place, needs: Literal["store", "services"]) -> Iterator[str]:
    """Give the address of a store that is up for as long as it is needed."""
    with contextlib.ExitStack() as ends:
        up = running(place.data)
        if up is not None and up.kind == "up" and place.redis in {None, up.url}:
            yield up.url
            return
        announcement = None
        if place.redis is None:
            try:
                announcement = ends.enter_context(announced_in_turn(place.data, "command"))
            except InUse as error:
                # Somebody has brought one up while we waited.
                if error.running is None or error.running.kind != "up":
                    raise
                yield error.running.url
                return
        url = ends.enter_context(store_at(place)).url
        if needs == "services" and not (place.redis and _is_decided(url)):
            ends.enter_context(supervisor(place, url))
        if announcement is not None:
            announcement.tell(url)
        yield url


@contextlib.contextmanager
def announced_in_turn(data: Path, kind: Literal["up", "command"]) -> Iterator[Announcement]:
    """Hold the data directory once other commands are done; raise `InUse` if an `up` has it."""
    with contextlib.ExitStack() as ends:
        yield _waited_for(ends, data, kind)


def _waited_for(
    ends: contextlib.ExitStack, data: Path, kind: Literal["up", "command"]
) -> Announcement:
    until = time.monotonic() + _SECONDS_TO_WAIT
    has_told = False
    while True:
        try:
            return ends.enter_context(announced(data, kind))
        except InUse as error:
            is_up = error.running is not None and error.running.kind == "up"
            if is_up or time.monotonic() > until:
                raise
        if not has_told:
            say("Waiting for another command on this data directory ...")
            has_told = True
        time.sleep(_PAUSE_SECONDS)


def _is_decided(url: str) -> bool:
    """Whether an engine holds a lease at a store that somebody else runs."""
    import redis

    from contracts import streams
    from services.bus.connection import node_address

    node = node_address(url)
    store = redis.Redis if node == url else redis.RedisCluster
    with store.from_url(node) as client:
        return any(client.exists(streams.lease(number)) for number in range(streams.PARTITIONS))


async def until_stopped(work: Awaitable[T]) -> T:
    """Do some work; an interrupt or a request to end ends it in order, with `KeyboardInterrupt`."""
    task = asyncio.ensure_future(work)
    loop = asyncio.get_running_loop()
    stopped = False

    def stop() -> None:
        nonlocal stopped
        stopped = True
        task.cancel()

    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    for number in before:
        loop.add_signal_handler(number, stop)
    try:
        return await task
    except asyncio.CancelledError:
        if stopped:
            raise KeyboardInterrupt from None
        raise
    finally:
        for number, handler in before.items():
            loop.remove_signal_handler(number)
            signal.signal(number, handler)


@contextlib.asynccontextmanager
async def watched(kept: Supervisor, server: "Server | None") -> AsyncIterator[None]:
    """While inside, fail as soon as a service was given up or the private server has ended."""
    owner = asyncio.current_task()
    failure: list[Exception] = []

    async def watch() -> None:
        while not failure:
            try:
                kept.ensure_running()
                if server is not None:
                    server.ensure_running()
            except (UnreachableError, EmbeddedError) as error:
                failure.append(error)
                if owner is not None:
                    owner.cancel()
            await asyncio.sleep(_PAUSE_SECONDS)

    task = asyncio.create_task(watch())
    try:
        yield
    except asyncio.CancelledError:
        if failure:
            raise failure[0] from None
        raise
    finally:
        task.cancel()

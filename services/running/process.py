"""Run a service's process: its log, its errors in words, its exit code, its answers over HTTP."""

import asyncio
import contextlib
import signal
import sys
from collections.abc import Callable, Coroutine, Iterator, Sequence
from typing import Any

import structlog

from services.bus.errors import BusError
from services.running import logs
from services.running.answering import answering
from services.running.beating import ticking
from services.running.metrics import SERVICE
from services.running.settings import SettingsError, Surroundings
from services.running.standing import Standing

FAILED = 1

Work = Callable[[Standing], Coroutine[Any, Any, None]]
"""What a service does, from its start to its end."""

_log = structlog.get_logger()


def run(
    service: str,
    settings: Surroundings,
    work: Work,
    *,
    errors: Sequence[type[Exception]] = (),
) -> int:
    """Run a service to its end and give the exit code; what went wrong is said in words.

    `errors` are those whose messages are meant for the operator, beside the bus's and settings'.
    """
    standing = Standing(service)
    logs.configure(service, settings.log_level, standing)
    SERVICE.info({"service": service, "release": standing.release})

    said: tuple[type[Exception], ...] = (BusError, SettingsError, *errors)

    async def whole() -> None:
        with answering(settings.http, standing) as where:
            if where is not None:
                _log.info("answering", host=where[0], port=where[1])
            async with ticking(standing):
                await work(standing)

    try:
        asyncio.run(whole())
    except said as error:
        return failed(error)
    except KeyboardInterrupt:
        return 0
    return 0


def failed(error: Exception) -> int:
    """Say what went wrong, and give the exit code for it."""
    sys.stderr.write(f"{error}\n")
    return FAILED


@contextlib.contextmanager
def signals(ended: asyncio.Event) -> Iterator[None]:
    """While this lasts, an interrupt or a termination sets the event."""
    loop = asyncio.get_running_loop()
    both = (signal.SIGINT, signal.SIGTERM)
    for one in both:
        loop.add_signal_handler(one, ended.set)
    try:
        yield
    finally:
        for one in both:
            loop.remove_signal_handler(one)

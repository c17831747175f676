"""Run one of the engine's processes: its log, its errors in words, its exit code."""

import asyncio
import contextlib
import logging
import signal
import sys
from collections.abc import Coroutine, Iterator
from typing import Any

import structlog

from services.bus.errors import BusError
from services.engine.ports import LeaseLostError
from services.engine.settings import SettingsError

FAILED = 1


def run(process: Coroutine[Any, Any, None]) -> int:
    """Run a process to its end and give its exit code; what went wrong is said in words."""
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.JSONRenderer(),
        ],
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
        wrapper_class=structlog.make_filtering_bound_logger(logging.INFO),
        cache_logger_on_first_use=True,
    )
    try:
        asyncio.run(process)
    except (BusError, SettingsError, LeaseLostError) as error:
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

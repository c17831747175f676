"""Run the clock: `python -m services.clock --redis redis://localhost:6379/0`."""

import asyncio
import logging
import os
import signal
import sys
import time
from typing import Final

import structlog

from services.bus.connection import connection, opened, said_in_words
from services.bus.errors import BusError
from services.clock.keeping import Keeper
from services.clock.settings import Settings, SettingsError, settings
from services.clock.store import Store

BLOCK_MICROSECONDS: Final = 250_000
"""So long new records are waited for at most, before what is due is looked at again."""

_log = structlog.get_logger("clock")


def now() -> int:
    """Microseconds since 1970, UTC, by the clock of this machine."""
    return time.time_ns() // 1000


def wait_milliseconds(following: int | None, moment: int) -> int | None:
    """How long to wait for new records: not beyond the next timer, and not if more are due.

    >>> wait_milliseconds(None, 0), wait_milliseconds(30_500, 0), wait_milliseconds(9, 10)
    (250, 31, None)
    """
    left = BLOCK_MICROSECONDS if following is None else following - moment
    if left <= 0:
        return None
    return -(-min(left, BLOCK_MICROSECONDS) // 1000)


async def serve(settings: Settings) -> None:
    """Keep time until a signal ends it; raises what went wrong."""
    with said_in_words(settings.redis):
        async with connection(settings.redis) as client:
            partitions = await opened(client)
            store = Store(client, partitions)
            keeper = Keeper(store, store, range(partitions), tables_at_hand=settings.tables_at_hand)
            await keeper.begin()
            _log.info("ready")
            ended = asyncio.Event()
            loop = asyncio.get_running_loop()
            for one in (signal.SIGINT, signal.SIGTERM):
                loop.add_signal_handler(one, ended.set)
            while not ended.is_set():
                moment = now()
                number, following = await keeper.fire(moment)
                if number:
                    _log.info("timers done", number=number)
                await keeper.catch_up(wait_milliseconds(following, moment))
    _log.info("stopped")


def main() -> int:
    """Run the clock and give its exit code; what went wrong is said in words."""
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.JSONRenderer(),
        ],
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
        wrapper_class=structlog.make_filtering_bound_logger(logging.INFO),
    )
    try:
        asyncio.run(serve(settings(sys.argv[1:], os.environ)))
    except (BusError, SettingsError) as error:
        sys.stderr.write(f"{error}\n")
        return 1
    except KeyboardInterrupt:
        return 0
    return 0


if __name__ == "__main__":
    sys.exit(main())

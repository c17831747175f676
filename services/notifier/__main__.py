"""Run the notifier: `python -m services.notifier --redis redis://localhost:6379/0`."""

import asyncio
import logging
import os
import sys

import structlog

from services.bus.errors import BusError
from services.notifier.app import serve
from services.notifier.sealing import SealError
from services.notifier.settings import SettingsError, settings

FAILED = 1


def main() -> int:
    """Run the notifier and give its exit code; what went wrong is said in words."""
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.JSONRenderer(),
        ],
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
        wrapper_class=structlog.make_filtering_bound_logger(logging.INFO),
        cache_logger_on_first_use=True,
    )
    try:
        asyncio.run(serve(settings(sys.argv[1:], os.environ)))
    except (BusError, SettingsError, SealError) as error:
        sys.stderr.write(f"{error}\n")
        return FAILED
    except KeyboardInterrupt:
        return 0
    return 0


if __name__ == "__main__":
    sys.exit(main())

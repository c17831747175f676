"""What the clock says of the timers that it does: one line of the log each, and figures."""

from collections.abc import Collection, Sequence
from typing import Final

import structlog
from prometheus_client import Counter, Gauge, Histogram

from contracts import streams
from services.bus.typed import Client
from services.clock.timers import CALL, EXPIRY, Done
from services.running.metrics import LONG_SECONDS, REGISTRY

FIRED: Final = Counter(
    "minutebook_timers_fired_total", "Timers that were done.", ["kind"], registry=REGISTRY
)
OVERDUE: Final = Histogram(
    "minutebook_timer_overdue_seconds",
    "How late timers were done.",
    buckets=LONG_SECONDS,
    registry=REGISTRY,
)
SET: Final = Gauge("minutebook_timers_set", "Timers that are to be done.", registry=REGISTRY)

_log = structlog.get_logger("clock")


def told(done: Sequence[Done], now: int) -> None:
    """Say which timers were done at a moment."""
    for one in done:
        late = max(0.0, (now - one.due) / 1_000_000)
        # Reminders are named by how long before the end they come, which anybody may set.
        FIRED.labels(one.kind if one.kind in (CALL, EXPIRY) else "reminder").inc()
        OVERDUE.observe(late)
        _log.info(
            "timer done",
            table=one.table,
            player=one.player,
            timer=one.kind,
            due=one.due,
            late_ms=round(late * 1000),
        )


class Figures:
    """Asks the store how many timers are set, and shows it."""

    def __init__(self, client: Client, partitions: Collection[int]) -> None:
        self._client = client
        self._partitions = tuple(partitions)

    async def __call__(self) -> None:
        """Show how many there are now."""
        async with self._client.pipeline(transaction=False) as together:
            for partition in self._partitions:
                together.execute_command("ZCARD", streams.timers(partition))
            SET.set(sum(await together.execute()))

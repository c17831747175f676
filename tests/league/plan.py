"""What a seed draws: who plays where, how, and what goes wrong how often."""

from datetime import UTC, datetime
from random import Random
from typing import Final

from msgspec import Struct

SECOND: Final = 1_000_000
MINUTE: Final = 60 * SECOND
HOUR: Final = 60 * MINUTE
DAY: Final = 24 * HOUR
BEGIN: Final = round(datetime(2026, 10, 12, tzinfo=UTC).timestamp()) * SECOND
"""In a month from here clocks change in Europe, and a week later in America."""
PARTITIONS: Final = 3
QUIET_SECONDS: Final = 10
MOST_SECONDS: Final = 60


class Plan(Struct, frozen=True):
    """A season: how big, how long, and how often (in a day) something goes wrong."""

    seed: int
    tables: int
    days: int
    kills_a_day: float = 3.0
    """Of each service."""
    restarts: int = 2
    """Of the server, in all."""

    @property
    def end(self) -> int:
        """When it is over."""
        return BEGIN + self.days * DAY

    def lots(self, purpose: str) -> Random:
        """Chance for one purpose."""
        return Random(f"{self.seed} {purpose}")

"""What the clock needs of the world beside minute books: feeds with timers, and what time it is."""

from collections.abc import Sequence
from typing import Final, Protocol

from msgspec import Struct

from contracts.ids import TableId
from services.bus.following import Feeds
from services.clock.timers import Kept

BEHIND: Final = 50_000
"""Microseconds for which a timer is left alone whose table's book was not read to its end."""


class Fired(Struct, frozen=True):
    """How many timers of a partition were done, and when the next one is due."""

    number: int
    following: int | None


class Timers(Feeds, Protocol):
    """The feeds, and the timers that are kept up from them."""

    async def keep(self, partition: int, before: str, now: str, kept: Sequence[Kept]) -> bool:
        """Keep tables' timers and move the place from `before` to `now`, as one act; '' is none.

        False, and nothing is kept, if the place is not `before`, or if the store has lost a record
        that was reckoned with, or the feed's entry at `now`. A table that is kept at a later
        version is left alone. A timer that was done is never set again while it is among a table's.
        """

    async def saved(self, table: TableId) -> bytes | None:
        """What was saved of a table when its timers were kept last."""

    async def fire(self, partition: int, now: int, most: int) -> Fired:
        """Do the timers that are due, as one act, the earliest first."""


class Clock(Protocol):
    """What time it is."""

    def now(self) -> int:
        """Microseconds since 1970, UTC."""

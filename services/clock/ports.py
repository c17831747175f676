"""What the clock needs of the world: minute books, feeds, timers, and what time it is."""

from collections.abc import Mapping, Sequence
from typing import Protocol

from msgspec import Struct

from contracts.ids import TableId
from contracts.records import Sealed
from services.clock.timers import Kept


class Mention(Struct, frozen=True):
    """An entry of a feed: a table has a new record. `place` is where the entry stands."""

    place: str
    table: TableId
    version: int


class Fired(Struct, frozen=True):
    """How many timers of a partition were done, and when the next one is due."""

    number: int
    following: int | None


class Books(Protocol):
    """The minute books, and what is new in them."""

    async def read(self, table: TableId, first: int = 1) -> list[Sealed]:
        """Records of a table from one on, each checked against the one before."""

    async def tables(self, partition: int) -> list[TableId]:
        """All tables of a partition."""

    async def newest(self, partition: int) -> str:
        """The place of the feed's last entry; before the first one if there is none."""

    async def after(
        self, places: Mapping[int, str], most: int, block_milliseconds: int | None = None
    ) -> list[tuple[int, list[Mention]]]:
        """What the feeds of some partitions have after these places, oldest first."""


class Timers(Protocol):
    """The timers, and how far the feed was read for them."""

    async def place(self, partition: int) -> str | None:
        """How far the feed was read; None if never."""

    async def keep(self, partition: int, before: str, now: str, kept: Sequence[Kept]) -> bool:
        """Keep tables' timers and move the place from `before` to `now`, as one act; '' is none.

        False, and nothing is kept, if the place is not `before`. A table that is kept at a later
        version is left alone. A timer that was done is never set again while it is among a table's.
        """

    async def fire(self, partition: int, now: int, most: int) -> Fired:
        """Do the timers that are due, as one act, the earliest first."""


class Clock(Protocol):
    """What time it is."""

    def now(self) -> int:
        """Microseconds since 1970, UTC."""

"""What engine and projector need of the world: minute books, commands, leases, views and a clock.

The Redis store is one set of ports, memory another; both pass the same tests.
"""

from collections.abc import Mapping, Sequence
from typing import Protocol

from msgspec import Struct

from contracts.ids import CommandId, PlayerId, TableId
from contracts.records import Sealed
from contracts.streams import Outcome
from services.bus.following import Feeds, Head, Mention


class LeaseLostError(Exception):
    """Another engine decides for the partition now; whatever this one writes is refused."""

    def __init__(self, partition: int) -> None:
        """Say of which partition."""
        super().__init__(f"Another engine has taken over partition {partition}.")
        self.partition = partition


class Entry(Struct, frozen=True):
    """A command as it lies in its stream."""

    id: str
    fields: dict[bytes, bytes]


class Lease(Struct, frozen=True):
    """The right to decide for a partition; every taking of it has a higher epoch."""

    partition: int
    epoch: int


class Held(Struct, frozen=True):
    """A lease that another holder has, and how long it still runs if it is not renewed."""

    holder: str
    milliseconds_left: int


class Dead(Struct, frozen=True):
    """What the operator is to see of a command that can never succeed."""

    why: str
    fields: dict[bytes, bytes]


class Write(Struct, frozen=True):
    """What one command leads to: an outcome, and a record if it was accepted.

    It holds only if the table is still at `version` with `digest`, against which it was decided; a
    refusal without a version holds anyhow. A command whose table or id cannot be read has neither
    and leaves only a dead letter. One that is not kept is answered and forgotten: an outcome of the
    same id may come back out of the archive. `entry` is the command's entry, which is taken off the
    stream; `channel` is where the answer goes, if anywhere.
    """

    table: TableId
    id: CommandId
    entry: str
    channel: str
    outcome: Outcome
    version: int | None = None
    digest: bytes = b""
    sealed: Sealed | None = None
    snapshot: bytes | None = None
    dead: Dead | None = None
    is_kept: bool = True


class Stored(Struct, frozen=True):
    """It was written."""


class Repeated(Struct, frozen=True):
    """The command had an outcome already; this one was answered, nothing was written."""

    outcome: Outcome


class Conflict(Struct, frozen=True):
    """The table stands elsewhere; nothing was written, the command still waits."""

    version: int


Written = Stored | Repeated | Conflict


class Log(Protocol):
    """The minute books, and the only way to write them."""

    async def head(self, table: TableId) -> Head:
        """Where a table's book ends; version 0 of a table that was never opened."""

    async def read(self, table: TableId, first: int = 1, last: int | None = None) -> list[Sealed]:
        """Records of a table, each checked against the one before."""

    async def commit(self, lease: Lease, writes: Sequence[Write]) -> list[Written]:
        """Write all that still holds, in order and as one act; raises `LeaseLostError`."""


class Inbox(Protocol):
    """The commands that wait, partition by partition."""

    async def pending(self, partition: int, most: int) -> list[Entry]:
        """The oldest commands that were given out already and are not done."""

    async def fresh(self, partition: int, most: int) -> list[Entry]:
        """The oldest commands that were never given out; they are pending from now on."""


class Leases(Protocol):
    """Who decides for which partition."""

    async def take(self, partition: int, holder: str, dead: str = "") -> Lease | Held:
        """Take a lease that is free, run out, one's own, or that of a holder known to be dead."""

    async def renew(self, lease: Lease) -> bool:
        """Make a lease run on; false if it has been lost."""

    async def release(self, lease: Lease) -> None:
        """Give a lease back, if it is still one's own."""


class Views(Struct, frozen=True):
    """All views of a table, encoded, with the version they show and whom the table waits for.

    `digest` is that of the version's record; '' if it does not matter whether that still is there.
    """

    table: TableId
    version: int
    waiting: tuple[PlayerId, ...]
    bodies: Mapping[str, bytes]
    digest: bytes = b""


class Shelf(Feeds, Protocol):
    """The feeds, and the views that are kept up from them."""

    async def show(self, partition: int, before: str, now: str, views: Sequence[Views]) -> bool:
        """Store views and move the place from `before` to `now`, as one act; '' is no place.

        False, and nothing is stored, if the place is not `before`, or if the store has lost a
        record that the views show, or the feed's entry at `now`. Views that show a later version
        already are left alone.
        """

    async def forget(self, partition: int) -> int:
        """Throw away the views of all tables of a partition, and the place; how many tables."""

    async def trim(self, partition: int) -> None:
        """Throw away what all readers of a feed have passed."""


class Clock(Protocol):
    """What time it is."""

    def now(self) -> int:
        """Microseconds since 1970, UTC."""


__all__ = [
    "Clock",
    "Conflict",
    "Dead",
    "Entry",
    "Head",
    "Held",
    "Inbox",
    "Lease",
    "LeaseLostError",
    "Leases",
    "Log",
    "Mention",
    "Repeated",
    "Shelf",
    "Stored",
    "Views",
    "Write",
    "Written",
]

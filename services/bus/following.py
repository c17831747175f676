"""Follow what is new at tables: each record is dealt with once, wherever a process dies.

How far a feed has been read is written by whoever follows it in the same act as what he made of it
(`Keep`). Where nothing has been read yet, all tables are dealt with from their books; so to build
anything again is to forget it and the place, and to begin.

Nothing that is kept in mind here is believed against the store. It may have been restarted without
its last second, and then books, feeds and places are not where they were; a book may have been
sealed anew, or be gone into the archive.
"""

from collections import OrderedDict
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final, Generic, Protocol, TypeVar

from msgspec import Struct

from contracts.ids import TableId
from contracts.records import Sealed
from services.bus.errors import DamagedLogError

ENTRIES_AT_ONCE: Final = 500
"""Feed entries of a partition that are read at once."""
TABLES_AT_ONCE: Final = 16
"""Tables that are dealt with in one act, so that the store is never long at it."""

Place = str
"""Where a reader of a feed stands: at the last entry that it has dealt with."""
NOT_BEGUN: Final = ""


class Mention(Struct, frozen=True):
    """An entry of a feed: a table has a new record. `place` is where the entry stands."""

    place: Place
    table: TableId
    version: int


class Head(Struct, frozen=True):
    """Version and digest of a table's last record, with its snapshot if there is one.

    `is_archived` says that its book is not in the store any more, and that nothing is wrong.
    """

    version: int
    digest: bytes
    snapshot: bytes | None = None
    is_archived: bool = False


class Feeds(Protocol):
    """The feeds, as one of their readers sees them."""

    async def place(self, partition: int) -> Place | None:
        """How far the feed has been read; None if never."""

    async def newest(self, partition: int) -> Place:
        """The place of the feed's last entry; before the first one if there is none."""

    async def after(
        self, places: Mapping[int, Place], most: int, block_milliseconds: int | None = None
    ) -> list[tuple[int, list[Mention]]]:
        """What the feeds of some partitions have after these places, oldest first."""

    async def tables(self, partition: int) -> list[TableId]:
        """All tables of a partition, in order of the alphabet."""


class Books(Protocol):
    """The minute books."""

    async def head(self, table: TableId) -> Head:
        """Where a table's book ends; version 0 of a table that was never opened."""

    async def read(self, table: TableId, first: int = 1) -> list[Sealed]:
        """Records of a table from one on, each checked against the one before."""


Mentioned = Mapping[TableId, Sequence[int]]
"""Tables that are to be dealt with, and the versions of them that a feed has named."""

Keep = Callable[[int, Mentioned, Place, Place], Awaitable[bool]]
"""Deal with tables of a partition, and move the place from one to another, as one act.

False, and nothing is kept, if the place is not the first one; `NOT_BEGUN` is none. The second one
is `NOT_BEGUN` as long as not all tables have been dealt with.
"""


class OvertakenError(Exception):
    """Another follower has moved the place on: this one has to look where it is now."""


class Follower:
    """Follows the feeds of some partitions."""

    def __init__(
        self,
        feeds: Feeds,
        partitions: Iterable[int],
        keep: Keep,
        lost: Callable[[], None],
    ) -> None:
        """`lost` is called when what was kept may have been lost, or replaced by another."""
        self.places: dict[int, Place] = {}
        self._feeds = feeds
        self._partitions = tuple(partitions)
        self._keep = keep
        self._lost = lost

    async def begin(self) -> None:
        """Find the place in every feed; where there is none, deal with all tables."""
        for partition in self._partitions:
            await self.find_place(partition)

    async def catch_up(self, block_milliseconds: int | None = None) -> int:
        """Deal with what the feeds have, waiting a while if they have nothing; how many entries."""
        found = await self._feeds.after(self.places, ENTRIES_AT_ONCE, block_milliseconds)
        count = 0
        for partition, mentions in found:
            try:
                for mentioned, end in shares(mentions):
                    await self.deal_with(partition, mentioned, self.places[partition], end)
                    self.places[partition] = end
            except OvertakenError:
                await self.find_place(partition)
            count += len(mentions)
        if not found:
            await self.look_around()
        return count

    async def look_around(self) -> None:
        """See that every place is still where it was, there being nothing else to do."""
        for partition in self._partitions:
            if await self._feeds.place(partition) != self.places[partition]:
                await self.find_place(partition)

    async def find_place(self, partition: int) -> None:
        """Where the feed was last read to; all tables are dealt with where it never was."""
        self._lost()
        while True:
            place = await self._feeds.place(partition)
            if place is not None:
                self.places[partition] = place
                return
            try:
                await self._build(partition)
            except OvertakenError:
                continue

    async def _build(self, partition: int) -> None:
        """Deal with all tables, and then begin where the feed ended before the first was read."""
        end = await self._feeds.newest(partition)
        tables = await self._feeds.tables(partition)
        for first in range(0, len(tables), TABLES_AT_ONCE):
            some: Mentioned = dict.fromkeys(tables[first : first + TABLES_AT_ONCE], ())
            await self.deal_with(partition, some, NOT_BEGUN, NOT_BEGUN)
        await self.deal_with(partition, {}, NOT_BEGUN, end)

    async def deal_with(
        self, partition: int, mentioned: Mentioned, before: Place, now: Place
    ) -> None:
        """Deal with some tables and move the place; raises `OvertakenError`."""
        if not await self._keep(partition, mentioned, before, now):
            raise OvertakenError


def shares(mentions: Sequence[Mention]) -> Iterator[tuple[Mentioned, Place]]:
    """The mentions in order, of a few tables at a time, and the place after each share."""
    some: dict[TableId, list[int]] = {}
    end = NOT_BEGUN
    for mention in mentions:
        if mention.table not in some and len(some) == TABLES_AT_ONCE:
            yield some, end
            some = {}
        some.setdefault(mention.table, []).append(mention.version)
        end = mention.place
    if some:
        yield some, end


# --- one table's book ----------------------------------------------------------------------------

F = TypeVar("F")
"""What is made of a table's book as far as it was read."""


class Standing(Struct, frozen=True):
    """How far a book was read: the last record's version, and its digest."""

    version: int
    digest: bytes


class ArchivedError(Exception):
    """A table's book has gone into the archive. That is no damage; its last version stands."""

    def __init__(self, table: TableId, version: int) -> None:
        """Say of which table, and how many records its book had."""
        super().__init__(f"Table {table} is archived at version {version}.")
        self.table = table
        self.version = version


class TablesAtHand(Generic[F]):
    """What was made of tables' books, for some tables at hand, and the way on from there."""

    def __init__(
        self,
        books: Books,
        start: Callable[[TableId], F],
        standing: Callable[[F], Standing],
        tables_at_hand: int,
        saved: Callable[[TableId], Awaitable[F | None]] | None = None,
    ) -> None:
        """`saved` gives what was made of a book earlier and is kept somewhere, if anything is."""
        self._books = books
        self._start = start
        self._standing = standing
        self._tables_at_hand = tables_at_hand
        self._saved = saved
        self._at_hand: OrderedDict[TableId, F] = OrderedDict()

    async def behind(self, id: TableId) -> tuple[F, list[Sealed]]:
        """What was made of a book so far, and the records since, or those of all its book.

        The last record that was read is read once more. It has to be there, and the same: a digest
        covers all records before it. Raises `ArchivedError`, and `DamagedLogError`.
        """
        known = self._at_hand.get(id)
        if known is not None and (since := await self._since(id, known)) is not None:
            return known, since
        known = None if self._saved is None else await self._saved(id)
        if known is not None and (since := await self._since(id, known)) is not None:
            return known, since
        return self._start(id), await self._whole(id)

    async def _since(self, id: TableId, known: F) -> list[Sealed] | None:
        """The records since; None if the book does not go on from there."""
        standing = self._standing(known)
        if not standing.version:
            return None
        book = await self._books.read(id, standing.version)
        if not book or book[0].digest != standing.digest:
            return None
        return book[1:]

    async def _whole(self, id: TableId) -> list[Sealed]:
        """All of a book; nothing of a table that was opened in a second that the store has lost."""
        book = await self._books.read(id)
        if book:
            return book
        head = await self._books.head(id)
        if head.is_archived:
            raise ArchivedError(id, head.version)
        # A head without a book is none that was opened meanwhile.
        if head.version and not (book := await self._books.read(id)):
            raise DamagedLogError(id, 1, f"It is missing; the head is {head.version}.")
        return book

    def keep(self, id: TableId, made: F) -> None:
        """Have what was made of a book at hand; what was longest not asked for is forgotten."""
        self._at_hand[id] = made
        self._at_hand.move_to_end(id)
        if len(self._at_hand) > self._tables_at_hand:
            self._at_hand.popitem(last=False)

    def at_hand(self, id: TableId) -> F | None:
        """What was made of a book, if it is at hand."""
        return self._at_hand.get(id)

    def forget(self, ids: Iterable[TableId]) -> None:
        """Forget what was made of some tables' books."""
        for id in ids:
            self._at_hand.pop(id, None)

    def forget_all(self) -> None:
        """Forget what was made of all books."""
        self._at_hand.clear()

"""Timers in memory, for tests and simulation; they pass the same tests as those of the store."""

from collections import defaultdict
from collections.abc import Mapping, Sequence

from contracts.ids import TableId
from contracts.notices import Deadline
from contracts.records import FIRST_DIGEST, Sealed
from contracts.streams import partition_of
from services.bus.following import Head, Mention
from services.clock.ports import BEHIND, Fired
from services.clock.timers import COMMAND, Kept, Timer


class Memory:
    """Books, feeds and timers that are gone with their process. Tests look at what they keep."""

    def __init__(self, partitions: int = 1) -> None:
        self.partitions = partitions
        self.books: dict[TableId, list[Sealed]] = {}
        self.snapshots: dict[TableId, bytes] = {}
        self.archived: dict[TableId, Head] = {}
        """Heads of tables whose books are not here any more."""
        self.feeds: defaultdict[int, list[tuple[TableId, int]]] = defaultdict(list)
        self.places: dict[int, str] = {}
        self.set: defaultdict[int, dict[str, Timer]] = defaultdict(dict)
        self.of_tables: dict[TableId, tuple[int, frozenset[str]]] = {}
        self.reckonings: dict[TableId, bytes] = {}
        self.deadlines: dict[TableId, dict[str, Deadline]] = {}
        self.commands: defaultdict[int, list[bytes]] = defaultdict(list)
        self.prompts: defaultdict[int, list[bytes]] = defaultdict(list)

    def write(self, table: TableId, sealed: Sealed) -> None:
        """Add a record to a book, and to the feed."""
        self.books.setdefault(table, []).append(sealed)
        partition = partition_of(table, self.partitions)
        self.feeds[partition].append((table, sealed.record.version))

    async def head(self, table: TableId) -> Head:
        """Where a table's book ends."""
        if table in self.archived:
            return self.archived[table]
        book = self.books.get(table)
        if not book:
            return Head(0, FIRST_DIGEST)
        return Head(len(book), book[-1].digest, self.snapshots.get(table))

    async def read(self, table: TableId, first: int = 1) -> list[Sealed]:
        """Records of a table from one on."""
        return self.books.get(table, [])[first - 1 :]

    async def tables(self, partition: int) -> list[TableId]:
        """All tables of a partition."""
        return sorted(t for t in self.books if partition_of(t, self.partitions) == partition)

    async def newest(self, partition: int) -> str:
        """The place of the feed's last entry."""
        return f"{len(self.feeds[partition])}-0"

    async def after(
        self,
        places: Mapping[int, str],
        most: int,
        block_milliseconds: int | None = None,  # noqa: ARG002 - memory has nothing to wait for
    ) -> list[tuple[int, list[Mention]]]:
        """What the feeds of some partitions have after these places; nothing is waited for."""
        found = []
        for partition, place in places.items():
            first = _number(place)
            entries = self.feeds[partition][first : first + most]
            mentions = [
                Mention(f"{number}-0", table, version)
                for number, (table, version) in enumerate(entries, first + 1)
            ]
            if mentions:
                found.append((partition, mentions))
        return found

    async def place(self, partition: int) -> str | None:
        """How far the feed was read; None if never."""
        return self.places.get(partition)

    async def keep(self, partition: int, before: str, now: str, kept: Sequence[Kept]) -> bool:
        """Keep tables' timers and move the place, as one act."""
        end = len(self.feeds[partition])
        if self.places.get(partition, "") != before or _number(now or "0-0") > end:
            return False
        if not all(is_written(self.books.get(one.table, []), one) for one in kept):
            return False
        for one in kept:
            self.prompts[partition] += one.prompts
            version, names = self.of_tables.get(one.table, (-1, frozenset[str]()))
            if version > one.version:
                continue
            there = self.set[partition]
            wanted = {timer.name: timer for timer in one.timers}
            for name in names - set(wanted):
                there.pop(name, None)
            for name, timer in wanted.items():
                if name not in names or name in there:
                    there[name] = timer
            self.reckonings[one.table] = one.saved
            self.of_tables[one.table] = (one.version, frozenset(wanted))
            if not wanted:
                del self.of_tables[one.table]
            self.deadlines[one.table] = {str(who): until for who, until in one.deadlines}
        if now:
            self.places[partition] = now
        return True

    async def saved(self, table: TableId) -> bytes | None:
        """What was saved of a table when its timers were kept last."""
        return self.reckonings.get(table) or None

    async def fire(self, partition: int, now: int, most: int) -> Fired:
        """Do the timers that are due, the earliest first."""
        there = self.set[partition]
        due = sorted((t for t in there.values() if t.due <= now), key=lambda t: (t.due, t.name))
        ready = [timer for timer in due[:most] if not self._is_behind(timer)]
        for timer in ready:
            to = self.commands if timer.body[:1] == COMMAND else self.prompts
            to[partition].append(timer.body[1:])
            del there[timer.name]
        following = min((timer.due for timer in there.values()), default=None)
        if len(ready) < len(due[:most]):
            following = now + BEHIND
        return Fired(len(ready), following)

    def _is_behind(self, timer: Timer) -> bool:
        """Whether the book of a timer's table goes on beyond what was reckoned."""
        table = TableId(timer.name.partition(" ")[0])
        book = self.books.get(table, [])
        version, _ = self.of_tables.get(table, (len(book), frozenset[str]()))
        return version < len(book)


def is_written(book: Sequence[Sealed], kept: Kept) -> bool:
    """Whether a book still has the record of what was kept, or goes on beyond it."""
    if not kept.digest:
        return True
    if len(book) != kept.version:
        return len(book) > kept.version
    return book[-1].digest == kept.digest


def _number(place: str) -> int:
    return int(place.partition("-")[0])

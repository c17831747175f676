"""The ports in memory, for simulation and replay; they pass the same tests as the store."""

from collections import defaultdict
from collections.abc import Mapping, Sequence

from contracts import streams
from contracts.commands import Order
from contracts.ids import CommandId, TableId
from contracts.records import FIRST_DIGEST, Sealed
from contracts.streams import Answer, Outcome
from services.engine.ports import (
    Clock,
    Conflict,
    Dead,
    Entry,
    Head,
    Held,
    Lease,
    LeaseLostError,
    Mention,
    Repeated,
    Stored,
    Views,
    Write,
    Written,
)

LEASE_MICROSECONDS = 10_000_000


class Memory:
    """A store that is gone with its process. Tests may look at what it keeps, and damage it."""

    def __init__(
        self,
        clock: Clock,
        partitions: int = streams.PARTITIONS,
        lease_microseconds: int = LEASE_MICROSECONDS,
    ) -> None:
        self.partitions = partitions
        self.lease_microseconds = lease_microseconds
        self.logs: dict[TableId, list[Sealed]] = {}
        self.archived: dict[TableId, Head] = {}
        """Heads of tables whose books are not here any more."""
        self.snapshots: dict[TableId, bytes] = {}
        self.outcomes: defaultdict[TableId, dict[CommandId, Outcome]] = defaultdict(dict)
        self.feeds: defaultdict[int, list[tuple[TableId, int]]] = defaultdict(list)
        self.waiting: defaultdict[int, list[Entry]] = defaultdict(list)
        self.given: defaultdict[int, list[Entry]] = defaultdict(list)
        self.dead: defaultdict[int, list[Dead]] = defaultdict(list)
        self.answers: defaultdict[str, list[Answer]] = defaultdict(list)
        self.places: dict[int, str] = {}
        self.views: dict[TableId, Views] = {}
        self._clock = clock
        self._epochs: defaultdict[int, int] = defaultdict(int)
        self._holders: dict[int, tuple[str, int]] = {}
        self._entries = 0
        self._trimmed: defaultdict[int, int] = defaultdict(int)

    # --- minute books ------------------------------------------------------------------------

    async def head(self, table: TableId) -> Head:
        """Where a table's book ends, and its snapshot."""
        if table in self.archived:
            return self.archived[table]
        log = self.logs.get(table)
        if not log:
            return Head(0, FIRST_DIGEST)
        return Head(len(log), log[-1].digest, self.snapshots.get(table))

    async def read(self, table: TableId, first: int = 1, last: int | None = None) -> list[Sealed]:
        """Records of a table."""
        log = self.logs.get(table, [])
        return log[first - 1 : len(log) if last is None else last]

    async def commit(self, lease: Lease, writes: Sequence[Write]) -> list[Written]:
        """Write all that still holds, in order and as one act."""
        if self._epochs[lease.partition] != lease.epoch:
            raise LeaseLostError(lease.partition)
        return [self._write(lease.partition, write) for write in writes]

    def _write(self, partition: int, write: Write) -> Written:
        is_kept = bool(write.id) and write.is_kept
        first = self.outcomes[write.table].get(write.id) if is_kept else None
        log = self.logs.get(write.table, [])
        written: Written = Stored()
        if first is not None:
            written = Repeated(first)
        elif is_kept:
            if write.version is not None and write.table in self.archived:
                return Conflict(self.archived[write.table].version)
            digest = log[-1].digest if log else write.digest
            if write.version is not None and (write.version, write.digest) != (len(log), digest):
                return Conflict(len(log))
            self.outcomes[write.table][write.id] = write.outcome
            self._append(partition, write)
        if write.dead is not None and isinstance(written, Stored):
            self.dead[partition].append(write.dead)
        self.given[partition] = [one for one in self.given[partition] if one.id != write.entry]
        if write.channel:
            answer = Answer(write.table, write.id, write.outcome if first is None else first)
            self.answers[write.channel].append(answer)
        return written

    def _append(self, partition: int, write: Write) -> None:
        if write.sealed is None:
            return
        self.logs.setdefault(write.table, []).append(write.sealed)
        self.feeds[partition].append((write.table, write.sealed.record.version))
        if write.snapshot is not None:
            self.snapshots[write.table] = write.snapshot

    # --- commands ----------------------------------------------------------------------------

    def post(self, order: Order, client: str = "") -> Entry:
        """Send an order, as a client does."""
        fields = {streams.COMMAND_ORDER.encode(): streams.encode(order)}
        if client:
            fields[streams.COMMAND_ANSWERS.encode()] = streams.answers(client).encode()
        return self.put(streams.partition_of(order.table, self.partitions), fields)

    def put(self, partition: int, fields: Mapping[bytes, bytes]) -> Entry:
        """Put any fields into a partition's stream of commands."""
        self._entries += 1
        entry = Entry(f"{self._entries}-0", dict(fields))
        self.waiting[partition].append(entry)
        return entry

    async def pending(self, partition: int, most: int) -> list[Entry]:
        """The oldest commands that were given out already and are not done."""
        return self.given[partition][:most]

    async def fresh(self, partition: int, most: int) -> list[Entry]:
        """The oldest commands that were never given out; they are pending from now on."""
        taken = self.waiting[partition][:most]
        del self.waiting[partition][:most]
        self.given[partition] += taken
        return taken

    # --- leases ------------------------------------------------------------------------------

    async def take(self, partition: int, holder: str, dead: str = "") -> Lease | Held:
        """Take a lease that is free, run out, one's own, or that of a holder known to be dead."""
        by, until = self._holders.get(partition, ("", 0))
        left = until - self._clock.now()
        if left > self.lease_microseconds:
            # The clock has been put back. A holder that lives will renew.
            left = self.lease_microseconds
            self._holders[partition] = (by, self._clock.now() + left)
        if left > 0 and by not in {holder, dead}:
            return Held(by, left // 1000)
        self._epochs[partition] += 1
        self._holders[partition] = (holder, self._clock.now() + self.lease_microseconds)
        return Lease(partition, self._epochs[partition])

    async def renew(self, lease: Lease) -> bool:
        """Make a lease run on; false if it has been lost."""
        if self._epochs[lease.partition] != lease.epoch:
            return False
        holder, _ = self._holders[lease.partition]
        self._holders[lease.partition] = (holder, self._clock.now() + self.lease_microseconds)
        return True

    async def release(self, lease: Lease) -> None:
        """Give a lease back, if it is still one's own."""
        if self._epochs[lease.partition] == lease.epoch:
            self._holders.pop(lease.partition)

    # --- feeds and views ---------------------------------------------------------------------

    async def place(self, partition: int) -> str | None:
        """How far the feed has been read for the views that are stored; None if never."""
        return self.places.get(partition)

    async def newest(self, partition: int) -> str:
        """The place of the feed's last entry; before the first one if there is none."""
        return _place(self._trimmed[partition] + len(self.feeds[partition]))

    async def after(
        self,
        places: Mapping[int, str],
        most: int,
        block_milliseconds: int | None = None,  # noqa: ARG002 - memory has nothing to wait for
    ) -> list[tuple[int, list[Mention]]]:
        """What the feeds of some partitions have after these places; nothing is waited for."""
        found: list[tuple[int, list[Mention]]] = []
        for partition, place in places.items():
            gone = self._trimmed[partition]
            first = max(0, _number(place) - gone)
            entries = self.feeds[partition][first : first + most]
            if entries:
                mentions = [
                    Mention(_place(gone + number), table, version)
                    for number, (table, version) in enumerate(entries, first + 1)
                ]
                found.append((partition, mentions))
        return found

    async def tables(self, partition: int) -> list[TableId]:
        """All tables of a partition, in order of the alphabet."""
        here = streams.partition_of
        return sorted(id for id in self.logs if here(id, self.partitions) == partition)

    async def show(self, partition: int, before: str, now: str, views: Sequence[Views]) -> bool:
        """Store views and move the place, as one act; false if that cannot be."""
        end = self._trimmed[partition] + len(self.feeds[partition])
        if self.places.get(partition, "") != before or _number(now or "0-0") > end:
            return False
        if not all(is_written(self.logs.get(one.table, []), one) for one in views):
            return False
        for one in views:
            old = self.views.get(one.table)
            if old is None or old.version <= one.version:
                self.views[one.table] = one
        if now:
            self.places[partition] = now
        return True

    async def forget(self, partition: int) -> int:
        """Throw away the views of all tables of a partition, and the place; how many tables."""
        tables = await self.tables(partition)
        for table in tables:
            self.views.pop(table, None)
        self.places.pop(partition, None)
        return len(tables)

    async def trim(self, partition: int) -> None:
        """Throw away what the only reader of a feed, its projector, has passed."""
        passed = _number(self.places.get(partition, "0-0")) - self._trimmed[partition]
        if passed > 0:
            del self.feeds[partition][:passed]
            self._trimmed[partition] += passed


def is_written(log: Sequence[Sealed], views: Views) -> bool:
    """Whether a log still has the record of some views, or goes on beyond it."""
    if not views.digest:
        return True
    if len(log) != views.version:
        return len(log) > views.version
    return log[-1].digest == views.digest


def _place(number: int) -> str:
    return f"{number}-0"


def _number(place: str) -> int:
    return int(place.partition("-")[0])

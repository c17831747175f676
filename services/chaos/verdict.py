"""Hold what clients saw against what the store has: nothing lost, doubled, torn or left behind."""

from collections.abc import Iterator, Mapping, Sequence

import msgspec
from msgspec import Struct

from contracts import streams
from contracts.ids import CommandId, TableId
from contracts.records import Sealed
from contracts.streams import Outcome, Recorded
from services.bus.client import Bus
from services.bus.errors import DamagedLogError
from services.chaos.history import History, said
from services.engine.projections import api
from services.engine.table.fold import tables
from services.engine.table.state import new_table

OWN_READER = "chaos"
"""A reader of the feeds that never moves, so that nothing in them is thrown away."""

PROMISES = (
    "each accepted order in its log once, with the version that was answered",
    "each answer kept, and no refused order in any log",
    "no record that nobody sent",
    "versions without a gap, digests chained to the head",
    "feeds name all records in order",
    "no command waits or is pending",
    "views equal those worked out from the logs",
    "the same answer each time",
)
"""What has to hold, in the order in which it is looked at."""

_encode = msgspec.msgpack.Encoder().encode


class Verdict(Struct, frozen=True):
    """What was broken of each promise, and how many records there are."""

    broken: Mapping[str, Sequence[str]]
    records: int

    @property
    def complaints(self) -> tuple[str, ...]:
        """Everything that was found."""
        return tuple(complaint for found in self.broken.values() for complaint in found)

    @property
    def holds(self) -> bool:
        """Whether every promise was kept."""
        return not any(self.broken.values())


async def keep_feeds(bus: Bus) -> None:
    """See to it that nothing is thrown away before it has been looked at."""
    for partition in range(bus.partitions):
        await bus.client.hset(streams.readers(partition), OWN_READER, "0-0")


async def verdict(bus: Bus, history: History) -> Verdict:
    """Look at everything, once all is quiet."""
    broken: dict[str, list[str]] = {promise: [] for promise in PROMISES}
    accepted, refused, unknown, logs, feeds, pending, views, same = broken.values()
    same += history.contradictions
    books: dict[TableId, list[Sealed]] = {}
    for table in sorted({*history.tables, *await bus.tables()}):
        try:
            books[table] = await bus.records(table)
        except DamagedLogError as error:
            logs.append(str(error))
            continue
        logs += await _head(bus, table, books[table])
        accepted += _accepted(history, table, books[table])
        refused += await _refused(bus, history, table, books[table])
        unknown += _unknown(history, table, books[table])
        views += await _views(bus, table, books[table])
    feeds += await _feeds(bus, books)
    pending += await _pending(bus)
    return Verdict(broken, sum(len(book) for book in books.values()))


def versions(book: Sequence[Sealed]) -> dict[CommandId, list[int]]:
    """The versions of the records of each command."""
    found: dict[CommandId, list[int]] = {}
    for sealed in book:
        found.setdefault(sealed.record.order.id, []).append(sealed.record.version)
    return found


def _accepted(history: History, table: TableId, book: Sequence[Sealed]) -> Iterator[str]:
    found = versions(book)
    for order in history.of(table):
        if isinstance(order.outcome, Recorded) and found.get(order.id) != [order.outcome.version]:
            yield f"{table}, {order.id}: {said(order.outcome)}, but in {found.get(order.id)}"


async def _refused(bus: Bus, history: History, table: TableId, book: Sequence[Sealed]) -> list[str]:
    found = versions(book)
    complaints: list[str] = []
    for order in history.of(table):
        kept: Outcome | None = await bus.outcome(table, order.id)
        if order.outcome is None:
            complaints.append(f"{table}, {order.id}: never answered")
        elif kept != order.outcome:
            complaints.append(
                f"{table}, {order.id}: answered {said(order.outcome)}, kept {said(kept)}"
            )
        elif not isinstance(order.outcome, Recorded) and order.id in found:
            complaints.append(f"{table}, {order.id}: refused, but in {found[order.id]}")
    return complaints


def _unknown(history: History, table: TableId, book: Sequence[Sealed]) -> Iterator[str]:
    for id, found in versions(book).items():
        if (table, id) not in history.orders:
            yield f"{table}, {id}: recorded in {found}, and nobody sent it"
        elif len(found) > 1:
            yield f"{table}, {id}: recorded in {found}"


async def _head(bus: Bus, table: TableId, book: Sequence[Sealed]) -> list[str]:
    head = await bus.head(table)
    if not book:
        return [] if head is None else [f"{table}: a head of {head.version} without a log"]
    if head is None or (head.version, head.digest) != (len(book), book[-1].digest):
        stands = "nothing" if head is None else f"{head.version}"
        return [f"{table}: the head says {stands}, the log ends with {len(book)}"]
    return []


async def _views(bus: Bus, table: TableId, book: Sequence[Sealed]) -> list[str]:
    if not book:
        return []
    shown = await bus.shown(table)
    if shown != len(book):
        return [f"{table}: views of {shown}, log of {len(book)}"]
    state, before = api.start(table), new_table(table)
    for record, after in tables(table, (sealed.record for sealed in book)):
        state, before = api.project(state, record, before, after), after
    right = {name: _encode(view) for name, view in api.views(state, before).items()}
    return [
        f"{table}: the view {name} is not what the log says"
        for name, view in right.items()
        if await bus.view(table, name) != view
    ]


async def _feeds(bus: Bus, books: Mapping[TableId, Sequence[Sealed]]) -> list[str]:
    complaints: list[str] = []
    told = dict.fromkeys(books, 0)
    for partition in range(bus.partitions):
        for _, fields in await bus.client.xrange(streams.feed(partition), "-", "+"):
            table = TableId(fields[streams.FEED_TABLE.encode()].decode())
            version = int(fields[streams.FEED_VERSION.encode()])
            if version != told.get(table, 0) + 1:
                complaints.append(f"{table}: record {version} told after {told.get(table, 0)}")
            told[table] = version
    complaints += [
        f"{table}: {told[table]} records told of {len(book)}"
        for table, book in books.items()
        if told[table] != len(book)
    ]
    return complaints


async def _pending(bus: Bus) -> list[str]:
    complaints: list[str] = []
    for partition in range(bus.partitions):
        waiting, pending = await unfinished(bus, partition)
        if waiting or pending:
            complaints.append(f"partition {partition}: {waiting} wait, {pending} pending")
    return complaints


async def unfinished(bus: Bus, partition: int) -> tuple[int, int]:
    """How many commands lie in a partition's stream, and how many of them were given out."""
    key = streams.commands(partition)
    found = await bus.client.execute_command("XPENDING", key, streams.ENGINE_GROUP)
    pending = found["pending"] if isinstance(found, dict) else found[0]
    return await bus.client.xlen(key), int(pending)


async def is_quiet(bus: Bus) -> bool:
    """Whether nothing is left to be done: no command waits, and all views show the last record."""
    for partition in range(bus.partitions):
        if any(await unfinished(bus, partition)):
            return False
    for table in await bus.tables():
        head = await bus.head(table)
        if head is not None and await bus.shown(table) < head.version:
            return False
    return True

"""Hold what clients and people saw against what the store has: nothing lost, doubled or torn.

That nobody is told twice or not at all, and that time is called when it is up and only then, is
looked at in `told`, `delivered` and `timed`; here it is brought together.
"""

from collections.abc import Iterator, Mapping, Sequence

import msgspec
from msgspec import Struct

from contracts import streams
from contracts.ids import CommandId, TableId
from contracts.notices import Letter
from contracts.people import CLOCK, PROGRAMME
from contracts.records import Sealed
from contracts.streams import Outcome, Recorded
from services.bus.client import Bus
from services.bus.errors import DamagedLogError
from services.chaos.history import History, said
from services.chaos.judging import Witness, judged
from services.chaos.promises import OF_THE_STORE, PROMISES
from services.chaos.quiet import unfinished
from services.engine.projections import api
from services.engine.table.fold import tables
from services.engine.table.state import new_table
from services.notifier.store import Store as Outbox

OWN_READER = "chaos"
"""A reader of the feeds that never moves, so that nothing in them is thrown away."""

_encode = msgspec.msgpack.Encoder().encode


class Verdict(Struct, frozen=True):
    """What was broken of each promise, how many records there are, and other figures."""

    broken: Mapping[str, Sequence[str]]
    records: int
    figures: Mapping[str, str] = {}

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


async def verdict(bus: Bus, history: History, witness: Witness | None = None) -> Verdict:
    """Look at everything, once all is quiet; at what was told only if there is a witness."""
    broken: dict[str, list[str]] = {promise: [] for promise in PROMISES}
    accepted, refused, unknown, logs, feeds, pending, views, same = (
        broken[promise] for promise in OF_THE_STORE
    )
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
    figures: Mapping[str, str] = {}
    if witness is not None:
        found, figures = judged(books, await _letters(bus, books), witness)
        broken |= found
    return Verdict(broken, sum(len(book) for book in books.values()), figures)


async def _letters(bus: Bus, books: Mapping[TableId, object]) -> dict[TableId, list[Letter]]:
    outbox = Outbox(bus.client, bus.partitions)
    return {table: await outbox.letters(table=table) for table in books}


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
        sender = book[found[0] - 1].record.order.sender
        # Whether they had a reason to is looked at elsewhere: by the clients, and in `timed`.
        is_of_itself = sender == CLOCK or sender.startswith(PROGRAMME)
        if (table, id) not in history.orders and not is_of_itself:
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

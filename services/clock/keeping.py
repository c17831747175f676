"""Keep the timers up with the minute books, and do what is due.

How far the feed has been read is written together with the timers it led to, so no record is passed
over, wherever the process dies; the timers lie in the store, so none is lost with it. Where nothing
has been read yet, all tables are reckoned from their books.
"""

from collections import OrderedDict
from collections.abc import Iterable, Sequence
from typing import Final

import structlog
from msgspec import Struct

from contracts import events as e
from contracts import notices
from contracts.ids import TableId
from contracts.programmes import REASONS
from contracts.records import FIRST_DIGEST, Record, Sealed
from services.bus.errors import DamagedLogError
from services.clock.ports import Books, Mention, Timers
from services.clock.reckoning import NOTHING, Reckoning, due, reckoned
from services.clock.timers import Kept, deadlines, timers
from services.engine.table.fold import applied, restored, table_at, undone_to
from services.engine.table.state import Table, new_table

ENTRIES_AT_ONCE: Final = 500
TABLES_AT_ONCE: Final = 16
TABLES_AT_HAND: Final = 512
TIMERS_AT_ONCE: Final = 1000
"""Timers that are done in one act, so that the store is never long at it."""
NOT_BEGUN: Final = ""

_log = structlog.get_logger("clock")


class OvertakenError(Exception):
    """Another clock has moved the place on: this one has to look where it is now."""


class Followed(Struct, frozen=True):
    """A table as far as its book was read, with its reckoning and its last digest."""

    table: Table
    reckoning: Reckoning
    digest: bytes


class Keeper:
    """Keeps the timers of some partitions, and does them when they are due."""

    def __init__(
        self,
        books: Books,
        timers: Timers,
        partitions: Iterable[int],
        *,
        tables_at_hand: int = TABLES_AT_HAND,
    ) -> None:
        self._books = books
        self._timers = timers
        self._partitions = tuple(partitions)
        self._tables_at_hand = tables_at_hand
        self._places: dict[int, str] = {}
        self._followed: OrderedDict[TableId, Followed] = OrderedDict()
        self._untold: dict[TableId, dict[int, list[bytes]]] = {}

    async def begin(self) -> None:
        """Find the place in every feed; where there is none, reckon all tables."""
        for partition in self._partitions:
            await self._find_place(partition)

    async def fire(self, now: int) -> tuple[int, int | None]:
        """Do what is due; how much that was, and when something is due next."""
        number, following = 0, None
        for partition in self._partitions:
            fired = await self._timers.fire(partition, now, TIMERS_AT_ONCE)
            number += fired.number
            if fired.following is not None:
                following = min(fired.following, following or fired.following)
        return number, following

    async def catch_up(self, block_milliseconds: int | None = None) -> int:
        """Deal with what the feeds have, waiting a while if they have nothing; how many entries."""
        found = await self._books.after(self._places, ENTRIES_AT_ONCE, block_milliseconds)
        count = 0
        for partition, mentions in found:
            try:
                await self._kept_up(partition, mentions)
            except OvertakenError:
                await self._find_place(partition)
            count += len(mentions)
        if not found:
            await self._look_around()
        return count

    async def _look_around(self) -> None:
        """See that every place is still where it was: the store may have lost its last second."""
        for partition in self._partitions:
            if await self._timers.place(partition) != self._places[partition]:
                await self._find_place(partition)

    async def _find_place(self, partition: int) -> None:
        """Where the feed was last read to; all tables are reckoned where it never was."""
        self._followed.clear()
        self._untold.clear()
        while True:
            place = await self._timers.place(partition)
            if place is not None:
                self._places[partition] = place
                return
            try:
                await self._build(partition)
            except OvertakenError:
                continue

    async def _build(self, partition: int) -> None:
        """Keep the timers of all tables, and where the feed ended before the first was read."""
        end = await self._books.newest(partition)
        tables = await self._books.tables(partition)
        for first in range(0, len(tables), TABLES_AT_ONCE):
            some = [await self._kept(id) for id in tables[first : first + TABLES_AT_ONCE]]
            await self._keep(partition, NOT_BEGUN, NOT_BEGUN, some)
        await self._keep(partition, NOT_BEGUN, end, [])

    async def _kept_up(self, partition: int, mentions: Sequence[Mention]) -> None:
        """Keep the timers of the tables that are mentioned, and then the place after them."""
        mentioned: dict[TableId, set[int]] = {}
        for mention in mentions:
            mentioned.setdefault(mention.table, set()).add(mention.version)
        kept = [await self._kept(id, versions) for id, versions in mentioned.items()]
        end = mentions[-1].place
        await self._keep(partition, self._places[partition], end, kept)
        self._places[partition] = end

    async def _keep(
        self, partition: int, before: str, now: str, kept: Sequence[Kept | None]
    ) -> None:
        some = [one for one in kept if one is not None]
        if not await self._timers.keep(partition, before, now, some):
            raise OvertakenError

    # --- one table ---------------------------------------------------------------------------

    async def _kept(self, id: TableId, told: Iterable[int] = ()) -> Kept | None:
        """A table's timers at the end of its book, and what is to be told of some versions.

        None, and a line in the log, if its book is damaged.
        """
        try:
            followed, prompts = await self._to_the_end(id, told)
        except DamagedLogError as error:
            _log.error("minute book damaged", table=id, why=str(error))
            return None
        dues = due(followed.reckoning, followed.table)
        return Kept(
            id,
            followed.table.version,
            tuple(timers(id, dues)),
            tuple(deadlines(dues)),
            prompts,
        )

    async def _to_the_end(
        self, id: TableId, told: Iterable[int]
    ) -> tuple[Followed, tuple[bytes, ...]]:
        """A table at the end of its book, and the prompts of these versions.

        The book may be read further than the feed. What is to be told of a record is worked out
        once, and waits for the feed to come to it.
        """
        followed, new = await self._from_where_it_was(id)
        untold = self._untold.setdefault(id, {})
        for sealed in new:
            try:
                followed, before = await self._gone_on(followed, sealed), followed
            except Exception as error:
                said = f"It does not fit ({type(error).__name__}: {error})."
                raise DamagedLogError(id, sealed.record.version, said) from error
            if prompts := told_of(before, sealed.record):
                untold[sealed.record.version] = prompts
        self._followed[id] = followed
        self._followed.move_to_end(id)
        found = [prompt for version in sorted(told) for prompt in untold.pop(version, ())]
        if len(self._followed) > self._tables_at_hand:
            self._untold.pop(self._followed.popitem(last=False)[0], None)
        return followed, tuple(found)

    async def _from_where_it_was(self, id: TableId) -> tuple[Followed, list[Sealed]]:
        """The table as far as it was followed, and the records since, or those of all its book."""
        followed = self._followed.get(id)
        if followed is not None:
            book = await self._books.read(id, followed.table.version)
            if book and book[0].digest == followed.digest:
                return followed, book[1:]
        self._untold.pop(id, None)
        return Followed(new_table(id), NOTHING, FIRST_DIGEST), await self._books.read(id)

    async def _gone_on(self, followed: Followed, sealed: Sealed) -> Followed:
        """A table and its reckoning one record later."""
        record, table = sealed.record, followed.table
        to = undone_to(record)
        if to is None:
            after = applied(table, record)
        else:
            book = await self._books.read(table.id)
            records = [one.record for one in book[: record.version - 1]]
            after = restored(table, table_at(table.id, records, to), record)
        reckoning = reckoned(followed.reckoning, table, after, record)
        return Followed(after, reckoning, sealed.digest)


def told_of(before: Followed, record: Record) -> list[bytes]:
    """What the notifier is to be prompted of a record: time that was called, programmes stopped."""
    prompts: list[notices.Prompt] = []
    table = record.order.table
    for event in record.events:
        match event:
            case e.TimeCalled(player, _, then):
                dues = due(before.reckoning, before.table)
                until = next((one.until for one in dues if one.running.player == player), record.at)
                acting = before.reckoning.acting.get(player, record.version - 1)
                outcome = OUTCOMES.get(then, "")
                prompts.append(notices.TimeCalled(table, player, acting, until, outcome))
            case e.ProgrammeStopped(held, because):
                programme = type(held.programme).__name__
                said = REASONS.get(because, because)
                sentence = f"{said[:1].upper()}{said[1:]}."
                prompts.append(notices.ProgramStopped(table, held.player, programme, sentence))
    return [notices.encode(prompt) for prompt in prompts]


OUTCOMES: Final = {
    "call": "",
    "neutral": "Neutral moves were made.",
    "substitute": "A substitute takes over, if there is one.",
    "resign": "That counts as a resignation.",
}
"""What came of a call, in a sentence."""

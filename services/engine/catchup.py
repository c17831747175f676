"""Keep the views up with the minute books: read the feed, fold, and store views with the place.

How far the feed has been read is written together with the views it led to, so no record is shown
twice or passed over, wherever the process dies. Where nothing has been read yet, all tables are
folded from their books: so a rebuild is to forget the place and the views, and to begin.

Nothing that is kept in mind here is believed against the store: it may have been restarted without
its last second, and then books, feeds and places are not where they were.
"""

import traceback
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

import msgspec
import structlog
from msgspec import Struct

from contracts import streams
from contracts.ids import TableId
from contracts.records import Sealed
from services.bus.errors import DamagedLogError
from services.engine import live as living
from services.engine.live import BadRecordError, Live, before_undo, gone_on
from services.engine.ports import Log, Mention, Shelf, Views
from services.engine.projections import api
from services.engine.projections.api import State
from services.engine.table.agenda import awaited
from services.engine.table.fold import undone_to
from services.engine.table.state import Table

ENTRIES_AT_ONCE: Final = 500
"""Feed entries of a partition read at once; a table's views are stored once for all of them."""
TABLES_AT_ONCE: Final = 16
"""Tables whose views are stored in one act."""
TABLES_AT_HAND: Final = 128
TRIM_EVERY: Final = 1000
"""Feed entries between two looks at what can be thrown away."""
NOT_BEGUN: Final = ""

_encode = msgspec.msgpack.Encoder().encode
_log = structlog.get_logger("projector")

Place = str
"""Where a reader of a feed stands: at the last entry that it has dealt with."""


class Followed(Struct, frozen=True):
    """A table as far as its book was read, and the state of its projections."""

    live: Live
    state: State


Encoded = Callable[[State, Table], Mapping[str, bytes]]


def encoded_views(state: State, table: Table) -> dict[str, bytes]:
    """Each view of a table by its name, as it is stored."""
    return {name: streams.packed(_encode(view)) for name, view in api.views(state, table).items()}


class OvertakenError(Exception):
    """Another projector has moved the place on: this one has to look where it is now."""


class Projector:
    """Keeps up the views of some partitions."""

    def __init__(
        self,
        log: Log,
        shelf: Shelf,
        partitions: Iterable[int],
        *,
        project: Callable[..., State] = api.project,
        encoded: Encoded = encoded_views,
        tables_at_hand: int = TABLES_AT_HAND,
    ) -> None:
        self._log = log
        self._shelf = shelf
        self._partitions = tuple(partitions)
        self._project = project
        self._encoded = encoded
        self._tables_at_hand = tables_at_hand
        self._places: dict[int, Place] = {}
        self._followed: OrderedDict[TableId, Followed] = OrderedDict()
        self._unsure: set[int] = set()
        self._untrimmed = 0

    # --- the loop ----------------------------------------------------------------------------

    async def begin(self) -> None:
        """Find the place in every feed; where there is none, fold all tables."""
        for partition in self._partitions:
            await self._find_place(partition)

    async def catch_up(self, block_milliseconds: int | None = None) -> int:
        """Deal with what the feeds have, waiting a while if they have nothing; how many entries."""
        found = await self._shelf.after(self._places, ENTRIES_AT_ONCE, block_milliseconds)
        count = 0
        for partition, mentions in found:
            try:
                await self._shown(partition, mentions)
            except OvertakenError:
                await self._find_place(partition)
            count += len(mentions)
        if not found:
            await self._look_around()
        self._untrimmed += count
        if self._untrimmed >= TRIM_EVERY:
            self._untrimmed = 0
            for partition in self._partitions:
                await self._shelf.trim(partition)
        return count

    async def rebuild(self) -> int:
        """Forget all views and build them again from the minute books; how many tables."""
        count = 0
        for partition in self._partitions:
            count += await self._shelf.forget(partition)
            await self._find_place(partition)
        return count

    async def _look_around(self) -> None:
        """See that every place is still where it was, there being nothing else to do."""
        for partition in self._partitions:
            if await self._shelf.place(partition) != self._places[partition]:
                await self._find_place(partition)

    async def _find_place(self, partition: int) -> None:
        """Where the feed was last read to; all tables are folded where it never was."""
        # What this projector has shown may have been lost, or replaced by another.
        self._unsure.add(partition)
        while True:
            place = await self._shelf.place(partition)
            if place is not None:
                self._places[partition] = place
                return
            try:
                await self._build(partition)
            except OvertakenError:
                continue

    async def _build(self, partition: int) -> None:
        """Store the views of all tables, and where the feed ended before the first was read."""
        end = await self._shelf.newest(partition)
        tables = await self._shelf.tables(partition)
        for first in range(0, len(tables), TABLES_AT_ONCE):
            some = tables[first : first + TABLES_AT_ONCE]
            await self._store_views(partition, some, NOT_BEGUN, NOT_BEGUN)
        await self._store_views(partition, [], NOT_BEGUN, end)

    async def _shown(self, partition: int, mentions: Sequence[Mention]) -> None:
        """Store the views of the tables that are mentioned, and then the place after them."""
        last = {mention.table: mention.version for mention in mentions}
        unsure = partition in self._unsure
        behind = [id for id, version in last.items() if unsure or self._version(id) < version]
        place = self._places[partition]
        while len(behind) > TABLES_AT_ONCE:
            await self._store_views(partition, behind[:TABLES_AT_ONCE], place, place)
            behind = behind[TABLES_AT_ONCE:]
        end = mentions[-1].place
        await self._store_views(partition, behind, place, end)
        self._places[partition] = end
        self._unsure.discard(partition)

    # --- one table ---------------------------------------------------------------------------

    async def _views(self, id: TableId) -> Views | None:
        """A table's views at the end of its book; None, and a line in the log, if it is damaged."""
        try:
            followed = await self._followed_to_the_end(id)
        except (DamagedLogError, BadRecordError) as error:
            _log.error("minute book damaged", table=id, why=str(error))
            return None
        table = followed.live.table
        try:
            bodies = self._encoded(followed.state, table)
        except Exception:  # noqa: BLE001 - one table's views must not stop all others
            _log.error(
                "views failed", table=id, version=table.version, trace=traceback.format_exc()
            )
            return None
        return Views(id, table.version, awaited(table), bodies)

    async def _followed_to_the_end(self, id: TableId) -> Followed:
        """The table and the state of its projections at the end of its book."""
        followed, records = await self._gone_on_from_where_it_was(id)
        passed: dict[int, Table] = {}
        for sealed in records:
            passed[followed.live.version] = followed.live.table
            followed = await self._gone_on(followed, sealed, passed)
        self._followed[id] = followed
        self._followed.move_to_end(id)
        if len(self._followed) > self._tables_at_hand:
            self._followed.popitem(last=False)
        return followed

    async def _gone_on_from_where_it_was(self, id: TableId) -> tuple[Followed, list[Sealed]]:
        """The table as far as it was followed, with the records since, or with its whole book.

        The last record that was followed is read once more: it has to be there, and the same.
        """
        followed = self._followed.get(id)
        if followed is not None and followed.live.version:
            records = await self._log.read(id, followed.live.version)
            if records and records[0].digest == followed.live.digest:
                return followed, records[1:]
        return Followed(living.unopened(id), api.start(id)), await self._log.read(id)

    async def _gone_on(
        self, followed: Followed, sealed: Sealed, passed: Mapping[int, Table]
    ) -> Followed:
        """Table and projections one record later."""
        live = followed.live
        to = undone_to(sealed.record)
        earlier = None
        if to is not None:
            earlier = passed.get(to) or await before_undo(self._log, live, to)
        after = gone_on(live, sealed, earlier)
        try:
            state = self._project(followed.state, sealed.record, live.table, after.table)
        except Exception as error:
            raise BadRecordError(
                f"Record {sealed.record.version} cannot be projected "
                f"({type(error).__name__}: {error})."
            ) from error
        return Followed(after, state)

    def _version(self, id: TableId) -> int:
        followed = self._followed.get(id)
        return 0 if followed is None else followed.live.version

    # --- the store ---------------------------------------------------------------------------

    async def _store_views(
        self, partition: int, tables: Sequence[TableId], before: Place, now: Place
    ) -> None:
        """Store the views of some tables and the place; raises `OvertakenError`."""
        views = [one for id in tables if (one := await self._views(id)) is not None]
        if not await self._shelf.show(partition, before, now, views):
            # What was folded here was not stored; it is folded again from where the place is now.
            for id in tables:
                self._followed.pop(id, None)
            raise OvertakenError

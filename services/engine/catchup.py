"""Keep the views up with the minute books: fold what is new, and store views with the place.

No record is shown twice or passed over, wherever the process dies (`services.bus.following`). A
rebuild is to forget the place and the views, and to begin. A table whose book is in the archive
keeps the views that it had.
"""

import traceback
from collections.abc import Callable, Iterable, Mapping
from typing import Final

import msgspec
import structlog
from msgspec import Struct

from contracts import streams
from contracts.ids import TableId
from contracts.records import Sealed
from contracts.streams import FEED_ANEW
from services.bus.errors import DamagedLogError
from services.bus.following import (
    ArchivedError,
    Follower,
    Mentioned,
    Place,
    Standing,
    TablesAtHand,
)
from services.engine import live as living
from services.engine.live import BadRecordError, Live, before_undo, gone_on
from services.engine.ports import Log, Shelf, Views
from services.engine.projections import api
from services.engine.projections.api import State
from services.engine.table.agenda import awaited
from services.engine.table.fold import undone_to
from services.engine.table.state import Table

TABLES_AT_HAND: Final = 128
TRIM_EVERY: Final = 1000
"""Feed entries between two looks at what can be thrown away."""

_encode = msgspec.msgpack.Encoder().encode
_log = structlog.get_logger("projector")


class Followed(Struct, frozen=True):
    """A table as far as its book was read, and the state of its projections.

    `stored_in` is the term in which its views were stored as they are, if they were: a term ends
    when what was stored may have been lost, or replaced by another projector.
    """

    live: Live
    state: State
    stored_in: int | None = None


Encoded = Callable[[State, Table], Mapping[str, bytes]]


def encoded_views(state: State, table: Table) -> dict[str, bytes]:
    """Each view of a table by its name, as it is stored."""
    return {name: streams.packed(_encode(view)) for name, view in api.views(state, table).items()}


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
        self._term = 0
        self._untrimmed = 0
        self._tables = TablesAtHand(log, unopened, standing, tables_at_hand)
        self.follower = Follower(shelf, self._partitions, self._keep, self._lost)

    # --- the loop ----------------------------------------------------------------------------

    async def begin(self) -> None:
        """Find the place in every feed; where there is none, fold all tables."""
        await self.follower.begin()

    async def catch_up(self, block_milliseconds: int | None = None) -> int:
        """Deal with what the feeds have, waiting a while if they have nothing; how many entries."""
        count = await self.follower.catch_up(block_milliseconds)
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
            await self.follower.find_place(partition)
        return count

    def _lost(self) -> None:
        # What was folded is looked at again before it is gone on from, but what was stored is not.
        self._term += 1

    async def _keep(self, partition: int, mentioned: Mentioned, before: Place, now: Place) -> bool:
        """Store the views of some tables and the place; false if the place is another."""
        # Where a whole book is new, the views that were stored of it are gone.
        self._tables.forget(id for id, versions in mentioned.items() if FEED_ANEW in versions)
        views = [one for id in mentioned if (one := await self.views(id)) is not None]
        if not await self._shelf.show(partition, before, now, views):
            # What was folded here was not stored; it is folded again from where the place is now.
            self._tables.forget(mentioned)
            return False
        for one in views:
            followed = self._tables.at_hand(one.table)
            if followed is not None:
                stored = msgspec.structs.replace(followed, stored_in=self._term)
                self._tables.keep(one.table, stored)
        return True

    # --- one table ---------------------------------------------------------------------------

    async def views(self, id: TableId) -> Views | None:
        """A table's views at the end of its book, or None where there is nothing to be stored.

        That is so if they are stored already, or its book is in the archive; or if its book is
        damaged, and then a line in the log says so.
        """
        try:
            followed = await self._followed_to_the_end(id)
        except ArchivedError:
            return None
        except (DamagedLogError, BadRecordError) as error:
            _log.error("minute book damaged", table=id, why=str(error))
            return None
        table = followed.live.table
        if not table.version or followed.stored_in == self._term:
            return None
        try:
            bodies = self._encoded(followed.state, table)
        except Exception:  # noqa: BLE001 - one table's views must not stop all others
            _log.error(
                "views failed", table=id, version=table.version, trace=traceback.format_exc()
            )
            return None
        return Views(id, table.version, awaited(table), bodies, followed.live.digest)

    async def _followed_to_the_end(self, id: TableId) -> Followed:
        """The table and the state of its projections at the end of its book."""
        followed, records = await self._tables.behind(id)
        passed: dict[int, Table] = {}
        for sealed in records:
            passed[followed.live.version] = followed.live.table
            followed = await self._gone_on(followed, sealed, passed)
        self._tables.keep(id, followed)
        return followed

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


def unopened(id: TableId) -> Followed:
    """A table of whose book nothing was read."""
    return Followed(living.unopened(id), api.start(id))


def standing(followed: Followed) -> Standing:
    """How far a table's book was read."""
    return Standing(followed.live.version, followed.live.digest)

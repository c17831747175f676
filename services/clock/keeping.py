"""Keep the timers up with the minute books, and do what is due.

No record is passed over, wherever the process dies (`services.bus.following`); the timers lie in
the store, so none is lost with it. A table whose book is in the archive has no timers.
"""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from typing import Final

import msgspec
import structlog

from contracts import events as e
from contracts import notices
from contracts.ids import TableId
from contracts.people import NOBODY
from contracts.programmes import REASONS, Held
from contracts.records import FIRST_DIGEST, Record, Sealed
from services.bus.errors import DamagedLogError
from services.bus.following import (
    ArchivedError,
    Books,
    Follower,
    Mentioned,
    Place,
    Standing,
    TablesAtHand,
)
from services.clock.ports import Timers
from services.clock.reckoning import NOTHING, due, expiries, is_over, reckoned
from services.clock.saving import Followed, restored_from, saved
from services.clock.timers import Kept, deadlines, expiring, timers
from services.engine.table.fold import applied, restored, table_at, undone_to
from services.engine.table.state import Table, new_table

TABLES_AT_HAND: Final = 512
EARLIER_TABLES: Final = 64
"""Tables of the last versions that are kept at hand of each table."""
TIMERS_AT_ONCE: Final = 1000
"""Timers that are done in one act, so that the store is never long at it."""

_log = structlog.get_logger("clock")


class Keeper:
    """Keeps the timers of some partitions, and does them when they are due."""

    def __init__(
        self,
        books: Books,
        timers: Timers,
        partitions: Iterable[int],
        *,
        tables_at_hand: int = TABLES_AT_HAND,
        release: str = "",
    ) -> None:
        """`release` is that of the engine whose snapshots of tables count."""
        self._books = books
        self._release = release
        self._timers = timers
        self._partitions = tuple(partitions)
        self._tables = TablesAtHand(books, unopened, standing, tables_at_hand, self._saved)
        self._follower = Follower(timers, self._partitions, self._keep, self._tables.forget_all)

    async def begin(self) -> None:
        """Find the place in every feed; where there is none, reckon all tables."""
        await self._follower.begin()

    async def fire(self, now: int) -> tuple[int, int | None]:
        """Do what is due; how much that was, and when something is due next."""
        number, following = 0, None
        # All at once: whatever the process is at, a partition waits for no other.
        acts = [self._timers.fire(partition, now, TIMERS_AT_ONCE) for partition in self._partitions]
        for fired in await asyncio.gather(*acts):
            number += fired.number
            if fired.following is not None:
                following = min(fired.following, following or fired.following)
        return number, following

    async def catch_up(self, block_milliseconds: int | None = None) -> int:
        """Deal with what the feeds have, waiting a while if they have nothing; how many entries."""
        return await self._follower.catch_up(block_milliseconds)

    async def _keep(self, partition: int, mentioned: Mentioned, before: Place, now: Place) -> bool:
        """Keep the timers of some tables and the place; false if the place is another."""
        kept = [
            one
            for id, versions in mentioned.items()
            if (one := await self.kept(id, versions)) is not None
        ]
        return await self._timers.keep(partition, before, now, kept)

    # --- one table ---------------------------------------------------------------------------

    async def kept(self, id: TableId, told: Sequence[int] = ()) -> Kept | None:
        """A table's timers at the end of its book, and what is to be told of some versions.

        None, and a line in the log, if its book is damaged.
        """
        try:
            followed, prompts = await self._to_the_end(id, told)
        except ArchivedError as error:
            return Kept(id, error.version, (), ())
        except DamagedLogError as error:
            _log.error("minute book damaged", table=id, why=str(error))
            return None
        if not followed.table.version:
            return None
        dues = due(followed.reckoning, followed.table)
        return Kept(
            id,
            followed.table.version,
            (*timers(id, dues), *expiring(id, expiries(followed.reckoning, followed.table))),
            tuple(deadlines(dues)),
            prompts,
            followed.digest,
            b"" if is_over(followed.table) else saved(self._release, followed),
        )

    async def _saved(self, id: TableId) -> Followed | None:
        """What was made of a table's book when its timers were kept last."""
        body = await self._timers.saved(id)
        return await restored_from(self._books, self._release, id, body)

    async def _to_the_end(
        self, id: TableId, told: Sequence[int]
    ) -> tuple[Followed, tuple[bytes, ...]]:
        """A table at the end of its book, and the prompts of these versions.

        The book may be read further than the feed. What is to be told of a record is worked out
        once, and waits for the feed to come to it.
        """
        followed, new = await self._tables.behind(id)
        untold, passed = dict(followed.untold), dict(followed.earlier)
        for sealed in new:
            passed[followed.table.version] = followed.table
            try:
                followed, before = await self._gone_on(followed, sealed, passed), followed
            except Exception as error:
                said = f"It does not fit ({type(error).__name__}: {error})."
                raise DamagedLogError(id, sealed.record.version, said) from error
            if prompts := told_of(before, sealed.record):
                untold[sealed.record.version] = prompts
        found = [prompt for version in sorted(told) for prompt in untold.pop(version, ())]
        earlier = dict(islice(passed.items(), max(0, len(passed) - EARLIER_TABLES), None))
        followed = msgspec.structs.replace(followed, untold=untold, earlier=earlier)
        self._tables.keep(id, followed)
        return followed, tuple(found)

    async def _gone_on(
        self, followed: Followed, sealed: Sealed, passed: Mapping[int, Table]
    ) -> Followed:
        """A table and its reckoning one record later."""
        record, table = sealed.record, followed.table
        to = undone_to(record)
        if to is None:
            after = applied(table, record)
        else:
            after = restored(table, passed.get(to) or await self._at(table.id, to), record)
        reckoning = reckoned(followed.reckoning, table, after, record)
        return Followed(after, reckoning, sealed.digest)

    async def _at(self, id: TableId, version: int) -> Table:
        """A table as it was after a version further back."""
        book = await self._books.read(id)
        return table_at(id, [one.record for one in book[:version]])


def unopened(id: TableId) -> Followed:
    """A table of whose book nothing was read."""
    return Followed(new_table(id), NOTHING, FIRST_DIGEST)


def standing(followed: Followed) -> Standing:
    """How far a table's book was read."""
    return Standing(followed.table.version, followed.digest)


def told_of(before: Followed, record: Record) -> tuple[bytes, ...]:
    """What the notifier is to be prompted of a record: time that was called, programmes stopped."""
    prompts: list[notices.Prompt] = []
    table = record.order.table
    if undone_to(record) is not None:
        # An undo stops every programme, without an event of its own.
        prompts += [stopped(before.table, held, UNDONE) for held in before.table.beside.programmes]
    for event in record.events:
        match event:
            case e.TimeCalled(player) if before.table.people.get(player) == NOBODY:
                # The seat was given up: it makes neutral moves at once, and nobody's time runs out.
                continue
            case e.TimeCalled(player, _, then):
                dues = due(before.reckoning, before.table)
                until = next((one.until for one in dues if one.running.player == player), record.at)
                acting = before.reckoning.acting.get(player, record.version - 1)
                outcome = OUTCOMES.get(then, "")
                # A seat of which nobody was named was the player's own; it may have a person now.
                person = before.table.people.get(player, player)
                prompts.append(
                    notices.TimeCalled(
                        table, player, acting, until, outcome, record.version, person
                    )
                )
            case e.ProgrammeStopped(held, because) if because not in OWN_DOING:
                prompts.append(stopped(before.table, held, REASONS.get(because, because)))
    return tuple(notices.encode(prompt) for prompt in prompts)


def stopped(before: Table, held: Held, why: str) -> notices.ProgramStopped:
    """What the notifier is told of a programme that stopped."""
    sentence = f"{why[:1].upper()}{why[1:]}."
    name, person = type(held.programme).__name__, before.people.get(held.player, held.player)
    return notices.ProgramStopped(before.id, held.player, name, sentence, person)


UNDONE: Final = "moves were taken back"
OWN_DOING: Final = ("cleared", "replaced", "moved")
"""Reasons that a player need not be told, since he gave them himself."""


OUTCOMES: Final = {
    "call": "",
    "neutral": "Neutral moves were made.",
    "substitute": "A substitute takes over, if there is one.",
    "resign": "That counts as a resignation.",
}
"""What came of a call, in a sentence."""

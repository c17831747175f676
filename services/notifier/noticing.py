"""Notice what happens at tables: read feeds and prompts, look at tables, and write letters.

A table is looked at when it has been quiet for a moment: at its views, which the projector keeps
up, and at the records since the last look.
"""

import asyncio
import traceback
from collections.abc import Iterable
from typing import Final

import msgspec
from redis.exceptions import RedisClusterException, RedisError

from contracts import notices as n
from contracts.ids import TableId
from contracts.notices import Kind, Notice
from services.notifier.opening import paused_after, people_after, requests_after, waits_after
from services.notifier.patience import SECOND
from services.notifier.ports import (
    FEED,
    PROMPTS,
    Books,
    Draft,
    Entry,
    News,
    Now,
    Outbox,
    Reader,
    Stream,
    Unread,
    Watch,
)
from services.notifier.telling import Memory, Sight, told

ENTRIES_AT_ONCE: Final = 500
LOOKS_AT_ONCE: Final = 64
LOOKS_TOGETHER: Final = 8
"""Looks that wait for the store at the same time."""
AGAIN: Final = SECOND // 2
"""How long a table is left alone whose views are behind."""
TROUBLED: Final = 60 * SECOND
"""How long a table is left alone whose book or views cannot be read."""
NOWHERE: Final = "-"
"""The channel of a letter that had nobody to go to."""
_WITH_CHAT: Final[frozenset[Kind]] = frozenset({"turn", "consent", "reminder"})
"""Kinds of notices that say how much of the chat is unread."""
_BEFORE: Final = "0-0"
"""The place before the first entry of a stream."""


class Noticing:
    """Notices what happens at the tables of some partitions."""

    def __init__(
        self,
        books: Books,
        outbox: Outbox,
        partitions: Iterable[int],
        now: Now,
        watch: Watch,
        *,
        quiet_seconds: float = 10.0,
        most_seconds: float = 60.0,
        unread: Unread | None = None,
    ) -> None:
        self._books = books
        self._outbox = outbox
        self._partitions = tuple(partitions)
        self._now = now
        self._watch = watch
        self._unread = unread
        self._quiet = round(quiet_seconds * SECOND)
        self._most = round(most_seconds * SECOND)
        self._places: dict[Stream, str] = {}

    # --- reading -----------------------------------------------------------------------------

    async def begin(self) -> None:
        """Find the place in every stream; tables that were there before are looked at once."""
        await self._find_places(self._partitions)

    async def _find_places(self, partitions: Iterable[int]) -> None:
        some = tuple(partitions)
        found = await self._outbox.places(some)
        for partition in some:
            for reader in (FEED, PROMPTS):
                stream = (partition, reader)
                if stream not in found:
                    await self._begun(partition, reader)
                    found |= await self._outbox.places((partition,))
                self._places[stream] = found[stream]

    async def _begun(self, partition: int, reader: Reader) -> None:
        """Begin to read a stream: prompts from their first, the feed from its last."""
        place = _BEFORE
        entries: list[Entry] = []
        if reader == FEED:
            place = await self._books.newest(partition)
            for table in await self._books.tables(partition):
                await self._adopt(partition, table)
                entries.append(Entry(table, 0))
        # If another notifier has begun meanwhile, its place counts.
        await self._note((partition, reader), "", place, entries)

    async def _adopt(self, partition: int, table: TableId) -> None:
        """Remember a table that was there before: what is past is not told."""
        before, _ = await self._outbox.memory(partition, table)
        version = await self._books.version(table)
        if not before and version:
            book = await self._books.read(table, 1, version)
            records = tuple(sealed.record for sealed in book)
            memory = Memory(
                version,
                people=people_after({}, records),
                waits=waits_after(0, records),
                paused=paused_after(records),
                requests=requests_after({}, records),
            )
            now = self._now()
            await self._outbox.settled(partition, table, b"", memory, now=now, again=0)

    async def read(self, block_milliseconds: int | None = None) -> int:
        """Note what is new in the streams, waiting a while if nothing is; how many entries."""
        found = await self._books.after(self._places, ENTRIES_AT_ONCE, block_milliseconds)
        for stream, news in found:
            await self._noted(stream, news)
        if not found:
            await self._look_around()
        return sum(len(news) for _, news in found)

    async def _noted(self, stream: Stream, news: list[News]) -> None:
        partition, reader = stream
        entries = []
        for one in news:
            if one.entry is None:
                self._watch.puzzled("prompt cannot be read", one.place, "It is of no known kind.")
            else:
                entries.append(one.entry)
        place = news[-1].place
        if await self._note(stream, self._places[stream], place, entries):
            self._places[stream] = place
        else:
            # Another notifier reads the same partition; the place is where it is now.
            await self._find_places((partition,))
        if reader == PROMPTS:
            await self._books.trim(partition, self._places[stream])

    async def _look_around(self) -> None:
        """See that every place is still where it was: the store may have lost its last second."""
        found = await self._outbox.places(self._partitions)
        moved = {stream[0] for stream, place in self._places.items() if found.get(stream) != place}
        await self._find_places(sorted(moved))

    async def _note(self, stream: Stream, before: str, place: str, entries: list[Entry]) -> bool:
        return await self._outbox.noted(
            *(stream, before, place, entries),
            now=self._now(),
            quiet=self._quiet,
            most=self._most,
        )

    # --- looking -----------------------------------------------------------------------------

    async def look(self) -> int:
        """Look at the tables that are due; how many."""
        count = 0
        for partition in await self._outbox.pending("looks", self._partitions, self._now()):
            due = await self._outbox.looks(partition, self._now(), LOOKS_AT_ONCE)
            for first in range(0, len(due), LOOKS_TOGETHER):
                some = due[first : first + LOOKS_TOGETHER]
                await asyncio.gather(*(self._look(partition, *one) for one in some))
            count += len(due)
        return count

    async def _look(self, partition: int, table: TableId, version: int) -> None:
        """Look at a table; one that cannot be told must not keep all others untold."""
        try:
            await self._look_at(partition, table, version)
        except (RedisError, RedisClusterException):
            raise
        except Exception:  # noqa: BLE001 - as said above
            self._watch.puzzled("table cannot be told", table, traceback.format_exc())
            await self._outbox.postpone(partition, table, self._now() + TROUBLED)

    async def _look_at(self, partition: int, table: TableId, version: int) -> None:
        before, memory = await self._outbox.memory(partition, table)
        sight = await self._sight(partition, table, memory)
        if sight is None and await self._books.is_archived(table):
            await self._outbox.forget(partition, table)
            return
        if sight is None or sight.version < max(version, memory.version):
            await self._outbox.postpone(partition, table, self._now() + AGAIN)
            return
        now = self._now()
        found = told(memory, sight, now)
        drafts: list[Draft] = []
        for notice in found.notices:
            drafts += await self._drafts(notice)
        is_new = await self._outbox.settled(
            *(partition, table, before, found.memory),
            now=now,
            again=self._quiet,
            drafts=drafts,
            withdrawn=found.withdrawn,
            prompts=tuple(sight.prompts),
        )
        if is_new:
            self._watch.noticed(found.notices, found.withdrawn)

    async def _sight(self, partition: int, table: TableId, memory: Memory) -> Sight | None:
        """What there is to see at a table, or None as long as it has no views."""
        # Prompts first: whatever they speak of lies in a record that is there by now.
        prompts = await self._outbox.prompts(partition, table)
        shown = await self._books.shown(table)
        if shown is None:
            return None
        last = max(shown.turn.version, 1)
        records = await self._books.read(table, memory.version + 1, last)
        return Sight(
            line=shown.line,
            turn=shown.turn,
            lines=shown.lines,
            records=tuple(sealed.record for sealed in records),
            deadlines=await self._books.deadlines(table),
            prompts=prompts,
        )

    async def _drafts(self, notice: Notice) -> list[Draft]:
        """The letters of a notice: one for each channel of whoever is to be told."""
        if notice.player is not None:
            name = n.of_player(notice.person or notice.player)
        else:
            name = n.of_table(notice.table)
            # Who is told by a channel of his own is not called into the room as well.
            mentions = [
                one
                for one in notice.mentions
                if not (await self._outbox.addressee(n.of_player(one))).channels
            ]
            notice = msgspec.structs.replace(notice, mentions=tuple(mentions))
        addressee = await self._outbox.addressee(name)
        if addressee.when.get(notice.kind) == "never":
            return []
        if addressee.channels and notice.player is not None and notice.kind in _WITH_CHAT:
            notice = await self._with_chat(notice)
        if not addressee.channels:
            return [] if notice.player is None else [Draft(notice, name, NOWHERE, state="nowhere")]
        return [Draft(notice, name, one.name, one.service) for one in addressee.channels]

    async def _with_chat(self, notice: Notice) -> Notice:
        """A notice that says how much of the chat its reader has not read."""
        if self._unread is None:
            return notice
        count = await self._unread(notice.table, notice.person or notice.player or "")
        return msgspec.structs.replace(notice, unread=count)

"""Notice what happens at tables: read feeds and prompts, look at tables, and write letters.

A table is looked at when it has been quiet for a moment: at its views, which the projector keeps
up, and at the records since the last look.
"""

import asyncio
import traceback
from collections.abc import Callable, Iterable
from typing import Final

import msgspec
import structlog
from redis.exceptions import RedisClusterException, RedisError

from contracts import notices as n
from contracts import streams
from contracts.ids import Party, PlayerId, TableId
from contracts.notices import Deadline, Notice, ProgramStopped, Prompt, ReminderDue, TimeCalled
from contracts.views import MinutesView, TableLine, TurnView
from services.bus import reading
from services.bus.feeds import entries_after
from services.bus.typed import LogEntry
from services.notifier.outbox import FEED, PROMPTS, Draft, Entry, Outbox
from services.notifier.patience import SECOND
from services.notifier.telling import Memory, Sight, Withdrawn, people_after, told

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

Now = Callable[[], int]

_turn = msgspec.msgpack.Decoder(TurnView).decode
_line = msgspec.msgpack.Decoder(TableLine).decode
_minutes = msgspec.msgpack.Decoder(MinutesView).decode
_log = structlog.get_logger("notifier")


class Noticing:
    """Notices what happens at the tables of some partitions."""

    def __init__(
        self,
        outbox: Outbox,
        partitions: Iterable[int],
        now: Now,
        *,
        quiet_seconds: float = 10.0,
        most_seconds: float = 60.0,
    ) -> None:
        self._outbox = outbox
        self._client = outbox.client
        self._partitions = tuple(partitions)
        self._now = now
        self._quiet = round(quiet_seconds * SECOND)
        self._most = round(most_seconds * SECOND)
        self._places: dict[tuple[int, str], str] = {}

    # --- reading -----------------------------------------------------------------------------

    async def begin(self) -> None:
        """Find the place in every stream; tables that were there before are looked at once."""
        for partition in self._partitions:
            await self._find_places(partition)

    async def _find_places(self, partition: int) -> None:
        for reader in (FEED, PROMPTS):
            place = await self._outbox.place(partition, reader)
            if place is None:
                place = await self._begun(partition, reader)
            self._places[partition, reader] = place

    async def _begun(self, partition: int, reader: str) -> str:
        """Begin to read a stream: prompts from their first, the feed from its last."""
        place = "0-0"
        entries: list[Entry] = []
        if reader == FEED:
            newest = await self._client.xrevrange(streams.feed(partition), "+", "-", count=1)
            place = newest[0][0].decode() if newest else place
            for id in sorted(await self._client.smembers(streams.tables(partition))):
                table = TableId(id.decode())
                await self._adopt(partition, table)
                entries.append(Entry(table, 0))
        await self._note(partition, reader, "", place, entries)
        return await self._outbox.place(partition, reader) or place

    async def _adopt(self, partition: int, table: TableId) -> None:
        """Remember a table that was there before: what is past is not told."""
        before, _ = await self._outbox.memory(partition, table)
        head = await self._client.hget(streams.head(partition, table), streams.HEAD_VERSION)
        if not before and head is not None:
            book = await reading.read_log(self._client, partition, table, 1, int(head))
            people = people_after({}, (sealed.record for sealed in book))
            memory = Memory(int(head), people=people)
            now = self._now()
            await self._outbox.settled(partition, table, b"", memory, now=now, again=0)

    async def read(self, block_milliseconds: int | None = None) -> int:
        """Note what is new in the streams, waiting a while if nothing is; how many entries."""
        names = {
            _stream(partition, reader): (partition, reader) for partition, reader in self._places
        }
        places = {name: self._places[key] for name, key in names.items()}
        count = 0
        for stream, found in await entries_after(
            self._client, places, ENTRIES_AT_ONCE, block_milliseconds
        ):
            partition, reader = names[stream.decode()]
            entry = _mention if reader == FEED else _prompted
            entries = [one for each in found if (one := entry(each)) is not None]
            before, place = self._places[partition, reader], found[-1][0].decode()
            if await self._note(partition, reader, before, place, entries):
                self._places[partition, reader] = place
            else:
                # Another notifier reads the same partition; the place is where it is now.
                await self._find_places(partition)
            if reader == PROMPTS:
                await self._client.execute_command("XTRIM", stream, "MINID", "~", place)
            count += len(found)
        return count

    async def _note(
        self, partition: int, reader: str, before: str, place: str, entries: list[Entry]
    ) -> bool:
        return await self._outbox.noted(
            *(partition, reader, before, place, entries),
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
            _log.error("table cannot be told", table=table, trace=traceback.format_exc())
            await self._outbox.postpone(partition, table, self._now() + TROUBLED)

    async def _look_at(self, partition: int, table: TableId, version: int) -> None:
        before, memory = await self._outbox.memory(partition, table)
        sight = await self._sight(partition, table, memory)
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
            _tell_log(found.notices, found.withdrawn)

    async def _sight(self, partition: int, table: TableId, memory: Memory) -> Sight | None:
        """What there is to see at a table, or None as long as it has no views."""
        # Prompts first: whatever they speak of lies in a record that is there by now.
        prompts = await self._outbox.prompts(partition, table)
        bodies = await self._client.execute_command(
            "HMGET", streams.views(partition, table), streams.VIEWS_LINE, "turn", "minutes"
        )
        if any(body is None for body in bodies):
            return None
        line, turn, minutes = (streams.unpacked(body) for body in bodies)
        shown = _turn(turn)
        records = await reading.read_log(
            self._client, partition, table, memory.version + 1, max(shown.version, 1)
        )
        return Sight(
            line=_line(line),
            turn=shown,
            lines=_minutes(minutes).lines,
            records=tuple(sealed.record for sealed in records),
            deadlines=await self._deadlines(partition, table),
            prompts=prompts,
        )

    async def _deadlines(self, partition: int, table: TableId) -> dict[PlayerId, Deadline]:
        found = await self._client.hgetall(n.deadlines(partition, table))
        return {PlayerId(Party(id.decode())): n.decode_deadline(body) for id, body in found.items()}

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
        channels = [channel.name for channel in addressee.channels]
        if not channels:
            return [] if notice.player is None else [Draft(notice, name, NOWHERE, "nowhere")]
        return [Draft(notice, name, channel) for channel in channels]


def _stream(partition: int, reader: str) -> str:
    return streams.feed(partition) if reader == FEED else n.prompts(partition)


def _mention(entry: LogEntry) -> Entry:
    _, fields = entry
    table = TableId(fields[streams.FEED_TABLE.encode()].decode())
    return Entry(table, int(fields[streams.FEED_VERSION.encode()]))


def _prompted(entry: LogEntry) -> Entry | None:
    """A prompt with its id, the same for a repeated one; None if it cannot be read."""
    id, fields = entry
    body = fields.get(n.PROMPT_BODY.encode(), b"")
    try:
        prompt: Prompt = n.decode_prompt(body)
    except msgspec.DecodeError as error:
        _log.error("prompt cannot be read", entry=id.decode(), why=str(error))
        return None
    match prompt:
        case ReminderDue(table, player, since, until):
            return Entry(table, since, f"reminder {player} {since} {until}", body)
        case TimeCalled(table, player, since, until):
            return Entry(table, since, f"called {player} {since} {until}", body)
        case ProgramStopped(table):
            return Entry(table, 0, f"stopped {id.decode()}", body)


def _tell_log(notices: Iterable[Notice], withdrawn: Iterable[Withdrawn]) -> None:
    for notice in notices:
        _log.info(
            "notice made",
            notice=notice.id,
            table=notice.table,
            player=notice.player,
            kind=notice.kind,
            version=notice.version,
        )
    for one in withdrawn:
        _log.info("notice over", notice=one.notice, is_corrected=one.correction is not None)

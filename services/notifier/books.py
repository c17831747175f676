"""The tables on Redis as the notifier reads them: views, minute books, feeds and prompts."""

from collections.abc import Mapping

import msgspec

from contracts import notices as n
from contracts import streams
from contracts.ids import Party, PlayerId, TableId
from contracts.notices import Deadline, ProgramStopped, Prompt, ReminderDue, TimeCalled
from contracts.records import Sealed
from contracts.views import MinutesView, TableLine, TurnView
from services.bus import reading
from services.bus.feeds import entries_after
from services.bus.typed import Client, LogEntry
from services.notifier.ports import FEED, Entry, News, Shown, Stream

_turn = msgspec.msgpack.Decoder(TurnView).decode
_line = msgspec.msgpack.Decoder(TableLine).decode
_minutes = msgspec.msgpack.Decoder(MinutesView).decode


class StoredBooks:
    """The tables in a store that has been opened."""

    def __init__(self, client: Client, partitions: int) -> None:
        self._client = client
        self._partitions = partitions

    async def newest(self, partition: int) -> str:
        """The place of the feed's last entry; before the first one if there is none."""
        newest = await self._client.xrevrange(streams.feed(partition), "+", "-", count=1)
        return newest[0][0].decode() if newest else "0-0"

    async def tables(self, partition: int) -> list[TableId]:
        """All tables of a partition, in order of the alphabet."""
        members = await self._client.smembers(streams.tables(partition))
        return [TableId(id) for id in sorted(member.decode() for member in members)]

    async def after(
        self, places: Mapping[Stream, str], most: int, block_milliseconds: int | None = None
    ) -> list[tuple[Stream, list[News]]]:
        """What some streams have after these places, oldest first."""
        named = {_name(stream): stream for stream in places}
        found = await entries_after(
            self._client,
            {name: places[stream] for name, stream in named.items()},
            most,
            block_milliseconds,
        )
        return [
            (stream, [news_of(stream, entry) for entry in entries])
            for stream, entries in ((named[name.decode()], entries) for name, entries in found)
        ]

    async def trim(self, partition: int, place: str) -> None:
        """Throw away the prompts before a place."""
        await self._client.execute_command("XTRIM", n.prompts(partition), "MINID", "~", place)

    async def version(self, table: TableId) -> int:
        """The version of a table's last record; 0 if there is none."""
        key = streams.head(self._partition(table), table)
        return int(await self._client.hget(key, streams.HEAD_VERSION) or 0)

    async def read(self, table: TableId, first: int, last: int) -> list[Sealed]:
        """Records of a table from one to another."""
        return await reading.read_log(self._client, self._partition(table), table, first, last)

    async def shown(self, table: TableId) -> Shown | None:
        """A table's views; None as long as it has none."""
        bodies = await self._client.execute_command(
            "HMGET",
            streams.views(self._partition(table), table),
            *(streams.VIEWS_LINE, "turn", "minutes"),
        )
        if any(body is None for body in bodies):
            return None
        return shown_of(*bodies)

    async def deadlines(self, table: TableId) -> dict[PlayerId, Deadline]:
        """Until when whom is waited for at a table."""
        found = await self._client.hgetall(n.deadlines(self._partition(table), table))
        return {PlayerId(Party(id.decode())): n.decode_deadline(body) for id, body in found.items()}

    async def is_archived(self, table: TableId) -> bool:
        """Whether a table's book has gone into the archive, and its views with it."""
        key = streams.head(self._partition(table), table)
        return await self._client.hget(key, streams.HEAD_ARCHIVED) is not None

    def _partition(self, table: TableId) -> int:
        return streams.partition_of(table, self._partitions)


def shown_of(line: bytes, turn: bytes, minutes: bytes) -> Shown:
    """The views that were stored."""
    return Shown(
        _line(streams.unpacked(line)),
        _turn(streams.unpacked(turn)),
        _minutes(streams.unpacked(minutes)).lines,
    )


def news_of(stream: Stream, entry: LogEntry) -> News:
    """What an entry of a stream says."""
    id, fields = entry
    place = id.decode()
    if stream[1] == FEED:
        table = TableId(fields[streams.FEED_TABLE.encode()].decode())
        return News(place, Entry(table, int(fields[streams.FEED_VERSION.encode()])))
    return News(place, prompted(place, fields.get(n.PROMPT_BODY.encode(), b"")))


def prompted(place: str, body: bytes) -> Entry | None:
    """A prompt with its id, the same for a repeated one; None if it cannot be read."""
    try:
        prompt: Prompt = n.decode_prompt(body)
    except msgspec.DecodeError:
        return None
    match prompt:
        case ReminderDue(table, player, since, until, seconds):
            return Entry(table, since, f"reminder {player} {since} {until} {seconds}", body)
        case TimeCalled(table, player, since, until, _, version):
            return Entry(table, since, f"called {player} {since} {until} {version}", body)
        case ProgramStopped(table):
            return Entry(table, 0, f"stopped {place}", body)


def _name(stream: Stream) -> str:
    partition, reader = stream
    return streams.feed(partition) if reader == FEED else n.prompts(partition)

"""The bus as the console and the gateway use it: send orders, read minute books and views.

An order is sent until it is answered. The answer comes over a channel; should it be lost, the kept
outcome is looked up, and should the order itself be gone, it is sent again under the same id. So no
lost message leaves a sender waiting, and none makes a move twice.
"""

import asyncio
import contextlib
import secrets
from collections.abc import AsyncIterator, Sequence
from typing import Final, Self

import msgspec
from msgspec import Struct

from contracts import streams
from contracts.commands import Order
from contracts.ids import CommandId, PlayerId, TableId
from contracts.records import Sealed
from contracts.streams import Outcome, Shown
from contracts.views import PlayerTables, TableLine
from services.bus import reading
from services.bus.connection import STORE_ERRORS, connection, opened, said_in_words
from services.bus.errors import NoAnswerError
from services.bus.feeds import entries_after
from services.bus.typed import Channels, Client

PATIENCE_SECONDS: Final = 30.0
"""How long an answer is waited for, if the caller does not say."""
LOOKUP_SECONDS: Final = 0.5
"""How long an answer is listened for before the stored outcome is looked up."""
_RECONNECT_SECONDS: Final = 0.2
_FOLLOW_MILLISECONDS: Final = 1000

_line = msgspec.msgpack.Decoder(TableLine).decode


class Head(Struct, frozen=True):
    """Where a minute book ends: version and digest of its last record."""

    version: int
    digest: bytes


class FeedEntry(Struct, frozen=True):
    """A new record at some table; `id` is where to go on from."""

    partition: int
    id: str
    table: TableId
    version: int


class Bus:
    """A store that has been opened, and a channel for answers."""

    def __init__(self, client: Client, partitions: int) -> None:
        self.client = client
        self.partitions = partitions
        self._channel = streams.answers(secrets.token_hex(8))
        self._expected: dict[tuple[TableId, CommandId], asyncio.Future[Outcome]] = {}
        self._listening: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        heard = asyncio.Event()
        self._listening = asyncio.create_task(self._listen(heard))
        await heard.wait()
        return self

    async def __aexit__(self, *error: object) -> None:
        if self._listening is not None:
            self._listening.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._listening

    def partition_of(self, table: TableId) -> int:
        """Where a table lives."""
        return streams.partition_of(table, self.partitions)

    # --- orders ------------------------------------------------------------------------------

    async def send(self, order: Order, patience_seconds: float = PATIENCE_SECONDS) -> Outcome:
        """Send an order and give what became of it; raises `NoAnswerError` when nobody answers."""
        name = (order.table, order.id)
        answer = self._expected.setdefault(name, asyncio.get_running_loop().create_future())
        until = asyncio.get_running_loop().time() + patience_seconds
        entry: str | None = None
        trouble = ""
        try:
            while True:
                try:
                    entry = await self._sent(order, entry)
                except STORE_ERRORS as error:
                    trouble = f" The store does not answer ({error})."
                # Not `wait_for`: in Python 3.11 an answer that comes at the same time swallows a
                # cancellation, and with it somebody's Ctrl-C.
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(LOOKUP_SECONDS):
                        return await asyncio.shield(answer)
                with contextlib.suppress(*STORE_ERRORS):
                    outcome = await self.outcome(order.table, order.id)
                    if outcome is not None:
                        return outcome
                if asyncio.get_running_loop().time() > until:
                    raise NoAnswerError(
                        f"No answer to order {order.id} for table {order.table} within "
                        f"{patience_seconds:g} s.{trouble or ' Is the engine running?'} It may "
                        "still be decided; sending it again under the same id is safe."
                    )
        finally:
            self._expected.pop(name, None)

    async def _sent(self, order: Order, entry: str | None) -> str:
        """The entry of an order that waits; it is sent if it never was, or is gone unanswered."""
        key = streams.commands(self.partition_of(order.table))
        if entry is not None and await self.client.xrange(key, entry, entry):
            return entry
        if entry is not None:
            outcome = await self.outcome(order.table, order.id)
            if outcome is not None:
                self._answered(order.table, order.id, outcome)
                return entry
        id = await self.client.xadd(
            key,
            {
                streams.COMMAND_ORDER: streams.encode(order),
                streams.COMMAND_ANSWERS: self._channel,
            },
        )
        return id.decode()

    async def outcome(self, table: TableId, id: CommandId) -> Outcome | None:
        """What became of a command, or None if it was not decided yet."""
        body = await self.client.hget(streams.outcomes(self.partition_of(table), table), id)
        return None if body is None else streams.decode_outcome(body)

    def _answered(self, table: TableId, id: CommandId, outcome: Outcome) -> None:
        expected = self._expected.get((table, id))
        if expected is not None and not expected.done():
            expected.set_result(outcome)

    async def _listen(self, heard: asyncio.Event) -> None:
        """Take in answers for ever, whatever happens to the connection."""
        while True:
            channels = self.client.pubsub()
            try:
                await channels.subscribe(self._channel)
                async for message in channels.listen():
                    heard.set()
                    if message["type"] != "message":
                        continue
                    # Anybody may publish on a channel; what is no answer is nothing to us.
                    with contextlib.suppress(msgspec.DecodeError):
                        answer = streams.decode_answer(message["data"])
                        self._answered(answer.table, answer.id, answer.outcome)
            except STORE_ERRORS:
                # Outcomes are looked up meanwhile.
                heard.set()
                await asyncio.sleep(_RECONNECT_SECONDS)
            finally:
                await _closed(channels)

    # --- minute books ------------------------------------------------------------------------

    async def tables(self) -> list[TableId]:
        """The ids of all tables, in order of the alphabet."""
        found: list[str] = []
        for partition in range(self.partitions):
            members = await self.client.smembers(streams.tables(partition))
            found += (member.decode() for member in members)
        return [TableId(id) for id in sorted(found)]

    async def head(self, table: TableId) -> Head | None:
        """Where a table's minute book ends, or None if there is no such table."""
        fields = await self.client.hgetall(streams.head(self.partition_of(table), table))
        if not fields:
            return None
        return Head(
            int(fields[streams.HEAD_VERSION.encode()]), fields[streams.HEAD_DIGEST.encode()]
        )

    async def records(
        self, table: TableId, first: int = 1, last: int | None = None
    ) -> list[Sealed]:
        """The records of a table, each checked against the one before."""
        return await reading.read_log(self.client, self.partition_of(table), table, first, last)

    async def entries(self, table: TableId) -> list[tuple[bytes, bytes]]:
        """Each record's encoding and digest as they lie in the log, unchecked, for an audit."""
        key = streams.log(self.partition_of(table), table)
        body, digest = streams.LOG_BODY.encode(), streams.LOG_DIGEST.encode()
        found: list[tuple[bytes, bytes]] = []
        after = "-"
        while page := await self.client.xrange(key, after, "+", count=reading.PAGE):
            found += ((fields.get(body, b""), fields.get(digest, b"")) for _, fields in page)
            after = f"({page[-1][0].decode()}"
        return found

    async def follow(self, table: TableId, after: int = 0) -> AsyncIterator[Sealed]:
        """The records of a table after a version, and for ever each new one as it is written."""
        partition = self.partition_of(table)
        key = streams.log(partition, table)
        while True:
            async for sealed in reading.records(self.client, partition, table, after + 1):
                yield sealed
                after = sealed.record.version
            await self.client.xread(
                {key: reading.entry_id(after)}, count=1, block=_FOLLOW_MILLISECONDS
            )

    async def feed(self, after: dict[int, str] | None = None) -> AsyncIterator[FeedEntry]:
        """Each new record at any table; from after the entries named, by partition, else from now.

        Entries that all readers have passed are gone: what was missed is in the minute books.
        """
        places = await self._places(after or {})
        partitions = {streams.feed(partition): partition for partition in range(self.partitions)}
        while True:
            for key, entries in await entries_after(
                self.client, places, reading.PAGE, _FOLLOW_MILLISECONDS
            ):
                name = key.decode()
                for id, fields in entries:
                    places[name] = id.decode()
                    yield feed_entry(partitions[name], id, fields)

    async def _places(self, after: dict[int, str]) -> dict[str, str | bytes]:
        places: dict[str, str | bytes] = {}
        for partition in range(self.partitions):
            key = streams.feed(partition)
            place = after.get(partition)
            if place is None:
                newest = await self.client.xrevrange(key, "+", "-", count=1)
                place = newest[0][0].decode() if newest else "0-0"
            places[key] = place
        return places

    # --- views -------------------------------------------------------------------------------

    async def view(self, table: TableId, name: str) -> bytes | None:
        """A view of a table, as MessagePack, or None if there is none yet."""
        stored = await self.client.hget(streams.views(self.partition_of(table), table), name)
        return None if stored is None else streams.unpacked(stored)

    async def shown(self, table: TableId) -> int:
        """The version that a table's views show; 0 if there are none yet."""
        key = streams.views(self.partition_of(table), table)
        return int(await self.client.hget(key, streams.VIEWS_VERSION) or 0)

    async def lobby(self) -> list[TableLine]:
        """A line for each table, the one with the latest activity first."""
        lines: list[TableLine] = []
        for partition in range(self.partitions):
            fields = await self.client.hgetall(streams.lobby(partition))
            lines += (_line(streams.unpacked(line)) for line in fields.values())
        return sorted(lines, key=lambda line: (-line.last_activity, line.table))

    async def waiting(self, player: PlayerId) -> list[TableLine]:
        """The tables that wait for a player, the longest-waiting first."""
        lines: list[TableLine] = []
        first = streams.waits(player)
        for partition in range(self.partitions):
            members = await self.client.execute_command(
                "ZRANGE", streams.waiting(partition), f"[{first}", f"({player}\x01", "BYLEX"
            )
            for member in members:
                table = member.decode().removeprefix(first)
                line = await self.client.execute_command("HGET", streams.lobby(partition), table)
                if line is not None:
                    lines.append(_line(streams.unpacked(line)))
        return sorted(lines, key=lambda line: (line.waiting_since, line.table))

    async def player_tables(self, player: PlayerId) -> PlayerTables:
        """All tables at which a player sits: those that wait for him, and the others."""
        waiting = await self.waiting(player)
        ids = {line.table for line in waiting}
        others = [
            line
            for line in await self.lobby()
            if line.table not in ids and any(seat.player == player for seat in line.seats)
        ]
        return PlayerTables(player, tuple(waiting), tuple(others))

    async def views_shown(self) -> AsyncIterator[Shown]:
        """Each new version of a table's views as it is shown, from now on; one may be missed."""
        channels = self.client.pubsub()
        try:
            await channels.subscribe(streams.VIEWS_CHANNEL)
            async for message in channels.listen():
                if message["type"] == "message":
                    yield streams.decode_shown(message["data"])
        finally:
            await _closed(channels)


def feed_entry(partition: int, id: bytes, fields: dict[bytes, bytes]) -> FeedEntry:
    """A feed's entry as it was read."""
    table = TableId(fields[streams.FEED_TABLE.encode()].decode())
    return FeedEntry(partition, id.decode(), table, int(fields[streams.FEED_VERSION.encode()]))


async def _closed(channels: Channels) -> None:
    with contextlib.suppress(*STORE_ERRORS):
        await channels.aclose()


@contextlib.asynccontextmanager
async def bus(url: str) -> AsyncIterator[Bus]:
    """Open the store at `url` and give the bus; what goes wrong is a `BusError` in words."""
    with said_in_words(url):
        async with connection(url) as client, Bus(client, await opened(client)) as one:
            yield one


__all__: Sequence[str] = ("Bus", "FeedEntry", "Head", "bus", "feed_entry")

"""The ports on Redis: minute books, commands and leases.

One script writes minute books (`append.lua`), one moves leases (`lease.lua`). Nothing else does.
"""

import struct
from collections.abc import Sequence
from importlib import resources
from typing import Final

import msgspec

from contracts import streams
from contracts.ids import TableId
from contracts.records import FORMAT, Sealed
from contracts.streams import ENGINE_CONSUMER, ENGINE_GROUP
from services.bus.reading import read_head, read_log
from services.bus.typed import Client, Script
from services.engine.ports import (
    Conflict,
    Entry,
    Head,
    Held,
    Lease,
    LeaseLostError,
    Repeated,
    Stored,
    Write,
    Written,
)

OUTCOMES_WITHOUT_A_TABLE_SECONDS: Final = 86_400
"""How long it is remembered what was answered to orders for a table that does not exist."""
LEASE_MILLISECONDS: Final = 10_000

_map = msgspec.msgpack.Encoder().encode
_length = struct.Struct(">I").pack


class Store:
    """Minute books, commands and leases in a store that has been opened."""

    def __init__(
        self, client: Client, partitions: int, *, lease_milliseconds: int = LEASE_MILLISECONDS
    ) -> None:
        self.client = client
        self.partitions = partitions
        self.lease_milliseconds = lease_milliseconds
        self._append = client.register_script(_text("append.lua"))
        self._lease: Script = client.register_script(_text("lease.lua"))

    def partition_of(self, table: TableId) -> int:
        """Where a table lives."""
        return streams.partition_of(table, self.partitions)

    # --- minute books ------------------------------------------------------------------------

    async def head(self, table: TableId) -> Head:
        """Where a table's book ends, and its snapshot."""
        return await read_head(self.client, self.partition_of(table), table)

    async def read(self, table: TableId, first: int = 1, last: int | None = None) -> list[Sealed]:
        """Records of a table, each checked against the one before."""
        return await read_log(self.client, self.partition_of(table), table, first, last)

    async def commit(self, lease: Lease, writes: Sequence[Write]) -> list[Written]:
        """Write all that still holds, in order and as one act."""
        partition = lease.partition
        keys = [
            streams.lease(partition),
            streams.commands(partition),
            streams.feed(partition),
            streams.dead(partition),
            streams.tables(partition),
        ]
        places: dict[TableId, int] = {}
        for write in writes:
            if write.table not in places:
                places[write.table] = len(places)
                keys += (
                    streams.log(partition, write.table),
                    streams.head(partition, write.table),
                    streams.outcomes(partition, write.table),
                    streams.snapshot(partition, write.table),
                )
        # One argument for all: each costs the client more than all the packing.
        together = b"".join(_written_out(write, places[write.table]) for write in writes)
        answers = await self._append(
            keys, [lease.epoch, ENGINE_GROUP, OUTCOMES_WITHOUT_A_TABLE_SECONDS, together]
        )
        if answers[0] == b"fenced":
            raise LeaseLostError(partition)
        return [_written(answer) for answer in answers]

    # --- commands ----------------------------------------------------------------------------

    async def create_group(self, partition: int) -> None:
        """Create the group that reads a partition's commands from the first one on, if need be."""
        key = streams.commands(partition)
        async with self.client.pipeline(transaction=False) as one:
            one.execute_command("XGROUP", "CREATE", key, ENGINE_GROUP, "0", "MKSTREAM")
            answers = await one.execute(raise_on_error=False)
        for error in answers:
            if isinstance(error, Exception) and "BUSYGROUP" not in str(error):
                raise error

    async def pending(self, partition: int, most: int) -> list[Entry]:
        """The oldest commands that were given out already and are not done."""
        entries = await self._given(partition, "0", most, None)
        # A command that was deleted by hand is still on the list of pending ones.
        gone = [id for id, fields in entries if fields is None]
        if gone:
            await self.client.xack(streams.commands(partition), ENGINE_GROUP, *gone)
            return await self.pending(partition, most)
        return [Entry(id.decode(), fields) for id, fields in entries if fields is not None]

    async def fresh(
        self, partition: int, most: int, block_milliseconds: int | None = None
    ) -> list[Entry]:
        """The oldest commands that were never given out; they are pending from now on."""
        entries = await self._given(partition, ">", most, block_milliseconds)
        return [Entry(id.decode(), fields) for id, fields in entries if fields is not None]

    async def _given(
        self, partition: int, after: str, most: int, block: int | None
    ) -> list[tuple[bytes, dict[bytes, bytes] | None]]:
        found = await self.client.xreadgroup(
            ENGINE_GROUP, ENGINE_CONSUMER, {streams.commands(partition): after}, most, block
        )
        return found[0][1] if found else []

    # --- leases ------------------------------------------------------------------------------

    async def take(self, partition: int, holder: str, dead: str = "") -> Lease | Held:
        """Take a lease that is free, run out, one's own, or that of a holder known to be dead."""
        answer = await self._lease(
            [streams.lease(partition)], ["take", holder, self.lease_milliseconds, dead]
        )
        if answer[0] == b"held":
            return Held(answer[1].decode(), int(answer[2]))
        return Lease(partition, int(answer[1]))

    async def renew(self, lease: Lease) -> bool:
        """Make a lease run on; false if it has been lost."""
        answer = await self._lease(
            [streams.lease(lease.partition)], ["renew", lease.epoch, self.lease_milliseconds]
        )
        return bool(answer[0] == b"renewed")

    async def release(self, lease: Lease) -> None:
        """Give a lease back, if it is still one's own."""
        await self._lease([streams.lease(lease.partition)], ["release", lease.epoch])


def _written_out(write: Write, place: int) -> bytes:
    """A write as the script reads it: each of its texts with its length before it."""
    sealed, dead = write.sealed, write.dead
    texts = (
        b"%d" % place,
        write.table.encode(),
        write.id.encode() if write.is_kept else b"",
        write.entry.encode(),
        write.channel.encode(),
        streams.answer_head(write.table, write.id),
        b"-1" if write.version is None else b"%d" % write.version,
        write.digest,
        streams.encode(write.outcome),
        b"" if sealed is None else sealed.body,
        b"" if sealed is None else sealed.digest,
        b"%d" % FORMAT,
        write.snapshot or b"",
        b"" if dead is None else dead.why.encode(),
        b"" if dead is None else _map(dead.fields),
    )
    return b"".join(part for text in texts for part in (_length(len(text)), text))


def _written(answer: int | list[bytes]) -> Written:
    if isinstance(answer, list):
        return Repeated(streams.decode_outcome(answer[0]))
    return Stored() if answer > 0 else Conflict(-1 - answer)


def _text(name: str) -> str:
    return (resources.files("services.engine") / name).read_text()

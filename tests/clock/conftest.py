"""The grounds on which the clock's ports are tested: memory, a real store, a cluster."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import pytest

from contracts import notices, streams
from contracts.commands import Order, Pass
from contracts.ids import CommandId, TableId
from contracts.records import FIRST_DIGEST, Record, seal
from services.bus.connection import connected, opened
from services.bus.typed import Client
from services.clock.memory import Memory
from services.clock.ports import Timers
from services.clock.store import Store
from tests.positions import player

ANN = player("ann")


class Ground(Protocol):
    """Timers, and what a test sees of what they did."""

    timers: Timers

    async def commands(self, partition: int) -> Sequence[bytes]: ...
    async def prompts(self, partition: int) -> Sequence[bytes]: ...
    async def deadlines(self, partition: int, table: str) -> dict[str, notices.Deadline]: ...
    async def feed(self, partition: int, entries: int) -> None: ...
    async def written(self, partition: int, table: str, version: int) -> None: ...
    async def close(self) -> None: ...


class MemoryGround:
    """Timers in memory."""

    def __init__(self) -> None:
        self.memory = Memory(partitions=16)
        self.timers: Timers = self.memory

    async def commands(self, partition: int) -> Sequence[bytes]:
        return self.memory.commands[partition]

    async def prompts(self, partition: int) -> Sequence[bytes]:
        return self.memory.prompts[partition]

    async def deadlines(self, partition: int, table: str) -> dict[str, notices.Deadline]:
        return dict(self.memory.deadlines.get(TableId(table), {}))

    async def feed(self, partition: int, entries: int) -> None:
        self.memory.feeds[partition] += [(TableId("any"), 1)] * entries

    async def written(self, partition: int, table: str, version: int) -> None:
        record = Record(1, 0, "", Order(TableId(table), CommandId("a"), "", ANN, Pass()), ())
        self.memory.books[TableId(table)] = [seal(FIRST_DIGEST, record)] * version

    async def close(self) -> None:
        pass


@dataclass
class RedisGround:
    """Timers on a real store."""

    client: Client
    timers: Timers

    @classmethod
    async def on(cls, url: str) -> "RedisGround":
        client = connected(url)
        return cls(client, Store(client, await opened(client)))

    async def commands(self, partition: int) -> Sequence[bytes]:
        found = await self.client.xrange(streams.commands(partition), "-", "+")
        return [fields[b"o"] for _, fields in found]

    async def prompts(self, partition: int) -> Sequence[bytes]:
        found = await self.client.xrange(notices.prompts(partition), "-", "+")
        return [fields[b"p"] for _, fields in found]

    async def deadlines(self, partition: int, table: str) -> dict[str, notices.Deadline]:
        found = await self.client.hgetall(notices.deadlines(partition, TableId(table)))
        return {who.decode(): notices.decode_deadline(one) for who, one in found.items()}

    async def feed(self, partition: int, entries: int) -> None:
        for number in range(1, entries + 1):
            key = streams.feed(partition)
            await self.client.execute_command("XADD", key, f"{number}-0", "t", "any", "v", 1)

    async def written(self, partition: int, table: str, version: int) -> None:
        key = streams.head(partition, TableId(table))
        await self.client.hset(key, streams.HEAD_VERSION, version)

    async def close(self) -> None:
        await self.client.aclose()


@pytest.fixture(params=["memory", "redis", "cluster"])
async def ground(request: pytest.FixtureRequest):
    """One kind of timers after another, with nothing in it."""
    if request.param == "memory":
        found: Ground = MemoryGround()
    else:
        found = await RedisGround.on(request.getfixturevalue(f"{request.param}_url"))
    yield found
    await found.close()

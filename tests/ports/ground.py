"""The kinds of ports under one name, so that each test of the ports runs on all of them."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

import redis

from contracts import streams
from contracts.commands import Order
from contracts.ids import CommandId, TableId
from contracts.records import Sealed
from contracts.streams import Answer, Outcome
from services.bus.connection import connected, node_address, opened
from services.bus.typed import Client
from services.engine.memory import Memory
from services.engine.ports import Inbox, Leases, Log, Shelf
from services.engine.shelves import Shelves
from services.engine.store import Store


@dataclass
class TestClock:
    """A clock that is set by hand."""

    __test__ = False

    time: int = 1_000_000

    def now(self) -> int:
        return self.time


class Ports(Log, Inbox, Leases, Shelf, Protocol):
    """All ports together."""

    @property
    def partitions(self) -> int: ...


class Ground(Protocol):
    """Ports, and what a test does and sees outside of them."""

    @property
    def ports(self) -> Ports: ...
    @property
    def clock(self) -> TestClock: ...
    async def post(self, order: Order, client: str = "") -> None: ...
    async def put(self, partition: int, fields: dict[bytes, bytes]) -> None: ...
    async def log(self, table: str) -> Sequence[Sealed]: ...
    async def feed(self, partition: int) -> list[tuple[TableId, int]]: ...
    async def outcome(self, table: str, id: str) -> Outcome | None: ...
    async def dead(self, partition: int) -> list[str]: ...
    async def answers(self, client: str) -> list[Answer]: ...
    async def waiting(self, partition: int) -> int: ...
    async def snapshot(self, table: str, change: bytes | None = None) -> bytes | None: ...
    async def shown(self, table: str) -> int: ...
    async def view(self, table: str, name: str) -> bytes | None: ...
    async def clock_put_back(self, microseconds: int) -> None: ...
    async def close(self) -> None: ...


@dataclass
class MemoryGround:
    """Ports in memory."""

    clock: TestClock = field(default_factory=TestClock)

    def __post_init__(self):
        self.memory = Memory(self.clock)
        self.ports: Ports = self.memory

    async def post(self, order: Order, client: str = "") -> None:
        self.memory.post(order, client)

    async def put(self, partition: int, fields: dict[bytes, bytes]) -> None:
        self.memory.put(partition, fields)

    async def log(self, table: str) -> Sequence[Sealed]:
        return self.memory.logs.get(TableId(table), [])

    async def feed(self, partition: int) -> list[tuple[TableId, int]]:
        return self.memory.feeds[partition]

    async def outcome(self, table: str, id: str) -> Outcome | None:
        return self.memory.outcomes[TableId(table)].get(CommandId(id))

    async def dead(self, partition: int) -> list[str]:
        return [dead.why for dead in self.memory.dead[partition]]

    async def answers(self, client: str) -> list[Answer]:
        return self.memory.answers[streams.answers(client)]

    async def waiting(self, partition: int) -> int:
        return len(self.memory.waiting[partition]) + len(self.memory.given[partition])

    async def snapshot(self, table: str, change: bytes | None = None) -> bytes | None:
        if change is not None:
            self.memory.snapshots[TableId(table)] = change
        return self.memory.snapshots.get(TableId(table))

    async def shown(self, table: str) -> int:
        views = self.memory.views.get(TableId(table))
        return 0 if views is None else views.version

    async def view(self, table: str, name: str) -> bytes | None:
        views = self.memory.views.get(TableId(table))
        return None if views is None else views.bodies.get(name)

    async def clock_put_back(self, microseconds: int) -> None:
        """Put the store's clock back, seen from a lease that somebody holds."""
        self.clock.time -= microseconds

    async def close(self) -> None:
        pass


class RedisPorts(Store, Shelves):
    """All ports on a real store."""

    def __init__(self, client: Client, partitions: int) -> None:
        Store.__init__(self, client, partitions)
        Shelves.__init__(self, client)


class RedisGround:
    """Ports on a real store."""

    def __init__(self, url: str, store: RedisPorts) -> None:
        self.ports = store
        self.clock = TestClock()
        self._client = store.client
        self._listener = redis.Redis.from_url(node_address(url))
        self._channels = self._listener.pubsub()
        self._heard: list[tuple[str, Answer]] = []

    @classmethod
    async def on(cls, url: str) -> "RedisGround":
        client = connected(url)
        store = RedisPorts(client, await opened(client))
        for partition in range(store.partitions):
            await store.create_group(partition)
        ground = cls(url, store)
        ground._channels.psubscribe(streams.answers("*"))
        ground._channels.get_message(timeout=5)
        return ground

    async def post(self, order: Order, client: str = "") -> None:
        fields = {streams.COMMAND_ORDER.encode(): streams.encode(order)}
        if client:
            fields[streams.COMMAND_ANSWERS.encode()] = streams.answers(client).encode()
        await self.put(self.ports.partition_of(order.table), fields)

    async def put(self, partition: int, fields: dict[bytes, bytes]) -> None:
        parts = [part for field in fields.items() for part in field]
        await self._client.execute_command("XADD", streams.commands(partition), "*", *parts)

    async def log(self, table: str) -> Sequence[Sealed]:
        return await self.ports.read(TableId(table))

    async def feed(self, partition: int) -> list[tuple[TableId, int]]:
        entries = await self._client.xrange(streams.feed(partition), "-", "+")
        return [(TableId(f[b"t"].decode()), int(f[b"v"])) for _, f in entries]

    async def outcome(self, table: str, id: str) -> Outcome | None:
        table_id = TableId(table)
        key = streams.outcomes(self.ports.partition_of(table_id), table_id)
        body = await self._client.hget(key, id)
        return None if body is None else streams.decode_outcome(body)

    async def dead(self, partition: int) -> list[str]:
        entries = await self._client.xrange(streams.dead(partition), "-", "+")
        return [fields[b"why"].decode() for _, fields in entries]

    async def answers(self, client: str) -> list[Answer]:
        while message := self._channels.get_message(timeout=0.1):
            if message["type"] == "pmessage":
                channel, body = message["channel"].decode(), message["data"]
                self._heard.append((channel, streams.decode_answer(body)))
        return [answer for channel, answer in self._heard if channel == streams.answers(client)]

    async def waiting(self, partition: int) -> int:
        return await self._client.xlen(streams.commands(partition))

    async def snapshot(self, table: str, change: bytes | None = None) -> bytes | None:
        table_id = TableId(table)
        key = streams.snapshot(self.ports.partition_of(table_id), table_id)
        if change is not None:
            await self._client.execute_command("SET", key, change)
        found: bytes | None = await self._client.execute_command("GET", key)
        return found

    async def shown(self, table: str) -> int:
        table_id = TableId(table)
        key = streams.views(self.ports.partition_of(table_id), table_id)
        return int(await self._client.hget(key, streams.VIEWS_VERSION) or 0)

    async def view(self, table: str, name: str) -> bytes | None:
        table_id = TableId(table)
        return await self._client.hget(
            streams.views(self.ports.partition_of(table_id), table_id), name
        )

    async def clock_put_back(self, microseconds: int) -> None:
        """No test can set the server's clock, so the lease is moved the other way."""
        for partition in range(self.ports.partitions):
            key = streams.lease(partition)
            if await self._client.hget(key, "until"):
                move = ("HINCRBY", key, "until", microseconds // 1000)
                await self._client.execute_command(*move)

    async def close(self) -> None:
        self._channels.close()
        self._listener.close()
        await self._client.aclose()

"""The kinds of ports of the notifier under one name, so that each test of them runs on all."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from contracts import notices as n
from contracts import streams
from contracts.ids import TableId
from contracts.notices import Deadline, Prompt
from contracts.records import FIRST_DIGEST, FORMAT, Sealed, seal
from contracts.streams import partition_of
from services.bus.connection import connected, opened
from services.bus.typed import Client
from services.engine.catchup import encoded_views
from services.engine.projections import api
from services.engine.table.state import Table
from services.notifier.books import StoredBooks
from services.notifier.memory import MemoryOutbox
from services.notifier.memory_books import MemoryBooks
from services.notifier.ports import Books, Outbox
from services.notifier.store import Store
from tests.tables import Story


class Ground(Protocol):
    """Ports, and what the engine, the projector and the clock do outside of them."""

    @property
    def books(self) -> Books: ...
    @property
    def outbox(self) -> Outbox: ...
    async def write(self, table: TableId, sealed: Sealed) -> None: ...
    async def show(self, table: TableId, bodies: Mapping[str, bytes]) -> None: ...
    async def prompt(self, partition: int, body: bytes) -> None: ...
    async def limit(self, table: TableId, player: str, deadline: Deadline) -> None: ...
    async def close(self) -> None: ...


@dataclass
class MemoryGround:
    """Ports in memory."""

    partitions: int = 16
    books: MemoryBooks = field(init=False)
    outbox: MemoryOutbox = field(init=False)

    def __post_init__(self) -> None:
        self.books = MemoryBooks(self.partitions)
        self.outbox = MemoryOutbox(self.partitions)

    async def write(self, table: TableId, sealed: Sealed) -> None:
        self.books.logs.setdefault(table, []).append(sealed)
        partition = partition_of(table, self.partitions)
        self.books.feeds[partition].append((table, sealed.record.version))

    async def show(self, table: TableId, bodies: Mapping[str, bytes]) -> None:
        self.books.bodies[table] = bodies

    async def prompt(self, partition: int, body: bytes) -> None:
        self.books.prompts[partition].append(body)

    async def limit(self, table: TableId, player: str, deadline: Deadline) -> None:
        self.books.limits.setdefault(table, {})[player] = deadline

    async def close(self) -> None:
        pass


class RedisGround:
    """Ports on a real store."""

    def __init__(self, client: Client, partitions: int) -> None:
        self.books = StoredBooks(client, partitions)
        self.outbox = Store(client, partitions)
        self._client = client

    @classmethod
    async def on(cls, url: str) -> "RedisGround":
        client = connected(url)
        return cls(client, await opened(client))

    async def write(self, table: TableId, sealed: Sealed) -> None:
        partition = partition_of(table, self.outbox.partitions)
        version = sealed.record.version
        fields = (
            *(streams.LOG_FORMAT, FORMAT, streams.LOG_BODY, sealed.body),
            *(streams.LOG_DIGEST, sealed.digest),
        )
        do = self._client.execute_command
        await do("XADD", streams.log(partition, table), f"{version}-0", *fields)
        await do("HSET", streams.head(partition, table), streams.HEAD_VERSION, version)
        await do("SADD", streams.tables(partition), table)
        mention = (streams.FEED_TABLE, table, streams.FEED_VERSION, version)
        await do("XADD", streams.feed(partition), "*", *mention)

    async def show(self, table: TableId, bodies: Mapping[str, bytes]) -> None:
        key = streams.views(partition_of(table, self.outbox.partitions), table)
        for name, body in bodies.items():
            await self._client.hset(key, name, body)

    async def prompt(self, partition: int, body: bytes) -> None:
        await self._client.xadd(n.prompts(partition), {n.PROMPT_BODY: body})

    async def limit(self, table: TableId, player: str, deadline: Deadline) -> None:
        key = n.deadlines(partition_of(table, self.outbox.partitions), table)
        await self._client.hset(key, player, n.encode(deadline))

    async def close(self) -> None:
        await self._client.aclose()


@dataclass
class Told:
    """A story that is told on a ground, record by record, with its views."""

    ground: Ground
    story: Story
    digest: bytes = FIRST_DIGEST
    version: int = 0

    def __post_init__(self) -> None:
        self.state = api.start(self.story.id)

    @property
    def partition(self) -> int:
        return partition_of(self.story.id, self.ground.outbox.partitions)

    async def to(self, version: int | None = None, *, shown: bool = True) -> None:
        """Have the book go on to a version (the last if None), and the views too."""
        last = len(self.story.records) if version is None else version
        tables: list[Table] = self.story.tables
        while self.version < last:
            number = self.version
            record = self.story.records[number]
            sealed = seal(self.digest, record)
            await self.ground.write(self.story.id, sealed)
            self.state = api.project(self.state, record, tables[number], tables[number + 1])
            self.digest, self.version = sealed.digest, number + 1
        if shown:
            await self.ground.show(self.story.id, encoded_views(self.state, tables[last]))

    async def prompt(self, prompt: Prompt) -> None:
        await self.ground.prompt(self.partition, n.encode(prompt))

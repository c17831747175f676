"""The store as a client's bus has it: orders go in, outcomes are looked up, answers are heard."""

import asyncio
import re
from collections.abc import AsyncIterator, Mapping
from random import Random
from typing import Any

import msgspec
from redis.exceptions import ConnectionError as NoConnectionError

from contracts import streams
from contracts.ids import CommandId, TableId
from services.engine.memory import Memory
from tests.world.machine import Machine
from tests.world.ports import Ports

_COMMANDS = re.compile(r"\{(\d+)\}:commands")
_OF_A_TABLE = re.compile(r"\{\d+\}:table:(.+):(head|outcomes)")
_LISTENING_MILLISECONDS = 5


class Wire:
    """What a bus needs of the store's client, and no more."""

    def __init__(self, ports: Ports, lots: Random) -> None:
        self.ports = ports
        self._lots = lots

    async def xadd(self, name: str, fields: Mapping[str, Any]) -> bytes:
        partition = _partition(name)
        sent = {
            field.encode(): value if isinstance(value, bytes) else str(value).encode()
            for field, value in fields.items()
        }

        async def put(memory: Memory) -> str:
            return memory.put(partition, sent).id

        return (await self.ports.ask(f"put {partition}", put)).encode()

    async def xrange(self, name: str, first: str, last: str) -> list[tuple[bytes, dict[Any, Any]]]:
        assert first == last
        partition = _partition(name)

        async def waiting(memory: Memory) -> bool:
            entries = (*memory.waiting[partition], *memory.given[partition])
            return any(entry.id == first for entry in entries)

        found = await self.ports.ask(f"waits {partition} {first}", waiting, is_write=False)
        return [(first.encode(), {})] if found else []

    async def hget(self, name: str, key: str) -> bytes | None:
        table, what = _of_a_table(name)
        assert what == "outcomes"

        async def outcome(memory: Memory) -> bytes | None:
            found = memory.outcomes[table].get(CommandId(key))
            return None if found is None else streams.encode(found)

        return await self.ports.ask(f"outcome {table} {key}", outcome, is_write=False)

    async def hgetall(self, name: str) -> dict[bytes, bytes]:
        table, what = _of_a_table(name)
        assert what == "head"
        head = await self.ports.head(table)
        if not head.version:
            return {}
        return {
            streams.HEAD_VERSION.encode(): str(head.version).encode(),
            streams.HEAD_DIGEST.encode(): head.digest,
        }

    def pubsub(self) -> "Heard":
        return Heard(self.ports, self._lots)


class Heard:
    """Answers as they are heard on a channel: some late, some twice, some never."""

    def __init__(self, ports: Ports, lots: Random) -> None:
        self._ports = ports
        self._machine: Machine = ports.machine
        self._lots = lots
        self._channel = ""
        self._connected_to = 0

    async def subscribe(self, channel: str) -> None:
        await self._ports.machine.wait()
        server = self._ports.server
        if not server.is_up:
            raise NoConnectionError("the store is not there")
        self._channel = channel
        self._connected_to = server.starts

    async def listen(self) -> AsyncIterator[dict[str, Any]]:
        yield {"type": "subscribe"}
        server = self._ports.server
        heard = len(server.memory.answers[self._channel])
        while True:
            if server.is_up and len(server.memory.answers[self._channel]) == heard:
                await server.news(self._channel)
            await asyncio.sleep(self._lots.randrange(1, _LISTENING_MILLISECONDS) / 1000)
            rates = self._machine.rates
            if not server.is_up or server.starts != self._connected_to:
                raise NoConnectionError("the store is not there")
            published = server.memory.answers[self._channel]
            for answer in published[heard:]:
                times = 2 if self._lots.random() < rates.message_twice else 1
                if self._lots.random() < rates.lost_message:
                    self._machine.note(f"answer {answer.id}: not heard")
                    times = 0
                for _ in range(times):
                    yield {"type": "message", "data": msgspec.msgpack.encode(answer)}
            heard = len(published)

    async def aclose(self) -> None:
        """Nobody listens any more."""


def _partition(name: str) -> int:
    found = _COMMANDS.fullmatch(name)
    assert found, name
    return int(found[1])


def _of_a_table(name: str) -> tuple[TableId, str]:
    found = _OF_A_TABLE.fullmatch(name)
    assert found, name
    return TableId(found[1]), found[2]

"""Take a person's name out of what the notifier keeps: his letters, and those that speak of him."""

from collections.abc import Iterable
from typing import Final

import msgspec

from contracts import notices as n
from contracts import streams
from contracts.ids import TableId
from contracts.notices import Notice, Prompt
from services.archive.exchange import Act, Exchange
from services.archive.naming import Names, renamed
from services.bus.typed import Client

_NOTICE, _CORRECTION = "n", "x"
_LANE, _TABLE = b"l", b"b"
_DIGEST: Final = "digest"

_plain = msgspec.msgpack.Decoder().decode


class Letters:
    """The letters, lists and addressees of a store that has been opened."""

    def __init__(self, client: Client, partitions: int) -> None:
        self._client = client
        self._partitions = partitions
        self._exchange = Exchange(client)

    async def without(self, name: str) -> int:
        """Throw away how a person is to be told, and all letters to him; how many."""
        own = n.of_player(name)
        await self._client.execute_command("HDEL", n.ADDRESSEES, own)
        count = 0
        for partition in range(self._partitions):
            at = n.prefix(partition)
            ids = await self._client.execute_command("ZRANGE", f"{at}of:{own}", 0, -1)
            for id in ids:
                await self._thrown_away(partition, id.decode())
            count += len(ids)
            act = Act()
            for key in ("of", "digest", "telling"):
                act.then("DEL", f"{at}{key}:{own}")
            act.then("ZREM", f"{at}digests", own)
            await self._exchange.done(act)
        return count

    async def _thrown_away(self, partition: int, id: str) -> None:
        at = n.prefix(partition)
        notice, _, _ = id.rpartition("/")
        fields = await self._client.hgetall(f"{at}letter:{id}")
        act = Act()
        act.then("DEL", f"{at}letter:{id}")
        act.then("SREM", f"{at}notice:{notice}", id)
        act.then("ZREM", f"{at}dead", id)
        if table := fields.get(_TABLE, b""):
            act.then("ZREM", f"{at}at:{table.decode()}", id)
        lane = fields.get(_LANE, b"").decode()
        act.then("ZREM", f"{at}lane:{lane}", id)
        await self._exchange.done(act)
        # A lane in which nothing waits is none; others may wait in it where they share an account.
        empty = Act()
        empty.expect(0, "EXISTS", f"{at}lane:{lane}")
        empty.then("ZREM", f"{at}lanes", lane)
        empty.then("HDEL", f"{at}rests", lane)
        await self._exchange.done(empty)

    async def renamed_at(self, table: TableId, names: Names) -> None:
        """Put other names into the letters that tell of a table, and into its room's settings."""
        partition = streams.partition_of(table, self._partitions)
        at = n.prefix(partition)
        ids = await self._client.execute_command("ZRANGE", f"{at}at:{table}", 0, -1)
        await self._renamed(partition, ids, names)
        room = n.of_table(table)
        body = await self._client.hget(n.ADDRESSEES, room)
        if body is None:
            return
        addressee = n.decode_addressee(body)
        mentions = {who: by for who, by in addressee.mentions.items() if who not in names.all}
        if mentions != addressee.mentions:
            after = msgspec.structs.replace(addressee, mentions=mentions)
            await self._client.hset(n.ADDRESSEES, room, n.encode(after))

    async def renamed_digests(self, names: Names) -> None:
        """Put other names into the digests that others got."""
        for name in await self._client.hgetall(n.ADDRESSEES):
            for partition in range(self._partitions):
                key = f"{n.prefix(partition)}of:{name.decode()}"
                ids = await self._client.execute_command("ZRANGE", key, 0, -1)
                digests = [id for id in ids if id.startswith(_DIGEST.encode())]
                await self._renamed(partition, digests, names)

    async def _renamed(self, partition: int, ids: Iterable[bytes], names: Names) -> None:
        for id in ids:
            key = f"{n.prefix(partition)}letter:{id.decode()}"
            fields = await self._client.hgetall(key)
            act = Act()
            for field in (_NOTICE, _CORRECTION):
                body = fields.get(field.encode(), b"")
                after = _notice(body, names)
                if after != body:
                    act.expect(body, "HGET", key, field)
                    act.then("HSET", key, field, after)
            if act.requests:
                await self._exchange.done(act)


def prompts_renamed(act: Act, key: str, prompts: dict[bytes, bytes], names: Names) -> None:
    """Put other names into the prompts of a table that the notifier has still to tell."""
    for id, body in prompts.items():
        after = n.encode(renamed(Prompt, _plain(body), names))
        if after != body:
            act.expect(body, "HGET", key, id)
            act.then("HDEL", key, id)
            act.then("HSET", key, names.sentence(id.decode()), after)


def _notice(body: bytes, names: Names) -> bytes:
    return n.encode(renamed(Notice, _plain(body), names)) if body else body

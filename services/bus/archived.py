"""Which tables are in the archive, as far as the store knows."""

from contracts import streams
from contracts.archived import Tombstone, decode_tombstone, tombstones
from contracts.ids import TableId
from services.bus.typed import Client


async def tombstone(client: Client, partitions: int, table: TableId) -> Tombstone | None:
    """What is left in the store of an archived table, None of any other."""
    body = await client.hget(tombstones(streams.partition_of(table, partitions)), table)
    return None if body is None else decode_tombstone(body)


async def all_tombstones(client: Client, partitions: int) -> list[Tombstone]:
    """All archived tables, in order of the alphabet."""
    found: list[Tombstone] = []
    for partition in range(partitions):
        bodies = await client.hgetall(tombstones(partition))
        found += (decode_tombstone(body) for body in bodies.values())
    return sorted(found, key=lambda stone: stone.table)

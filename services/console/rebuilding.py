"""All views built again from nothing, and held against what they were."""

from hashlib import blake2b

from msgspec import Struct

from contracts.ids import TableId
from services.bus.client import Bus, bus
from services.engine.projections.api import NAMES
from services.engine.projector import rebuilt

Marks = dict[str, bytes]
"""A checksum of each view of a table, by its name."""


class Rebuilt(Struct, frozen=True):
    """How many tables there are, how many had views of their last record, and what changed."""

    tables: int
    compared: int
    changed: tuple[str, ...]


async def all_rebuilt(url: str) -> Rebuilt:
    """Build all views of a store again and say which came out otherwise."""
    async with bus(url) as one:
        before = await _current(one)
    number = await rebuilt(url)
    async with bus(url) as one:
        after = await _current(one)
    changed = [
        f"Table {table}: the view {name} was not what the minute book says."
        for table, marks in before.items()
        for name in NAMES
        if marks[name] != after.get(table, {}).get(name)
    ]
    return Rebuilt(number, len(before), tuple(changed))


async def _current(one: Bus) -> dict[TableId, Marks]:
    """The views of all tables whose views show their last record."""
    found: dict[TableId, Marks] = {}
    for table in await one.tables():
        head = await one.head(table)
        if head is not None and await one.shown(table) == head.version:
            found[table] = {name: await _mark(one, table, name) for name in NAMES}
    return found


async def _mark(one: Bus, table: TableId, name: str) -> bytes:
    return blake2b(await one.view(table, name) or b"", digest_size=16).digest()

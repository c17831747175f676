"""Whether nothing is left to be done: in the engine, the projector, the clock and the notifier."""

from contracts import notices, streams
from services.bus.client import Bus


async def is_quiet(bus: Bus) -> bool:
    """Whether no command waits, all views show the last record, and nobody is still to be told."""
    for partition in range(bus.partitions):
        if any(await unfinished(bus, partition)):
            return False
    for table in await bus.tables():
        head = await bus.head(table)
        if head is not None and await bus.shown(table) < head.version:
            return False
    return True


async def is_told(bus: Bus) -> bool:
    """Whether clock and notifier have read everything, and no timer and no letter is due."""
    for partition in range(bus.partitions):
        if await _behind(bus, partition) or await _undone(bus, partition):
            return False
    return True


async def unfinished(bus: Bus, partition: int) -> tuple[int, int]:
    """How many commands lie in a partition's stream, and how many of them were given out."""
    key = streams.commands(partition)
    found = await bus.client.execute_command("XPENDING", key, streams.ENGINE_GROUP)
    pending = found["pending"] if isinstance(found, dict) else found[0]
    return await bus.client.xlen(key), int(pending)


async def _behind(bus: Bus, partition: int) -> bool:
    """Whether somebody has not come to the end of the feed, or of the prompts."""
    client, readers = bus.client, streams.readers(partition)
    for stream, places, names in (
        (streams.feed(partition), readers, (streams.CLOCK_READER, notices.READER)),
        (notices.prompts(partition), f"{notices.prefix(partition)}places", ("prompts",)),
    ):
        newest = await client.xrevrange(stream, "+", "-", count=1)
        for name in names:
            if newest and await client.hget(places, name) != newest[0][0]:
                return True
    return False


async def _undone(bus: Bus, partition: int) -> bool:
    """Whether a timer is set, a table is to be looked at, or a letter is to be sent."""
    at = notices.prefix(partition)
    for key in (streams.timers(partition), f"{at}looks", f"{at}lanes"):
        if await bus.client.execute_command("ZCARD", key):
            return True
    return False

"""Read what is new in several streams at once, on one server and on a cluster alike."""

import asyncio
from collections.abc import Mapping
from typing import Final

from services.bus.connection import is_cluster
from services.bus.typed import Client, LogEntry

_PAUSE_SECONDS: Final = 0.02


async def entries_after(
    client: Client,
    places: Mapping[str, str | bytes],
    most: int,
    block_milliseconds: int | None = None,
) -> list[tuple[bytes, list[LogEntry]]]:
    """Entries of several streams after the ids named, of each stream at most so many.

    If there are none, they are waited for. On a cluster the streams lie on several servers, and no
    single request can wait for all of them, so they are asked again and again, together.
    """
    if not is_cluster(client):
        return await client.xread(places, count=most, block=block_milliseconds) or []
    until = asyncio.get_running_loop().time() + (block_milliseconds or 0) / 1000
    while True:
        async with client.pipeline(transaction=False) as together:
            for stream, place in places.items():
                after = place if isinstance(place, str) else place.decode()
                together.execute_command("XRANGE", stream, f"({after}", "+", "COUNT", most)
            answers = await together.execute()
        found = [
            (stream.encode(), entries)
            for stream, entries in zip(places, answers, strict=True)
            if entries
        ]
        if found or asyncio.get_running_loop().time() >= until:
            return found
        await asyncio.sleep(_PAUSE_SECONDS)

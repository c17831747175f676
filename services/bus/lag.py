"""How far behind the readers of streams are, and what waits in them.

A reader's place is the last entry that it has dealt with; what comes after it is counted, up to a
bound. Ages are told by the ids of entries, which are the store's own time.
"""

from collections.abc import Mapping, Sequence
from typing import Final

from msgspec import Struct

from services.bus.typed import Client

COUNTED_MOST: Final = 1000
"""Entries of one stream that are counted at most."""
_NOWHERE: Final = "0-0"


class Behind(Struct, frozen=True):
    """Entries that wait, and the moment (microseconds) of the oldest; 0 if there is none.

    `is_more` if there are more than were counted.
    """

    entries: int = 0
    oldest: int = 0
    is_more: bool = False

    def __add__(self, other: "Behind") -> "Behind":
        """Both together.

        >>> Behind(2, 50) + Behind(1, 40, True) + Behind()
        Behind(entries=3, oldest=40, is_more=True)
        """
        oldest = min(filter(None, (self.oldest, other.oldest)), default=0)
        return Behind(self.entries + other.entries, oldest, self.is_more or other.is_more)

    def seconds(self, now: int) -> float:
        """Age of the oldest entry, 0 if there is none."""
        return max(0.0, (now - self.oldest) / 1_000_000) if self.oldest else 0.0


def all_of(parts: Sequence[Behind]) -> Behind:
    """All of them together."""
    return sum(parts, Behind())


async def places(client: Client, hashes: Sequence[str], reader: str) -> list[bytes | None]:
    """How far a reader has come, by the hashes that say so; None where it never read."""
    async with client.pipeline(transaction=False) as together:
        for name in hashes:
            together.execute_command("HGET", name, reader)
        return await together.execute()


async def after(
    client: Client, places: Mapping[str, str | bytes | None], most: int = COUNTED_MOST
) -> list[Behind]:
    """What each stream has after its reader's place, None if he has never read."""
    async with client.pipeline(transaction=False) as together:
        for stream, place in places.items():
            at = place.decode() if isinstance(place, bytes) else place or _NOWHERE
            together.execute_command("XRANGE", stream, f"({at}", "+", "COUNT", most + 1)
        answers = await together.execute()
    return [
        Behind(min(len(found), most), _moment(found[0][0]), len(found) > most)
        if found
        else Behind()
        for found in answers
    ]


async def waiting(client: Client, streams: Sequence[str]) -> list[Behind]:
    """What waits in streams whose entries are taken away once they are done."""
    async with client.pipeline(transaction=False) as together:
        for stream in streams:
            together.execute_command("XLEN", stream)
            together.execute_command("XRANGE", stream, "-", "+", "COUNT", 1)
        answers = await together.execute()
    return [
        Behind(count, _moment(first[0][0])) if first else Behind()
        for count, first in zip(answers[::2], answers[1::2], strict=True)
    ]


async def server_time(client: Client) -> int:
    """What time it is by the store's clock, in microseconds since 1970, UTC."""
    seconds, microseconds = await client.execute_command("TIME")
    return int(seconds) * 1_000_000 + int(microseconds)


def _moment(id: bytes) -> int:
    """When an entry was written, by its id.

    >>> _moment(b"1700000000123-0")
    1700000000123000
    """
    return int(id.partition(b"-")[0]) * 1000

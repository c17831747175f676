"""Finish what another engine left: commands that were given out and not done.

Most of them are there on starting. But an engine that stood still while its lease ran out may go on
and read before it learns that it has been replaced; what it is given then, it cannot handle, and
nobody else is given it. So it is looked for all the time.
"""

from collections.abc import Callable, Iterable, Sequence

from services.engine.handling import Handled, Handling
from services.engine.ports import Entry, Inbox, Lease

Told = Callable[[Sequence[Handled]], None]


async def drain(
    inbox: Inbox, handling: Handling, leases: Iterable[Lease], *, most: int, told: Told
) -> int:
    """Handle all pending commands of some partitions, oldest first; how many there were.

    It has to come before anything new is read, or a table's commands would change places.
    """
    count = 0
    for lease in leases:
        while entries := await inbox.pending(lease.partition, most):
            handled = await handling.handle(lease, entries)
            told(handled)
            count += len(handled)
    return count


class Stranded:
    """Finds commands that were given out and that nobody handles."""

    def __init__(self, inbox: Inbox) -> None:
        self._inbox = inbox
        self._seen: dict[int, frozenset[str]] = {}

    async def look(self, partition: int, most: int) -> list[Entry]:
        """Commands that have been pending since the look before; others may be in hand.

        One that is in hand all the same may be handled again: it gets its first outcome.
        """
        pending = await self._inbox.pending(partition, most)
        before = self._seen.get(partition, frozenset())
        self._seen[partition] = frozenset(entry.id for entry in pending)
        return [entry for entry in pending if entry.id in before]

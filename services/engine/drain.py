"""On starting, finish what the engine before left: commands given out and not done."""

from collections.abc import Callable, Iterable, Sequence

from services.engine.handling import Handled, Handling
from services.engine.ports import Inbox, Lease

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

"""Hold the leases of some partitions: wait for them, make them run on, give them back."""

from collections.abc import Awaitable, Callable, Iterable
from typing import Final

from services.bus.holders import is_dead
from services.engine.ports import Held, Lease, LeaseLostError, Leases

PAUSE_SECONDS: Final = 0.25

Waiting = Callable[[int, Held], None]


async def all_taken(
    leases: Leases,
    partitions: Iterable[int],
    name: str,
    *,
    sleep: Callable[[float], Awaitable[None]],
    waiting: Waiting,
) -> dict[int, Lease]:
    """The leases of all these partitions, once they can be had.

    Those that were taken are renewed while others are waited for. `waiting` is told once of each
    partition that somebody else holds.
    """
    taken: dict[int, Lease] = {}
    for partition in partitions:
        told = False
        while True:
            answer = await leases.take(partition, name)
            if isinstance(answer, Held) and is_dead(answer.holder):
                answer = await leases.take(partition, name, answer.holder)
            if isinstance(answer, Lease):
                taken[partition] = answer
                break
            if not told:
                waiting(partition, answer)
                told = True
            await sleep(PAUSE_SECONDS)
            await all_renewed(leases, taken.values())
    return taken


async def all_renewed(leases: Leases, held: Iterable[Lease]) -> None:
    """Make leases run on; raises `LeaseLostError` for the first that has been lost."""
    for lease in held:
        if not await leases.renew(lease):
            raise LeaseLostError(lease.partition)

"""Bugs of clock and notifier that can be planted in an evening."""

from collections.abc import Sequence
from typing import Any

import msgspec

from services.clock.ports import Fired
from services.clock.timers import Kept
from services.notifier import noticing, telling
from services.notifier.memory import MemoryOutbox
from tests.world.bugs import Bug
from tests.world.whole import Whole, WorldTimers


class SetAgain(WorldTimers):
    """A timer that was done is set again when its table is kept anew."""

    async def keep(self, partition: int, before: str, now: str, kept: Sequence[Kept]) -> bool:
        for one in kept:
            self.of_tables.pop(one.table, None)
        return await super().keep(partition, before, now, kept)


class DoneIsKept(WorldTimers):
    """What was done is taken off by another request, which may never come."""

    async def fire(self, partition: int, now: int, most: int) -> Fired:
        before = dict(self.set[partition])
        found = await super().fire(partition, now, most)
        if len(self.done) % 3 == 1:
            self.set[partition] = before
        return found


class PlaceAlone(WorldTimers):
    """How far was read is kept, and the timers sometimes are not."""

    async def keep(self, partition: int, before: str, now: str, kept: Sequence[Kept]) -> bool:
        some = [one for one in kept if one.version % 3]
        return await super().keep(partition, before, now, some)


class LooseOutbox(MemoryOutbox):
    """Letters are written, whatever is remembered by now."""

    async def settled(
        self, partition: int, table: Any, before: bytes, *rest: Any, **more: Any
    ) -> Any:
        present, _ = await self.memory(partition, table)
        return await super().settled(partition, table, present, *rest, **more)


def store(
    timers: type[WorldTimers] = WorldTimers, outbox: type[MemoryOutbox] = MemoryOutbox
) -> Any:
    """A store with other timers, or another outbox."""

    class Other(Whole):
        def __init__(self, clock: Any, partitions: int = 1, lease_microseconds: int = 1) -> None:
            super().__init__(clock, partitions, lease_microseconds)
            self.clock, self.outbox = timers(partitions), outbox(partitions)
            self.sees()

    return Other


_told = telling.told


def forgetful(*parts: Any) -> Any:
    """Who was told is forgotten at every fifth version."""
    found = _told(*parts)
    memory = found.memory
    if memory.version % 5:
        return found
    return msgspec.structs.replace(found, memory=msgspec.structs.replace(memory, open=()))


def silent(*parts: Any) -> Any:
    """Nobody is told at every fifth version."""
    found = _told(*parts)
    return found if found.memory.version % 5 else msgspec.structs.replace(found, notices=())


BUGS = (
    Bug("a timer is set again", memory=store(SetAgain)),
    Bug("what was done is kept", memory=store(DoneIsKept)),
    Bug("the place without the timers", memory=store(PlaceAlone)),
    Bug("loose outbox", memory=store(outbox=LooseOutbox)),
    Bug("forgets who was told", memory=Whole, patch=(noticing, "told", forgetful)),
    Bug("tells nobody", memory=Whole, patch=(noticing, "told", silent)),
)
"""Each has to be found."""

"""The store of a world that has a clock and a notifier too: all that they keep lies in it."""

import copy
from typing import Any

from contracts.ids import TableId
from contracts.records import Sealed
from services.clock.memory import Memory as Timers
from services.clock.ports import Fired
from services.engine.memory import Memory
from services.engine.ports import Write
from services.notifier.books import shown_of
from services.notifier.memory import MemoryOutbox
from services.notifier.memory_books import MemoryBooks
from services.notifier.ports import Shown
from tests.world.ports import Ports
from tests.world.server import copied


class WorldTimers(Timers):
    """Timers whose books are those of the whole store, and whose orders go to its commands."""

    owner: "Whole"

    def __init__(self, partitions: int) -> None:
        super().__init__(partitions)
        self.done: dict[str, int] = {}

    @property
    def books(self) -> dict[TableId, list[Sealed]]:
        return self.owner.logs

    @books.setter
    def books(self, books: object) -> None:
        """They lie elsewhere."""

    async def fire(self, partition: int, now: int, most: int) -> Fired:
        before = set(self.set[partition])
        found = await super().fire(partition, now, most)
        for name in sorted(before - set(self.set[partition])):
            self.done[name] = self.done.get(name, 0) + 1
        for body in self.commands[partition]:
            self.owner.put(partition, {b"o": body})
        self.commands[partition].clear()
        return found


class WorldBooks(MemoryBooks):
    """Tables as the notifier reads them, out of the whole store."""

    owner: "Whole"

    def look_at(self, owner: "Whole") -> None:
        """Read what lies in a store."""
        self.owner = owner
        self.logs, self.feeds = owner.logs, owner.clock.feeds
        self.prompts, self.limits = owner.clock.prompts, owner.clock.deadlines

    async def shown(self, table: TableId) -> Shown | None:
        views = self.owner.views.get(table)
        if views is None:
            return None
        return shown_of(*(views.bodies[name] for name in ("tables", "turn", "minutes")))


class Whole(Memory):
    """Minute books, commands, views, timers and letters of one store."""

    def __init__(self, clock: Any, partitions: int = 1, lease_microseconds: int = 1) -> None:
        super().__init__(clock, partitions, lease_microseconds)
        self.clock = WorldTimers(partitions)
        self.outbox = MemoryOutbox(partitions)
        self.tables_shown = WorldBooks(partitions)
        self.sees()

    def sees(self) -> None:
        """Have all parts look at this store."""
        self.clock.owner = self
        self.tables_shown.look_at(self)

    def _append(self, partition: int, write: Write) -> None:
        super()._append(partition, write)
        if write.sealed is not None:
            self.clock.feeds[partition].append((write.table, write.sealed.record.version))

    def __copy__(self) -> "Whole":
        twin = object.__new__(type(self))
        twin.__dict__.update(self.__dict__)
        twin.clock, twin.outbox = copied(self.clock), copied(self.outbox)
        twin.tables_shown = copy.copy(self.tables_shown)
        return twin


class Reached:
    """A part of the store as a process reaches it: each call is a request."""

    def __init__(self, ports: Ports, part: str) -> None:
        self.partitions = ports.partitions
        self._ports = ports
        self._part = part

    def __getattr__(self, name: str) -> Any:
        part = self._part

        async def asked(*parts: Any, **named: Any) -> Any:
            kept = tuple(tuple(one) if isinstance(one, list) else one for one in parts)

            async def change(memory: Any) -> Any:
                return await getattr(getattr(memory, part), name)(*kept, **named)

            return await self._ports.ask(f"{part}.{name}", change)

        return asked


def names_done_twice(whole: Whole) -> list[str]:
    """Timers that were done more than once."""
    return [name for name, times in whole.clock.done.items() if times > 1]

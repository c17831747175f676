"""Bugs that can be planted, so that it is known that the world would find them."""

import contextlib
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Any
from unittest import mock

import msgspec
from msgspec import Struct

from contracts.ids import TableId
from contracts.records import FIRST_DIGEST, Sealed
from contracts.streams import Answer
from services.bus.following import Follower, TablesAtHand
from services.engine import live as live_module
from services.engine.drain import Stranded
from services.engine.handling import Handling
from services.engine.live import Live
from services.engine.memory import Memory
from services.engine.ports import (
    Entry,
    Held,
    Lease,
    LeaseLostError,
    Stored,
    Views,
    Write,
    Written,
)
from tests.world.plan import Plan, Rates
from tests.world.ports import Ports
from tests.world.processes import Engine

# --- the store -----------------------------------------------------------------------------------


class LongLease(Memory):
    """A lease lasts as long as it says, though the clock has been put back since."""

    async def take(self, partition: int, holder: str, dead: str = "") -> Lease | Held:
        before = self._holders.get(partition, ("", 0))
        answer = await super().take(partition, holder, dead)
        if isinstance(answer, Held):
            self._holders[partition] = before
        return answer


class NoDedupe(Memory):
    """It does not ask whether the command has its outcome already."""

    def _write(self, partition: int, write: Write) -> Written:
        self.outcomes[write.table].pop(write.id, None)
        return super()._write(partition, write)


class NoVersionCheck(Memory):
    """It appends whatever it is given."""

    def _write(self, partition: int, write: Write) -> Written:
        log = self.logs.get(write.table, [])
        present = msgspec.structs.replace(
            write, version=len(log), digest=log[-1].digest if log else FIRST_DIGEST
        )
        return super()._write(partition, write if write.version is None else present)


class NoFencing(Memory):
    """It takes writes under any lease."""

    async def commit(self, lease: Lease, writes: Sequence[Write]) -> list[Written]:
        return [self._write(lease.partition, write) for write in writes]


class GivenIsDone(Memory):
    """A command is off its stream once it has been given out (`NOACK`)."""

    async def fresh(self, partition: int, most: int) -> list[Entry]:
        entries = await super().fresh(partition, most)
        self.given[partition].clear()
        return entries


class ForgetsRefusals(Memory):
    """It keeps the outcomes of accepted commands only."""

    def _write(self, partition: int, write: Write) -> Written:
        written = super()._write(partition, write)
        if isinstance(written, Stored) and write.sealed is None:
            self.outcomes[write.table].pop(write.id, None)
        return written


class FeedForgetsOne(Memory):
    """The second record of a batch does not get into the feed."""

    async def commit(self, lease: Lease, writes: Sequence[Write]) -> list[Written]:
        before = len(self.feeds[lease.partition])
        written = await super().commit(lease, writes)
        del self.feeds[lease.partition][before + 1 :]
        return written


class LooseViews(Memory):
    """Views are stored wherever the reader stands, and also over later ones."""

    async def show(self, partition: int, before: str, now: str, views: Sequence[Views]) -> bool:
        self.views.update({one.table: one for one in views})
        if now:
            self.places[partition] = now
        return True


# --- the services --------------------------------------------------------------------------------


class AnswersFirst(Ports):
    """The answer goes out before the record is written."""

    async def commit(self, lease: Lease, writes: Sequence[Write]) -> list[Written]:
        async def published(memory: Memory) -> None:
            for write in writes:
                answer = Answer(write.table, write.id, write.outcome)
                memory.answers[write.channel].append(answer)

        await self.ask("publish", published)
        return await super().commit(lease, writes)


class OneByOne(Ports):
    """The record is written first, and what goes with it by another request."""

    async def commit(self, lease: Lease, writes: Sequence[Write]) -> list[Written]:
        async def logged(memory: Memory) -> None:
            if memory._epochs[lease.partition] != lease.epoch:
                raise LeaseLostError(lease.partition)
            for write in writes:
                log = memory.logs.get(write.table, [])
                if write.sealed is not None and write.version == len(log):
                    memory.logs.setdefault(write.table, []).append(write.sealed)

        await self.ask("commit of records", logged)
        return await super().commit(lease, writes)


class PlaceFirst(Ports):
    """How far the feed has been read is stored first, and then what was made of it."""

    async def show(self, partition: int, before: str, now: str, views: Sequence[Views]) -> bool:
        if not await super().show(partition, before, now, ()):
            return False
        return await super().show(partition, now or before, "", views)


class NoSweep(Engine):
    """What was given out to an engine that had been replaced is not looked for."""

    def stranded(self) -> Stranded:
        return Blind(self.ports)


class Blind(Stranded):
    async def look(self, partition: int, most: int) -> list[Entry]:
        return []


class NoDrain(NoSweep):
    """Nor is what an engine before has left finished on starting."""

    async def drained(self, handling: Handling, leases: Collection[Lease]) -> None:
        pass


async def believed(tables: TablesAtHand[Any], id: TableId) -> tuple[Any, list[Sealed]]:
    """A table is followed from where it was, whether or not the store still has what was there."""
    known = tables.at_hand(id) or tables._start(id)
    return known, await tables._books.read(id, tables._standing(known).version + 1)


async def undisturbed(follower: Follower) -> None:
    """The place is where it was."""


def falling(live: Live, sealed: Any, earlier: Any = None) -> Live:
    """A table that does not know when its last record was written."""
    return msgspec.structs.replace(_gone_on(live, sealed, earlier), at=0)


_gone_on = live_module.gone_on


class Bug(Struct, frozen=True):
    """A bug: what is put in the place of what is right."""

    name: str
    memory: type[Memory] = Memory
    ports: type[Ports] = Ports
    engine: Callable[..., Engine] = Engine
    patch: tuple[Any, str, Any] | None = None
    is_of_lost_tails: bool = False

    def plan(self, plan: Plan) -> Plan:
        """The world in which it is looked for: any, or one in which the store loses its tail."""
        if not self.is_of_lost_tails:
            return plan
        return msgspec.structs.replace(
            plan,
            is_durable=False,
            partitions=1,
            tables=1,
            clients=2,
            games=0,
            tables_at_hand=512,
            rates=Rates(power=1.0),
        )

    @contextlib.contextmanager
    def planted(self) -> Iterator[None]:
        """While inside, it is there."""
        with contextlib.ExitStack() as undo:
            if self.patch is not None:
                undo.enter_context(mock.patch.object(*self.patch))
            yield


NO_BUG = Bug("none")
BUGS = (
    Bug("no dedupe", memory=NoDedupe),
    Bug("no version check", memory=NoVersionCheck),
    Bug("no fencing", memory=NoFencing),
    Bug("given is done", memory=GivenIsDone),
    Bug("forgets refusals", memory=ForgetsRefusals),
    Bug("the feed forgets one", memory=FeedForgetsOne),
    Bug("loose views", memory=LooseViews),
    Bug("answers first", ports=AnswersFirst),
    Bug("one by one", ports=OneByOne),
    Bug("the place first", ports=PlaceFirst),
    Bug("no drain", engine=NoDrain),
    Bug("no sweep", engine=NoSweep),
    Bug("long lease", memory=LongLease),
    Bug(
        "followed is believed",
        patch=(TablesAtHand, "behind", believed),
        is_of_lost_tails=True,
    ),
    Bug(
        "the place is believed",
        patch=(Follower, "look_around", undisturbed),
        is_of_lost_tails=True,
    ),
    Bug("time falls", patch=(live_module, "gone_on", falling)),
)
"""Each has to be found."""

"""The services of a season, in one process: their own code, each dying and begun anew."""

from collections.abc import Awaitable, Callable, Sequence
from random import Random
from typing import Any, Generic, TypeVar

from redis.exceptions import RedisError

from contracts import notices, streams
from contracts.notices import Letter, Notice
from services.bus.typed import Client
from services.clock.keeping import Keeper
from services.clock.store import Store as ClockStore
from services.engine.catchup import Projector
from services.engine.drain import drain
from services.engine.handling import Handled, Handling
from services.engine.ports import Lease
from services.engine.projections import api
from services.engine.projections.api import State
from services.engine.shelves import Shelves
from services.engine.store import Store
from services.engine.table.state import Table
from services.notifier.books import StoredBooks
from services.notifier.delivering import Delivering
from services.notifier.noticing import Noticing
from services.notifier.patience import Reply
from services.notifier.sealing import Seals, Target
from services.notifier.store import Store as Outbox
from services.notifier.telling import Withdrawn
from services.notifier.wording import Message
from tests.league.channels import Services
from tests.league.mortal import KilledError, Mortal
from tests.league.plan import MINUTE, MOST_SECONDS, PARTITIONS, QUIET_SECONDS, SECOND
from tests.ports.ground import TestClock

S = TypeVar("S")
T = TypeVar("T")
BATCH = 32


class Process(Generic[S]):
    """A service that runs, dies at some request, and is begun anew after a while."""

    def __init__(
        self,
        name: str,
        time: TestClock,
        lots: Random,
        client: Callable[[], Client],
        birth: Callable[[Mortal], Awaitable[S]],
        longest: int,
    ) -> None:
        self.name = name
        self.time = time
        self.lots = lots
        self.client = client
        self.birth = birth
        self.longest = longest
        """How long it is gone at most, in microseconds; seldom so long."""
        self.service: S | None = None
        self.mortal: Mortal | None = None
        self.downs: list[tuple[int, int]] = []
        self.due_back: int | None = None
        self.deaths = 0

    async def begin(self) -> bool:
        """Begin it anew; it may die of that too."""
        self.mortal = Mortal(self.client())
        if self.downs and self.lots.random() < 0.1:
            self.mortal.left = self.lots.randrange(40)
        try:
            self.service = await self.birth(self.mortal)
        except (KilledError, RedisError):
            self.mortal.is_dead = True
            await self.mortal.silence()
            self._gone()
            return False
        if self.due_back is not None:
            self.due_back = None
            self.downs[-1] = (self.downs[-1][0], self.time.now())
        return True

    def doom(self) -> None:
        """Have it die soon."""
        if self.mortal is not None and self.service is not None:
            self.mortal.left = self.lots.choice((self.lots.randrange(8), self.lots.randrange(60)))

    def fell(self) -> None:
        """It is gone at once."""
        if self.mortal is not None:
            self.mortal.is_dead = True
        if self.service is not None:
            self._gone()

    def _gone(self) -> None:
        self.service = None
        self.deaths += 1
        short = self.lots.randint(SECOND // 2, 20 * SECOND)
        long = self.lots.randint(SECOND, self.longest)
        away = min(self.longest, long if self.lots.random() < 0.15 else short)
        if self.due_back is None:
            self.downs.append((self.time.now(), self.time.now() + away))
        self.due_back = self.time.now() + away

    async def do(self, work: Callable[[S], Awaitable[T]], instead: T) -> T:
        """Have it do something, if it is there and survives it."""
        if self.service is None:
            return instead
        try:
            return await work(self.service)
        except (KilledError, RedisError):
            if self.mortal is not None:
                self.mortal.is_dead = True
                await self.mortal.silence()
            self._gone()
            return instead


class Engine:
    """What `services.engine` does, without its sockets."""

    def __init__(self, store: Store, time: TestClock) -> None:
        self.store = store
        self.handling = Handling(
            store, time, partitions=PARTITIONS, release="league", tables_at_hand=4096
        )
        self.leases: dict[int, Lease] = {}
        self.handled: list[Handled] = []

    async def begin(self) -> "Engine":
        """Take the leases, also those of one who is dead, and finish what he left."""
        for partition in range(PARTITIONS):
            await self.store.create_group(partition)
            lease = await self.store.take(partition, "league")
            assert isinstance(lease, Lease), lease
            self.leases[partition] = lease
        await drain(
            self.store, self.handling, self.leases.values(), most=BATCH, told=self.handled.extend
        )
        return self

    async def work(self, partitions: set[int]) -> int:
        """Decide what waits in some partitions; how many orders."""
        count = 0
        for partition in sorted(partitions):
            while entries := await self.store.fresh(partition, BATCH):
                self.handled += await self.handling.handle(self.leases[partition], entries)
                count += len(entries)
        return count


class Sending:
    """A process's way to the services: it may die before a message is taken, or after."""

    def __init__(self, mortal: Mortal, services: Services) -> None:
        self.mortal = mortal
        self.services = services

    async def send(self, target: Target, message: Message, now: int) -> Reply:
        async def sent() -> Reply:
            return await self.services.send(target, message, now)

        found: Reply = await self.mortal.through(sent)
        return found


class Notifier:
    """What `services.notifier` does, one work after the other."""

    def __init__(
        self,
        mortal: Mortal,
        time: TestClock,
        services: Services,
        seals: Seals,
        watch: "Watching",
        mark: str,
    ) -> None:
        self.outbox = Outbox(mortal, PARTITIONS)
        partitions = range(PARTITIONS)
        self.noticing = Noticing(
            *(StoredBooks(mortal, PARTITIONS), self.outbox, partitions, time.now, watch),
            quiet_seconds=QUIET_SECONDS,
            most_seconds=MOST_SECONDS,
        )
        self.delivering = Delivering(
            *(self.outbox, partitions, Sending(mortal, services), seals, time.now, watch),
            mark=mark,
            link="https://league.example/{table}",
            chance=services.plan.lots(f"back-off {mark}").random,
        )

    async def begin(self) -> "Notifier":
        await self.noticing.begin()
        return self


class Watching:
    """Keeps what must not happen: something that the notifier cannot make sense of."""

    def __init__(self) -> None:
        self.faults: list[str] = []

    def noticed(self, notices: Sequence[Notice], withdrawn: Sequence[Withdrawn]) -> None:
        """A look led to something."""

    def dealt_with(self, what: str, letter: Letter, why: str = "", again: int = 0) -> None:
        """A letter went on its way."""

    def puzzled(self, what: str, about: str, why: str) -> None:
        self.faults.append(f"{what}: {about}: {why}")


def three(state: State, table: Table) -> dict[str, bytes]:
    """The views that notices are made from; the others would only take time."""
    names: tuple[api.Name, ...] = ("tables", "turn", "minutes")
    found = {name: api.view(state, table, name) for name in names}
    return {name: streams.packed(streams.encode(view)) for name, view in found.items()}


class Household:
    """All services of a season, with what one does for another to do."""

    def __init__(
        self, time: TestClock, lots: Random, client: Callable[[], Client], services: Services
    ) -> None:
        self.time = time
        self.services = services
        self.seals = Seals(b"a" * 43 + b"=")
        self.watching = Watching()
        self._names = 0
        self.engine = Process("engine", time, lots, client, self._engine, 15 * MINUTE)
        self.projector = Process("projector", time, lots, client, self._projector, 15 * SECOND)
        self.keeper = Process("clock", time, lots, client, self._keeper, 90 * MINUTE)
        self.notifier = Process("notifier", time, lots, client, self._notifier, 60 * MINUTE)
        self.all: tuple[Process[Any], ...] = (
            *(self.engine, self.projector, self.keeper, self.notifier),
        )

    def _name(self) -> str:
        self._names += 1
        return f"one-{self._names}"

    async def _engine(self, mortal: Mortal) -> Engine:
        return await Engine(Store(mortal, PARTITIONS), self.time).begin()

    async def _projector(self, mortal: Mortal) -> Projector:
        store = Store(mortal, PARTITIONS)
        found = Projector(
            *(store, Shelves(mortal), range(PARTITIONS)), encoded=three, tables_at_hand=4096
        )
        await found.begin()
        return found

    async def _keeper(self, mortal: Mortal) -> Keeper:
        store = ClockStore(mortal, PARTITIONS)
        found = Keeper(store, store, range(PARTITIONS), tables_at_hand=4096)
        await found.begin()
        return found

    async def _notifier(self, mortal: Mortal) -> Notifier:
        found = Notifier(mortal, self.time, self.services, self.seals, self.watching, self._name())
        return await found.begin()


def due_keys() -> list[str]:
    """The sorted sets in which a notifier's work waits for its time."""
    return [
        f"{notices.prefix(partition)}{what}"
        for partition in range(PARTITIONS)
        for what in ("looks", "lanes", "digests")
    ]

"""The store as it is simulated: memory that keeps a file, and may be restarted.

With an fsync for each act nothing that was answered is ever lost. Without, the acts since the last
fsync are in the hands of the machine: a restart keeps some of them, from the first one on, and
loses the rest, as an append-only file does that ends too early.
"""

import asyncio
import copy
from collections import OrderedDict, defaultdict
from collections.abc import Callable, Coroutine
from random import Random
from typing import Any, TypeVar

from services.engine.memory import Memory

T = TypeVar("T")
M = TypeVar("M")
Change = Callable[[Memory], Coroutine[Any, Any, T]]
FSYNC_MICROSECONDS = 1_000_000


class SetClock:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.time = 0

    def now(self) -> int:
        return self.time


class Wall:
    """A machine's clock: it goes with the world's, but somebody may have put it wrong."""

    def __init__(self, world_time: Callable[[], int]) -> None:
        self._world_time = world_time
        self.wrong_by = 0

    def now(self) -> int:
        return 1_700_000_000_000_000 + self._world_time() + self.wrong_by


def at_once(coroutine: Coroutine[Any, Any, T]) -> T:
    """The result of a coroutine that waits for nothing."""
    try:
        coroutine.send(None)
    except StopIteration as done:
        return done.value
    raise AssertionError("it waits for something")


def copied(memory: M) -> M:
    """The same memory again. What lies in it never changes, so only its containers are copied."""
    twin = copy.copy(memory)
    for name, value in vars(memory).items():
        match value:
            case defaultdict():
                inner = {key: copy.copy(held) for key, held in value.items()}
                setattr(twin, name, defaultdict(value.default_factory, inner))
            case dict() | OrderedDict():
                setattr(twin, name, {key: copy.copy(held) for key, held in value.items()})
            case _:
                pass
    return twin


class Server:
    """A store that is up or down, and what it has on its disk."""

    def __init__(
        self,
        wall: Wall,
        memory: type[Memory],
        *,
        partitions: int,
        lease_seconds: float,
        is_durable: bool,
    ) -> None:
        self.wall = wall
        self.is_durable = is_durable
        self.is_up = True
        self.starts = 1
        self._clock = SetClock()
        self.memory = memory(self._clock, partitions, round(lease_seconds * 1_000_000))
        self.watch: Callable[[str, object], None] = lambda *_: None
        self._listening: dict[str, asyncio.Event] = {}
        self._on_disk = copied(self.memory)
        self._unsynced: list[tuple[int, Change[Any]]] = []

    def act(
        self, what: str, change: Change[T], *, is_write: bool = True, about: object = None
    ) -> T:
        """Have the store do something."""
        now = self.wall.now()
        self._clock.time = now
        result = at_once(change(self.memory))
        if is_write:
            if not self.is_durable:
                self._unsynced.append((now, change))
            self.watch(what, result if about is None else about)
            for channel, heard in self._listening.items():
                if self.memory.answers[channel]:
                    heard.set()
        return result

    async def news(self, channel: str) -> None:
        """Wait until something may have been published on a channel, or the store has stopped."""
        heard = self._listening.setdefault(channel, asyncio.Event())
        heard.clear()
        await heard.wait()

    def sync(self) -> None:
        """Write to the disk what is not there yet."""
        self._replay(len(self._unsynced))

    def _replay(self, count: int) -> None:
        for now, change in self._unsynced[:count]:
            self._clock.time = now
            at_once(change(self._on_disk))
        del self._unsynced[:count]

    def stop(self) -> None:
        """Lose power; whoever listens hears no more."""
        self.is_up = False
        for heard in self._listening.values():
            heard.set()

    def start(self, lots: Random) -> int:
        """Start again from what the disk has; how many acts were lost."""
        lost = 0
        if not self.is_durable:
            self._replay(lots.randint(0, len(self._unsynced)))
            lost = len(self._unsynced)
            self._unsynced = []
            self.memory = copied(self._on_disk)
        self.memory.answers.clear()
        self.is_up = True
        self.starts += 1
        return lost

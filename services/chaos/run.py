"""The whole of it: start everything, play, make trouble, heal, and look at what there is."""

import asyncio
import contextlib
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Final

from msgspec import Struct
from redis.exceptions import RedisError

from services.bus.client import Bus, bus
from services.bus.connection import connection
from services.chaos.history import History
from services.chaos.load import Client
from services.chaos.nemesis import Nemesis
from services.chaos.processes import Kept, environment, running
from services.chaos.verdict import Verdict, is_quiet, keep_feeds, verdict
from services.embedded.find import find_server
from services.embedded.server import DURABLE

ENGINES: Final = 2
LEASE_SECONDS: Final = 2.0
CLIENTS_OF_A_BUS: Final = 8
SECONDS_TO_COME_RIGHT: Final = 90.0
SECONDS_BETWEEN_LINES: Final = 5.0
HISTORY: Final = "history.jsonl"
FENCED: Final = "Another engine has taken over"
"""What an engine says that has lost its lease."""
_PAUSE_SECONDS: Final = 0.1

Told = Callable[[str], None]


class ChaosError(Exception):
    """It could not be carried out; the message says why."""


class Report(Struct, frozen=True):
    """What happened, and what was found."""

    seed: int
    seconds: float
    history: History
    troubles: Counter[str]
    starts: dict[str, int]
    fenced: int
    verdict: Verdict
    failures: tuple[str, ...]

    @property
    def is_well(self) -> bool:
        """Whether every promise was kept and everything came right again."""
        return self.verdict.holds and not self.failures


async def chaos(folder: Path, *, seconds: float, clients: int, seed: int, told: Told) -> Report:
    """Play and make trouble for a while on a store of its own in `folder`, and look at the end."""
    with contextlib.ExitStack() as undo:
        socket = Path(undo.enter_context(tempfile.TemporaryDirectory(prefix="chaos-"))) / "s"
        url = f"unix://{socket}"
        store = _store(folder, socket)
        engines = [
            _service(f"engine-{number}", "services.engine", url, folder)
            for number in range(1, ENGINES + 1)
        ]
        projector = _service("projector", "services.engine.projector", url, folder)
        async with running([store]):
            await answering(url)
            async with running([*engines, projector]), bus(url) as one:
                await keep_feeds(one)
                nemesis = Nemesis(
                    one, store, engines, projector, lease_seconds=LEASE_SECONDS, seed=seed
                )
                course = _Course(one, url, nemesis, told)
                began = time.monotonic()
                await course.played(seconds, clients, seed)
                took = time.monotonic() - began
                told("the trouble is over; waiting until nothing is left to be done")
                found = await course.judged()
        course.history.written(folder / HISTORY)
        return Report(
            seed=seed,
            seconds=took,
            history=course.history,
            troubles=nemesis.troubles,
            starts={program.name: program.starts for program in (store, *engines, projector)},
            fenced=sum(program.log.read_text().count(FENCED) for program in engines),
            verdict=found,
            failures=tuple(course.failures),
        )


def _store(folder: Path, socket: Path) -> Kept:
    """A store that writes through to its disk, always under the same address."""
    data = folder / "store"
    data.mkdir(parents=True, exist_ok=True)
    options = ("--port", "0", "--unixsocket", str(socket), "--dir", str(data))
    program = str(find_server().path)
    return Kept("store", (program, *DURABLE, *options), folder=folder, environment=environment(""))


def _service(name: str, module: str, url: str, folder: Path) -> Kept:
    arguments = [sys.executable, "-P", "-m", module, "--lease-seconds", f"{LEASE_SECONDS:g}"]

    async def there() -> None:
        await answering(url)

    return Kept(name, arguments, folder=folder, environment=environment(url), before=there)


async def answering(url: str) -> None:
    """Wait until the store answers and has loaded its data."""
    until = time.monotonic() + SECONDS_TO_COME_RIGHT
    async with connection(url) as client:
        while True:
            try:
                await client.ping()
            except RedisError as error:
                if time.monotonic() > until:
                    raise ChaosError(f"The store does not answer ({error}).") from None
                await asyncio.sleep(_PAUSE_SECONDS)
            else:
                return


class _Course:
    """One run, from the first order to the verdict."""

    def __init__(self, one: Bus, url: str, nemesis: Nemesis, told: Told) -> None:
        self.one = one
        self.url = url
        self.nemesis = nemesis
        self.told = told
        self.history = History()
        self.failures: list[str] = []

    async def played(self, seconds: float, clients: int, seed: int) -> None:
        """Play and make trouble for so long; all orders have been answered afterwards."""
        until = time.monotonic() + seconds
        telling = asyncio.create_task(self._tells(until))

        def is_over() -> bool:
            return time.monotonic() > until

        try:
            async with contextlib.AsyncExitStack() as ends:
                playing = [
                    asyncio.create_task(client.play(is_over))
                    for client in await self._clients(ends, clients, seed)
                ]
                await self.nemesis.work(is_over, self.told)
                for task in playing:
                    await self._ended(task)
        finally:
            telling.cancel()

    async def _clients(
        self, ends: contextlib.AsyncExitStack, count: int, seed: int
    ) -> list[Client]:
        """The clients, some to a bus."""
        made: list[Client] = []
        while len(made) < count:
            shared = await ends.enter_async_context(bus(self.url))
            made += [
                Client(f"client-{number}", shared, self.history, seed)
                for number in range(len(made), min(count, len(made) + CLIENTS_OF_A_BUS))
            ]
        return made

    async def _ended(self, playing: "asyncio.Task[None]") -> None:
        """Wait for a client to have its last answer; whatever goes wrong with it is a failure."""
        try:
            async with asyncio.timeout(SECONDS_TO_COME_RIGHT):
                await playing
        except TimeoutError:
            self.failures.append(f"an order was not answered in {SECONDS_TO_COME_RIGHT:g} s")
        except Exception as error:  # noqa: BLE001 - it is what we look for
            self.failures.append(f"{type(error).__name__}: {error}")

    async def _tells(self, until: float) -> None:
        while True:
            await asyncio.sleep(SECONDS_BETWEEN_LINES)
            counts = self.history.counts
            left = max(0.0, until - time.monotonic())
            self.told(
                f"{left:.0f} s left: {counts['ok']} recorded, {counts['fail']} refused, "
                f"{counts['unknown']} sent again, {sum(self.nemesis.troubles.values())} troubles"
            )

    async def judged(self) -> Verdict:
        """Wait until nothing is left to be done, and look at everything."""
        until = time.monotonic() + SECONDS_TO_COME_RIGHT
        while not await self._is_quiet():
            if time.monotonic() > until:
                self.failures.append(f"not everything came right in {SECONDS_TO_COME_RIGHT:g} s")
                break
            await asyncio.sleep(_PAUSE_SECONDS)
        return await verdict(self.one, self.history)

    async def _is_quiet(self) -> bool:
        try:
            return await is_quiet(self.one)
        except RedisError:
            return False

"""The whole of it: start everything, play, make trouble, heal, and look at what there is."""

import asyncio
import contextlib
import math
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

import msgspec
from cryptography.fernet import Fernet
from msgspec import Struct
from redis.exceptions import RedisError

from services.bus.client import Bus, bus
from services.bus.connection import connection
from services.chaos.addressees import enrol, planted
from services.chaos.history import History
from services.chaos.judging import Witness
from services.chaos.load import Client
from services.chaos.nemesis import Nemesis
from services.chaos.post import Post, receiving
from services.chaos.processes import Kept, environment, running
from services.chaos.quiet import is_quiet, is_told
from services.chaos.verdict import Verdict, keep_feeds, verdict
from services.embedded.find import find_server
from services.embedded.server import DURABLE
from services.notifier.sealing import Seals
from services.notifier.settings import KEY_SETTING

COPIES: Final = ("1", "2")
"""Of engine, clock and notifier there are two each."""
LEASE_SECONDS: Final = 2.0
TAKEN_SECONDS: Final = 4.0
"""How long a notifier takes a letter for; a receiver answers, or hangs up, much sooner."""
CLIENTS_OF_A_BUS: Final = 8
SECONDS_TO_COME_RIGHT: Final = 90.0
SECONDS_BETWEEN_LINES: Final = 5.0
HISTORY: Final = "history.jsonl"
RECEIVED: Final = "received.jsonl"
TROUBLES: Final = "troubles.jsonl"
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
    silences: int
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
        post = undo.enter_context(receiving(seed))
        url, key = f"unix://{socket}", Fernet.generate_key().decode()
        store, others = _store(folder, socket), _services(folder, url, key)
        names = [f"client-{number}" for number in range(clients)]
        async with running([store]):
            await answering(url)
            async with bus(url) as one:
                await keep_feeds(one)
                await enrol(one, Seals(key), post.url, names)
                async with running(others):
                    nemesis = Nemesis(one, [store, *others], leases=LEASES, seed=seed)
                    course = _Course(one, url, nemesis, post, told)
                    began = time.monotonic()
                    await course.played(seconds, names, seed)
                    took = time.monotonic() - began
                    told("the trouble is over; waiting until nothing is left to be done")
                    found = await course.judged(names)
        course.written(folder)
        engines = [program for program in others if program.name.startswith("engine")]
        return Report(
            seed=seed,
            seconds=took,
            history=course.history,
            troubles=nemesis.counts,
            starts={program.name: program.starts for program in (store, *others)},
            fenced=sum(program.log.read_text().count(FENCED) for program in engines),
            silences=course.silences,
            verdict=found,
            failures=tuple(course.failures),
        )


LEASES: Final = {"engine": LEASE_SECONDS, "notifier": TAKEN_SECONDS}


def _store(folder: Path, socket: Path) -> Kept:
    """A store that writes through to its disk, always under the same address."""
    data = folder / "store"
    data.mkdir(parents=True, exist_ok=True)
    options = ("--port", "0", "--unixsocket", str(socket), "--dir", str(data))
    program = str(find_server().path)
    return Kept("store", (program, *DURABLE, *options), folder=folder, environment=environment(""))


def _services(folder: Path, url: str, key: str) -> list[Kept]:
    """Two engines, a projector, two clocks and two notifiers."""
    leasing = ("--lease-seconds", f"{LEASE_SECONDS:g}")
    telling = (
        *("--notices-allow", "127.0.0.1"),
        *("--notices-quiet-seconds", "0.3", "--notices-most-seconds", "2"),
        *("--notices-taken-seconds", f"{TAKEN_SECONDS:g}"),
    )
    kinds = (("engine", leasing), ("clock", ()), ("notifier", telling))
    surroundings = {**environment(url), KEY_SETTING: key}

    async def there() -> None:
        await answering(url)

    def kept(name: str, module: str, options: tuple[str, ...]) -> Kept:
        arguments = [sys.executable, "-P", "-m", module, *options]
        return Kept(name, arguments, folder=folder, environment=surroundings, before=there)

    return [
        kept("projector", "services.engine.projector", leasing),
        *(
            kept(f"{kind}-{copy}", f"services.{kind}", options)
            for kind, options in kinds
            for copy in COPIES
        ),
    ]


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

    def __init__(self, one: Bus, url: str, nemesis: Nemesis, post: Post, told: Told) -> None:
        self.one = one
        self.url = url
        self.nemesis = nemesis
        self.post = post
        self.silences = 0
        self.told = told
        self.history = History()
        self.failures: list[str] = []
        self._until = math.inf

    async def played(self, seconds: float, names: Sequence[str], seed: int) -> None:
        """Play and make trouble for so long; all orders have been answered afterwards."""
        telling = asyncio.create_task(self._tells())
        try:
            async with contextlib.AsyncExitStack() as ends:
                clients = await self._clients(ends, names, seed)
                playing = [asyncio.create_task(client.play(self._is_over)) for client in clients]
                await self._begun(len(names))
                self._until = time.monotonic() + seconds
                await self.nemesis.work(self._is_over, self.told)
                for task in playing:
                    await self._ended(task)
                self.silences = sum(client.silences for client in clients)
        finally:
            telling.cancel()

    def _is_over(self) -> bool:
        return time.monotonic() > self._until

    async def _begun(self, tables: int) -> None:
        """Wait until every service has begun its work: trouble at its start is for later."""
        until = time.monotonic() + SECONDS_TO_COME_RIGHT
        while self.history.counts["ok"] < tables or not self.post.received:
            if time.monotonic() > until:
                raise ChaosError("The services do not begin their work; see their logs.")
            await asyncio.sleep(_PAUSE_SECONDS)

    async def _clients(
        self, ends: contextlib.AsyncExitStack, names: Sequence[str], seed: int
    ) -> list[Client]:
        """The clients, some to a bus."""
        made: list[Client] = []
        for first in range(0, len(names), CLIENTS_OF_A_BUS):
            shared = await ends.enter_async_context(bus(self.url))
            some = names[first : first + CLIENTS_OF_A_BUS]
            made += [Client(name, shared, self.history, seed) for name in some]
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

    async def _tells(self) -> None:
        while True:
            await asyncio.sleep(SECONDS_BETWEEN_LINES)
            if self._until == math.inf:
                continue
            counts = self.history.counts
            left = max(0.0, self._until - time.monotonic())
            self.told(
                f"{left:.0f} s left: {counts['ok']} recorded, {counts['fail']} refused, "
                f"{counts['unknown']} sent again, {len(self.post.received)} told, "
                f"{sum(self.nemesis.counts.values())} troubles"
            )

    async def judged(self, names: Sequence[str]) -> Verdict:
        """Wait until nothing is left to be done, and look at everything."""
        self.post.is_well = True
        until = time.monotonic() + SECONDS_TO_COME_RIGHT
        while not await self._is_quiet():
            if time.monotonic() > until:
                self.failures.append(f"not everything came right in {SECONDS_TO_COME_RIGHT:g} s")
                break
            await asyncio.sleep(_PAUSE_SECONDS)
        received = tuple(self.post.received)
        witness = Witness(received, tuple(self.nemesis.troubles), planted(names))
        return await verdict(self.one, self.history, witness)

    async def _is_quiet(self) -> bool:
        try:
            return await is_quiet(self.one) and await is_told(self.one)
        except RedisError:
            return False

    def written(self, folder: Path) -> None:
        """Write what was seen to files, one JSON object a line."""
        lines = msgspec.json.Encoder().encode_lines
        self.history.written(folder / HISTORY)
        (folder / RECEIVED).write_bytes(lines(self.post.received))
        (folder / TROUBLES).write_bytes(lines(self.nemesis.troubles))

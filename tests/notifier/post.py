"""A notifier in a test's hands: tables that are played, a clock that is set, what was sent."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field

from cryptography.fernet import Fernet

from contracts import notices as n
from contracts.ids import PlayerId, TableId
from contracts.notices import Addressee, Channel, Letter, Prompt
from services.bus.client import Bus
from services.bus.talk import Talk
from services.engine import live
from services.engine.catchup import Projector
from services.engine.shelves import Shelves
from services.engine.store import Store
from services.engine.table.agenda import awaited
from services.notifier.accounts import account_of
from services.notifier.books import StoredBooks
from services.notifier.delivering import Delivering
from services.notifier.noticing import Noticing
from services.notifier.patience import SECOND, Delivered, Reply
from services.notifier.ports import Sender
from services.notifier.sealing import Seals, Target
from services.notifier.store import Store as Outbox
from services.notifier.watching import Logging
from services.notifier.wording import Message
from tests.services.played import Playing

NOON = (20_000 * 24 + 12) * 3600 * SECOND
KEY = Fernet.generate_key()


class CrashedError(BaseException):
    """The process is gone; nothing of ours catches it."""


@dataclass
class Noting:
    """A sender that notes what it sends, and answers what it is told to."""

    script: list[Reply] = field(default_factory=list)
    sent: list[tuple[str, Message]] = field(default_factory=list)
    crashes: int = 0
    meanwhile: Callable[[], object] | None = None

    async def send(self, target: Target, message: Message, now: int) -> Reply:
        reply = self.script.pop(0) if self.script else Delivered()
        self.sent.append((target.url, message))
        if self.meanwhile is not None:
            done, self.meanwhile = self.meanwhile(), None
            if asyncio.iscoroutine(done):
                await done
        if self.crashes:
            self.crashes -= 1
            raise CrashedError
        return reply

    def to(self, url: str) -> list[Message]:
        return [message for target, message in self.sent if target == url]


class Post:
    """All of a notifier, with tables to tell of."""

    def __init__(self, one: Bus, sender: Sender | None = None) -> None:
        self.now = NOON
        self.noting = Noting()
        self.outbox = Outbox(one.client, one.partitions)
        self.client = one.client
        self.seals = Seals(KEY)
        self.store = Store(one.client, one.partitions)
        self.playing = Playing(self.store)
        self.projector = Projector(self.store, Shelves(one.client), range(one.partitions))
        self.sender: Sender = sender or self.noting
        self.again()

    def again(self) -> None:
        """A new notifier, as after a restart."""
        partitions = range(self.outbox.partitions)
        self.noticing = Noticing(
            StoredBooks(self.client, self.outbox.partitions),
            *(self.outbox, partitions, lambda: self.now, Logging()),
            unread=self.unread,
        )
        self.delivering = self.deliverer("one")

    async def unread(self, table: TableId, person: str) -> int:
        return (await Talk(self.client, self.outbox.partitions).unread(table, person)).count

    def deliverer(self, mark: str) -> Delivering:
        return Delivering(
            *(self.outbox, range(self.outbox.partitions), self.sender, self.seals),
            *(lambda: self.now, Logging()),
            mark=mark,
            link="https://rails.example/{table}",
            chance=lambda: 1.0,
        )

    async def begin(self) -> None:
        await self.projector.begin()
        await self.noticing.begin()

    def later(self, seconds: float) -> None:
        self.now += round(seconds * SECOND)

    async def shown(self) -> None:
        while await self.projector.catch_up():
            pass

    async def noticed(self, seconds: float = 11) -> None:
        """Show and read what there is, let the time pass that a table is to be quiet, and look."""
        await self.shown()
        while await self.noticing.read():
            pass
        self.later(seconds)
        await self.noticing.look()

    async def told(self, seconds: float = 11) -> None:
        """As `noticed`, and deliver."""
        await self.noticed(seconds)
        await self.delivered()

    async def delivered(self) -> int:
        """Deliver until nothing is due; how many letters."""
        count = 0
        while found := await self.delivering.deliver():
            count += found
        return count

    async def prompt(self, prompt: Prompt) -> None:
        key = n.prompts(self.store.partition_of(prompt.table))
        await self.client.xadd(key, {n.PROMPT_BODY: n.encode(prompt)})

    async def channel(self, name: str, url: str = "", **more: object) -> str:
        """A channel of a player (or of a table, if the name says so)."""
        addressee = name if ":" in name else n.of_player(name)
        url = url or f"https://{name.replace(':', '.')}.example/"
        sealed = self.seals.seal(Target(url, "key"))
        label = f"{url.partition('://')[0]}: test"
        channels = (Channel("phone", label, sealed, account_of(url)),)
        await self.outbox.set_addressee(addressee, Addressee(channels=channels, **more))
        return url

    async def letters(self, name: str) -> list[Letter]:
        addressee = name if ":" in name else n.of_player(name)
        return await self.outbox.letters(addressee)

    async def states(self, name: str) -> list[str]:
        """The states of somebody's letters, the first written first."""
        return [letter.state for letter in reversed(await self.letters(name))]

    async def asked(self, table: str) -> tuple[PlayerId, ...]:
        return awaited((await live.opened(self.store, "test", TableId(table))).table)

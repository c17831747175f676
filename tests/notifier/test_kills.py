"""The notifier killed at each of its awaits: nobody untold, nobody told twice by two notices.

It runs in memory, over the same ports as on a real store (see test_ports).
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

import pytest
from cryptography.fernet import Fernet

from contracts import notices as n
from contracts.notices import Addressee, Channel, ReminderDue
from services.notifier.delivering import Delivering
from services.notifier.noticing import Noticing
from services.notifier.patience import SECOND, Delivered, Failed, Limited, Reply
from services.notifier.sealing import Seals, Target
from services.notifier.wording import Message
from tests.notifier.ground import MemoryGround, Told
from tests.notifier.post import NOON, CrashedError
from tests.tables import ANN, CID, PRR, TABLE, Story, bought, opened, player_turn, turn_over

pytestmark = pytest.mark.anyio
SEALS = Seals(Fernet.generate_key())
NAMES = ("ann", "bob", "cid")


@dataclass
class Death:
    """Counts what is awaited, and ends the process before or after the one that it is told."""

    at: int = 0
    count: int = 0

    def step(self) -> None:
        self.count += 1
        if self.count == self.at:
            raise CrashedError


class Dying:
    """Ports of a process that may die before and after each act."""

    def __init__(self, inner: object, death: Death) -> None:
        self._inner = inner
        self._death = death

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._inner, name)
        if not callable(found):
            return found
        act: Callable[..., Awaitable[object]] = found

        async def called(*arguments: object, **named: object) -> object:
            self._death.step()
            answer = await act(*arguments, **named)
            self._death.step()
            return answer

        return called


@dataclass
class Services:
    """Channels that note what arrives, and fail or ask for a pause as they are told."""

    script: list[Reply] = field(default_factory=list)
    arrived: list[tuple[str, Message]] = field(default_factory=list)

    async def send(self, target: Target, message: Message, now: int) -> Reply:
        reply = self.script.pop(0) if self.script else Delivered()
        if isinstance(reply, Delivered):
            self.arrived.append((target.url.removeprefix("https://"), message))
        return reply


class Silent:
    """Says nothing of what is done."""

    def noticed(self, notices: object, withdrawn: object) -> None: ...
    def dealt_with(self, what: str, letter: object, why: str = "", again: int = 0) -> None: ...
    def puzzled(self, what: str, about: str, why: str) -> None:
        raise AssertionError(what, about, why)


class Life:
    """A table, and one notifier after another that looks after it."""

    def __init__(self, story: Story, death: Death, *, digest: bool = False) -> None:
        self.now = NOON
        self.death = death
        self.ground = MemoryGround(2)
        self.told = Told(self.ground, story)
        self.services = Services([Failed("No answer."), Limited(20)])
        self.lives = 0
        for name in NAMES:
            channel = Channel("phone", "https", SEALS.seal(Target(f"https://{name}")))
            when = {"turn": "digest"} if digest and name == "bob" else {}
            named = n.of_player(name)
            self.ground.outbox.addressees[named] = Addressee(channels=(channel,), when=when)
        self.again()

    def again(self) -> None:
        """A new process."""
        self.lives += 1
        outbox: Any = Dying(self.ground.outbox, self.death)
        books: Any = Dying(self.ground.books, self.death)
        sender: Any = Dying(self.services, self.death)
        watch = Silent()
        self.noticing = Noticing(books, outbox, range(2), lambda: self.now, watch)
        self.delivering = Delivering(
            *(outbox, range(2), sender, SEALS, lambda: self.now, watch),
            mark=str(self.lives),
            taken_seconds=4,
            chance=lambda: 1.0,
        )
        self.is_begun = False

    async def live(self, seconds: int) -> None:
        """Do all that there is to do, again and again, for some seconds."""
        until = self.now + seconds * SECOND
        while self.now < until:
            try:
                if not self.is_begun:
                    await self.noticing.begin()
                    self.is_begun = True
                await self.noticing.read()
                await self.noticing.look()
                await self.delivering.deliver()
            except CrashedError:
                self.again()
            self.now += 3 * SECOND

    def heard(self, name: str) -> list[Message]:
        """What has come to somebody, each message once, however often it was sent."""
        found = {message.id: message for to, message in self.services.arrived if to == name}
        return list(found.values())


async def lived(death: Death, *, digest: bool = False) -> Life:
    """Ann opens and acts; Bob is due; Cid undoes; Ann is reminded, acts again; Bob is due."""
    story = opened()
    story.tell(ANN, bought(ANN, PRR, 1, 67), turn_over("1.5", ANN), player_turn("2.4", "bob"))
    story.undo(CID, 1)
    story.tell(ANN, turn_over("1.5", ANN, "passed"), player_turn("4.1", "bob"))
    life = Life(story, death, digest=digest)
    await life.live(9)
    for version in (1, 2, 3):
        await life.told.to(version)
        await life.live(25)
    await life.told.prompt(ReminderDue(TABLE, ANN, 1, NOON))
    await life.live(25)
    await life.told.to(4)
    await life.live(70)
    return life


def kinds(life: Life, name: str) -> list[str]:
    return [message.notice.kind for message in life.heard(name)]


def resent(life: Life) -> int:
    ids = [(to, message.id) for to, message in life.services.arrived]
    return len(ids) - len(set(ids))


EXPECTED = {
    "ann": ["turn", "undone", "reminder"],
    "bob": ["begun", "turn", "undone", "turn"],
    "cid": ["begun"],
}


async def test_nobody_dies_and_all_is_told_once():
    life = await lived(Death())
    assert {name: kinds(life, name) for name in NAMES} == EXPECTED
    assert resent(life) == 0


@pytest.mark.parametrize("stride", [11, pytest.param(1, marks=pytest.mark.slow)])
async def test_wherever_it_dies_all_is_told_and_sent_twice_only_if_it_died_sending(stride):
    whole = await lived(Death())
    awaits = whole.death.count
    assert awaits > 300
    twice = 0
    for at in range(1, awaits + 1, stride):
        life = await lived(Death(at))
        assert life.lives == 2
        for name in NAMES:
            assert_told(at, name, kinds(life, name))
        assert resent(life) <= 1
        twice += resent(life)
        states = {letter.state for name in NAMES for letter in await letters(life, name)}
        assert states <= {"sent", "withdrawn"}, at
    assert twice > 0, "a kill between sending and marking was among them"


def assert_told(at: int, name: str, found: list[str]) -> None:
    """Who was told late, because the notifier was dead, hears less of what was over by then."""
    wanted = EXPECTED[name]
    assert found[-1] == wanted[-1], (at, name, found)
    left = iter(wanted)
    assert all(kind in left for kind in found), (at, name, found)


async def letters(life: Life, name: str) -> list[n.Letter]:
    return await life.ground.outbox.letters(n.of_player(name))


async def test_wherever_it_dies_a_digest_tells_each_letter_in_one_digest():
    async def day(death: Death) -> Life:
        life = await lived(death, digest=True)
        life.now += 5 * 3600 * SECOND
        await life.live(3600)
        return life

    whole = await day(Death())
    assert kinds(whole, "bob") == ["begun", "digest"]
    (digest,) = [one for one in whole.heard("bob") if one.notice.kind == "digest"]
    assert digest.notice.words.startswith("1 thing ")
    last = whole.death.count
    for at in range(max(1, last - 100), last + 1, 3):
        life = await day(Death(at))
        assert kinds(life, "bob") == ["begun", "digest"], at
        states = {letter.state for letter in await letters(life, "bob")}
        assert states == {"sent", "withdrawn"}, at

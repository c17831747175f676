"""Bugs that can be planted, so that it is known that the league would find them."""

import contextlib
from collections.abc import Callable, Iterator, Sequence
from typing import Any
from unittest import mock

import msgspec
from msgspec import Struct

from contracts import notices
from contracts.ids import TableId
from services.clock import reckoning
from services.clock import store as clock_store
from services.clock.ports import Fired
from services.clock.timers import Kept
from services.notifier import delivering, noticing
from services.notifier.noticing import Noticing
from services.notifier.telling import Told


class Bug(Struct, frozen=True):
    """A bug: what is put in the place of what is right."""

    name: str
    owner: Any = None
    attribute: str = ""
    wrong: Callable[[Any], Any] | None = None
    """What is there in its place, made from what was there."""

    @contextlib.contextmanager
    def planted(self) -> Iterator[None]:
        """While inside, it is there."""
        with contextlib.ExitStack() as undo:
            if self.wrong is not None:
                right = getattr(self.owner, self.attribute)
                undo.enter_context(mock.patch.object(self.owner, self.attribute, self.wrong(right)))
            yield


def every(number: int) -> Callable[[], bool]:
    """True once in so many calls."""
    count = 0

    def is_it() -> bool:
        nonlocal count
        count += 1
        return count % number == 0

    return is_it


def looks_away(right: Any) -> Any:
    """One look in forty is skipped: the table is taken for looked at."""
    now = every(40)

    async def look(self: Noticing, partition: int, table: TableId, version: int) -> None:
        if now():
            await self._outbox.postpone(partition, table, self._now() + 10**12)
            return
        await right(self, partition, table, version)

    return look


def forgets_withdrawal(right: Any) -> Any:
    """What is over is not withdrawn."""

    def told(*parts: Any) -> Told:
        return msgspec.structs.replace(right(*parts), withdrawn=())

    return told


def forgets_what_was_told(right: Any) -> Any:
    """Now and then it is forgotten who was told already."""
    now = every(25)

    def told(*parts: Any) -> Told:
        found: Told = right(*parts)
        if now():
            return msgspec.structs.replace(
                found, memory=msgspec.structs.replace(found.memory, open=())
            )
        return found

    return told


def fires_twice(right: Any) -> Any:
    """A reminder that was given is given again, as if it were another one."""

    async def fire(self: Any, partition: int, now: int, most: int) -> Fired:
        found: Fired = await right(self, partition, now, most)
        key = notices.prompts(partition)
        if found.number and (last := await self._client.xrevrange(key, "+", "-", count=1)):
            prompt = notices.decode_prompt(last[0][1][notices.PROMPT_BODY.encode()])
            if isinstance(prompt, notices.ReminderDue):
                again = msgspec.structs.replace(prompt, seconds=prompt.seconds + 1)
                await self._client.xadd(key, {notices.PROMPT_BODY: notices.encode(again)})
        return found

    return fire


def loses_timers(right: Any) -> Any:
    """Timers of a table are lost with the process that kept them: some are never written."""
    now = every(4)

    async def keep(
        self: Any, partition: int, before: str, after: str, kept: Sequence[Kept]
    ) -> bool:
        if now():
            kept = [msgspec.structs.replace(one, timers=()) for one in kept]
        return bool(await right(self, partition, before, after, kept))

    return keep


def calls_early(right: Any) -> Any:
    """Half of a turn's own time is forgotten."""

    def due_of(clock: Any, *parts: Any) -> Any:
        return right(msgspec.structs.replace(clock, turn_seconds=clock.turn_seconds // 2), *parts)

    return due_of


def corrects_nobody(right: Any) -> Any:
    """What was sent and taken back is withdrawn without a word."""

    def told(*parts: Any) -> Told:
        found: Told = right(*parts)
        silent = tuple(msgspec.structs.replace(one, correction=None) for one in found.withdrawn)
        return msgspec.structs.replace(found, withdrawn=silent)

    return told


def tells_no_news(right: Any) -> Any:
    """What becomes of requests and seats is told to nobody."""

    def told(*parts: Any) -> Told:
        found: Told = right(*parts)
        return msgspec.structs.replace(
            found, notices=tuple(one for one in found.notices if one.kind != "news")
        )

    return told


def tells_news_twice(right: Any) -> Any:
    """What becomes of requests and seats is told by two notices."""

    def told(*parts: Any) -> Told:
        found: Told = right(*parts)
        again = (
            msgspec.structs.replace(one, id=f"{one.id}-again")
            for one in found.notices
            if one.kind == "news"
        )
        return msgspec.structs.replace(found, notices=(*found.notices, *again))

    return told


def knows_no_quiet(right: Any) -> Any:
    """Quiet hours are not kept."""
    return lambda quiet, now: None


NO_BUG = Bug("none")
BUGS = (
    Bug("looks away", Noticing, "_look", looks_away),
    Bug("forgets the withdrawal", noticing, "told", forgets_withdrawal),
    Bug("forgets what was told", noticing, "told", forgets_what_was_told),
    Bug("corrects nobody", noticing, "told", corrects_nobody),
    Bug("tells no news", noticing, "told", tells_no_news),
    Bug("tells news twice", noticing, "told", tells_news_twice),
    Bug("knows no quiet", delivering, "quiet_until", knows_no_quiet),
    Bug("fires twice", clock_store.Store, "fire", fires_twice),
    Bug("loses timers", clock_store.Store, "keep", loses_timers),
    Bug("calls early", reckoning, "due_of", calls_early),
)
"""Each has to be found."""

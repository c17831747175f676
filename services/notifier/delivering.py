"""Deliver letters: quiet hours, digests, pauses of services, attempts, and giving up."""

import asyncio
import random
from collections.abc import Iterable
from typing import Final

from contracts.ids import TableId
from contracts.notices import Addressee, Channel, Letter, Notice
from services.notifier.accounts import services_of
from services.notifier.hours import HoursError, next_at, quiet_until
from services.notifier.patience import (
    FIRST_SECONDS,
    SECOND,
    Delivered,
    Failed,
    Impossible,
    Limited,
    Reply,
    back_off,
    is_given_up,
    pause,
)
from services.notifier.ports import Chance, Draft, Now, Opener, Outbox, Sender, Taken, Watch
from services.notifier.sealing import SealError, Target
from services.notifier.wording import Message, digest_line, mention, subject, text

TAKEN_SECONDS: Final = 120
"""How long a letter is taken for: longer than an attempt may last."""
LETTERS_AT_ONCE: Final = 64
DAY: Final = 24 * 3600 * SECOND
DIGEST_LINES_MOST: Final = 15

_random = random.SystemRandom()


class Delivering:
    """Delivers the letters of some partitions."""

    def __init__(
        self,
        outbox: Outbox,
        partitions: Iterable[int],
        sender: Sender,
        seals: Opener,
        now: Now,
        watch: Watch,
        *,
        mark: str,
        link: str = "",
        taken_seconds: float = TAKEN_SECONDS,
        letters_at_once: int = LETTERS_AT_ONCE,
        chance: Chance = _random.random,
    ) -> None:
        self._outbox = outbox
        self._partitions = tuple(partitions)
        self._sender = sender
        self._seals = seals
        self._now = now
        self._watch = watch
        self._mark = mark
        self._link = link
        self._taken = round(taken_seconds * SECOND)
        self._most = letters_at_once
        self._chance = chance
        self._under_way: set[asyncio.Task[None]] = set()

    async def deliver(self) -> int:
        """Deal with letters and digests that are due, one letter of a lane; how many letters."""
        await self._write_digests()
        found = await self._take(self._most)
        await asyncio.gather(*(self._deliver(partition, one) for partition, one in found))
        return len(found)

    async def go_on(self, rest_seconds: float) -> int:
        """Take letters as long as hands are free, and wait until one is; how many were taken.

        Unlike `deliver` it waits for no letter to be dealt with: a service that takes its time
        keeps one hand busy and no more. What a letter's task raised is raised here.
        """
        for task in [task for task in self._under_way if task.done()]:
            self._under_way.remove(task)
            task.result()
        await self._write_digests()
        found = await self._take(self._most - len(self._under_way))
        for partition, one in found:
            self._under_way.add(asyncio.create_task(self._deliver(partition, one)))
        if self._under_way:
            await asyncio.wait(
                self._under_way, timeout=rest_seconds, return_when=asyncio.FIRST_COMPLETED
            )
        return len(found)

    async def close(self) -> None:
        """Let go of what is under way; another notifier takes it later."""
        for task in self._under_way:
            task.cancel()
        await asyncio.gather(*self._under_way, return_exceptions=True)

    async def _take(self, most: int) -> list[tuple[int, Taken]]:
        """Take letters that are due in any partition, at most so many."""
        found: list[tuple[int, Taken]] = []
        if most <= 0:
            return found
        pending = await self._outbox.pending("letters", self._partitions, self._now())
        for place, partition in enumerate(pending):
            # Each partition gets its share, so that none waits for the others.
            share = -(-(most - len(found)) // (len(pending) - place))
            now = self._now()
            taken = await self._outbox.taken(
                partition, now=now, until=now + self._taken, most=share, mark=self._mark
            )
            found += [(partition, one) for one in taken]
        return found

    # --- one letter --------------------------------------------------------------------------

    async def _deliver(self, partition: int, taken: Taken) -> None:
        letter = taken.letter
        if taken.is_withdrawn:
            why = "withdrawn; it is not known whether it had arrived"
            await self._outbox.marked(partition, taken, "sent", now=self._now(), why=why)
            self._watch.dealt_with("withdrawn", letter, why)
            return
        addressee = await self._outbox.addressee(letter.addressee)
        channel = addressee.channel(letter.channel)
        if channel is None:
            await self._give_up(partition, taken, "The channel was taken away.")
            return
        try:
            if await self._waits(partition, taken, addressee):
                return
            target = self._seals.opened(channel.sealed)
            message = self._message(letter, addressee, channel)
        except (SealError, HoursError) as error:
            await self._give_up(partition, taken, str(error))
            return
        until = await self._outbox.paused_until(services_of(target.url))
        if until > self._now():
            await self._hold(partition, taken, until, "The service asked for a pause.", rest=until)
            return
        try:
            reply = await self._sender.send(target, message, self._now())
        except Exception as error:  # noqa: BLE001 - what a channel trips over is no loss to others
            reply = Failed(f"The channel failed ({type(error).__name__}).")
        await self._noted(partition, taken, target, reply)

    async def _waits(self, partition: int, taken: Taken, addressee: Addressee) -> bool:
        """Whether a letter has to wait for the next digest, or for the end of quiet hours."""
        letter, now = taken.letter, self._now()
        is_digest = letter.notice.kind == "digest"
        if not is_digest and addressee.when.get(letter.notice.kind) == "digest":
            due = next_at(addressee.digest_at, addressee.zone, now)
            await self._outbox.gather(letter.addressee, letter, partition, due)
            await self._outbox.marked(partition, taken, "digest", now=now, is_no_attempt=True)
            return True
        if addressee.quiet is not None:
            until = quiet_until(addressee.quiet, now)
            if until is not None:
                # What is held later comes later, if only by a moment.
                behind = (DAY - (until - now)) // SECOND
                await self._hold(partition, taken, until + behind, "Quiet hours.")
                return True
        return False

    async def _hold(
        self, partition: int, taken: Taken, until: int, why: str, *, rest: int = 0
    ) -> None:
        await self._outbox.marked(
            *(partition, taken, "held"),
            now=self._now(),
            again=until,
            why=why,
            is_no_attempt=True,
            rest=rest,
        )
        self._watch.dealt_with("held", taken.letter, why, until)

    def _message(self, letter: Letter, addressee: Addressee, channel: Channel) -> Message:
        notice = letter.notice
        scheme = channel.label.partition(":")[0]
        called = [
            mention(scheme, addressee.mentions[player])
            for player in notice.mentions
            if player in addressee.mentions
        ]
        body = text(notice, zone=addressee.zone, link=self._link, mentions=called)
        return Message(letter.id, subject(notice), body, notice, tuple(called))

    async def _noted(self, partition: int, taken: Taken, target: Target, reply: Reply) -> None:
        """Mark a letter with what came of an attempt."""
        letter, now = taken.letter, self._now()
        match reply:
            case Delivered(pause_seconds):
                until = 0
                if pause_seconds:
                    until = await self._pause(target, pause_seconds)
                await self._outbox.marked(partition, taken, "sent", now=now, rest=until)
                self._watch.dealt_with("sent", letter)
            case Limited(seconds, is_for_all):
                until = await self._pause(target, seconds, is_for_all=is_for_all)
                if is_given_up(0, letter.notice.made, now):
                    await self._give_up(partition, taken, "The service took no more for days.")
                    return
                why = "The service asked for a pause."
                await self._hold(partition, taken, until, why, rest=until)
            case Failed(why):
                if is_given_up(letter.attempts, letter.notice.made, now):
                    await self._give_up(partition, taken, why)
                    return
                again = now + back_off(letter.attempts, self._chance())
                # The lane rests a little too: where one letter failed, the next one may as well.
                rest = min(again, now + FIRST_SECONDS * SECOND)
                await self._outbox.marked(
                    partition, taken, "waiting", now=now, again=again, why=why, rest=rest
                )
                self._watch.dealt_with("failed", letter, why, again)
            case Impossible(why):
                await self._give_up(partition, taken, why)

    async def _pause(self, target: Target, seconds: float, *, is_for_all: bool = False) -> int:
        """Leave a service alone, or the account that one has there; until when."""
        until = self._now() + pause(seconds, self._chance())
        account, service = services_of(target.url)
        await self._outbox.pause(service if is_for_all else account, until)
        return until

    async def _give_up(self, partition: int, taken: Taken, why: str) -> None:
        await self._outbox.marked(partition, taken, "dead", now=self._now(), why=why)
        self._watch.dealt_with("given up", taken.letter, why)

    # --- digests -----------------------------------------------------------------------------

    async def _write_digests(self) -> None:
        now = self._now()
        for partition in await self._outbox.pending("digests", self._partitions, now):
            for addressee, due in await self._outbox.digests(partition, now):
                await self._write_digest(addressee, due)

    async def _write_digest(self, name: str, due: int) -> None:
        """Put what was gathered for somebody, and still holds, into one letter a channel."""
        addressee = await self._outbox.addressee(name)
        now = self._now()
        next_due = next_at(addressee.digest_at, addressee.zone, now)
        if not await self._outbox.told(name):
            told, over = await self._gathered(name)
            notices = {letter.notice.id: letter.notice for letter in told}
            digest = _digest(name, due, list(notices.values()), now)
            drafts = [Draft(digest, name, one.name, one.service) for one in addressee.channels]
            ids = [letter.id for letter in told]
            await self._outbox.write_digest(
                *(name, due, drafts if told else (), ids, over), now=now, next_due=next_due
            )
        # Also what another wrote, who died before it was marked.
        marked = await self._outbox.told(name)
        for id, partition in marked.items():
            await self._outbox.told_by_digest(partition, id, now)
        if marked:
            await self._outbox.digest_done(name, list(marked), due, next_due)

    async def _gathered(self, name: str) -> tuple[list[Letter], list[str]]:
        """The letters that somebody's digest tells, and those that hold no more."""
        told: list[Letter] = []
        over: list[str] = []
        for id, partition in (await self._outbox.gathered(name)).items():
            letter = await self._outbox.letter(partition, id)
            if letter is not None and letter.state == "sending":
                # It was gathered, and its taker died before it was marked: it comes once more.
                continue
            if letter is not None and letter.state == "digest":
                told.append(letter)
            else:
                over.append(id)
        return told, over


def _digest(name: str, due: int, notices: list[Notice], now: int) -> Notice:
    """The notice that tells others; the first of them come first."""
    ordered = sorted(notices, key=lambda notice: (notice.made, notice.id))
    lines = [digest_line(notice) for notice in ordered[:DIGEST_LINES_MOST]]
    if len(ordered) > DIGEST_LINES_MOST:
        lines.append(f"- and {len(ordered) - DIGEST_LINES_MOST} more")
    count = len(ordered)
    return Notice(
        id=f"digest/{name}/{due}",
        table=TableId(""),
        player=None,
        kind="digest",
        version=0,
        title="",
        words=f"{count} thing{'' if count == 1 else 's'} since the last digest:",
        made=now,
        happened=tuple(lines),
    )

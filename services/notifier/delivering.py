"""Deliver letters: quiet hours, digests, pauses of services, attempts, and giving up."""

import asyncio
import random
from collections.abc import Callable, Iterable
from typing import Final

import structlog

from contracts.ids import TableId
from contracts.notices import Addressee, Channel, Letter, Notice
from services.notifier.channels.sender import Sender, service_of
from services.notifier.hours import HoursError, next_at, quiet_until
from services.notifier.outbox import Outbox, Taken
from services.notifier.patience import (
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
from services.notifier.sealing import SealError, Seals, Target
from services.notifier.wording import Message, digest_line, mention, subject, text

TAKEN_SECONDS: Final = 120
"""How long a letter is taken for: longer than an attempt may last."""
LETTERS_AT_ONCE: Final = 16
DIGEST_LINES_MOST: Final = 15

Now = Callable[[], int]
Chance = Callable[[], float]

_log = structlog.get_logger("notifier")
_random = random.SystemRandom()


class Delivering:
    """Delivers the letters of some partitions."""

    def __init__(
        self,
        outbox: Outbox,
        partitions: Iterable[int],
        sender: Sender,
        seals: Seals,
        now: Now,
        *,
        mark: str,
        link: str = "",
        taken_seconds: float = TAKEN_SECONDS,
        chance: Chance = _random.random,
    ) -> None:
        self._outbox = outbox
        self._partitions = tuple(partitions)
        self._sender = sender
        self._seals = seals
        self._now = now
        self._mark = mark
        self._link = link
        self._taken = round(taken_seconds * SECOND)
        self._chance = chance

    async def deliver(self) -> int:
        """Deal with the letters and digests that are due; how many letters."""
        count = 0
        now = self._now()
        for partition in await self._outbox.pending("digests", self._partitions, now):
            for addressee in await self._outbox.digests(partition, now):
                await self._write_digest(addressee)
        for partition in await self._outbox.pending("due", self._partitions, now):
            now = self._now()
            taken = await self._outbox.taken(
                partition,
                now=now,
                until=now + self._taken,
                most=LETTERS_AT_ONCE,
                mark=self._mark,
            )
            count += len(taken)
            await self._deal_with(partition, taken)
        return count

    async def _deal_with(self, partition: int, taken: list[Taken]) -> None:
        """Letters to the same channel one after the other, those to others at the same time."""
        by_channel: dict[tuple[str, str], list[Taken]] = {}
        for one in taken:
            key = (one.letter.addressee, one.letter.channel)
            by_channel.setdefault(key, []).append(one)

        async def in_turn(letters: list[Taken]) -> None:
            for letter in sorted(letters, key=lambda one: one.letter.notice.made):
                await self._deliver(partition, letter)

        await asyncio.gather(*(in_turn(letters) for letters in by_channel.values()))

    # --- one letter --------------------------------------------------------------------------

    async def _deliver(self, partition: int, taken: Taken) -> None:
        letter = taken.letter
        if taken.is_withdrawn:
            why = "withdrawn; it is not known whether it had arrived"
            await self._outbox.marked(partition, taken, "sent", now=self._now(), why=why)
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
        until = await self._outbox.paused_until(service_of(target))
        if until > self._now():
            await self._hold(partition, taken, until, "The service asked for a pause.")
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
                await self._hold(partition, taken, until, "Quiet hours.")
                return True
        return False

    async def _hold(self, partition: int, taken: Taken, until: int, why: str) -> None:
        await self._outbox.marked(
            *(partition, taken, "held"), now=self._now(), again=until, why=why, is_no_attempt=True
        )

    def _message(self, letter: Letter, addressee: Addressee, channel: Channel) -> Message:
        notice = letter.notice
        scheme = channel.label.partition(":")[0]
        called = [
            mention(scheme, addressee.mentions[player])
            for player in notice.mentions
            if player in addressee.mentions
        ]
        body = text(notice, zone=addressee.zone, link=self._link, mentions=called)
        return Message(letter.id, subject(notice), body, notice)

    async def _noted(self, partition: int, taken: Taken, target: Target, reply: Reply) -> None:
        """Mark a letter with what came of an attempt."""
        letter, now = taken.letter, self._now()
        match reply:
            case Delivered(pause_seconds):
                if pause_seconds:
                    until = now + pause(pause_seconds, self._chance())
                    await self._outbox.pause(service_of(target), until)
                await self._outbox.marked(partition, taken, "sent", now=now)
                _say("letter sent", letter)
            case Limited(seconds):
                until = now + pause(seconds, self._chance())
                await self._outbox.pause(service_of(target), until)
                if is_given_up(0, letter.notice.made, now):
                    await self._give_up(partition, taken, "The service took no more for days.")
                    return
                await self._hold(partition, taken, until, "The service asked for a pause.")
                _say("letter held", letter, until=until)
            case Failed(why):
                if is_given_up(letter.attempts, letter.notice.made, now):
                    await self._give_up(partition, taken, why)
                    return
                again = now + back_off(letter.attempts, self._chance())
                await self._outbox.marked(
                    partition, taken, "waiting", now=now, again=again, why=why
                )
                _say("letter failed", letter, why=why, again=again)
            case Impossible(why):
                await self._give_up(partition, taken, why)

    async def _give_up(self, partition: int, taken: Taken, why: str) -> None:
        await self._outbox.marked(partition, taken, "dead", now=self._now(), why=why)
        _say("letter given up", taken.letter, why=why)

    # --- digests -----------------------------------------------------------------------------

    async def _write_digest(self, name: str) -> None:
        """Put what was gathered for somebody, and still holds, into one letter a channel."""
        gathered = await self._outbox.gathered(name)
        addressee = await self._outbox.addressee(name)
        told: list[tuple[int, Letter]] = []
        over: list[str] = []
        for id, partition in gathered.items():
            letter = await self._outbox.letter(partition, id)
            if letter is not None and letter.state == "sending":
                # It was gathered, and its taker died before it was marked: it comes once more.
                continue
            if letter is not None and letter.state == "digest":
                told.append((partition, letter))
            else:
                over.append(id)
        now = self._now()
        notices = {letter.notice.id: letter.notice for _, letter in told}
        channels = [channel.name for channel in addressee.channels] if notices else []
        await self._outbox.write_digest(
            name,
            _digest(name, list(notices.values()), now),
            channels,
            [*over, *(letter.id for _, letter in told)],
            now=now,
            next_due=next_at(addressee.digest_at, addressee.zone, now),
        )
        for partition, letter in told:
            await self._outbox.told_by_digest(partition, letter.id, now)


def _digest(name: str, notices: list[Notice], now: int) -> Notice:
    """The notice that tells others; the first of them come first."""
    ordered = sorted(notices, key=lambda notice: (notice.made, notice.id))
    lines = [digest_line(notice) for notice in ordered[:DIGEST_LINES_MOST]]
    if len(ordered) > DIGEST_LINES_MOST:
        lines.append(f"- and {len(ordered) - DIGEST_LINES_MOST} more")
    count = len(ordered)
    return Notice(
        id=f"digest/{name}/{now}",
        table=TableId(""),
        player=None,
        kind="digest",
        version=0,
        title="",
        words=f"{count} thing{'' if count == 1 else 's'} since the last digest:",
        made=now,
        happened=tuple(lines),
    )


def _say(what: str, letter: Letter, **more: object) -> None:
    """One line of the log for each letter, without a word of where it went."""
    _log.info(
        what,
        letter=letter.id,
        addressee=letter.addressee,
        channel=letter.channel,
        attempts=letter.attempts,
        **more,
    )

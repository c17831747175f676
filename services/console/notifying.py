"""Change how somebody wants to be told, and read what he was told."""

import os
import secrets
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final, get_args

import msgspec
from msgspec import Struct

from contracts import notices as n
from contracts.ids import TableId
from contracts.notices import Addressee, Channel, Kind, Letter, QuietHours, When
from services.bus.client import Bus
from services.console.errors import BadInputError
from services.notifier.accounts import account_of
from services.notifier.channels.addresses import Allowed
from services.notifier.channels.sender import complaint, doubt
from services.notifier.hours import HoursError, hour, zone
from services.notifier.sealing import SealError, Seals, Target, seals
from services.notifier.settings import KEY_FILE_NAME
from services.notifier.store import Store

ALLOW_SETTING: Final = "MINUTEBOOK_NOTICES_ALLOW"
_NAME_LETTERS_MOST: Final = 40
Now = Callable[[], int]

_WHENS: Final[tuple[When, ...]] = get_args(When)


class Change(Struct, frozen=True):
    """What is to be changed; None for what is not."""

    add: str | None = None
    name: str = "main"
    remove: str | None = None
    quiet: str | None = None
    zone: str | None = None
    when: dict[When, str | None] = {}
    digest_at: str | None = None
    mention: str | None = None


def key_for(data: Path) -> Seals:
    """The key for secrets of channels: the setting's, or the data directory's."""
    try:
        return seals(os.environ, data / KEY_FILE_NAME)
    except SealError as error:
        raise BadInputError(str(error)) from None


def doubt_about(address: str) -> str:
    """Why a notifier with this console's settings would refuse an address; '' if it would not."""
    why = doubt(address, Allowed.of(os.environ.get(ALLOW_SETTING, "")))
    return why and f"{why} The notifier refuses it unless its {ALLOW_SETTING} names it."


def now() -> int:
    """Microseconds since 1970, UTC."""
    return time.time_ns() // 1000


async def changed(
    bus: Bus,
    who: str,
    change: Change,
    *,
    seals: Seals | None,
    is_room: bool = False,
    again: bool = False,
    now: Now = now,
) -> tuple[Addressee, list[Letter], str]:
    """Change how somebody wants to be told; how it is now, his letters, and a new webhook's key."""
    outbox = Store(bus.client, bus.partitions)
    name, is_table = await _addressee_of(bus, outbox, who, is_room=is_room)
    before = await outbox.addressee(name)
    key = ""
    if change.add and change.add.partition("://")[0].lower() in {"https", "http"}:
        key = secrets.token_urlsafe(32)
    after = with_change(before, change, seals, key)
    if after != before:
        await outbox.set_addressee(name, after)
    letters = await (outbox.letters(table=who) if is_table else outbox.letters(name))
    if again:
        ids = {letter.id for letter in letters}
        for partition, letter in await outbox.dead():
            if letter.id in ids:
                await outbox.try_again(partition, letter.id, now())
        letters = await (outbox.letters(table=who) if is_table else outbox.letters(name))
    return after, letters, key


async def given_up(
    bus: Bus, *, again: bool = False, now: Now = now
) -> tuple[Addressee, list[Letter], str]:
    """All letters that were given up, the last first; they are tried again if so wished."""
    outbox = Store(bus.client, bus.partitions)
    dead = await outbox.dead()
    if again:
        for partition, letter in dead:
            await outbox.try_again(partition, letter.id, now())
        now_waiting = [await outbox.letter(partition, letter.id) for partition, letter in dead]
        letters = [letter for letter in now_waiting if letter is not None]
    else:
        letters = [letter for _, letter in dead]
    return Addressee(), sorted(letters, key=lambda letter: (-letter.at, letter.id)), ""


async def _addressee_of(bus: Bus, outbox: Store, who: str, *, is_room: bool) -> tuple[str, bool]:
    """Who is meant: a player, or a table, if there is one of that name and no such player."""
    if is_room or (
        await bus.head(TableId(who)) is not None
        and not (await outbox.addressee(n.of_player(who))).channels
        and not await outbox.letters(n.of_player(who))
    ):
        return n.of_table(who), True
    return n.of_player(who), False


def with_change(before: Addressee, change: Change, seals: Seals | None, key: str = "") -> Addressee:
    """An addressee with a change; raises `BadInputError` for what cannot be."""
    after = before
    try:
        if change.zone is not None:
            zone(change.zone)
            after = msgspec.structs.replace(after, zone=change.zone)
            if after.quiet is not None:
                quiet = msgspec.structs.replace(after.quiet, zone=change.zone)
                after = msgspec.structs.replace(after, quiet=quiet)
        if change.quiet is not None:
            after = msgspec.structs.replace(after, quiet=_quiet(change.quiet, after.zone))
        if change.digest_at is not None:
            hour(change.digest_at)
            after = msgspec.structs.replace(after, digest_at=change.digest_at)
    except HoursError as error:
        raise BadInputError(str(error)) from None
    when = {**after.when, **_kinds(change)}
    when = {kind: how for kind, how in when.items() if how != "at once"}
    after = msgspec.structs.replace(after, when=when)
    if change.mention is not None:
        player, equals, called = change.mention.partition("=")
        if not (player and equals):
            raise BadInputError("--mention: write it as ann=123456789.")
        mentions = {**after.mentions, player: called}
        after = msgspec.structs.replace(after, mentions=mentions)
    return _with_channels(after, change, seals, key)


def _with_channels(before: Addressee, change: Change, seals: Seals | None, key: str) -> Addressee:
    channels = before.channels
    if change.remove is not None:
        if before.channel(change.remove) is None:
            names = ", ".join(channel.name for channel in channels) or "none"
            raise BadInputError(
                f"--remove: there is no channel {change.remove!r}; there are: {names}."
            )
        channels = tuple(one for one in channels if one.name != change.remove)
    if change.add is not None:
        if wrong := complaint(change.add):
            raise BadInputError(f"--add: {wrong}")
        if not (change.name.isidentifier() and len(change.name) <= _NAME_LETTERS_MOST):
            raise BadInputError("--name: a channel's name has letters, digits and _ only.")
        assert seals is not None
        scheme = change.add.partition("://")[0].lower()
        sealed = seals.seal(Target(change.add, key))
        label = scheme if scheme not in {"https", "http"} else f"{scheme}: signed webhook"
        new = Channel(change.name, label, sealed, account_of(change.add))
        channels = (*(one for one in channels if one.name != change.name), new)
    return msgspec.structs.replace(before, channels=channels)


def _quiet(text: str, where: str) -> QuietHours | None:
    if text == "none":
        return None
    begin, dash, end = text.partition("-")
    if not dash:
        raise BadInputError("--quiet: write it as 22:00-07:00, or none.")
    hour(begin)
    hour(end)
    return QuietHours(begin, end, where)


def _kinds(change: Change) -> dict[Kind, When]:
    found: dict[Kind, When] = {}
    for how in _WHENS:
        for text in filter(None, (change.when.get(how) or "").split(",")):
            kind = next((kind for kind in n.KINDS if kind == text.strip()), None)
            if kind is None:
                raise BadInputError(
                    f"{text.strip()!r} is no kind of notice; there are: {', '.join(n.KINDS)}."
                )
            found[kind] = how
    return found

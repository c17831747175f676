"""Timers: what is to happen when, written out so that a script can do it without thinking.

A timer's name says table, frame, player, what it is, and the version from which that time ran. The
same turn has the same timers whoever works them out, as often as he likes; each is done once.
"""

from collections.abc import Iterator
from hashlib import blake2b
from typing import Final

from msgspec import Struct

from contracts import streams
from contracts.commands import CallTime, Order
from contracts.ids import CommandId, PlayerId, TableId
from contracts.notices import Deadline, ReminderDue
from contracts.notices import encode as encode_notice
from contracts.people import CLOCK
from services.clock.calendar import NEVER
from services.clock.reckoning import Due

CALL: Final = "call"
COMMAND: Final = b"c"
"""How the body of a timer begins that sends an order."""
PROMPT: Final = b"p"
"""How the body of a timer begins that prompts the notifier."""


class Timer(Struct, frozen=True):
    """Something to be done at a moment, once."""

    name: str
    due: int
    body: bytes


class Kept(Struct, frozen=True):
    """All timers and deadlines of a table at a version, and what is to be told of its records."""

    table: TableId
    version: int
    timers: tuple[Timer, ...]
    deadlines: tuple[tuple[PlayerId, Deadline], ...]
    prompts: tuple[bytes, ...] = ()


def timers(table: TableId, dues: tuple[Due, ...]) -> Iterator[Timer]:
    """The timers that these times ask for."""
    for one in dues:
        if one.until >= NEVER:
            continue
        yield Timer(name(table, one, CALL), one.until, COMMAND + streams.encode(call(table, one)))
        for seconds, moment in one.reminders:
            reminder = ReminderDue(table, one.running.player, one.acting, one.until)
            body = PROMPT + encode_notice(reminder)
            yield Timer(name(table, one, f"remind-{seconds}"), moment, body)


def deadlines(dues: tuple[Due, ...]) -> Iterator[tuple[PlayerId, Deadline]]:
    """Until when players have to act."""
    for one in dues:
        if one.until < NEVER:
            yield one.running.player, Deadline(one.acting, one.until)


def name(table: TableId, due: Due, kind: str) -> str:
    """The name of a timer."""
    one = due.running
    return " ".join((table, one.frame, str(one.version), kind, one.player))


def call(table: TableId, due: Due) -> Order:
    """The order that calls a player's time. Its id is always the same, so it has one outcome."""
    one = due.running
    player = blake2b(one.player.encode(), digest_size=8).hexdigest()
    id = CommandId(f"{CLOCK}:{one.frame}:{one.version}:{player}")
    return Order(table, id, CLOCK, one.player, CallTime(one.frame))

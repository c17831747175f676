"""Timers: what is to happen when, written out so that a script can do it without thinking.

A timer's name says table, frame, player, what it is, and the version from which that time ran. The
same turn has the same timers whoever works them out, as often as he likes; each is done once.
"""

from collections.abc import Iterator
from hashlib import blake2b
from typing import Final

from msgspec import Struct

from contracts import streams
from contracts.commands import CallTime, ExpireRequest, Order
from contracts.ids import CommandId, PlayerId, TableId
from contracts.notices import Deadline, ReminderDue
from contracts.notices import encode as encode_notice
from contracts.people import CLOCK
from services.clock.calendar import NEVER
from services.clock.reckoning import Due, Waiting

CALL: Final = "call"
EXPIRY: Final = "expire"
COMMAND: Final = b"c"
"""How the body of a timer begins that sends an order."""
PROMPT: Final = b"p"
"""How the body of a timer begins that prompts the notifier."""


class Timer(Struct, frozen=True):
    """Something to be done at a moment, once."""

    name: str
    due: int
    body: bytes


class Done(Struct, frozen=True):
    """A timer that was done: at which table, whose, what it was, and when it was due."""

    table: str
    player: str
    kind: str
    due: int


class Kept(Struct, frozen=True):
    """All timers and deadlines of a table at a version, and what is to be told of its records.

    `digest` is that of the version's record; '' if it does not matter whether that still is there.
    `saved` is what spares reading the table's book from the start; '' for nothing.
    """

    table: TableId
    version: int
    timers: tuple[Timer, ...]
    deadlines: tuple[tuple[PlayerId, Deadline], ...]
    prompts: tuple[bytes, ...] = ()
    digest: bytes = b""
    saved: bytes = b""


def timers(table: TableId, dues: tuple[Due, ...]) -> Iterator[Timer]:
    """The timers that these times ask for."""
    for one in dues:
        if one.until >= NEVER:
            continue
        yield Timer(name(table, one, CALL), one.until, COMMAND + streams.encode(call(table, one)))
        for seconds, moment in one.reminders:
            reminder = ReminderDue(table, one.running.player, one.acting, one.until, seconds)
            body = PROMPT + encode_notice(reminder)
            yield Timer(name(table, one, f"remind-{seconds}"), moment, body)


def expiring(table: TableId, expiries: tuple[tuple[Waiting, int], ...]) -> Iterator[Timer]:
    """The timers of requests that wait."""
    for one, moment in expiries:
        name = " ".join((table, one.request, str(one.version), EXPIRY, one.player))
        id = CommandId(f"{CLOCK}:{EXPIRY}:{one.request}:{one.version}")
        order = Order(table, id, CLOCK, one.player, ExpireRequest(one.request))
        yield Timer(name, moment, COMMAND + streams.encode(order))


def deadlines(dues: tuple[Due, ...]) -> Iterator[tuple[PlayerId, Deadline]]:
    """Until when players have to act."""
    for one in dues:
        if one.until < NEVER:
            yield one.running.player, Deadline(one.acting, one.until)


def name(table: TableId, due: Due, kind: str) -> str:
    """The name of a timer."""
    one = due.running
    return " ".join((table, one.frame, str(one.version), kind, one.player))


def done(name: str, due: int) -> Done:
    """The timer that was done, by its name.

    >>> done("friday stock-1 7 remind-3600 ann", 5)
    Done(table='friday', player='ann', kind='remind-3600', due=5)
    """
    table, _, _, kind, player = (*name.split(" ", 4), "", "", "", "")[:5]
    return Done(table, player, kind, due)


def call(table: TableId, due: Due) -> Order:
    """The order that calls a player's time. Its id is always the same, so it has one outcome."""
    one = due.running
    player = blake2b(one.player.encode(), digest_size=8).hexdigest()
    id = CommandId(f"{CLOCK}:{one.frame}:{one.version}:{player}")
    return Order(table, id, CLOCK, one.player, CallTime(one.frame))

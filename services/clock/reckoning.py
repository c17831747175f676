"""Whose time runs at a table, since when, and how much is left: a fold over its records.

The time of everybody whom the top frame asks runs, in turn or out of it; that of a turn below a
question stands still. A frame first uses up its own time, then its player's bank. What settles of
itself, and what a programme does, takes no time, since no time passes between such records. An undo
gives no time back.

A request beside the game takes nobody's time. It waits as long as the table says, and expires.
"""

from collections.abc import Iterator, Mapping
from typing import Final

from msgspec import Struct

from contracts import events as e
from contracts.clocking import Clocking, Hours
from contracts.frames import Question
from contracts.ids import FrameId, PlayerId
from contracts.people import NOBODY
from contracts.records import Record
from services.clock.calendar import NEVER, SECOND, Calendar, moment_after, played
from services.engine.table.agenda import awaited, player_of, top
from services.engine.table.fold import undone_to
from services.engine.table.state import Table

Key = tuple[FrameId, PlayerId]
"""Somebody's time for one turn or question."""


class Running(Struct, frozen=True):
    """Time that runs: since when, from which version on, and what was used up before."""

    frame: FrameId
    player: PlayerId
    version: int
    since: int
    used: int


class Waiting(Struct, frozen=True):
    """A request that waits beside the game: whose it is, since when, and from which version on."""

    request: FrameId
    player: PlayerId
    version: int
    since: int


class Over(Struct, frozen=True):
    """A turn or question that is over: what it used up, and what that did to its player's bank."""

    used: int
    gained: int


class Reckoning(Struct, frozen=True):
    """All time at a table after a version.

    `banks` is what players have in the bank, `used` what was used up in frames that are still open,
    `called` where time was called already, `acting` since which version players have been asked
    without a break, `over` what was used up in the last frames that are not open any more.
    """

    version: int = 0
    banks: Mapping[PlayerId, int] = {}
    used: Mapping[Key, int] = {}
    called: frozenset[Key] = frozenset()
    acting: Mapping[PlayerId, int] = {}
    running: tuple[Running, ...] = ()
    requests: tuple[Waiting, ...] = ()
    over: Mapping[Key, Over] = {}


class Due(Struct, frozen=True):
    """When somebody's time is up, and the moments before at which he is to be reminded."""

    running: Running
    acting: int
    until: int
    reminders: tuple[tuple[int, int], ...]
    """Seconds before the end, and the moment."""


NOTHING: Final = Reckoning()
OVER_KEPT: Final = 16
"""More turns and questions than anybody takes back alone."""
CALL: Final = "call"
"""The end of time that is told and leads to nothing else."""


def reckoned(before: Reckoning, table: Table, after: Table, record: Record) -> Reckoning:
    """The reckoning one record later: `table` is the table before it, `after` the one after it."""
    clock = after.settings.clock
    waiting = awaited(after) if not is_over(after) else ()
    acting = {one: before.acting.get(one, record.version) for one in waiting}
    requests = tuple(waiting_since(before, after, record))
    if clock is None or after.settings.imported:
        return Reckoning(record.version, acting=acting, requests=requests)
    banks = dict(before.banks)
    for player in after.order:
        banks.setdefault(player, clock.bank_seconds * SECOND)
    used = dict(before.used)
    for one in before.running:
        key = (one.frame, one.player)
        used[key] = one.used + played(calendar_of(table, one.player), one.since, record.at)
    taken = {one for one in after.order if table.people.get(one) != after.people.get(one)}
    for key in list(used):
        if key[1] in taken:
            # Whoever takes a seat over begins with all the time of a turn.
            used[key] = 0
    over = dict(before.over)
    for key in [key for key in used if not is_open(after, key)]:
        bank, spent = banks[key[1]], used.pop(key)
        banks[key[1]] = settled(clock, bank, spent, record)
        if key not in {*before.called, *called_in(record)}:
            over[key] = Over(spent, banks[key[1]] - bank)
    if undone_to(record) is not None:
        take_back(after, over, used, banks)
    called = frozenset(
        key
        for key in (*before.called, *called_in(record))
        if is_open(after, key) and key[1] not in taken and (clock.then == CALL or waits(after, key))
    )
    runs = tuple(running(before, table, after, record, used)) if waiting else ()
    if after.beside.paused:
        runs = ()
    last = dict(list(over.items())[-OVER_KEPT:])
    return Reckoning(record.version, banks, used, called, acting, runs, requests, last)


def take_back(
    after: Table, over: dict[Key, Over], used: dict[Key, int], banks: dict[PlayerId, int]
) -> None:
    """Let turns that an undo opened again go on as they were: nobody gains time by undoing.

    A turn in which time was called is not among them. Whoever agrees to take that back gives its
    player time for it.
    """
    for key in [key for key in over if is_open(after, key)]:
        again = over.pop(key)
        used[key] = again.used
        banks[key[1]] = max(0, banks[key[1]] - again.gained)


def waiting_since(before: Reckoning, after: Table, record: Record) -> Iterator[Waiting]:
    """The requests that wait after a record; one that an undo brought back begins anew."""
    known = {one.request: one for one in before.requests}
    for one in after.requests:
        anew = Waiting(one.id, one.player, record.version, record.at)
        yield known.get(one.id, anew)


def running(
    before: Reckoning, table: Table, after: Table, record: Record, used: Mapping[Key, int]
) -> Iterator[Running]:
    """The time that runs after a record; what goes on as it did keeps its beginning."""
    frame = top(after)
    assert frame is not None  # somebody is waited for
    going_on = {(one.frame, one.player): one for one in before.running}
    for player in awaited(after):
        key = (frame.id, player)
        old = going_on.get(key)
        same = calendar_of(table, player) == calendar_of(after, player)
        person = table.people.get(player) == after.people.get(player)
        if old is not None and same and person and undone_to(record) is None:
            yield old
        else:
            yield Running(frame.id, player, record.version, record.at, used.get(key, 0))


def is_over(table: Table) -> bool:
    """Whether the game is over."""
    return table.ending is not None and table.ending.over


def is_open(table: Table, key: Key) -> bool:
    """Whether a turn or question still waits for a player, now or when what is above it is over."""
    for frame in table.agenda:
        if frame.id == key[0]:
            if isinstance(frame, Question):
                return key[1] in {player_of(table, party) for party in frame.asked}
            return True
    return False


def waits(table: Table, key: Key) -> bool:
    """Whether the table waits for a player in a turn or question now, on top of all others."""
    frame = top(table)
    return frame is not None and frame.id == key[0] and key[1] in awaited(table)


def called_in(record: Record) -> Iterator[Key]:
    """Where a record called somebody's time."""
    for event in record.events:
        if isinstance(event, e.TimeCalled):
            yield (event.frame, event.player)


def settled(clock: Clocking, bank: int, used: int, record: Record) -> int:
    """A bank once a turn or question is over; what is undone earns no increment."""
    over = max(0, used - clock.turn_seconds * SECOND)
    left = max(0, bank - over)
    if undone_to(record) is None:
        left += clock.increment_seconds * SECOND
    return left if clock.bank_most is None else min(left, clock.bank_most * SECOND)


def calendar_of(table: Table, player: PlayerId) -> Calendar:
    """When a player's time runs: by his own hours, else by those that the table gives him."""
    clock = table.settings.clock or Clocking()
    hours = table.beside.hours.get(player) or clock.hours.get(player) or Hours()
    return Calendar(hours, clock.free_days, table.beside.leave.get(player, ()))


def due(reckoning: Reckoning, table: Table) -> tuple[Due, ...]:
    """When whose time is up, as things stand; a time that was called is not called again."""
    clock = table.settings.clock
    if clock is None:
        return ()
    return tuple(
        due_of(clock, reckoning, table, one)
        for one in reckoning.running
        if (one.frame, one.player) not in reckoning.called
    )


def expiries(reckoning: Reckoning, table: Table) -> tuple[tuple[Waiting, int], ...]:
    """When requests expire, by the server's time, whether anybody's own runs or not."""
    wait = table.settings.request_seconds * SECOND
    if not wait or table.settings.imported:
        return ()
    return tuple((one, one.since + wait) for one in reckoning.requests)


def due_of(clock: Clocking, reckoning: Reckoning, table: Table, one: Running) -> Due:
    """When one player's time is up. A seat that nobody plays for has none."""
    acting = reckoning.acting[one.player]
    if table.people.get(one.player) == NOBODY:
        return Due(one, acting, one.since, ())
    bank = reckoning.banks[one.player]
    left = clock.turn_seconds * SECOND + bank - one.used
    calendar = calendar_of(table, one.player)
    reminders = tuple(
        (seconds, moment_after(calendar, one.since, left - seconds * SECOND))
        for seconds in clock.reminders
        if left > seconds * SECOND
    )
    return Due(one, acting, moment_after(calendar, one.since, left), reminders)


__all__ = [
    "NEVER",
    "NOTHING",
    "Due",
    "Reckoning",
    "Running",
    "Waiting",
    "due",
    "expiries",
    "reckoned",
]

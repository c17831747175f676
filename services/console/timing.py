"""A table's clock at a moment, reckoned from its minute book as the clock itself reckons it."""

import time
from collections.abc import Sequence
from typing import Final

from contracts import events as e
from contracts.clocking import ENDS, Clocking, Hours
from contracts.commands import SetHours
from contracts.ids import PlayerId, TableId
from contracts.notation import written
from contracts.people import NOBODY
from contracts.records import Record
from contracts.views_beside import ClockView, PlayingTime, TimeView
from services.clock.calendar import NEVER, SECOND, played
from services.clock.reckoning import NOTHING, Reckoning, Running, calendar_of, due_of, reckoned
from services.console.durations import in_words
from services.console.errors import RefusedError
from services.engine.rules.beside.orders import leave_left
from services.engine.table.fold import tables
from services.engine.table.state import Table, new_table

ALWAYS: Final = "at any time"
NO_CLOCK: Final = "has no clock: nobody's time runs."


def clock_view(id: TableId, records: Sequence[Record], moment: int | None = None) -> ClockView:
    """The clock after these records, at a moment; that of the last record if none is named."""
    reckoning, before = NOTHING, new_table(id)
    stopped: Record | None = None
    for record, after in tables(id, records):
        reckoning = reckoned(reckoning, before, after, record)
        if any(isinstance(event, e.PlayPaused) for event in record.events):
            stopped = record
        before = after
    clock = before.settings.clock
    if clock is None:
        raise RefusedError(f"Table {id} {NO_CLOCK}")
    at = max(records[-1].at, 0 if moment is None else moment)
    is_paused = before.beside.paused and stopped is not None
    return ClockView(
        table=id,
        version=before.version,
        moment=at,
        rules=rules_in_words(clock),
        running=tuple(_running(clock, reckoning, before, one, at) for one in reckoning.running),
        players=tuple(_player(clock, reckoning, before, one, at) for one in before.order),
        paused=before.beside.paused,
        paused_by=stopped.order.sender if is_paused and stopped else None,
        paused_since=stopped.version if is_paused and stopped else None,
    )


def now() -> int:
    """Microseconds since 1970, UTC, by the clock of this machine."""
    return time.time_ns() // 1000


def rules_in_words(clock: Clocking) -> str:
    """How a clock is set, in one sentence.

    >>> rules_in_words(Clocking(turn_seconds=86400, reminders=(1800,)))
    '1d for each turn; reminders 30m before the end; then it is told, and nothing else happens.'
    """
    parts = [f"{in_words(clock.turn_seconds)} for each turn"] if clock.turn_seconds else []
    if clock.bank_seconds or clock.increment_seconds:
        parts.append(f"{in_words(clock.bank_seconds)} in the bank")
    if clock.increment_seconds:
        parts.append(f"{in_words(clock.increment_seconds)} more after each")
    if clock.bank_most is not None:
        parts.append(f"at most {in_words(clock.bank_most)} in the bank")
    told = [", ".join(parts)]
    if clock.reminders:
        told.append(f"reminders {', '.join(map(in_words, clock.reminders))} before the end")
    if clock.free_days:
        told.append(f"days off {', '.join(clock.free_days)}")
    told.append(f"then {ENDS[clock.then]}")
    return f"{'; '.join(told)}."


def _used(table: Table, one: Running, now: int) -> int:
    """What somebody has used up of a turn or question by now, in microseconds."""
    return one.used + played(calendar_of(table, one.player), one.since, now)


def _running(
    clock: Clocking, reckoning: Reckoning, table: Table, one: Running, now: int
) -> TimeView:
    due = due_of(clock, reckoning, table, one)
    whole = clock.turn_seconds * SECOND + reckoning.banks[one.player]
    person = table.people.get(one.player)
    left = 0 if person == NOBODY else max(0, whole - _used(table, one, now))
    return TimeView(
        player=one.player,
        name=_name(table, one.player),
        person=person,
        frame=one.frame,
        since=one.version,
        since_time=one.since,
        until=None if due.until >= NEVER else due.until,
        left=left // SECOND,
        reminders=tuple(moment for _, moment in due.reminders if now < moment < NEVER),
        called=(one.frame, one.player) in reckoning.called,
    )


def _player(
    clock: Clocking, reckoning: Reckoning, table: Table, player: PlayerId, now: int
) -> PlayingTime:
    bank = reckoning.banks.get(player, clock.bank_seconds * SECOND)
    for one in reckoning.running:
        if one.player == player:
            bank -= max(0, _used(table, one, now) - clock.turn_seconds * SECOND)
    hours = table.beside.hours.get(player) or clock.hours.get(player) or Hours()
    leave = table.beside.leave.get(player, ())
    return PlayingTime(
        player=player,
        name=_name(table, player),
        bank=max(0, bank) // SECOND,
        hours=ALWAYS if hours == Hours() else written(SetHours(hours)).removeprefix("hours "),
        leave=tuple((one.first, one.last) for one in leave),
        leave_left=leave_left(table, player),
    )


def _name(table: Table, player: PlayerId) -> str:
    return next((seat.name for seat in table.seats if seat.player == player), player)

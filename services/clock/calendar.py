"""Playing time: how much of it lies between two moments, and when so much of it is over.

A player's time runs in his hours, by the clocks of his time zone, on the days that he plays. A day
that a change of the clocks makes longer or shorter has an hour more or less of it, if the change
falls into his hours. All moments are microseconds since 1970, UTC.
"""

from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta, tzinfo
from functools import cache
from typing import Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from msgspec import Struct

from contracts.clocking import DAY_MINUTES, EVERY_DAY, Hours, Leave

SECOND: Final = 1_000_000
NEVER: Final = 2**62
"""Later than any moment: somebody's time never runs again, as far as one can see."""
DAYS_MOST: Final = 5000
"""So far ahead is looked for playing time."""
_FIRST = datetime(1970, 1, 1, tzinfo=UTC)


class Calendar(Struct, frozen=True):
    """When a player's time runs: his hours, but not on the days off."""

    hours: Hours = Hours()
    free_days: tuple[str, ...] = ()
    leave: tuple[Leave, ...] = ()

    @property
    def is_always(self) -> bool:
        """Whether time runs day and night."""
        hours = self.hours
        whole = hours.end - hours.start == DAY_MINUTES and set(hours.days) == set(EVERY_DAY)
        return whole and not self.free_days and not self.leave

    def is_off(self, day: date) -> bool:
        """Whether time does not run on a day."""
        if day.weekday() not in self.hours.days:
            return True
        text = day.isoformat()
        return text in self.free_days or any(one.first <= text <= one.last for one in self.leave)


def played(calendar: Calendar, start: int, end: int) -> int:
    """Playing time between two moments."""
    if end <= start:
        return 0
    if calendar.is_always:
        return end - start
    total = 0
    for opens, closes in windows(calendar, start):
        if opens >= end:
            break
        total += max(0, min(closes, end) - max(opens, start))
    return total


def moment_after(calendar: Calendar, start: int, amount: int) -> int:
    """When so much playing time has passed; a start outside the hours waits for them."""
    if amount <= 0:
        return start
    if calendar.is_always:
        return start + amount
    left = amount
    for opens, closes in windows(calendar, start):
        here = closes - max(opens, start)
        if here >= left:
            return max(opens, start) + left
        left -= max(0, here)
    return NEVER


def windows(calendar: Calendar, start: int) -> Iterator[tuple[int, int]]:
    """The stretches in which time runs, from the one before a moment on, one for each day."""
    zone = zone_of(calendar.hours.zone)
    here = (_FIRST + timedelta(microseconds=start)).astimezone(zone).date()
    before = 0
    for number in range(-1, DAYS_MOST):
        day = here + timedelta(days=number)
        if calendar.is_off(day):
            continue
        opens = max(before, moment(zone, day, calendar.hours.start))
        closes = moment(zone, day, calendar.hours.end)
        if closes > opens:
            yield opens, closes
            before = closes


def moment(zone: tzinfo, day: date, minutes: int) -> int:
    """When the clocks of a zone show so many minutes after a day's midnight.

    What they show twice counts the first time. What they never show, since they jump over it, is
    the moment of the jump.
    """
    shown = datetime.combine(day, datetime.min.time()) + timedelta(minutes=minutes)
    found = shown.replace(tzinfo=zone).astimezone(UTC)
    if found.astimezone(zone).replace(tzinfo=None) != shown:
        # Taken by the clocks as they were before the jump it lies after it, by those after, before.
        found = jump(zone, shown.replace(tzinfo=zone, fold=1).astimezone(UTC), found)
    return (found - _FIRST) // timedelta(microseconds=1)


def jump(zone: tzinfo, before: datetime, after: datetime) -> datetime:
    """The first second after one moment that has the offset of another, later one."""
    offset = after.astimezone(zone).utcoffset()
    while after - before > timedelta(seconds=1):
        middle = before + (after - before) // timedelta(seconds=2) * timedelta(seconds=1)
        if middle.astimezone(zone).utcoffset() == offset:
            after = middle
        else:
            before = middle
    return after


@cache
def zone_of(name: str) -> tzinfo:
    """A time zone by its name; UTC where this machine does not know it."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return UTC

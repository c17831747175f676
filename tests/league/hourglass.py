"""Playing time, counted out in quarters of an hour: slowly, and by nobody else's code."""

from bisect import bisect_left
from datetime import UTC, date, datetime, timedelta
from functools import cache
from typing import Final
from zoneinfo import ZoneInfo

from contracts.clocking import Clocking, Hours
from contracts.ids import PlayerId
from services.engine.table.state import Table
from tests.league.plan import BEGIN, DAY, MINUTE

QUARTER: Final = 15 * MINUTE
FIRST: Final = BEGIN - 2 * DAY
QUARTERS: Final = 96 * 120
"""So far is counted: beyond any season."""
NEVER: Final = 2**62

Off = tuple[tuple[str, str], ...]
"""Days off, from and to, both included."""


@cache
def sums(hours: Hours, off: Off) -> tuple[int, ...]:
    """How much playing time lies before each quarter of an hour."""
    zone = ZoneInfo(hours.zone)
    found, total = [0], 0
    for number in range(QUARTERS):
        moment = FIRST + number * QUARTER
        here = datetime.fromtimestamp(moment // 1_000_000, UTC).astimezone(zone)
        total += QUARTER * runs(hours, off, here)
        found.append(total)
    return tuple(found)


def runs(hours: Hours, off: Off, here: datetime) -> bool:
    """Whether somebody's time runs when his clocks show this."""
    minutes = 60 * here.hour + here.minute
    for day, shown in ((here.date(), minutes), (here.date() - timedelta(days=1), minutes + 1440)):
        if hours.start <= shown < hours.end and is_playing_day(hours, off, day):
            return True
    return False


def is_playing_day(hours: Hours, off: Off, day: date) -> bool:
    """Whether somebody plays on a day at all."""
    if day.weekday() not in hours.days:
        return False
    return not any(first <= day.isoformat() <= last for first, last in off)


class Glass:
    """One player's time."""

    def __init__(self, clock: Clocking, table: Table, player: PlayerId) -> None:
        hours = table.beside.hours.get(player) or clock.hours.get(player) or Hours()
        leave = tuple((one.first, one.last) for one in table.beside.leave.get(player, ()))
        self.sums = sums(hours, (*((day, day) for day in clock.free_days), *leave))

    def before(self, moment: int) -> int:
        """How much of it lies before a moment."""
        number, rest = divmod(moment - FIRST, QUARTER)
        whole = self.sums[number]
        return whole + (rest if self.sums[number + 1] > whole else 0)

    def played(self, begin: int, end: int) -> int:
        """How much of it lies between two moments."""
        return self.before(end) - self.before(begin)

    def after(self, begin: int, amount: int) -> int:
        """When so much of it has passed."""
        if amount <= 0:
            return begin
        wanted = self.before(begin) + amount
        number = bisect_left(self.sums, wanted)
        if number >= len(self.sums):
            return NEVER
        return FIRST + number * QUARTER - (self.sums[number] - wanted)

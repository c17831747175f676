"""Quiet hours and digests by the clocks of a time zone, daylight saving included. Pure."""

from datetime import UTC, datetime, time, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from contracts.notices import QuietHours

_SECOND: Final = 1_000_000


class HoursError(ValueError):
    """An hour or a time zone that there is not."""


def hour(text: str) -> time:
    """An hour of the day.

    >>> hour("22:30")
    datetime.time(22, 30)
    """
    try:
        return datetime.strptime(text, "%H:%M").time()  # noqa: DTZ007 (an hour has no zone)
    except ValueError:
        raise HoursError(f"{text!r} is no hour of the day; write it as 22:30.") from None


def zone(name: str) -> ZoneInfo:
    """A time zone by its name."""
    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        raise HoursError(f"There is no time zone {name!r}; one is called Europe/London.") from None


def quiet_until(quiet: QuietHours, now: int) -> int | None:
    """When the quiet hours end that somebody is in, or None outside of them.

    >>> night = QuietHours("22:00", "07:00", "UTC")
    >>> quiet_until(night, 23 * 3600 * 1_000_000) // 3_600_000_000
    31
    >>> quiet_until(night, 12 * 3600 * 1_000_000) is None
    True
    """
    begin, end, where = hour(quiet.begin), hour(quiet.end), zone(quiet.zone)
    local = _local(now, where)
    # Begun yesterday or today; a stretch over midnight ends on the day after.
    for day in (local.date() - timedelta(days=1), local.date()):
        last = day if begin < end else day + timedelta(days=1)
        first = datetime.combine(day, begin, where)
        until = datetime.combine(last, end, where)
        if first.timestamp() <= now / _SECOND < until.timestamp():
            return round(until.timestamp()) * _SECOND
    return None


def next_at(at: str, where: str, now: int) -> int:
    """The next time that clocks of a zone show an hour.

    >>> next_at("18:00", "UTC", 19 * 3600 * 1_000_000) // 3_600_000_000
    42
    """
    there = zone(where)
    day = _local(now, there).date()
    today = round(datetime.combine(day, hour(at), there).timestamp()) * _SECOND
    if today > now:
        return today
    tomorrow = datetime.combine(day + timedelta(days=1), hour(at), there)
    return round(tomorrow.timestamp()) * _SECOND


def written(moment: int, where: str) -> str:
    """A moment as somebody in a time zone reads it.

    >>> written(0, "Europe/Paris")
    'Thu 1 Jan 1970, 01:00 (Europe/Paris)'
    """
    local = _local(moment, zone(where))
    return f"{local:%a} {local.day} {local:%b %Y, %H:%M} ({where})"


def _local(moment: int, where: ZoneInfo) -> datetime:
    return (datetime(1970, 1, 1, tzinfo=UTC) + timedelta(microseconds=moment)).astimezone(where)

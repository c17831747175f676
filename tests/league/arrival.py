"""Whether a notice must have arrived, by its addressee's wishes and the troubles of his channel."""

from bisect import bisect_left
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final, Literal
from zoneinfo import ZoneInfo

from contracts.notices import Kind, QuietHours, When
from tests.league.channels import Services
from tests.league.people import Person, local
from tests.league.plan import HOUR, MINUTE, SECOND
from tests.league.spans import Span, first_long, meets

Fate = Literal["must", "may", "never"]
DISTURBED: Final = 150 * MINUTE
"""How late a letter may be to a service that refused something."""
TAKEN_AGAIN: Final = 5 * MINUTE
"""How late one may be that a notifier took before it died."""
NOBODY_WAITS: Final = 2**61


def shown(text: str) -> int:
    """Minutes of a day, as clocks show them.

    >>> shown("22:30")
    1350
    """
    hours, _, minutes = text.partition(":")
    return 60 * int(hours) + int(minutes)


def at_hour(day: datetime, text: str, zone: str) -> int:
    """When clocks show an hour on a day."""
    hours, minutes = divmod(shown(text), 60)
    there = datetime(day.year, day.month, day.day, hours, minutes, tzinfo=ZoneInfo(zone))
    return round(there.timestamp()) * SECOND


def after_quiet(quiet: QuietHours | None, moment: int) -> int:
    """The moment itself, or the end of the quiet hours that it falls into."""
    if quiet is None:
        return moment
    here = local(moment, quiet.zone)
    minutes = 60 * here.hour + here.minute
    begin, end = shown(quiet.begin), shown(quiet.end)
    if begin < end:
        return at_hour(here, quiet.end, quiet.zone) if begin <= minutes < end else moment
    if minutes >= begin:
        return at_hour(here + timedelta(days=1), quiet.end, quiet.zone)
    return at_hour(here, quiet.end, quiet.zone) if minutes < end else moment


def next_digest(person: Person, moment: int) -> int:
    """When somebody is sent his next digest."""
    here = local(moment, person.zone)
    today = at_hour(here, person.digest_at, person.zone)
    if today > moment:
        return today
    return at_hour(here + timedelta(days=1), person.digest_at, person.zone)


class Arrivals:
    """What is known of channels: when they refused something, and when the notifier was away."""

    def __init__(self, services: Services, away: Sequence[Span], end: int) -> None:
        self.services = services
        self.away = away
        self.end = end

    def fate(
        self,
        url: str,
        quiet: QuietHours | None,
        made: Span,
        holds: int = NOBODY_WAITS,
        over_by: int | None = None,
    ) -> Fate:
        """Whether a letter must have arrived that was made from a moment to another.

        It holds until `holds`, and is not sent any more once that was seen, by `over_by`.
        """
        gone = self.services.gone_from(url)
        gone = NOBODY_WAITS if gone is None else gone
        earliest, latest = after_quiet(quiet, made[0]), self.latest(url, quiet, made[1])
        if latest <= min(holds, gone, self.end):
            return "must"
        if earliest >= min(gone, self.end):
            return "never"
        if over_by is not None and earliest > over_by + SECOND:
            return "never"
        return "may"

    def latest(self, url: str, quiet: QuietHours | None, moment: int) -> int:
        """By when it must have been sent, whatever was in its way."""
        latest = after_quiet(quiet, moment) + SECOND
        if meets(self.away, moment - TAKEN_AGAIN, latest):
            there = first_long(self.away, latest, NOBODY_WAITS, TAKEN_AGAIN)
            latest = NOBODY_WAITS if there is None else there
        if self._is_disturbed(url, moment - DISTURBED, latest):
            latest += DISTURBED
            there = first_long(self.away, latest - TAKEN_AGAIN, NOBODY_WAITS, TAKEN_AGAIN)
            latest = max(latest, there or 0)
        return after_quiet(quiet, latest)

    def slack(self, moment: int) -> int:
        """How late a letter may still arrive that was under way when it was taken back."""
        return TAKEN_AGAIN if meets(self.away, moment - TAKEN_AGAIN, moment + SECOND) else SECOND

    def _is_disturbed(self, url: str, begin: int, end: int) -> bool:
        refused = self.services.disturbed.get(url, [])
        place = bisect_left(refused, begin)
        return place < len(refused) and refused[place] <= end + HOUR

    def digest_fate(
        self, person: Person, url: str, made: Span, holds: int, over_by: int | None
    ) -> Fate:
        """Whether a digest must have told it; it is gathered soon after it was made."""
        gathered_by = self.latest(url, None, made[1])
        due = next_digest(person, gathered_by)
        first = next_digest(person, made[0])
        if first != due:
            return "may"
        there = first_long(self.away, due, NOBODY_WAITS, TAKEN_AGAIN) or NOBODY_WAITS
        if over_by is not None and over_by < due:
            return "never"
        if holds > there + MINUTE:
            return self.fate(url, person.quiet, (due, there))
        return "may"


def when_of(person: Person, kind: Kind) -> When:
    """When somebody is told of a kind of notice."""
    return person.when.get(kind, "at once")

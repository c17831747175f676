"""The people of a league: when they are awake, how soon they look, when they are away, how told."""

from datetime import UTC, datetime, timedelta
from random import Random
from typing import Final
from zoneinfo import ZoneInfo

from msgspec import Struct

from contracts.notices import Kind, QuietHours, When
from tests.league.plan import BEGIN, DAY, HOUR, MINUTE, SECOND, Plan

ZONES: Final = (
    "Europe/London",
    "Europe/Berlin",
    "Europe/Berlin",
    "America/New_York",
    "America/Los_Angeles",
    "Asia/Kolkata",
    "Australia/Sydney",
    "UTC",
)
SCHEMES: Final = ("discord", "slack", "tgram", "https")
PACES: Final = {"quick": (30, 200), "fitful": (240, 700), "slow": (900, 2400)}
"""Minutes between two looks at the tables, from and to."""


class Person(Struct, frozen=True):
    """Somebody of the league, with his habits and the way in which he wants to be told."""

    id: str
    zone: str
    pace: str
    wakes: int
    sleeps: int
    """Minutes after midnight; beyond 1440 on the next day."""
    free_days: tuple[int, ...]
    away: tuple[tuple[int, int], ...]
    channels: tuple[str, ...]
    """Names of channels; a channel's address is `url_of` it."""
    quiet: QuietHours | None
    digest_at: str
    when: dict[Kind, When]

    def is_away(self, moment: int) -> bool:
        """Whether he is absent altogether."""
        return any(first <= moment < last for first, last in self.away)

    def is_awake(self, moment: int) -> bool:
        """Whether he may look at his tables."""
        if self.is_away(moment):
            return False
        here = local(moment, self.zone)
        minutes = 60 * here.hour + here.minute
        for day, shift in ((here, 0), (here - timedelta(days=1), 1440)):
            plays = day.weekday() not in self.free_days
            if plays and self.wakes <= minutes + shift < self.sleeps:
                return True
        return False

    def next_look(self, moment: int, lots: Random) -> int:
        """When he looks at his tables next."""
        least, most = PACES[self.pace]
        later = moment + lots.randint(least, most) * MINUTE + lots.randrange(60) * SECOND
        while not self.is_awake(later):
            later += lots.randint(15, 45) * MINUTE
            if later > BEGIN + 400 * DAY:
                break
        return later


def local(moment: int, zone: str) -> datetime:
    """What the clocks of a zone show."""
    return (datetime(1970, 1, 1, tzinfo=UTC) + timedelta(microseconds=moment)).astimezone(
        ZoneInfo(zone)
    )


def url_of(owner: str, channel: str) -> str:
    """The address of somebody's channel; its scheme is the first part of the channel's name."""
    return f"{channel.partition('-')[0]}://{owner.replace(':', '.')}.example/{channel}"


def people(plan: Plan) -> dict[str, Person]:
    """All people of a season; some have no channel, some two."""
    lots = plan.lots("people")
    count = max(8, plan.tables * 2 // 3)
    found = [person(f"m{number}", plan, lots) for number in range(count)]
    found += [person(one, plan, lots) for one in substitutes(plan)]
    return {one.id: one for one in found}


def person(id: str, plan: Plan, lots: Random) -> Person:
    """One person."""
    zone = lots.choice(ZONES)
    wakes = lots.choice((420, 480, 540, 600))
    pace = lots.choices(tuple(PACES), (5, 3, 2))[0]
    kinds: dict[Kind, When] = {}
    if lots.random() < 0.15:
        kinds["turn"] = "digest"
    if lots.random() < 0.2:
        kinds["begun"] = lots.choice(("digest", "never"))
    if lots.random() < 0.1:
        kinds["reminder"] = lots.choice(("digest", "never"))
    # Lots of its own: a wish that was added later leaves all others as they were.
    if (draw := plan.lots(f"news for {id}").random()) < 0.3:
        kinds["news"] = "digest" if draw < 0.2 else "never"
    quiet = None
    if lots.random() < 0.5:
        begin, end = lots.choice((("22:00", "07:00"), ("23:30", "08:30"), ("12:00", "13:30")))
        quiet = QuietHours(begin, end, zone)
    names = lots.sample(SCHEMES, lots.choices((0, 1, 2), (1, 7, 3))[0])
    return Person(
        id=id,
        zone=zone,
        pace=pace,
        wakes=wakes,
        sleeps=wakes + 60 * lots.randint(11, 16),
        free_days=tuple(lots.sample(range(7), lots.choices((0, 1, 2), (6, 2, 1))[0])),
        away=absences(plan, lots),
        channels=tuple(f"{scheme}-main" for scheme in names),
        quiet=quiet,
        digest_at=lots.choice(("18:00", "19:30", "09:00")),
        when=kinds,
    )


def absences(plan: Plan, lots: Random) -> tuple[tuple[int, int], ...]:
    """When somebody is absent: mostly never, some for days, a few for ever."""
    fate = lots.random()
    first = BEGIN + round(lots.random() * plan.days * DAY)
    if fate < 0.08:
        return ((first, BEGIN + 1000 * DAY),)
    if fate < 0.35:
        return ((first, first + round(lots.uniform(0.8, 6) * DAY)),)
    return ()


def substitutes(plan: Plan) -> tuple[str, ...]:
    """Those who take over seats; each looks at his tables like the others."""
    return tuple(f"s{number}" for number in range(max(3, plan.tables // 20)))


__all__ = ["DAY", "HOUR", "Person", "local", "people", "substitutes", "url_of"]

"""Playing time by people's own clocks: hours, days of the week, days off, daylight saving."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as some

from contracts.clocking import Hours, Leave
from contracts.zones import ZONES
from services.clock.calendar import NEVER, SECOND, Calendar, moment_after, played, zone_of
from services.engine.rules.beside.orders import hours_objection

HOUR = 3600 * SECOND
BERLIN, NEW_YORK = "Europe/Berlin", "America/New_York"
EVENINGS = Calendar(Hours(BERLIN, 18 * 60, 25 * 60))


def at(text: str, zone: str = "UTC") -> int:
    shown = datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(zone))
    return (shown - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(microseconds=1)


def test_day_and_night_all_time_is_playing_time():
    start = at("2026-05-01T00:00")
    assert moment_after(Calendar(), start, 30 * HOUR) == start + 30 * HOUR
    assert played(Calendar(), start, start + 5) == 5


def test_time_stands_still_outside_somebodys_hours_and_goes_on_the_next_day():
    start = at("2026-05-04T23:00", BERLIN)
    assert moment_after(EVENINGS, start, 3 * HOUR) == at("2026-05-05T19:00", BERLIN)
    assert played(EVENINGS, start, at("2026-05-05T12:00", BERLIN)) == 2 * HOUR
    assert moment_after(EVENINGS, at("2026-05-05T12:00", BERLIN), HOUR) == at(
        "2026-05-05T19:00", BERLIN
    )


def test_an_evening_that_goes_past_midnight_belongs_to_the_day_that_it_began_on():
    fridays = Calendar(Hours(BERLIN, 18 * 60, 25 * 60, (4,)))
    friday = at("2026-05-08T18:00", BERLIN)
    assert moment_after(fridays, friday, 7 * HOUR) == at("2026-05-09T01:00", BERLIN)
    assert moment_after(fridays, friday, 7 * HOUR + 1) == at("2026-05-15T18:00", BERLIN) + 1
    # Also for a turn that begins when it is Saturday.
    saturday = at("2026-05-09T00:30", BERLIN)
    assert moment_after(fridays, saturday, HOUR // 4) == at("2026-05-09T00:45", BERLIN)
    assert played(fridays, saturday, at("2026-05-10T00:30", BERLIN)) == HOUR // 2


@pytest.mark.parametrize(
    ("day", "following", "zone", "hours"),
    [
        ("2026-03-29", "2026-03-30", BERLIN, 23),
        ("2026-10-25", "2026-10-26", BERLIN, 25),
        ("2026-03-08", "2026-03-09", NEW_YORK, 23),
        ("2026-11-01", "2026-11-02", NEW_YORK, 25),
        ("2026-05-01", "2026-05-02", BERLIN, 24),
    ],
)
def test_a_day_on_which_the_clocks_change_has_an_hour_more_or_less(day, following, zone, hours):
    whole = Calendar(Hours(zone), free_days=("1999-01-01",))
    start, end = at(f"{day}T00:00", zone), at(f"{following}T00:00", zone)
    assert played(whole, start, end) == hours * HOUR


def test_evenings_are_evenings_before_and_after_the_clocks_change():
    start = at("2026-03-28T18:00", BERLIN)
    assert moment_after(EVENINGS, start, 7 * HOUR + 1) == at("2026-03-29T18:00", BERLIN) + 1
    nights = Calendar(Hours(BERLIN, 60, 4 * 60))
    night = at("2026-03-29T00:00", BERLIN)
    assert played(nights, night, night + 12 * HOUR) == 2 * HOUR


def test_days_off_and_leave_are_days_of_the_players_own_calendar():
    off = Calendar(Hours(BERLIN), ("2026-12-25",), (Leave("2026-12-27", "2026-12-29"),))
    start = at("2026-12-24T20:00", BERLIN)
    assert moment_after(off, start, 5 * HOUR) == at("2026-12-26T01:00", BERLIN)
    assert moment_after(off, start, 29 * HOUR) == at("2026-12-30T01:00", BERLIN)


def test_somebody_who_never_plays_again_is_never_out_of_time():
    for_ever = Calendar(Hours(), (), (Leave("2026-01-01", "2999-12-31"),))
    assert moment_after(for_ever, at("2026-05-01T00:00"), 1) == NEVER


def test_a_zone_that_this_machine_does_not_know_is_taken_for_utc():
    assert moment_after(Calendar(Hours("Mars/Olympus", 60, 120)), 0, 1) == HOUR + 1


hours = some.builds(
    lambda zone, start, length, days: Hours(zone, start, start + length, tuple(sorted(days))),
    some.sampled_from(["UTC", BERLIN, NEW_YORK, "Asia/Kolkata", "Australia/Lord_Howe"]),
    some.integers(0, 1439),
    # Of less than half an hour a week, more than ten years are asked for: that is never.
    some.integers(30, 1440),
    some.sets(some.integers(0, 6), min_size=1),
)
moments = some.integers(at("2026-01-01T00:00"), at("2027-12-31T00:00"))


@given(hours, moments, some.integers(1, 200 * HOUR))
def test_the_moment_at_which_so_much_time_is_over_has_just_so_much_before_it(hours, start, amount):
    calendar = Calendar(hours)
    end = moment_after(calendar, start, amount)
    assert played(calendar, start, end) == amount
    assert played(calendar, start, end - 1) == amount - 1


@given(hours, moments, some.integers(0, 100 * HOUR), some.integers(0, 100 * HOUR))
def test_playing_time_adds_up(hours, start, one, other):
    calendar = Calendar(hours)
    middle, end = start + one, start + one + other
    total = played(calendar, start, middle) + played(calendar, middle, end)
    assert total == played(calendar, start, end)


def test_every_zone_that_a_table_may_have_is_known_to_the_clock():
    assert {name for name in ZONES if not knows(name)} == set()
    assert len(ZONES) > 590


def knows(name: str) -> bool:
    """Whether its own clock is found, and not that of UTC in its place."""
    return isinstance(zone_of(name), ZoneInfo)


@pytest.mark.parametrize("zone", ["Mars/Olympus", "europe/berlin", "Berlin", "", "UTC+2", "../UTC"])
def test_no_other_zone_enters_a_table(zone):
    refusal = hours_objection(Hours(zone))
    assert refusal is not None
    assert "There is no time zone" in refusal.sentence
    assert hours_objection(Hours(BERLIN)) is None


def test_whoever_writes_a_zone_nearly_right_is_told_how():
    refusal = hours_objection(Hours("new_york"))
    assert refusal is not None
    assert "America/New_York" in refusal.legal


def test_hours_that_a_change_of_the_clocks_leaves_out_are_not_played():
    """02:00 to 03:00 is not there on the night in which the clocks go forward."""
    gap = Calendar(Hours(BERLIN, 120, 180))
    assert played(gap, at("2026-03-28T12:00", BERLIN), at("2026-03-29T12:00", BERLIN)) == 0
    start = at("2026-03-28T12:00", BERLIN)
    assert moment_after(gap, start, HOUR) == at("2026-03-30T03:00", BERLIN)


def test_hours_that_begin_or_end_where_the_clocks_jump_lose_only_what_is_not_there():
    night = at("2026-03-29T00:00", BERLIN)
    # From 02:30 to 04:00, of which 03:00 comes first; from 01:00 to 02:30, of which 02:00 is last.
    begins_within = Calendar(Hours(BERLIN, 150, 240))
    assert played(begins_within, night, night + 12 * HOUR) == HOUR
    ends_within = Calendar(Hours(BERLIN, 60, 150))
    assert played(ends_within, night, night + 12 * HOUR) == HOUR


def test_an_hour_that_comes_twice_is_played_twice():
    """02:00 to 03:00 comes twice on the night in which the clocks go back."""
    night = at("2026-10-25T00:00", BERLIN)
    twice = Calendar(Hours(BERLIN, 120, 180))
    assert played(twice, night, night + 12 * HOUR) == 2 * HOUR
    assert moment_after(twice, night, 2 * HOUR) == night + 4 * HOUR

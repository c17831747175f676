"""Sentences about what happens beside the game: seats, programmes, the clock."""

from collections.abc import Mapping
from typing import Any, Final

from contracts import events as e
from contracts.clocking import DAY_MINUTES, EVERY_DAY
from contracts.notation_beside import DAYS, clock_time, day_names
from contracts.people import NOBODY
from contracts.programmes import REASONS, Buying, OnlyChoice, Passing, Programme
from services.engine.projections.words import Words, listed
from services.engine.table.state import Table

Lines = tuple[str, ...]

OUTCOMES: Final[Mapping[str, str]] = {
    "call": "",
    "neutral": "; neutral moves are made",
    "substitute": "; the next substitute takes the seat, if there is one",
    "resign": "; that counts as a resignation",
}
"""What is done once a player's time is up."""

NEVER_UNDONE: Final = frozenset(
    kind.__name__ for kind in (e.SeatTaken, e.TimeCalled, e.PlayPaused, e.LeaveTaken, e.HoursSet)
)
"""What an undo does not take back: its lines are never marked as undone."""

_WEEK: Final = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


def seat_taken(words: Words, table: Table, event: e.SeatTaken) -> Lines:
    """Who sits where from now on."""
    if event.person == NOBODY:
        return (f"nobody plays for {words.party(event.player)} any more",)
    return (f"the seat of {words.party(event.player)} was taken by {event.person}",)


def time_called(words: Words, table: Table, event: e.TimeCalled) -> Lines:
    """Whose time was up."""
    outcome = OUTCOMES.get(event.then, f"; {event.then}")
    return (f"the time of {words.party(event.player)} was up{outcome}",)


def moves(words: Words, programme: Programme) -> str:
    """What the server does by a programme."""
    match programme:
        case Passing():
            return "pass until something touches what he holds"
        case Buying(company, source, most):
            bought = f"buy {words.party(company)} from {words.party(source)}"
            return f"{bought} for at most {words.money(most)} until it floats"
        case OnlyChoice():
            return "do what is asked where there is only one thing to do"


def programme_set(words: Words, table: Table, event: e.ProgrammeSet) -> Lines:
    """What a player leaves to the server."""
    who = words.party(event.held.player)
    return (f"{who} lets the server {moves(words, event.held.programme)}",)


def programme_stopped(words: Words, table: Table, event: e.ProgrammeStopped) -> Lines:
    """Which programme is over, and why."""
    who = words.party(event.held.player)
    because = REASONS.get(event.because, event.because)
    by = "" if event.by is None else f" ({words.party(event.by)})"
    what = f"the server no longer moves for {who} ({moves(words, event.held.programme)})"
    return (f"{what}: {because}{by}",)


def paused(words: Words, table: Table, event: e.PlayPaused) -> Lines:
    """Whether time runs."""
    return ("play is paused; nobody's time runs" if event.paused else "play is resumed",)


def leave_taken(words: Words, table: Table, event: e.LeaveTaken) -> Lines:
    """Who does not play when."""
    leave = event.leave
    return (f"{words.party(event.player)} takes leave from {leave.first} to {leave.last}",)


def hours_set(words: Words, table: Table, event: e.HoursSet) -> Lines:
    """When somebody plays."""
    hours = event.hours
    start, end = time_of_day(hours.start), time_of_day(hours.end)
    on = days_in_words(hours.days)
    return (f"{words.party(event.player)} plays from {start} to {end}, {on} ({hours.zone})",)


def time_of_day(minutes: int) -> str:
    """Minutes after midnight as a clock shows them; the end of a day is 24:00.

    >>> time_of_day(1080), time_of_day(1440), time_of_day(1500)
    ('18:00', '24:00', '01:00')
    """
    return clock_time(minutes if minutes <= DAY_MINUTES else minutes % DAY_MINUTES)


def days_in_words(days: tuple[int, ...]) -> str:
    """On which days of the week somebody plays, Monday being 0.

    >>> days_in_words((0, 1, 2, 3, 5)), days_in_words((0, 1, 2, 3, 4, 5, 6)), days_in_words((6,))
    ('Monday to Thursday and Saturday', 'every day', 'Sunday')
    """
    if set(days) == set(EVERY_DAY):
        return "every day"
    rows = (name.split("-") for name in day_names(days))
    return listed(" to ".join(_WEEK[DAYS.index(day)] for day in row) for row in rows)


TELL: Final[Mapping[type, Any]] = {
    e.SeatTaken: seat_taken,
    e.TimeCalled: time_called,
    e.ProgrammeSet: programme_set,
    e.ProgrammeStopped: programme_stopped,
    e.PlayPaused: paused,
    e.LeaveTaken: leave_taken,
    e.HoursSet: hours_set,
}

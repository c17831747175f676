"""Lines of the commands beside the game: seats, programmes, the clock.

| line | command |
|---|---|
| `seat bob to dora` | the host gives a seat to a person |
| `withdraw 7.0` | take a proposal back |
| `call-time 6.3` | call a player's time |
| `expire 40.0` | end a request that has waited long enough |
| `programme pass`, `programme only-choice` | leave moves to the server |
| `programme buy PRR from offering at 100` | buy until it floats, for at most so much |
| `clear 12.0` | end a programme |
| `leave 2026-12-24 2026-12-27` | do not play on these days |
| `hours Europe/Berlin from 18:00 to 01:00 mon-thu sat` | play at these hours, on these days |
| `request pause`, `request resume`, `request end`, `undo 41` | ask the others for it |
| `answer 40.0 yes`, `answer 40.0 no` | answer a request |

An undo is taken back by `redo 44`, which is `undo 44` by its other name. Hours without days are
those of every day; an end that is no later than the beginning lies on the next day.
"""

from collections.abc import Callable, Iterable
from typing import Final, assert_never

import msgspec

from contracts import commands as c
from contracts.clocking import DAY_MINUTES, EVERY_DAY, Clocking, Hours, Leave
from contracts.ids import CompanyId, FrameId, Party, PlayerId
from contracts.programmes import Buying, OnlyChoice, Passing, Programme
from contracts.words import Reader, name

Beside = (
    c.AssignSeat
    | c.Withdraw
    | c.CallTime
    | c.SetProgramme
    | c.ClearProgramme
    | c.TakeLeave
    | c.SetHours
    | c.ExpireRequest
)

DAYS: Final = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
"""Days of the week, Monday being 0."""
_A_ROW: Final = 3
_DAY_HOURS: Final = 24
_HOUR_MINUTES: Final = 60

_clock = msgspec.json.Decoder(Clocking).decode


def parts(command: Beside) -> Iterable[str]:
    """The words of a command."""
    match command:
        case c.AssignSeat(seat, person):
            return ("seat", name(seat), "to", name(person))
        case c.Withdraw(question):
            return ("withdraw", name(question))
        case c.CallTime(frame):
            return ("call-time", name(frame))
        case c.ExpireRequest(request):
            return ("expire", name(request))
        case c.SetProgramme(programme):
            return ("programme", *_programme(programme))
        case c.ClearProgramme(id):
            return ("clear", name(id))
        case c.TakeLeave(leave):
            return ("leave", name(leave.first), name(leave.last))
        case c.SetHours(hours):
            return ("hours", name(hours.zone), *_hours(hours))
        case _:
            assert_never(command)


def _programme(programme: Programme) -> Iterable[str]:
    match programme:
        case Passing():
            return ("pass",)
        case OnlyChoice():
            return ("only-choice",)
        case Buying(company, source, most):
            return ("buy", name(company), "from", name(source), "at", str(most))
        case _:
            assert_never(programme)


def clock_parts(clock: Clocking | None) -> tuple[str, ...]:
    """How an opening says the table's clock: as it is encoded in JSON."""
    return () if clock is None else ("clock", name(msgspec.json.encode(clock).decode()))


def read_clock(reader: Reader) -> Clocking | None:
    """The clock of an opening, None where it names none."""
    if not reader.follows("clock"):
        return None
    word = reader.take("a clock, as JSON in quotes")
    try:
        return _clock(word.text)
    except msgspec.DecodeError:
        raise reader.error("a clock, as JSON in quotes", word) from None


def _read_seat(reader: Reader) -> c.AssignSeat:
    seat = PlayerId(Party(reader.name("a player")))
    reader.demand("to")
    return c.AssignSeat(seat, reader.name("a person"))


def _frame(reader: Reader, expected: str) -> FrameId:
    return FrameId(reader.name(expected))


def _read_programme(reader: Reader) -> c.SetProgramme:
    if reader.follows("pass"):
        return c.SetProgramme(Passing())
    if reader.follows("only-choice"):
        return c.SetProgramme(OnlyChoice())
    if not reader.follows("buy"):
        raise reader.error("pass, only-choice or buy")
    company = CompanyId(Party(reader.name("a company")))
    reader.demand("from")
    source = Party(reader.name("offering or pool"))
    reader.demand("at")
    return c.SetProgramme(Buying(company, source, reader.amount("the most to pay for a share")))


def _read_leave(reader: Reader) -> c.TakeLeave:
    first = reader.name("the first day, such as 2026-12-24")
    return c.TakeLeave(Leave(first, reader.name("the last day")))


def _hours(hours: Hours) -> Iterable[str]:
    """Hours as clocks show them; as numbers where no clock could show them."""
    if not _is_plain(hours):
        return (str(hours.start), str(hours.end), *map(str, hours.days))
    end = hours.end if hours.end <= DAY_MINUTES else hours.end - DAY_MINUTES
    days = () if hours.days == EVERY_DAY else day_names(hours.days)
    return ("from", clock_time(hours.start), "to", clock_time(end), *days)


def _is_plain(hours: Hours) -> bool:
    """Whether clocks show these hours, on days that there are."""
    fits = 0 <= hours.start < DAY_MINUTES and 0 < hours.end - hours.start <= DAY_MINUTES
    return fits and bool(hours.days) and all(day in EVERY_DAY for day in hours.days)


def clock_time(minutes: int) -> str:
    """Minutes after midnight as a clock shows them; the end of a day is 24:00.

    >>> clock_time(485), clock_time(1440)
    ('08:05', '24:00')
    """
    return f"{minutes // 60:02}:{minutes % 60:02}"


def day_names(days: tuple[int, ...]) -> tuple[str, ...]:
    """Days of the week by their names, three or more in a row from the first to the last.

    >>> day_names((0, 1, 2, 3, 5, 6, 1))
    ('mon-thu', 'sat', 'sun', 'tue')
    """
    found: list[str] = []
    at = 0
    while at < len(days):
        last = at
        while last + 1 < len(days) and days[last + 1] == days[last] + 1:
            last += 1
        if last - at < _A_ROW - 1:
            last = at
        found.append(DAYS[days[at]] if last == at else f"{DAYS[days[at]]}-{DAYS[days[last]]}")
        at = last + 1
    return tuple(found)


def days_named(word: str) -> tuple[int, ...] | None:
    """The days that a name stands for, or a row of them; None if it stands for none.

    >>> days_named("wed"), days_named("sat-mon"), days_named("someday")
    ((2,), (5, 6, 0), None)
    """
    first, dash, last = word.partition("-")
    if first not in DAYS or (dash and last not in DAYS):
        return None
    start = DAYS.index(first)
    length = (DAYS.index(last) - start) % len(DAYS) if dash else 0
    return tuple((start + number) % len(DAYS) for number in range(length + 1))


def _read_hours(reader: Reader) -> c.SetHours:
    zone = reader.name("a time zone, such as Europe/Berlin")
    if reader.follows("from"):
        return c.SetHours(_read_clock_hours(reader, zone))
    start = reader.amount('"from", or minutes after midnight')
    end = reader.amount("minutes after midnight")
    days: list[int] = []
    while not reader.has_ended():
        days.append(reader.amount("a day of the week, Monday being 0"))
    return c.SetHours(Hours(zone, start, end, tuple(days)))


def _read_clock_hours(reader: Reader, zone: str) -> Hours:
    start = _read_time(reader)
    reader.demand("to")
    end = _read_time(reader)
    days: list[int] = []
    while not reader.has_ended():
        word = reader.take("days of the week, such as mon-fri")
        some = days_named(word.text)
        if some is None:
            raise reader.error("days of the week, such as mon-fri or sat", word)
        days += some
    if end <= start:
        # Midnight lies between: it is an end on the next day.
        end += DAY_MINUTES
    return Hours(zone, start, end, tuple(days) or EVERY_DAY)


def _read_time(reader: Reader) -> int:
    expected = "a time of day, such as 18:30"
    word = reader.word
    hour = reader.amount(expected)
    reader.demand(":")
    minute = reader.amount(expected)
    if not (0 <= hour < _DAY_HOURS and 0 <= minute < _HOUR_MINUTES) and (hour, minute) != (24, 0):
        raise reader.error(f"{expected}, from 00:00 to 24:00", word)
    return hour * _HOUR_MINUTES + minute


READERS: Final[dict[str, Callable[[Reader], Beside]]] = {
    "seat": _read_seat,
    "withdraw": lambda reader: c.Withdraw(_frame(reader, "a question")),
    "call-time": lambda reader: c.CallTime(_frame(reader, "a turn or question")),
    "expire": lambda reader: c.ExpireRequest(_frame(reader, "a request")),
    "programme": _read_programme,
    "clear": lambda reader: c.ClearProgramme(_frame(reader, "a programme")),
    "leave": _read_leave,
    "hours": _read_hours,
}

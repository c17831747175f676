"""Lines of the commands beside the game: seats, programmes, the clock.

| line | command |
|---|---|
| `seat bob to dora` | the host gives a seat to a person |
| `withdraw 7.0` | take a proposal back |
| `call-time 6.3` | call a player's time |
| `programme pass`, `programme only-choice` | leave moves to the server |
| `programme buy PRR from offering at 100` | buy until it floats, for at most so much |
| `clear 12.0` | end a programme |
| `leave 2026-12-24 2026-12-27` | do not play on these days |
| `hours Europe/Berlin 1080 1500 0 1 4` | play at these hours, on these days of the week |
"""

from collections.abc import Callable, Iterable
from typing import Final, assert_never

import msgspec

from contracts import commands as c
from contracts.clocking import Clocking, Hours, Leave
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
)

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
        case c.SetProgramme(programme):
            return ("programme", *_programme(programme))
        case c.ClearProgramme(id):
            return ("clear", name(id))
        case c.TakeLeave(leave):
            return ("leave", name(leave.first), name(leave.last))
        case c.SetHours(hours):
            days = map(str, hours.days)
            return ("hours", name(hours.zone), str(hours.start), str(hours.end), *days)
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


def _read_hours(reader: Reader) -> c.SetHours:
    zone = reader.name("a time zone, such as Europe/Berlin")
    start = reader.amount("minutes after midnight")
    end = reader.amount("minutes after midnight")
    days: list[int] = []
    while not reader.has_ended():
        days.append(reader.amount("a day of the week, Monday being 0"))
    return c.SetHours(Hours(zone, start, end, tuple(days)))


READERS: Final[dict[str, Callable[[Reader], Beside]]] = {
    "seat": _read_seat,
    "withdraw": lambda reader: c.Withdraw(_frame(reader, "a question")),
    "call-time": lambda reader: c.CallTime(_frame(reader, "a turn or question")),
    "programme": _read_programme,
    "clear": lambda reader: c.ClearProgramme(_frame(reader, "a programme")),
    "leave": _read_leave,
    "hours": _read_hours,
}

"""The settings of a table out of options and a file: one way to check what either says."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec import Struct

from contracts.clocking import DAY_MINUTES, ENDS, EVERY_DAY, Clocking, Hours
from contracts.ids import Party, PlayerId
from contracts.notation_beside import days_named
from contracts.people import composed, is_person
from contracts.pieces import REQUEST_SECONDS, Seat, Settings
from services.console.durations import seconds
from services.console.errors import BadInputError
from services.console.table_options import ClockOptions, TableOptions
from services.console.zones import checked_zone

UNDO_RULES: Final = ("own", "free", "consent")
HOURS_FORM: Final = "ZONE[,HH:MM-HH:MM][,DAYS], such as Europe/Berlin,08:00-23:00,mon-fri"
_TIMES: Final = re.compile(r"(\d{1,2}):(\d{2})-(\d{1,2}):(\d{2})", re.ASCII)
_DAY: Final = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)


class Wanted(Struct, frozen=True, kw_only=True, rename="kebab", forbid_unknown_fields=True):
    """What a settings file may say, by the names of the options; lists may be written as lists."""

    undo: str | None = None
    host: str | None = None
    host_acts: bool = False
    request_time: str | None = None
    person: list[str] | dict[str, str] | None = None
    turn_time: str | None = None
    bank: str | None = None
    increment: str | None = None
    bank_most: str | None = None
    then: str | None = None
    reminders: str | list[str] | None = None
    hours: str | list[str] | dict[str, str] | None = None
    free_days: str | list[str] | None = None
    leave_days: int | None = None
    substitutes: str | list[str] | None = None


CLOCK_FIELDS: Final = tuple(ClockOptions.__dataclass_fields__)


def wanted(table: TableOptions | None, clock: ClockOptions | None) -> Wanted:
    """What is wanted: what was typed, else what the settings file says."""
    typed: dict[str, Any] = {}
    for options in (table, clock):
        if options is not None:
            typed |= {key: value for key, value in asdict(options).items() if value}
    # A nought is a number of days too.
    if clock is not None and clock.leave_days is not None:
        typed["leave_days"] = clock.leave_days
    file = typed.pop("settings", None)
    return msgspec.structs.replace(Wanted() if file is None else from_file(file), **typed)


def from_file(path: Path) -> Wanted:
    """What a settings file says."""
    try:
        return msgspec.toml.decode(composed(path.read_bytes().decode()), type=Wanted)
    except UnicodeDecodeError:
        raise BadInputError(f"--settings: {path} is no text in UTF-8.") from None
    except OSError as error:
        raise BadInputError(f"--settings: {path} cannot be read ({error.strerror}).") from None
    except msgspec.DecodeError as error:
        names = ", ".join(Wanted.__struct_encode_fields__)
        raise BadInputError(f"--settings: {path}: {error}. It may have: {names}.") from None


def settings_of(want: Wanted, seats: Sequence[Seat]) -> Settings:
    """The settings of a table that is to have these seats."""
    undo = Settings().undo if want.undo is None else want.undo
    if undo not in UNDO_RULES:
        raise BadInputError(f"--undo cannot be {undo!r}. It may be: {', '.join(UNDO_RULES)}.")
    host = None if want.host is None else PlayerId(Party(want.host))
    waits = REQUEST_SECONDS
    if want.request_time is not None:
        waits = seconds(want.request_time, "--request-time")
    clock = clock_of(want, seats)
    return Settings(undo, host, clock=clock, host_acts=want.host_acts, request_seconds=waits)


def clock_of(want: Wanted, seats: Sequence[Seat]) -> Clocking | None:
    """The clock that is wanted, None if nothing of one is."""
    if all(getattr(want, name) is None for name in CLOCK_FIELDS):
        return None
    if want.turn_time is None and want.bank is None:
        raise BadInputError("A clock needs --turn-time or --bank: nobody would have any time.")
    then = Clocking().then if want.then is None else want.then
    if then not in ENDS:
        told = "; ".join(f"{name}: {words}" for name, words in ENDS.items())
        raise BadInputError(f"--then cannot be {then!r}. It may be {told}.")
    substitutes = tuple(_parts(want.substitutes))
    for person in substitutes:
        _checked_person(person, "--substitutes")
    if then == "substitute" and not substitutes:
        raise BadInputError("--then substitute needs --substitutes, such as zoe,yan.")
    return Clocking(
        turn_seconds=_length(want.turn_time, "--turn-time"),
        bank_seconds=_length(want.bank, "--bank"),
        increment_seconds=_length(want.increment, "--increment"),
        bank_most=None if want.bank_most is None else _length(want.bank_most, "--bank-most"),
        then=then,
        reminders=tuple(seconds(one, "--reminders") for one in _parts(want.reminders)),
        hours=_hours_of_all(want.hours, seats),
        free_days=tuple(_day(one) for one in _parts(want.free_days)),
        leave_days=_not_negative(want.leave_days or 0),
        substitutes=substitutes,
    )


def _length(text: str | None, what: str) -> int:
    return 0 if text is None else seconds(text, what)


def _not_negative(days: int) -> int:
    if days < 0:
        raise BadInputError(f"--leave-days: nobody can take {days} days off.")
    return days


def _parts(several: str | Iterable[str] | None) -> list[str]:
    """Words with commas between, or a list of them."""
    words = [several] if isinstance(several, str) else several or ()
    return [part.strip() for word in words for part in word.split(",") if part.strip()]


def _day(text: str) -> str:
    if not _DAY.fullmatch(text):
        raise BadInputError(f"--free-days: {text!r} is no day; write 2026-12-24,2026-12-25.")
    return text


# --- people ----------------------------------------------------------------------------------


def with_people(seats: Sequence[Seat], want: Wanted) -> tuple[Seat, ...]:
    """The seats with the persons who alone act for them."""
    pairs: Mapping[str, str]
    if isinstance(want.person, dict):
        pairs = want.person
    else:
        pairs = dict(_pair(one, "--person", "ann=ann.lee@example.org") for one in want.person or ())
    _known(pairs, seats, "--person")
    for person in pairs.values():
        _checked_person(person, "--person")
    return tuple(
        msgspec.structs.replace(seat, person=pairs.get(seat.player, seat.person)) for seat in seats
    )


def _pair(text: str, what: str, form: str) -> tuple[str, str]:
    name, mark, value = text.partition("=")
    if not mark or not name or not value:
        raise BadInputError(f"{what}: {text!r} names no seat; write {form}.")
    return name, value


def _known(names: Iterable[str], seats: Sequence[Seat], what: str) -> None:
    there = [str(seat.player) for seat in seats]
    for name in names:
        if name not in there:
            raise BadInputError(f"{what}: {name} has no seat here. Seats: {', '.join(there)}.")


def _checked_person(name: str, what: str) -> None:
    if not is_person(name):
        raise BadInputError(
            f"{what}: nobody can be called {name!r}; it is one printable word, and no program's."
        )


# --- hours -----------------------------------------------------------------------------------


def _hours_of_all(
    several: str | Sequence[str] | Mapping[str, str] | None, seats: Sequence[Seat]
) -> dict[PlayerId, Hours]:
    """Hours by player; those without a name are everybody's who has none of his own."""
    if several is None:
        return {}
    lines = [several] if isinstance(several, str) else several
    pairs = dict(lines) if isinstance(lines, Mapping) else dict(map(_named_hours, lines))
    common = pairs.pop("", None)
    _known(pairs, seats, "--hours")
    for seat in seats if common is not None else ():
        pairs.setdefault(seat.player, common or "")
    return {PlayerId(Party(name)): hours_of(text) for name, text in pairs.items()}


def _named_hours(text: str) -> tuple[str, str]:
    name, mark, rest = text.partition("=")
    return (name, rest) if mark else ("", text)


def hours_of(text: str, what: str = "--hours") -> Hours:
    """Hours of play as they are written in an option.

    >>> hours_of("Europe/Berlin,18:00-01:00,mon-thu,sun")
    Hours(zone='Europe/Berlin', start=1080, end=1500, days=(0, 1, 2, 3, 6))
    """
    zone, *more = text.split(",")
    checked_zone(zone, what)
    start, end = 0, DAY_MINUTES
    if more and (times := _TIMES.fullmatch(more[0])):
        start, end = _minutes(times)
        del more[0]
    days: list[int] = []
    for word in more:
        named = days_named(word.strip().lower())
        if named is None:
            raise BadInputError(f"{what}: {word!r} is not understood; write {HOURS_FORM}.")
        days += named
    return Hours(zone, start, end, tuple(days) or EVERY_DAY)


def _minutes(times: "re.Match[str]") -> tuple[int, int]:
    hour, minute, last_hour, last_minute = map(int, times.groups())
    start, end = hour * 60 + minute, last_hour * 60 + last_minute
    fits = start < DAY_MINUTES and end <= DAY_MINUTES and minute < 60 and last_minute < 60
    if not fits:
        raise BadInputError(f"--hours: {times[0]} are no times of a day; write 08:00-23:00.")
    return start, end if end > start else end + DAY_MINUTES

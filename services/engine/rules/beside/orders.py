"""Orders beside the game: seats, programmes, leave and hours. None of them lets a request lapse."""

import re
from typing import Final

from contracts import events as e
from contracts.clocking import DAY_MINUTES, ENDS, EVERY_DAY, Clocking, Hours, Leave
from contracts.commands import (
    AssignSeat,
    ClearProgramme,
    OpenTable,
    Order,
    SetHours,
    SetProgramme,
    TakeLeave,
)
from contracts.events import Events
from contracts.ids import FrameId, PlayerId
from contracts.programmes import Held, Programme
from contracts.rejections import Code, Rejection
from contracts.zones import ZONES, zones_like
from services.engine.rules.beside import people, programmes
from services.engine.rules.draft import Draft
from services.engine.rules.ruleset import Ruleset
from services.engine.table.agenda import current_round
from services.engine.table.state import Table

Command = AssignSeat | SetProgramme | ClearProgramme | TakeLeave | SetHours

_DAY: Final = re.compile(r"(\d{4})-(\d{2})-(\d{2})")
LEAP_FOUR, LEAP_HUNDRED, LEAP_FOUR_HUNDRED = 4, 100, 400


def decide(ruleset: Ruleset, table: Table, order: Order, command: Command) -> Events | Rejection:
    """What an order beside the game leads to."""
    if order.version != table.version:
        sentence = f"The order was made against version {order.version}, not {table.version}."
        return Rejection(Code.STALE, "design", sentence, "Look again.", table.version)
    draft = Draft(table)
    refusal = over_objection(table, command)
    if refusal is not None:
        return refusal
    match command:
        case AssignSeat():
            refusal = assign(draft, command)
        case SetProgramme():
            refusal = set_programme(ruleset, draft, order.player, command)
        case ClearProgramme():
            refusal = clear(draft, order.player, command)
        case TakeLeave():
            refusal = take_leave(draft, order.player, command.leave)
        case SetHours():
            refusal = hours_objection(command.hours)
            draft.emit(e.HoursSet(order.player, command.hours))
    return tuple(draft.events) if refusal is None else refusal


def refused(code: Code, sentence: str, legal: str = "") -> Rejection:
    """A refusal by the table's own order."""
    return Rejection(code, "design", sentence, legal)


def over_objection(table: Table, command: Command) -> Rejection | None:
    """Nobody plans ahead for a game that is over."""
    is_over = table.ending is not None and table.ending.over
    if is_over and isinstance(command, SetProgramme | TakeLeave | SetHours):
        return refused(Code.GAME_OVER, "The game is over.")
    return None


def assign(draft: Draft, command: AssignSeat) -> Rejection | None:
    """Give a seat to a person, and stop what the one before had left to the server."""
    table = draft.table
    if command.seat not in table.order:
        return refused(Code.NOT_SEATED, f"{command.seat} has no seat here.")
    refusal = people.person_objection(command.person)
    if refusal is None:
        seat_taken(draft, command.seat, command.person)
    return refusal


def seat_taken(draft: Draft, player: PlayerId, person: str) -> None:
    """Somebody acts for a seat from this record on, with everything that it has."""
    draft.emit(e.SeatTaken(player, person, draft.before.version + 1))
    stop_all_of(draft, player, "seat taken")


def stop_all_of(draft: Draft, player: PlayerId, because: str) -> None:
    """Stop all programmes of a player."""
    for held in draft.table.beside.programmes:
        if held.player == player:
            draft.emit(e.ProgrammeStopped(held, because))


def set_programme(
    ruleset: Ruleset, draft: Draft, player: PlayerId, command: SetProgramme
) -> Rejection | None:
    """Hold a programme for a player, in place of another of its sort.

    One that is set in its player's own turn and cannot go on there stops at once, and says why.
    """
    table = draft.table
    held = to_hold(table, player, command.programme)
    refusal = programmes.set_objection(table, held)
    if refusal is not None:
        return refusal
    for old in programmes.replaced_by(table, held):
        draft.emit(e.ProgrammeStopped(old, "replaced"))
    draft.emit(e.ProgrammeSet(held))
    if programmes.is_of_one_round(held):
        because = programmes.cannot_go_on(ruleset, draft.table, held)
        if because is not None:
            draft.emit(e.ProgrammeStopped(held, because))
    return None


def to_hold(table: Table, player: PlayerId, programme: Programme) -> Held:
    """A programme as the next record would hold it."""
    playing = current_round(table)
    held = Held(FrameId(f"{table.version + 1}.0"), player, programme)
    if programmes.is_of_one_round(held) and playing is not None:
        return Held(held.id, player, programme, playing.id)
    return held


def clear(draft: Draft, player: PlayerId, command: ClearProgramme) -> Rejection | None:
    """End a programme of one's own."""
    for held in draft.table.beside.programmes:
        if held.id == command.id and held.player == player:
            draft.emit(e.ProgrammeStopped(held, "cleared"))
            return None
    return refused(Code.BAD_REQUEST, f"{player} has no programme {command.id}.")


# --- leave and hours -------------------------------------------------------------------------


def take_leave(draft: Draft, player: PlayerId, leave: Leave) -> Rejection | None:
    """Take days off, out of the allowance that the table gives everybody."""
    refusal = leave_objection(leave, leave_left(draft.table, player))
    if refusal is None:
        draft.emit(e.LeaveTaken(player, leave))
    return refusal


def leave_left(table: Table, player: PlayerId) -> int:
    """How many days more a player may take off."""
    clock = table.settings.clock
    allowed = 0 if clock is None else clock.leave_days
    return allowed - sum(days_of(one) for one in table.beside.leave.get(player, ()))


def leave_objection(leave: Leave, left: int) -> Rejection | None:
    """What is wrong with some days off, where so many days more may be taken."""
    if day_number(leave.first) is None or day_number(leave.last) is None:
        return refused(Code.BAD_REQUEST, "These are no days.", "Write them as 2026-12-24.")
    if days_of(leave) < 1:
        return refused(Code.BAD_REQUEST, f"{leave.last} comes before {leave.first}.")
    if days_of(leave) > left:
        sentence = f"These are {days_of(leave)} days, and {max(0, left)} are left."
        return refused(Code.BAD_REQUEST, sentence)
    return None


def day_number(day: str) -> int | None:
    """A day of the calendar as a number that counts days, None if there is no such day.

    >>> day_number("2027-01-01") - day_number("2026-12-24"), day_number("2026-02-29")
    (8, None)
    """
    found = _DAY.fullmatch(day)
    if found is None:
        return None
    year, month, date = (int(part) for part in found.groups())
    lengths = (31, 29 if is_leap(year) else 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
    if not 1 <= month <= len(lengths) or not 1 <= date <= lengths[month - 1] or year < 1:
        return None
    before = year - 1
    leaps = before // LEAP_FOUR - before // LEAP_HUNDRED + before // LEAP_FOUR_HUNDRED
    return before * 365 + leaps + sum(lengths[: month - 1]) + date


def is_leap(year: int) -> bool:
    """Whether a year has a 29 February."""
    return year % LEAP_FOUR == 0 and (year % LEAP_HUNDRED != 0 or year % LEAP_FOUR_HUNDRED == 0)


def days_of(leave: Leave) -> int:
    """How many days a leave takes, both ends included."""
    first, last = day_number(leave.first), day_number(leave.last)
    assert first is not None  # it was looked at when it was taken
    assert last is not None
    return last - first + 1


def hours_objection(hours: Hours) -> Rejection | None:
    """What is wrong with somebody's playing hours."""
    if hours.zone not in ZONES:
        near = " or ".join(zones_like(hours.zone)) or "Europe/Berlin"
        sentence = f"There is no time zone {hours.zone!r}."
        return refused(Code.BAD_SETTINGS, sentence, f"Write it as the IANA does, such as {near}.")
    if not 0 <= hours.start < DAY_MINUTES or not 0 < hours.end - hours.start <= DAY_MINUTES:
        sentence = f"Nobody can play from minute {hours.start} to {hours.end} of a day."
        return refused(Code.BAD_SETTINGS, sentence, "An end beyond 1440 lies on the next day.")
    if not hours.days or any(day not in EVERY_DAY for day in hours.days):
        return refused(Code.BAD_SETTINGS, "There have to be days, from Monday (0) to Sunday (6).")
    return None


def opening_objection(command: OpenTable) -> Rejection | None:
    """What is wrong with the people and the clock of a table that is to be opened."""
    persons = [seat.person for seat in command.seats if seat.person is not None]
    for person in persons:
        refusal = people.person_objection(person)
        if refusal is not None:
            return refusal
    if command.settings.request_seconds < 0:
        return refused(Code.BAD_SETTINGS, "No time can be negative.")
    clock = command.settings.clock
    return None if clock is None else clock_objection(command, clock)


def clock_objection(command: OpenTable, clock: Clocking) -> Rejection | None:
    """What is wrong with a clock."""
    if clock.then not in ENDS:
        sentence = f"What happens at the end of time cannot be {clock.then!r}."
        return refused(Code.BAD_SETTINGS, sentence, f"It may be: {', '.join(ENDS)}.")
    most = () if clock.bank_most is None else (clock.bank_most,)
    amounts = (clock.turn_seconds, clock.bank_seconds, clock.increment_seconds, clock.leave_days)
    if min(*amounts, *most, *clock.reminders) < 0:
        return refused(Code.BAD_SETTINGS, "No time can be negative.")
    if clock.turn_seconds + clock.bank_seconds == 0:
        return refused(Code.BAD_SETTINGS, "Nobody would have any time.", "Give turn or bank time.")
    if any(day_number(day) is None for day in clock.free_days):
        return refused(Code.BAD_SETTINGS, "A day off is no day.", "Write them as 2026-12-24.")
    seats = {seat.player for seat in command.seats}
    for player, hours in clock.hours.items():
        if player not in seats:
            return refused(Code.BAD_SETTINGS, f"{player} has hours, but no seat.")
        refusal = hours_objection(hours)
        if refusal is not None:
            return refusal
    sitting = {seat.person or seat.player for seat in command.seats}
    for person in clock.substitutes:
        refusal = people.person_objection(person)
        if refusal is not None:
            return refusal
        if person in sitting:
            sentence = f"{person} has a seat from the beginning."
            return refused(Code.BAD_SETTINGS, sentence, "A substitute is somebody else.")
    return None

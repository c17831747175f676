"""The clock as it is shown: whose time runs until when, what is left of it, and why it stands."""

import pytest

from contracts.clocking import Clocking, Hours, Leave
from contracts.commands import (
    AnyCommand,
    AssignSeat,
    CallTime,
    MakeRequest,
    OpenTable,
    Order,
    Pass,
    SetHours,
    TakeLeave,
)
from contracts.ids import CommandId
from contracts.people import CLOCK
from contracts.pieces import Seat, Settings
from contracts.records import Record
from contracts.rejections import Rejection
from services.console.errors import RefusedError
from services.console.pictures import picture
from services.console.screen import plain
from services.console.timing import clock_view
from services.engine.rules.decide import decide
from services.engine.rules.ruleset import ruleset_for, ruleset_of
from services.engine.table.agenda import awaited
from services.engine.table.fold import table_at
from services.engine.table.state import Table
from tests.positions import TABLE, TITLE, player

ANN, BOB, CID = map(player, ("ann", "bob", "cid"))
HOUR = 3600
TIMED = Clocking(turn_seconds=2 * HOUR, bank_seconds=5 * HOUR, reminders=(HOUR,), leave_days=9)


class Book:
    """A minute book that the rules write, each record at a second of its own."""

    def __init__(self, clock: Clocking | None) -> None:
        seats = tuple(Seat(one, one.title()) for one in (ANN, BOB, CID))
        self.records: list[Record] = []
        self.do(0, ANN, OpenTable(TITLE, seats, 1, settings=Settings(host=CID, clock=clock)))

    @property
    def table(self) -> Table:
        return table_at(TABLE, self.records)

    def do(self, at: int, who, command: AnyCommand, sender: str | None = None) -> "Book":
        there = self.table
        ruleset = ruleset_for(command) if isinstance(command, OpenTable) else ruleset_of(there)
        assert not isinstance(ruleset, Rejection)
        id = CommandId(f"c{there.version}")
        order = Order(TABLE, id, sender or who, who, command, there.version)
        events = decide(ruleset, there, order)
        assert not isinstance(events, Rejection), events
        self.records.append(Record(there.version + 1, at * 1_000_000, "", order, events))
        return self

    def shown(self, at: int):
        return clock_view(TABLE, self.records, at * 1_000_000)


def test_a_turn_uses_its_own_time_first_and_then_the_bank():
    book = Book(TIMED)
    (one,) = book.shown(HOUR).running
    assert (one.player, one.since, one.left) == (ANN, 1, 6 * HOUR)
    assert one.until == 7 * HOUR * 1_000_000
    assert one.reminders == (6 * HOUR * 1_000_000,)
    assert [time.bank for time in book.shown(HOUR).players] == [5 * HOUR] * 3
    (late,) = book.shown(6 * HOUR + 60).running
    assert (late.left, late.reminders) == (HOUR - 60, ())
    assert book.shown(6 * HOUR).players[0].bank == HOUR


def test_what_was_used_of_the_bank_is_gone_for_later_turns():
    book = Book(TIMED).do(4 * HOUR, ANN, Pass())
    shown = book.shown(4 * HOUR)
    assert [time.bank for time in shown.players] == [3 * HOUR, 5 * HOUR, 5 * HOUR]
    assert [one.player for one in shown.running] == list(awaited(book.table)) == [BOB]


def test_the_clock_of_an_earlier_version_is_reckoned_at_its_own_moment():
    book = Book(TIMED).do(4 * HOUR, ANN, Pass()).do(5 * HOUR, BOB, Pass())
    shown = clock_view(TABLE, book.records[:2])
    assert (shown.version, shown.moment) == (2, 4 * HOUR * 1_000_000)
    assert [one.player for one in shown.running] == [BOB]


def test_a_pause_says_whose_it_is_and_nobodys_time_runs():
    book = Book(TIMED).do(HOUR, ANN, MakeRequest("pause"), "cid")
    shown = book.shown(2 * HOUR)
    assert (shown.paused, shown.paused_by, shown.paused_since) == (True, "cid", 2)
    assert shown.running == ()
    resumed = book.do(3 * HOUR, ANN, MakeRequest("resume"), "cid").shown(3 * HOUR)
    assert (resumed.paused, resumed.paused_by) == (False, None)
    assert resumed.running[0].left == 6 * HOUR


def test_a_time_that_was_called_is_said_to_be():
    book = Book(TIMED)
    frame = book.table.agenda[-1].id
    book.do(7 * HOUR, ANN, CallTime(frame), CLOCK)
    (one,) = book.shown(8 * HOUR).running
    assert (one.called, one.left, one.reminders) == (True, 0, ())
    assert "(called)" in plain(picture(book.shown(8 * HOUR)))


def test_hours_and_leave_are_shown_and_time_stands_outside_them():
    book = Book(TIMED).do(0, ANN, SetHours(Hours("UTC", 480, 600, (0, 1))))
    book.do(0, BOB, TakeLeave(Leave("2026-12-24", "2026-12-27")))
    ann, bob, cid = book.shown(0).players
    assert (ann.hours, cid.hours) == ("UTC from 08:00 to 10:00 mon tue", "at any time")
    assert (bob.leave, bob.leave_left) == ((("2026-12-24", "2026-12-27"),), 5)
    # 1 January 1970 was a Thursday: Ann's time begins to run on Monday, two hours a day.
    (one,) = book.shown(10 * HOUR).running
    assert one.left == 7 * HOUR
    monday = 4 * 24 * HOUR + 8 * HOUR
    week = 7 * 24 * HOUR
    assert one.until == (monday + week + 24 * HOUR + HOUR) * 1_000_000


def test_who_takes_a_seat_over_is_shown_with_a_whole_turn():
    book = Book(TIMED).do(HOUR, CID, AssignSeat(ANN, "zoe"), "cid")
    (one,) = book.shown(HOUR).running
    assert (one.person, one.left) == ("zoe", 7 * HOUR)


def test_the_picture_names_everybody_and_the_rules():
    text = plain(picture(Book(TIMED).shown(HOUR)))
    assert text.startswith("2h for each turn, 5h in the bank; reminders 1h before the end; then ")
    assert "ann" in text
    assert "1970-01-01 07:00" in text
    assert text.endswith("As of 1970-01-01 01:00. Times are UTC.")


def test_a_table_without_a_clock_says_so():
    with pytest.raises(RefusedError, match="has no clock: nobody's time runs"):
        Book(None).shown(0)

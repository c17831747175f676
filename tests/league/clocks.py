"""Whose time had to be called and when, who had to be reminded; and what the clock did."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from msgspec import Struct

from contracts.clocking import Clocking
from contracts.commands import CallTime
from contracts.frames import Question
from contracts.ids import FrameId, PlayerId
from contracts.people import NOBODY
from contracts.records import Record
from services.engine.table.agenda import awaited, player_of
from services.engine.table.state import Table
from tests.league.books import Page
from tests.league.case import Case
from tests.league.hourglass import Glass
from tests.league.looks import ends
from tests.league.plan import BEGIN, DAY, SECOND
from tests.league.spans import Span, first_long

Key = tuple[FrameId, PlayerId]
"""A turn or question, and whose time runs for it."""


class Reminder(Struct, frozen=True):
    """Somebody is to be reminded at a moment, in some version."""

    at: int
    version: int
    seat: PlayerId
    person: str


@dataclass
class Hourglasses:
    """All time at a table after a record."""

    clock: Clocking
    banks: dict[PlayerId, int] = field(default_factory=dict)
    used: dict[Key, int] = field(default_factory=dict)
    called: set[Key] = field(default_factory=set)
    running: tuple[Key, ...] = ()
    over: dict[Key, tuple[int, int]] = field(default_factory=dict)

    def left(self, key: Key) -> int:
        """How much time is left."""
        bank = self.banks.setdefault(key[1], self.clock.bank_seconds * SECOND)
        return self.clock.turn_seconds * SECOND + bank - self.used.get(key, 0)

    def pass_time(self, before: Page, until: int) -> None:
        """Let the time run that ran after a record."""
        for key in self.running:
            glass = Glass(self.clock, before.table, key[1])
            self.used[key] = self.used.get(key, 0) + glass.played(before.at, until)

    def go_on(self, before: Page | None, page: Page, record: Record) -> None:
        """Take in what a record changed."""
        table = page.table
        self.called |= {(called.frame, called.player) for called in page.all_called}
        for key in list(self.used):
            # Whoever takes a seat over begins with all the time of a turn.
            if before is not None and before.person(key[1]) != page.person(key[1]):
                self.used[key] = 0
                self.called.discard(key)
        for key in list(self.used):
            if not is_open(table, key):
                self._over(key, self.used.pop(key), is_undo=page.undone is not None)
        if page.undone is not None:
            self._reopened(page)
        self.called = {key for key in self.called if is_open(table, key)}
        if self.clock.then != "call":
            # A turn that comes back after what was done at its end is at its end again.
            waits = {(page.frame, player) for player in awaited(table)}
            self.called = {key for key in self.called if key in waits}
        self.running = ()
        if not page.is_over and not table.beside.paused and page.frame is not None:
            self.running = tuple((page.frame, player) for player in awaited(table))

    def _over(self, key: Key, used: int, *, is_undo: bool) -> None:
        """A turn or question is over: what it took beyond its own time comes out of the bank."""
        bank = self.banks.setdefault(key[1], self.clock.bank_seconds * SECOND)
        bank = max(0, bank - max(0, used - self.clock.turn_seconds * SECOND))
        bank += 0 if is_undo else self.clock.increment_seconds * SECOND
        most = self.clock.bank_most
        bank = bank if most is None else min(bank, most * SECOND)
        if key not in self.called:
            self.over[key] = (used, bank - self.banks[key[1]])
        self.banks[key[1]] = bank

    def _reopened(self, page: Page) -> None:
        """A turn that comes back has what it had left, unless time was called in it."""
        for key in list(self.over):
            if is_open(page.table, key):
                self.used[key], gained = self.over.pop(key)
                self.banks[key[1]] = max(0, self.banks[key[1]] - gained)


def is_open(table: Table, key: Key) -> bool:
    """Whether a turn or question is still on the agenda, and its player asked there."""
    frame = next((one for one in table.agenda if one.id == key[0]), None)
    if isinstance(frame, Question):
        return key[1] in {player_of(table, party) for party in frame.asked}
    return frame is not None


def judge_clock(case: Case, away: list[Span]) -> None:
    """Compare calls of time with those that were due; `away` is clock's and engine's absence."""
    clock = case.book.pages[0].table.settings.clock
    if clock is None:
        return
    reminders: list[Reminder] = []
    glasses = Hourglasses(clock)
    before: Page | None = None
    for page, record in zip(case.book.pages, case.book.records, strict=True):
        if before is not None:
            judge_call(case, glasses, before, record)
            glasses.pass_time(before, page.at)
        glasses.go_on(before, page, record)
        judge_uncalled(case, glasses, page, away)
        reminders += reminders_of(case, glasses, page)
        before = page
    judge_reminders(case, reminders)


def due(glasses: Hourglasses, page: Page, key: Key) -> int:
    """When somebody's time is up, as things stand; at once where a seat was given up."""
    if page.person(key[1]) == NOBODY:
        return page.at
    return Glass(glasses.clock, page.table, key[1]).after(page.at, glasses.left(key))


def judge_call(case: Case, glasses: Hourglasses, before: Page, record: Record) -> None:
    """No time is called for someone who is not to act, too early, or twice."""
    command, player = record.order.command, record.order.player
    if not isinstance(command, CallTime):
        return
    case.count("calls of time")
    key = (command.frame, player)
    where = f"version {record.version}, {player}"
    if key not in glasses.running:
        case.fault("time called for nothing", where, f"nobody waited for him in {command.frame}")
    elif key in glasses.called:
        case.fault("time called twice", where, f"in {command.frame}")
    elif record.at < due(glasses, before, key):
        early = (due(glasses, before, key) - record.at) / SECOND
        case.fault("time called too early", where, f"by {early:.3f} s")


def judge_uncalled(case: Case, glasses: Hourglasses, page: Page, away: list[Span]) -> None:
    """Everybody's time is called that is up, as soon as clock and engine are there."""
    until = case.gap(page.version).end
    for key in glasses.running:
        if key in glasses.called:
            continue
        moment = due(glasses, page, key)
        there = first_long(away, moment, until - SECOND, SECOND)
        if there is not None:
            late = f"{key[1]} in {key[0]}, up on day {(moment - BEGIN) / DAY:.4f}"
            case.fault("time not called", f"version {page.version}", late)


def reminders_of(case: Case, glasses: Hourglasses, page: Page) -> Iterator[Reminder]:
    """Who is to be reminded while a table shows a version."""
    until = case.gap(page.version).end
    for key in glasses.running:
        person, left = page.person(key[1]), glasses.left(key)
        if person == NOBODY or key in glasses.called:
            continue
        glass = Glass(glasses.clock, page.table, key[1])
        for seconds in glasses.clock.reminders:
            if left > seconds * SECOND:
                moment = glass.after(page.at, left - seconds * SECOND)
                if page.at <= moment < until:
                    yield Reminder(moment, page.version, key[1], person)


def judge_reminders(case: Case, reminders: list[Reminder]) -> None:
    """Compare how often everybody was reminded with how often he had to be."""
    due: dict[tuple[PlayerId, str], list[Reminder]] = {}
    for one in reminders:
        due.setdefault((one.seat, one.person), []).append(one)
    for (seat, person), mine in due.items():
        for url in case.urls(person):
            low = high = 0
            for one in mine:
                some = expected(case, url, one)
                low, high = low + some[0], high + some[1]
            got = sum(
                (receipt.notice.kind, receipt.notice.player) == ("reminder", seat)
                for receipt in case.by_url.get(url, [])
            )
            case.count("reminders that must be told", low)
            if not low <= got <= high:
                at = ", ".join(f"{(one.at - BEGIN) / DAY:.3f}" for one in mine)
                said = f"reminded {got} times, should be {low} to {high} (days {at})"
                case.fault("reminders", f"{person} ({url}), {seat}", said)


def expected(case: Case, url: str, one: Reminder) -> tuple[int, int]:
    """How often somebody is reminded at a moment; not at all once his turn is over."""
    since = case.book.page(one.version).since.get(one.seat, 0)
    present = {
        page.version
        for page in case.book.pages
        if page.since.get(one.seat) == since and page.person(one.seat) == one.person
    }
    by = case.prompted_by(one.at)
    until = ends(case.gaps, present, one.version)
    if by is None or by > until[0]:
        return 0, 1
    some = case.expect(one.person, url, ["reminder"], (one.at, by), until)
    return case.expect_in_one_of(url, [[some]])

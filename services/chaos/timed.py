"""Hold the calls of time in minute books against what the clock should have reckoned. Pure.

A book says who was asked when; folded by the clock's own pure part it says whose time was up when.
So each call can be looked at, and each time that was up and not called.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from msgspec import Struct

from contracts import events as e
from contracts.commands import CallTime, ExpireRequest
from contracts.ids import FrameId, PlayerId, TableId
from contracts.records import Record
from services.chaos.troubles import MICRO, Trouble, excused, unexcused
from services.clock.calendar import NEVER
from services.clock.reckoning import NOTHING, Due, Reckoning, Waiting, due, expiries, reckoned
from services.engine.table.fold import tables
from services.engine.table.state import Table, new_table

LATE_SECONDS: Final = 5.0
"""How late a timer may be done when nothing was in its way but a busy machine."""
LATE_MOST_SECONDS: Final = 60.0
"""How late it may be done whatever was in its way."""

Key = tuple[FrameId, PlayerId]


class Timed(Struct, frozen=True):
    """What was found of a table's time.

    `wrong` are calls that should not have been, `missed` times that were up and not called, `late`
    seconds by which each call was late, `overtaken` how many calls were under way when the time
    that they called was changed.
    """

    calls: int
    expiries: int
    wrong: tuple[str, ...]
    missed: tuple[str, ...]
    late: tuple[float, ...]
    overtaken: int = 0


class Up(Struct, frozen=True):
    """Something that the clock has to see to: what it is, when, and from which version on."""

    what: str
    until: int
    version: int


def timed(table: TableId, book: Sequence[Record], troubles: Sequence[Trouble]) -> Timed:
    """Look at all calls of a table, and at all that were due."""
    look = _Look(table, troubles)
    for record, after in tables(table, book):
        look.record(record, after)
    return look.found()


class _Look:
    """One table, record by record."""

    def __init__(self, id: TableId, troubles: Sequence[Trouble]) -> None:
        self.spans = excused(troubles)
        self.table = new_table(id)
        self.reckoning: Reckoning = NOTHING
        self.former: dict[Key, list[tuple[Due, int]]] = {}
        self.calls = 0
        self.ends = 0
        self.overtaken = 0
        self.wrong: list[str] = []
        self.missed: list[str] = []
        self.late: list[float] = []

    def found(self) -> Timed:
        """What was found."""
        return Timed(
            *(self.calls, self.ends, tuple(self.wrong), tuple(self.missed), tuple(self.late)),
            self.overtaken,
        )

    def record(self, record: Record, after: Table) -> None:
        """Look at what was due before a record, and go on."""
        dues = {(one.running.frame, one.running.player): one for one in self.dues()}
        waits = dict(self.waits())
        command, player = record.order.command, record.order.player
        done: object = None
        if isinstance(command, CallTime):
            done = (command.frame, player)
            self.calls += 1
            self.call(record, dues.get((command.frame, player)))
        if isinstance(command, ExpireRequest):
            done = command.request
            self.ends += 1
            self.expiry(record, waits.get(command.request))
        for key, one in dues.items():
            if key != done:
                self.not_done(record, Up(f"the time of {key[1]}", one.until, one.running.version))
        for request, until in waits.items():
            if request != done:
                self.not_done(record, Up(f"request {request}", until, 0))
        self.reckoning = reckoned(self.reckoning, self.table, after, record)
        self.table = after
        now = {(one.running.frame, one.running.player): one for one in self.dues()}
        for key, due_before in dues.items():
            after_it = now.get(key)
            if after_it is None or after_it.running.version != due_before.running.version:
                self.former.setdefault(key, []).append((due_before, record.at))

    def dues(self) -> Iterator[Due]:
        """Whose time runs, until when."""
        if self.table.version:
            yield from due(self.reckoning, self.table)

    def waits(self) -> Iterator[tuple[FrameId, int]]:
        """Which requests wait, until when."""
        if self.table.version:
            pairs: Sequence[tuple[Waiting, int]] = expiries(self.reckoning, self.table)
            yield from ((one.request, until) for one, until in pairs)

    def call(self, record: Record, one: Due | None) -> None:
        """A call: somebody's time has to be up, and not to have been called before."""
        what = f"{self.table.id}, record {record.version}: the time of {record.order.player}"
        called = [event for event in record.events if isinstance(event, e.TimeCalled)]
        if [event.player for event in called] != [record.order.player]:
            self.wrong.append(f"{what} was called, and {len(called)} events say so")
        elif one is None:
            self.wrong.append(f"{what} was called, and it did not run, or was called before")
        elif record.at < one.until:
            if self.was_up(record, one):
                self.overtaken += 1
                return
            early = (one.until - record.at) / MICRO
            self.wrong.append(f"{what} was called {early:.3f} s before it was up")
        else:
            self.late.append((record.at - one.until) / MICRO)
            self.late_is_excused(record, what, one.until)

    def was_up(self, record: Record, one: Due) -> bool:
        """Whether the call was under way when the time that it called was changed.

        A call says in its id from which version the time ran that was up. That may have come to an
        end with a record that was under way as well, but not with one that was there before.
        """
        named = record.order.id.split(":")
        key = (one.running.frame, one.running.player)
        return any(
            str(former.running.version) in named and former.until <= changed
            for former, changed in self.former.get(key, ())
        )

    def expiry(self, record: Record, until: int | None) -> None:
        """An expiry: the request has to have waited long enough."""
        what = f"{self.table.id}, record {record.version}: a request"
        if until is None or record.at < until:
            self.wrong.append(f"{what} expired before its time")
        else:
            self.late.append((record.at - until) / MICRO)
            self.late_is_excused(record, what, until)

    def not_done(self, record: Record, up: Up) -> None:
        """What was due before a record came and is not what the record did."""
        if up.until >= NEVER or up.until >= record.at:
            return
        what = f"{self.table.id}, until record {record.version}: {up.what}"
        self.late_is_excused(record, what, up.until)

    def late_is_excused(self, record: Record, what: str, until: int) -> None:
        """Note a time that was up for longer than troubles excuse."""
        begin, end = until / MICRO, record.at / MICRO
        late = unexcused(begin, end, self.spans)
        if late > LATE_SECONDS or end - begin > LATE_MOST_SECONDS:
            self.missed.append(
                f"{what} was up for {end - begin:.1f} s, {late:.1f} s without a reason"
            )


def share(found: Mapping[TableId, Timed], part: float) -> float:
    """Seconds by which this share of all calls was late, at most."""
    late = sorted(seconds for one in found.values() for seconds in one.late) or [0.0]
    return late[min(len(late) - 1, int(part * len(late)))]

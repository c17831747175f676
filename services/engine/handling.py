"""Handle a batch of commands: decide each in its turn, write what follows, and answer.

Commands of one table are decided one after another, each against the table as the one before leaves
it; all writes of the batch are one act. What the store does not take because the table stands
elsewhere is decided again against the table as it is. Nothing is kept in mind that was not written.
"""

import time
import traceback
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterable, Sequence
from typing import Final

import msgspec
from msgspec import Struct

from contracts.commands import OpenTable, Order
from contracts.events import Events
from contracts.ids import CommandId, TableId
from contracts.records import Record, seal
from contracts.rejections import Code, Rejection
from contracts.streams import Outcome, Recorded, Refused
from services.bus.errors import DamagedLogError
from services.bus.following import ArchivedError
from services.engine import live as living
from services.engine import snapshots
from services.engine.live import BadRecordError, Live
from services.engine.ports import (
    Clock,
    Conflict,
    Dead,
    Entry,
    Lease,
    Log,
    Repeated,
    Stored,
    Write,
)
from services.engine.reading import Asked, Unreadable, read
from services.engine.rules.beside.programmes import automatic
from services.engine.rules.decide import decide
from services.engine.rules.ruleset import ruleset_for, ruleset_of
from services.engine.table.fold import undone_to
from services.engine.table.state import Table

Decide = Callable[[Table, Order], Events | Rejection]
Automatic = Callable[[Table], Order | None]
"""The next move that a programme makes at a table, if it is one's turn."""

AUTOMATIC_MOST: Final = 200
"""Automatic moves that one order may bring about; what is left comes with the next."""
SNAPSHOT_EVERY: Final = 100
"""Records between two snapshots of a table; opening one reads at most so many."""
TABLES_AT_HAND: Final = 512
"""Live tables that are kept, the least lately used going first."""
ROUND_MICROSECONDS: Final = 250_000
"""After so long what has been decided is written, so that long searches hold up nobody else."""


class Handled(Struct, frozen=True):
    """What became of one command. `repeated` if it had its outcome before; `fault` is a trace.

    `sender` is who sent it for the player. `version` is that of the table against which it was
    decided, None if that did not matter. Times are in seconds: of deciding it, opening its table
    included, and of the act that wrote it, which it shares with others. `conflicts` is how often it
    had to be decided again.
    """

    table: TableId
    id: CommandId
    player: str
    command: str
    outcome: Outcome
    repeated: bool = False
    fault: str = ""
    sender: str = ""
    version: int | None = None
    is_automatic: bool = False
    decide_seconds: float = 0.0
    commit_seconds: float = 0.0
    conflicts: int = 0


class StuckError(RuntimeError):
    """The store refused a write that was decided against what it had just said itself."""


class _Draft(Struct, frozen=True):
    """A write that is proposed, with the table as it will be if it is taken."""

    asked: Asked | Unreadable
    write: Write
    after: Live | None = None
    fault: str = ""
    is_automatic: bool = False
    decide_seconds: float = 0.0


def by_programme(table: Table) -> Order | None:
    """The next move of a programme, by the rules that its table was opened with."""
    return automatic(ruleset_of(table), table) if table.beside.programmes else None


def by_the_rules(table: Table, order: Order) -> Events | Rejection:
    """Decide an order by the rules that its table was opened with, or is to be opened with."""
    if table.version == 0 and isinstance(order.command, OpenTable):
        ruleset = ruleset_for(order.command)
        return ruleset if isinstance(ruleset, Rejection) else decide(ruleset, table, order)
    return decide(ruleset_of(table), table, order)


class Handling:
    """Decides commands against ports, with some live tables at hand."""

    def __init__(
        self,
        log: Log,
        clock: Clock,
        *,
        partitions: int,
        release: str,
        decide: Decide = by_the_rules,
        automatic: Automatic = by_programme,
        snapshot_every: int = SNAPSHOT_EVERY,
        tables_at_hand: int = TABLES_AT_HAND,
        stopwatch: Callable[[], float] = time.perf_counter,
    ) -> None:
        self._log = log
        self._clock = clock
        self._stopwatch = stopwatch
        self._partitions = partitions
        self._release = release
        self._decide = decide
        self._automatic = automatic
        self._snapshot_every = snapshot_every
        self._tables_at_hand = tables_at_hand
        self._tables: OrderedDict[TableId, Live] = OrderedDict()

    async def handle(self, lease: Lease, entries: Sequence[Entry]) -> list[Handled]:
        """Handle commands of one partition, in order; all of them are done afterwards.

        Raises whatever the ports raise; then none, or all of a prefix of rounds, is written, and
        whoever reads the pending commands again gets the same outcomes.
        """
        waiting = [read(entry, lease.partition, self._partitions) for entry in entries]
        handled: list[Handled] = []
        conflicts: Counter[int] = Counter()
        stuck = 0
        while waiting:
            drafts, later = await self._drafted(waiting)
            began = self._stopwatch()
            written = await self._log.commit(lease, [draft.write for draft in drafts])
            seconds = self._stopwatch() - began
            refused: list[Asked | Unreadable] = []
            for draft, result in zip(drafts, written, strict=True):
                again = 0 if draft.is_automatic else conflicts[id(draft.asked)]
                match result:
                    case Stored():
                        self._keep(draft.after)
                        handled.append(_handled(draft, draft.write.outcome, seconds, again))
                    case Repeated(outcome):
                        handled.append(_handled(draft, outcome, seconds, again, repeated=True))
                    case Conflict():
                        self._tables.pop(draft.write.table, None)
                        # What follows of itself is worked out again with what it follows from.
                        if not draft.is_automatic:
                            conflicts[id(draft.asked)] += 1
                            refused.append(draft.asked)
            asked = sum(not draft.is_automatic for draft in drafts)
            stuck = stuck + 1 if len(refused) == asked else 0
            if stuck > 1:
                raise StuckError(f"The store stands by no version of {refused[0]}.")
            waiting = _in_order(waiting, (*refused, *later))
        return handled

    async def _drafted(
        self, waiting: Iterable[Asked | Unreadable]
    ) -> tuple[list[_Draft], list[Asked | Unreadable]]:
        """A write for each command, and the commands that have to wait for the next round.

        A command that comes twice waits until its first outcome is known, and all after it at its
        table with it; all wait that come after a round has taken long.
        """
        until = self._clock.now() + ROUND_MICROSECONDS
        drafts: list[_Draft] = []
        later: list[Asked | Unreadable] = []
        present: dict[TableId, Live] = {}
        seen: set[tuple[TableId, CommandId]] = set()
        held: set[TableId] = set()
        for asked in waiting:
            if isinstance(asked, Unreadable):
                drafts.append(_buried(asked))
                continue
            order = asked.order
            late = bool(drafts) and self._clock.now() > until
            if late or order.table in held or (order.table, order.id) in seen:
                held.add(order.table)
                later.append(asked)
                continue
            seen.add((order.table, order.id))
            draft = await self._timed(asked, present)
            drafts.append(draft)
            if draft.after is not None:
                present[order.table] = draft.after
            if draft.write.sealed is not None:
                drafts[-1:] = await self._followed(draft, present)
        return drafts, later

    async def _followed(self, cause: _Draft, present: dict[TableId, Live]) -> list[_Draft]:
        """An accepted order, with the automatic moves that it brings about, each its own record.

        They are written in one act with it, so none is lost or made twice. Programmes that fail
        move no more, and hold up nobody; the fault is told of what they followed.
        """
        drafts, table = [cause], cause.write.table
        while len(drafts) <= AUTOMATIC_MOST:
            try:
                order = self._automatic(present[table].table)
            except Exception as error:  # noqa: BLE001 - a fault in a programme is not the order's
                drafts[-1] = msgspec.structs.replace(drafts[-1], fault=_trace(error))
                break
            if order is None:
                break
            draft = await self._timed(Asked(order, Entry("", {}), ""), present)
            if draft.write.sealed is None or draft.after is None:
                why = draft.fault or f"A programme's move was refused: {draft.write.outcome}."
                drafts[-1] = msgspec.structs.replace(drafts[-1], fault=why)
                break
            drafts.append(msgspec.structs.replace(draft, is_automatic=True))
            present[table] = draft.after
        return drafts

    async def _timed(self, asked: Asked, present: dict[TableId, Live]) -> _Draft:
        """What one order leads to, with how long it took to find out."""
        began = self._stopwatch()
        draft = await self._draft(asked, present)
        return msgspec.structs.replace(draft, decide_seconds=self._stopwatch() - began)

    async def _draft(self, asked: Asked, present: dict[TableId, Live]) -> _Draft:
        """What one order leads to. A fault of the rules, or of the book, is an outcome too."""
        order = asked.order
        try:
            table = present.get(order.table) or await self._opened(order.table)
        except ArchivedError:
            return _archived(asked)
        except DamagedLogError as error:
            return _faulty(asked, error)
        if table.version == 0 and not isinstance(order.command, OpenTable):
            return _unknown_table(asked)
        try:
            decision = self._decide(table.table, order)
        except Exception as error:  # noqa: BLE001 - whatever is wrong in a rule, others play on
            return _faulty(asked, error)
        if isinstance(decision, Rejection):
            return _Draft(asked, _refusal(asked, decision, table), table)
        return await self._recorded(asked, table, decision)

    async def _recorded(self, asked: Asked, before: Live, events: Events) -> _Draft:
        """The record of an accepted order, and the table after it."""
        order = asked.order
        record = Record(
            version=before.version + 1,
            at=max(before.at, self._time_of(order, before.table)),
            engine=self._release,
            order=order,
            events=events,
        )
        sealed = seal(before.digest, record)
        to = undone_to(record)
        try:
            earlier = None if to is None else await living.before_undo(self._log, before, to)
            after = living.gone_on(before, sealed, earlier)
        except (DamagedLogError, BadRecordError) as error:
            return _faulty(asked, error)
        snapshot = None
        # Without one after an undo, opening the table might have to read far back.
        if after.unsaved >= self._snapshot_every or earlier is not None:
            snapshot = snapshots.written(self._release, after.table, after.digest)
            after = living.saved(after)
        write = Write(
            table=order.table,
            id=order.id,
            entry=asked.entry.id,
            channel=asked.channel,
            outcome=Recorded(record.version),
            version=before.version,
            digest=before.digest,
            sealed=sealed,
            snapshot=snapshot,
        )
        return _Draft(asked, write, after)

    def _time_of(self, order: Order, table: Table) -> int:
        """When an order was given: server time, or what it reports at an imported table."""
        command = order.command
        settings = command.settings if isinstance(command, OpenTable) else table.settings
        if settings.imported and order.reported is not None:
            return order.reported
        return self._clock.now()

    async def _opened(self, id: TableId) -> Live:
        """A live table, at hand or out of its book."""
        found = self._tables.get(id)
        return found if found is not None else await living.opened(self._log, self._release, id)

    def _keep(self, live: Live | None) -> None:
        """Keep a table at hand as it now stands in the store."""
        if live is None or live.version == 0:
            return
        self._tables[live.table.id] = live
        self._tables.move_to_end(live.table.id)
        if len(self._tables) > self._tables_at_hand:
            self._tables.popitem(last=False)


def _refusal(asked: Asked, rejection: Rejection, table: Live) -> Write:
    return Write(
        table=asked.order.table,
        id=asked.order.id,
        entry=asked.entry.id,
        channel=asked.channel,
        outcome=Refused(rejection),
        version=table.version,
        digest=table.digest,
    )


def _unknown_table(asked: Asked) -> _Draft:
    """The refusal of an order for a table that was never opened; the operator sees it too."""
    table = living.unopened(asked.order.table)
    rejection = Rejection(
        Code.UNKNOWN_TABLE, "design", f"There is no table {asked.order.table}.", "Open it first."
    )
    write = _refusal(asked, rejection, table)
    return _Draft(asked, _dead(write, asked.entry, rejection.sentence), table)


def _archived(asked: Asked) -> _Draft:
    """The refusal of an order for a table in the archive; its first outcome may lie there too."""
    table = living.unopened(asked.order.table)
    rejection = Rejection(
        Code.ARCHIVED,
        "design",
        f"Table {asked.order.table} is in the archive; its minute book can be read there.",
        f"`minutebook restore {asked.order.table}` brings it back.",
    )
    write = _refusal(asked, rejection, table)
    return _Draft(asked, msgspec.structs.replace(write, version=None, is_kept=False))


def _faulty(asked: Asked, error: Exception) -> _Draft:
    """The refusal of an order that the engine could not decide: one table must not stop others."""
    said = f"{type(error).__name__}: {error}"
    rejection = Rejection(
        Code.ENGINE_FAULT,
        "design",
        f"The engine could not decide this ({said}).",
        "Nothing was changed; the command has been kept for the operator.",
    )
    write = Write(
        table=asked.order.table,
        id=asked.order.id,
        entry=asked.entry.id,
        channel=asked.channel,
        outcome=Refused(rejection),
    )
    return _Draft(asked, _dead(write, asked.entry, said), fault=_trace(error))


def _trace(error: Exception) -> str:
    return "".join(traceback.format_exception(error))


def _buried(asked: Unreadable) -> _Draft:
    """The refusal of a command that cannot be read."""
    write = Write(
        table=asked.table,
        id=asked.id,
        entry=asked.entry.id,
        channel=asked.channel,
        outcome=Refused(asked.rejection),
    )
    return _Draft(asked, _dead(write, asked.entry, asked.rejection.sentence))


def _dead(write: Write, entry: Entry, why: str) -> Write:
    """A write that leaves a dead letter too."""
    return msgspec.structs.replace(write, dead=Dead(why, entry.fields))


def _handled(
    draft: _Draft, outcome: Outcome, seconds: float, conflicts: int, *, repeated: bool = False
) -> Handled:
    asked, write = draft.asked, draft.write
    if isinstance(asked, Unreadable):
        return Handled(write.table, write.id, "", "", outcome, repeated, commit_seconds=seconds)
    return Handled(
        table=write.table,
        id=write.id,
        player=asked.order.player,
        command=type(asked.order.command).__name__,
        outcome=outcome,
        repeated=repeated,
        fault=draft.fault,
        sender=asked.order.sender,
        version=write.version,
        is_automatic=draft.is_automatic,
        decide_seconds=draft.decide_seconds,
        commit_seconds=seconds,
        conflicts=conflicts,
    )


def _in_order(
    before: Sequence[Asked | Unreadable], left: Sequence[Asked | Unreadable]
) -> list[Asked | Unreadable]:
    """Those commands that are left, in the order in which they came.

    By which object they are, not by their entries: one that was given out twice is there twice.
    """
    places = {id(asked) for asked in left}
    return [asked for asked in before if id(asked) in places]

"""What must hold after every single act of the store, whatever goes wrong in the world."""

from collections import defaultdict
from itertools import islice

import msgspec

from contracts import streams
from contracts.commands import Order
from contracts.ids import CommandId, TableId
from contracts.records import FIRST_DIGEST, Sealed, digest
from contracts.streams import Outcome, Recorded, Refused
from services.engine.memory import Memory
from services.engine.ports import Lease, Views
from services.engine.projections import api
from services.engine.projections.api import State
from services.engine.table.fold import applied, restored, undone_to
from services.engine.table.state import Table, new_table
from tests.world.games import bodies, is_by_the_rules, project
from tests.world.server import Server

_order = msgspec.msgpack.Decoder(Order).decode


class BrokenPromiseError(AssertionError):
    """Something happened that must never happen."""


def promise(holds: bool, broken: str) -> None:
    if not holds:
        raise BrokenPromiseError(broken)


class Book:
    """A table as its log says, folded by nobody's code but the fold itself."""

    def __init__(self, id: TableId) -> None:
        self.id = id
        self.log: list[Sealed] = []
        self.ids: dict[CommandId, int] = {}
        self.outcomes = 0
        self.tables: list[Table] = [new_table(id)]
        self.states: list[State] = [api.start(id)]

    def go_on(self, sealed: Sealed) -> None:
        """Take in the next record, which has to fit to what is there."""
        record, version = sealed.record, len(self.log) + 1
        where = f"{self.id}, record {version}"
        promise(record.version == version, f"{where}: it is numbered {record.version}")
        previous = self.log[-1] if self.log else None
        chained = digest(previous.digest if previous else FIRST_DIGEST, sealed.body)
        promise(sealed.digest == chained, f"{where}: its digest does not follow")
        fell = previous is not None and record.at < previous.record.at
        promise(not fell, f"{where}: its time falls")
        first = self.ids.setdefault(record.order.id, version)
        promise(first == version, f"{where}: {record.order.id} is recorded in {first} already")
        self.log.append(sealed)
        before, to = self.tables[-1], undone_to(record)
        after = applied(before, record) if to is None else restored(before, self.tables[to], record)
        self.tables.append(after)
        self.states.append(project(self.states[-1], record, before, after))


class Safety:
    """Watches a store."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.looks = 0
        server.watch = self.after
        self._begin()

    def _begin(self) -> None:
        self.books: dict[TableId, Book] = {}
        self._fed: defaultdict[int, int] = defaultdict(int)
        self._epochs: defaultdict[int, int] = defaultdict(int)
        self._waiting: dict[str, tuple[TableId, CommandId]] = {}
        self._shown: dict[TableId, Views] = {}
        self._told: dict[tuple[TableId, CommandId], Outcome] = {}

    # --- after an act -------------------------------------------------------------------------

    def after(self, what: str, about: object) -> None:
        """Look at what the store has after an act."""
        self.looks += 1
        memory = self.server.memory
        match about:
            case (Lease(partition, epoch), tuple()):
                self._writes_are_of_the_last_lease(partition, epoch)
            case Lease(partition, epoch):
                self._epochs[partition] = max(self._epochs[partition], epoch)
        if what.startswith("forget"):
            self._shown = {}
        if what.startswith("show"):
            self.views_hold()
        if what.startswith(("commit", "fresh", "put", "ack")):
            self.logs_hold()
            self._no_command_is_gone_undecided(memory)

    def _writes_are_of_the_last_lease(self, partition: int, epoch: int) -> None:
        last = self._epochs[partition]
        promise(epoch >= last, f"partition {partition}: lease {epoch} writes after {last}")

    def logs_hold(self) -> None:
        """All logs go on where they were, and what else there is says the same."""
        memory = self.server.memory
        fresh: dict[TableId, int] = {}
        for table, log in memory.logs.items():
            book = self.books.setdefault(table, Book(table))
            fresh[table] = len(book.log)
            promise(len(log) >= len(book.log), f"{table}: records are gone")
            for sealed in log[len(book.log) :]:
                book.go_on(sealed)
        for table, outcomes in memory.outcomes.items():
            self._outcomes_hold(table, outcomes)
        for partition in range(memory.partitions):
            self._feed_holds(memory, partition, fresh)

    def _outcomes_hold(self, table: TableId, outcomes: dict[CommandId, Outcome]) -> None:
        book = self.books.setdefault(table, Book(table))
        for id, outcome in islice(outcomes.items(), book.outcomes, None):
            if isinstance(outcome, Recorded):
                where = f"{table}, {id}: answered with record {outcome.version}"
                promise(book.ids.get(id) == outcome.version, f"{where}, which is not its own")
        book.outcomes = len(outcomes)
        for id, version in book.ids.items():
            promise(outcomes.get(id) == Recorded(version), f"{table}, {id}: no answer was kept")

    def _feed_holds(self, memory: Memory, partition: int, fresh: dict[TableId, int]) -> None:
        feed, trimmed = memory.feeds[partition], memory._trimmed[partition]
        seen = self._fed[partition]
        news = feed[max(0, seen - trimmed) :]
        if seen < trimmed:
            # After a restart all is news, but for what had been thrown away before.
            fresh.update({table: version - 1 for table, version in reversed(news)})
            fresh.update({t: len(g) for t, g in memory.logs.items() if t not in dict(news)})
        for table, version in news:
            fresh[table] = fresh.get(table, 0) + 1
            promise(version == fresh[table], f"feed {partition}: {table}@{version} out of order")
        self._fed[partition] = trimmed + len(feed)
        for table, log in memory.logs.items():
            if streams.partition_of(table, memory.partitions) == partition:
                promise(fresh[table] == len(log), f"feed {partition}: does not tell all of {table}")

    def _no_command_is_gone_undecided(self, memory: Memory) -> None:
        present: dict[str, tuple[TableId, CommandId]] = {}
        for partition in range(memory.partitions):
            for entry in (*memory.waiting[partition], *memory.given[partition]):
                name = f"{partition}/{entry.id}"
                known = self._waiting.get(name)
                if known is None:
                    order = _order(entry.fields[b"o"])
                    known = (order.table, order.id)
                present[name] = known
        for name, (table, id) in self._waiting.items():
            if name not in present:
                decided = memory.outcomes[table].get(id)
                promise(decided is not None, f"{table}, {id}: left the stream undecided")
        self._waiting = present

    # --- views --------------------------------------------------------------------------------

    def views_hold(self, *, all_of_them: bool = False) -> None:
        """No view is ahead of its log, and each is what its log says."""
        for table, views in self.server.memory.views.items():
            if self._shown.get(table) is views and not all_of_them:
                continue
            before = self._shown.get(table, views)
            went_back = f"{table}: views of {before.version} and then of {views.version}"
            promise(before.version <= views.version, went_back)
            self._shown[table] = views
            book = self.books.get(table, Book(table))
            promise(
                views.version <= len(book.log),
                f"{table}: views of {views.version}, log of {len(book.log)}",
            )
            if all_of_them or not is_by_the_rules(table):
                right = bodies(book.states[views.version], book.tables[views.version])
                promise(views.bodies == right, f"{table}: wrong views of {views.version}")

    # --- answers ------------------------------------------------------------------------------

    def told(self, table: TableId, id: CommandId, outcome: Outcome, starts: int) -> None:
        """A client was given an answer to an order that it last sent after so many starts."""
        is_sure = self.server.is_durable or self.server.starts == starts
        kept = self.server.memory.outcomes[table].get(id)
        if not is_sure:
            return
        promise(kept == outcome, f"{table}, {id}: answered {said(outcome)}, kept {said(kept)}")
        first = self._told.setdefault((table, id), outcome)
        promise(first == outcome, f"{table}, {id}: answered {said(first)} and then {said(outcome)}")

    # --- a restart ----------------------------------------------------------------------------

    def restarted(self) -> None:
        """The store has been restarted; what was lost may be lost, and nothing else."""
        before, told = self.books, self._told
        self._begin()
        self.logs_hold()
        self._no_command_is_gone_undecided(self.server.memory)
        self.views_hold()
        for table, book in before.items():
            now = self.books[table].log if table in self.books else []
            promise(book.log[: len(now)] == now, f"{table}: another log after a restart")
            if self.server.is_durable:
                promise(len(now) == len(book.log), f"{table}: records lost in a restart")
        for (table, id), outcome in told.items():
            kept = self.server.memory.outcomes[table].get(id)
            if kept is None and not self.server.is_durable:
                continue
            promise(kept == outcome, f"{table}, {id}: another answer after a restart")
            self._told[table, id] = outcome
        for partition, epoch in self.server.memory._epochs.items():
            self._epochs[partition] = epoch


def said(outcome: Outcome | None) -> str:
    match outcome:
        case Recorded(version):
            return f"record {version}"
        case Refused(rejection):
            return str(rejection.code)
        case None:
            return "nothing"

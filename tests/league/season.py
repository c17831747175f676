"""A season: weeks of a league on a real store, in the time that the services need for it.

Time stands still while anybody has something to do, and goes on to the next thing that happens:
somebody looks at his tables, a timer is due, a table is to be looked at, a letter is to be sent, a
service is begun anew. Nothing waits for a clock of this machine.
"""

import asyncio
import contextlib
import heapq
import os
import signal
import sys
import time as real_time
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Literal

import msgspec
import redis

from contracts import notices, streams
from contracts.commands import AnyCommand, Order
from contracts.ids import CommandId, PlayerId, TableId
from contracts.notices import Addressee, Channel
from contracts.records import Record
from contracts.streams import Outcome, Recorded, Refused
from services.bus.connection import connected, opened
from services.bus.reading import read_log
from services.bus.typed import Client
from services.embedded.server import Server
from services.engine import live
from services.engine.handling import Handled
from services.engine.rules.beside.people import host_of
from services.engine.store import Store
from services.engine.table.agenda import awaited
from services.engine.table.state import Table
from services.notifier.sealing import Target
from tests.league import moves
from tests.league.channels import Services
from tests.league.openings import Opening, openings
from tests.league.people import Person, people, substitutes, url_of
from tests.league.plan import BEGIN, DAY, MINUTE, PARTITIONS, SECOND, Plan
from tests.league.services import Household, Process, due_keys
from tests.ports.ground import TestClock

SECONDS_BETWEEN_LINES: Final = 10.0
FULL: Final = 500
"""As many entries are read at once; if so many came, more may wait."""

FIRSTS: Final = """
local found = {}
for at, key in ipairs(KEYS) do
  local first = redis.call('ZRANGE', key, 0, 0, 'WITHSCORES')
  found[at] = first[2] or '0'
end
return found
"""
"""The lowest score of some sorted sets, 0 of an empty one."""

ROUNDS_MOST: Final = 3000
"""More than any chain of automatic moves at one moment: something makes work for itself."""

Kind = Literal["open", "look", "goes on", "live", "take back", "doom", "restart", "nothing"]


class SpinningError(Exception):
    """The services work for ever while no time passes."""


@dataclass
class Played:
    """What there is to judge: books, settings, what arrived, and when which service was away."""

    plan: Plan
    openings: list[Opening]
    people: dict[str, Person]
    services: Services
    books: dict[TableId, list[Record]] = field(default_factory=dict)
    downs: dict[str, list[tuple[int, int]]] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)
    happened: Counter[str] = field(default_factory=Counter)
    seconds: float = 0.0


class Season:
    """Plays one season."""

    def __init__(self, plan: Plan, folder: Path, *, tells: bool = False) -> None:
        self.plan = plan
        self.folder = folder
        self.tells = tells
        self.time = TestClock(BEGIN)
        self.services = Services(plan)
        self.people = people(plan)
        self.openings = openings(plan, self.people)
        self.lots = plan.lots("whims")
        self.home = Household(self.time, plan.lots("deaths"), lambda: self.client, self.services)
        self.tables: dict[TableId, Table] = {}
        self.asked_since: dict[TableId, int] = {}
        self.tables_of: defaultdict[str, dict[TableId, None]] = defaultdict(dict)
        self.open_orders: dict[CommandId, Order] = {}
        self.outcomes: dict[CommandId, Outcome] = {}
        self.happened: Counter[str] = Counter()
        self.faults: list[str] = []
        self._ahead: list[tuple[int, int, Kind, tuple[Any, ...]]] = []
        self._number = 0
        self._waiting: set[int] = set()
        self._unread: set[str] = set()
        self._live_until: dict[TableId, int] = {}
        self._due = {"clock": 0, "notifier": 0}
        self._is_stale = True
        self._last_handled: Handled | None = None
        self._server = Server(folder)
        self.client: Client

    # --- what is ahead -----------------------------------------------------------------------

    def later(self, moment: int, kind: Kind, *about: Any) -> None:
        """Have something happen at a moment."""
        self._number += 1
        heapq.heappush(self._ahead, (moment, self._number, kind, about))

    def _planned(self) -> None:
        """Put all that is known beforehand into what is ahead."""
        for opening in self.openings:
            self.later(opening.at, "open", opening)
        for person in self.people.values():
            self.later(person.next_look(BEGIN, self.lots), "look", person)
        lots, days = self.plan.lots("nemesis"), self.plan.days
        for process in self.home.all:
            for _ in range(round(self.plan.kills_a_day * days)):
                self.later(BEGIN + lots.randrange(days * DAY), "doom", process)
        for _ in range(self.plan.restarts):
            self.later(BEGIN + DAY // 2 + lots.randrange(days * DAY - DAY // 2), "restart")

    # --- the store ---------------------------------------------------------------------------

    def _start_server(self) -> None:
        self._server.start()
        with redis.Redis.from_url(self._server.url) as settings:
            # The process is killed, not the machine: what was written is there.
            settings.config_set("appendfsync", "no")
        self.client = connected(self._server.url)
        self._firsts = self.client.register_script(FIRSTS)

    async def _restart(self) -> None:
        """The server dies, with whoever is in the middle of something, and comes back."""
        for process in self.home.all:
            process.fell()
        await self.client.aclose()
        os.kill(self._server.process, signal.SIGKILL)
        while self._server.is_running:  # noqa: ASYNC110 - a killed process is soon gone
            await asyncio.sleep(0.001)
        self._server.stop()
        self._start_server()
        self.happened["server restarted"] += 1

    # --- the season --------------------------------------------------------------------------

    async def play(self) -> Played:
        """Play it to its end."""
        began = told = real_time.monotonic()
        self._start_server()
        try:
            await opened(self.client, PARTITIONS)
            await self._addressees()
            self._planned()
            for process in self.home.all:
                await process.begin()
            while (moment := self._next()) < self.plan.end:
                self.time.time = max(self.time.time, moment)
                await self._happens()
                await self._settle()
                if self.tells and real_time.monotonic() - told > SECONDS_BETWEEN_LINES:
                    told = real_time.monotonic()
                    self._tell(told - began)
            self.time.time = self.plan.end
            return await self._played(real_time.monotonic() - began)
        finally:
            with contextlib.suppress(Exception):
                await self.client.aclose()
            self._server.stop()

    def _tell(self, seconds: float) -> None:
        day = (self.time.time - BEGIN) / DAY
        records = self.happened["records"]
        line = f"day {day:4.1f}: {records} records, {len(self.services.receipts)} messages, "
        sys.stderr.write(f"{line}{seconds:.0f} s\n")

    def _next(self) -> int:
        """When something happens next."""
        moments = [self._ahead[0][0]] if self._ahead else [self.plan.end]
        moments += [one.due_back for one in self.home.all if one.due_back is not None]
        timely: tuple[Process[Any], ...] = (self.home.keeper, self.home.notifier)
        moments += [self._due[one.name] for one in timely if one.service is not None]
        return min(moments)

    async def _happens(self) -> None:
        """Let happen what is to happen now."""
        now = self.time.time
        for process in self.home.all:
            if process.due_back is not None and process.due_back <= now:
                # An engine may have finished what was left, and died of the next thing.
                self._unread |= {"projector", "clock", "notifier"}
                if await process.begin():
                    await self._is_back(process.name)
        while self._ahead and self._ahead[0][0] <= now:
            _, _, kind, about = heapq.heappop(self._ahead)
            match kind:
                case "open":
                    await self._open(*about)
                case "look":
                    await self._looks(*about)
                case "goes on":
                    await self._goes_on(*about)
                case "take back":
                    await self._takes_back(*about)
                case "live":
                    await self._live(*about)
                case "doom":
                    about[0].doom()
                case "restart":
                    await self._restart()
                    return

    async def _is_back(self, name: str) -> None:
        """A service was begun anew: it has everything to read, and all its work is to be seen."""
        self._is_stale = True
        if name == "engine":
            self._waiting |= set(range(PARTITIONS))
            store = Store(self.client, PARTITIONS)
            for id in {order.table for order in self.open_orders.values()}:
                self._changed((await live.opened(store, "league", id)).table)
            self.open_orders.clear()

    # --- the services at work ----------------------------------------------------------------

    async def _settle(self) -> None:
        """Let the services work until none has anything to do at this moment."""
        rounds = 0
        while await self._decided() or await self._read() or await self._timely():
            rounds += 1
            if rounds > ROUNDS_MOST:
                raise SpinningError(f"The services come to no rest ({self._last_handled}).")

    async def _decided(self) -> bool:
        engine = self.home.engine
        if not self._waiting or engine.service is None:
            return False
        service, waiting = engine.service, self._waiting
        self._waiting = set()
        count = await engine.do(lambda one: one.work(waiting), 0)
        for one in service.handled:
            self._last_handled = one
            order = self.open_orders.pop(one.id, None)
            self.outcomes[one.id] = one.outcome
            if one.fault:
                self.faults.append(f"{one.table}, {one.id}: {one.fault}")
            kind = "records" if isinstance(one.outcome, Recorded) else "refusals"
            self.happened[kind] += 1
            if isinstance(one.outcome, Refused):
                self.happened[f"refused: {one.outcome.rejection.code}"] += 1
            if order is None and isinstance(one.outcome, Recorded):
                self.happened[f"recorded: {one.command}"] += 1
            found = service.handling._tables.get(one.table)
            if found is not None and engine.service is not None:
                self._changed(found.table)
        service.handled = []
        if count or engine.service is None:
            self._unread |= {"projector", "clock", "notifier"}
        return bool(count)

    async def _read(self) -> bool:
        """Have everybody read what is new."""
        home, count = self.home, 0
        self._is_stale = self._is_stale or bool(self._unread & {"clock", "notifier"})
        if "projector" in self._unread and home.projector.service is not None:
            self._unread -= {"projector"}
            while (some := await home.projector.do(lambda one: one.catch_up(), 0)) >= FULL:
                pass
            count += some
        if "clock" in self._unread and home.keeper.service is not None:
            self._unread -= {"clock"}
            while (some := await home.keeper.do(lambda one: one.catch_up(), 0)) >= FULL:
                pass
            if some:
                self._unread |= {"notifier"}
            count += some
        if "notifier" in self._unread and home.notifier.service is not None:
            self._unread -= {"notifier"}
            while (some := await home.notifier.do(lambda one: one.noticing.read(), 0)) >= FULL:
                pass
            count += some
        return bool(count)

    async def _timely(self) -> bool:
        """Do what is due by the time it is; find out when something is due next."""
        home, now = self.home, self.time.time
        await self._peek()
        did = False
        self._is_stale = any(due <= now for due in self._due.values())
        if home.keeper.service is not None and self._due["clock"] <= now:
            nothing: tuple[int, int | None] = (0, None)
            number, _ = await home.keeper.do(lambda one: one.fire(now), nothing)
            if number or home.keeper.service is None:
                # Also who died of it may have done it.
                self._waiting |= set(range(PARTITIONS))
                self._unread |= {"notifier"}
                did = True
        # A look before the views are there would only be put off.
        is_shown = home.projector.service is not None and "projector" not in self._unread
        if home.notifier.service is not None and self._due["notifier"] <= now and is_shown:
            looked = await home.notifier.do(lambda one: one.noticing.look(), 0)
            sent = await home.notifier.do(lambda one: one.delivering.deliver(), 0)
            did = did or bool(looked or sent)
        await self._peek()
        if not is_shown and self._due["notifier"] <= now:
            back = home.projector.due_back
            self._due["notifier"] = now + SECOND if back is None else max(now + 1, back)
        return did

    async def _peek(self) -> None:
        """Find out when clock and notifier have something to do next, if they did anything."""
        if not self._is_stale:
            return
        self._is_stale = False
        keys = [*(streams.timers(partition) for partition in range(PARTITIONS)), *due_keys()]
        firsts = [int(float(one)) for one in await self._firsts(keys, [])]
        never = self.plan.end + DAY
        self._due["clock"] = min((one for one in firsts[:PARTITIONS] if one), default=never)
        self._due["notifier"] = min((one for one in firsts[PARTITIONS:] if one), default=never)

    # --- people ------------------------------------------------------------------------------

    async def _addressees(self) -> None:
        """Keep how everybody, and every room, wants to be told."""
        for person in self.people.values():
            told = Addressee(
                channels=self._channels(person.id, person.channels),
                quiet=person.quiet,
                zone=person.zone,
                digest_at=person.digest_at,
                when=person.when,
            )
            await self._set(notices.of_player(person.id), told)
        for opening in self.openings:
            if opening.room:
                owner = notices.of_table(opening.table)
                told = Addressee(
                    channels=self._channels(owner, opening.room),
                    mentions={seat.name: f"@{seat.name}" for seat in opening.command.seats},
                )
                await self._set(owner, told)

    def _channels(self, owner: str, names: tuple[str, ...]) -> tuple[Channel, ...]:
        return tuple(
            Channel(name, f"{name.partition('-')[0]}: league", self._sealed(url_of(owner, name)))
            for name in names
        )

    def _sealed(self, url: str) -> bytes:
        return self.home.seals.seal(Target(url, "key"))

    async def _set(self, name: str, addressee: Addressee) -> None:
        await self.client.hset(notices.ADDRESSEES, name, notices.encode(addressee))

    def _changed(self, table: Table) -> None:
        """Note how a table stands now."""
        before = self.tables.get(table.id)
        if before is None or awaited(before) != awaited(table):
            self.asked_since[table.id] = self.time.time
        self.tables[table.id] = table
        for player in table.order:
            self.tables_of[table.people.get(player, player)][table.id] = None

    async def _send(self, order: Order) -> bool:
        """Send an order and have it decided; whether it was accepted, as far as one hears."""
        self._number += 1
        named = msgspec.structs.replace(order, id=CommandId(f"o{self._number}"))
        partition = streams.partition_of(order.table, PARTITIONS)
        self.open_orders[named.id] = named
        body = {streams.COMMAND_ORDER: streams.encode(named)}
        await self.client.xadd(streams.commands(partition), body)
        self._waiting.add(partition)
        self.happened[type(order.command).__name__] += 1
        await self._settle()
        return isinstance(self.outcomes.pop(named.id, None), Recorded)

    async def _open(self, opening: Opening) -> None:
        player = opening.command.seats[0].player
        await self._send(
            Order(
                opening.table, CommandId(""), opening.command.seats[0].name, player, opening.command
            )
        )
        lots = self.plan.lots(f"live {opening.table}")
        for _ in range(self.plan.days // 4):
            moment = opening.at + lots.randrange(max(1, self.plan.end - opening.at))
            self.later(moment, "live", opening.table, moment + lots.randint(1, 12) * MINUTE)

    async def _looks(self, person: Person) -> None:
        """Somebody looks at all his tables."""
        self.later(person.next_look(self.time.time, self.lots), "look", person)
        for id in tuple(self.tables_of[person.id]):
            await self._attends(person, id)

    async def _attends(self, person: Person, id: TableId) -> None:
        """Somebody looks at one of his tables, and does something."""
        lots, now = self.lots, self.time.time
        for seat in moves.seats_of(self.tables[id], person.id):
            for order in tuple(moves.answers(self.tables[id], seat, person.id, lots)):
                await self._send(msgspec.structs.replace(order, version=self.tables[id].version))
            wish = moves.whim(self.tables[id], seat, person, now, lots)
            if wish is not None:
                await self._wishes(id, seat, person.id, wish)
            if seat in awaited(self.tables[id]) and lots.random() < 0.9:
                await self._moves(person, id, seat)
        await self._hosts(person, id)

    async def _wishes(self, id: TableId, seat: PlayerId, sender: str, wish: AnyCommand) -> None:
        await self._send(moves.beside(self.tables[id], seat, sender, wish))

    async def _moves(self, person: Person, id: TableId, seat: PlayerId) -> None:
        """Somebody moves, and goes on with his turn a moment later."""
        lots = self.lots
        order = moves.move(self.tables[id], seat, person.id, lots)
        if order is None or not await self._send(order):
            return
        if lots.random() < 0.03:
            self.later(
                self.time.time + lots.randint(2, 400) * SECOND, "take back", person, id, seat
            )
        if seat in awaited(self.tables[id]) and lots.random() < 0.93:
            self.later(self.time.time + lots.randint(2, 40) * SECOND, "goes on", person, id, seat)

    async def _goes_on(self, person: Person, id: TableId, seat: PlayerId) -> None:
        table = self.tables[id]
        if seat in awaited(table) and seat in moves.seats_of(table, person.id):
            await self._moves(person, id, seat)

    async def _takes_back(self, person: Person, id: TableId, seat: PlayerId) -> None:
        table = self.tables[id]
        wish = moves.own_undo(table, seat, self.lots)
        if wish is not None and seat in moves.seats_of(table, person.id):
            await self._wishes(id, seat, person.id, wish)

    async def _hosts(self, person: Person, id: TableId) -> None:
        """A host looks after a table that has waited long."""
        table, now = self.tables[id], self.time.time
        host = table.settings.host
        if host is None or host_of(table) != person.id:
            return
        names = substitutes(self.plan)
        wish = moves.hosting(table, now, self.asked_since[id], names, self.lots)
        seat = host if host in table.order else table.order[0]
        if wish is not None:
            await self._wishes(id, seat, person.id, wish)
        elif table.settings.host_acts and awaited(table) and self.lots.random() < 0.05:
            order = moves.move(table, awaited(table)[0], person.id, self.lots)
            if order is not None:
                await self._send(order)

    async def _live(self, id: TableId, until: int) -> None:
        """Everybody at a table is there at once, and answers within seconds."""
        table, now, lots = self.tables.get(id), self.time.time, self.lots
        if table is None or now > until or not awaited(table):
            return
        seat = lots.choice(awaited(table))
        person = self.people.get(table.people.get(seat, seat))
        if person is None or person.is_away(now):
            return
        order = moves.move(table, seat, person.id, lots)
        if order is not None:
            await self._send(order)
        pause = lots.randint(1, 9) if lots.random() < 0.85 else lots.randint(11, 90)
        self.later(now + pause * SECOND + lots.randrange(SECOND), "live", id, until)

    # --- afterwards --------------------------------------------------------------------------

    async def _played(self, seconds: float) -> Played:
        """Everything that the judgement needs."""
        found = Played(self.plan, self.openings, self.people, self.services)
        for opening in self.openings:
            partition = streams.partition_of(opening.table, PARTITIONS)
            book = await read_log(self.client, partition, opening.table)
            found.books[opening.table] = [sealed.record for sealed in book]
        for process in self.home.all:
            found.downs[process.name] = process.downs
            self.happened[f"{process.name} died"] = process.deaths
        found.faults = [*self.faults, *self.home.watching.faults]
        found.happened = self.happened
        found.seconds = seconds
        return found

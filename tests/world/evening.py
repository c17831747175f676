"""A world with clock and notifier: people play by the rules, are told, are late, and are called.

As in the other world everything dies at any request; afterwards all is healed, and then everybody
who is to act has been told, nobody twice, and the timers are those that a clock would set that
knows nothing but the books.
"""

import asyncio
from collections import defaultdict
from random import Random
from typing import Any, Final

import msgspec

from contracts import notices
from contracts.clocking import Clocking
from contracts.commands import CallTime, OpenTable, Order
from contracts.ids import CommandId, Party, PlayerId, TableId
from contracts.notices import Addressee, Channel
from contracts.pieces import Seat, Settings
from contracts.titles.load import titles
from services.bus.errors import NoAnswerError
from services.clock.keeping import Keeper
from services.engine.rules.ruleset import ruleset_of
from services.engine.table.fold import table_at
from services.notifier.delivering import Delivering
from services.notifier.noticing import Noticing
from services.notifier.patience import Delivered, Failed, Reply
from services.notifier.sealing import Target
from services.notifier.wording import Message
from services.players.play import next_order
from tests.league.books import Book, book_of
from tests.league.case import is_task
from tests.world.bugs import Bug
from tests.world.games import GAMES
from tests.world.loop import VirtualLoop
from tests.world.machine import Machine
from tests.world.plan import Plan, planned
from tests.world.ports import Ports
from tests.world.processes import Views
from tests.world.safety import promise
from tests.world.whole import Reached, Whole, names_done_twice
from tests.world.world import World

QUIET_SECONDS: Final = 0.4
MOST_SECONDS: Final = 2.0
TAKEN_SECONDS: Final = 5.0
SETTLED_SECONDS: Final = 6.0
SECONDS_TO_TELL: Final = 150.0
NAMES: Final = ("ann", "bob", "cyd")
MOVES: Final = 16


class Quiet:
    """Watches nothing."""

    def noticed(self, *about: object) -> None: ...
    def dealt_with(self, *about: object) -> None: ...
    def puzzled(self, what: str, about: str, why: str) -> None:
        promise(holds=False, broken=f"the notifier is puzzled: {what}, {about}: {why}")


class Open:
    """Opens seals that are none."""

    def opened(self, sealed: bytes) -> Target:
        return Target(sealed.decode())


class Post:
    """What arrived, by address."""

    def __init__(self) -> None:
        self.arrived: defaultdict[str, list[notices.Notice]] = defaultdict(list)


class Sending:
    """A process's way to the channels, on which answers are lost too."""

    def __init__(self, ports: Ports, post: Post, lots: Random) -> None:
        self.ports, self.post, self.lots = ports, post, lots

    async def send(self, target: Target, message: Message, now: int) -> Reply:
        await self.ports.machine.wait()
        if self.lots.random() < 2 * self.ports.rates.lost_request:
            return Failed("it was lost")
        self.post.arrived[target.url].append(message.notice)
        await self.ports.machine.wait()
        return (
            Failed("no answer")
            if self.lots.random() < self.ports.rates.lost_answer
            else Delivered()
        )


class Timekeeper:
    """What `services.clock` does."""

    def __init__(self, plan: Plan, ports: Ports) -> None:
        self.plan, self.ports = plan, ports

    async def __call__(self, machine: Machine) -> None:
        timers: Any = Reached(self.ports, "clock")
        keeper = Keeper(
            *(self.ports, timers, range(self.plan.partitions)),
            tables_at_hand=self.plan.tables_at_hand,
        )
        await keeper.begin()
        while True:
            await keeper.fire(machine.wall.now())
            if not await keeper.catch_up():
                await machine.rest()


class Teller:
    """What `services.notifier` does."""

    def __init__(self, plan: Plan, ports: Ports, post: Post, lots: Random) -> None:
        self.plan, self.ports, self.post, self.lots = plan, ports, post, lots

    async def __call__(self, machine: Machine) -> None:
        books: Any = Reached(self.ports, "tables_shown")
        outbox: Any = Reached(self.ports, "outbox")
        watch: Any = Quiet()
        partitions = range(self.plan.partitions)
        noticing = Noticing(
            *(books, outbox, partitions, machine.wall.now, watch),
            quiet_seconds=QUIET_SECONDS,
            most_seconds=MOST_SECONDS,
        )
        delivering = Delivering(
            *(outbox, partitions, Sending(self.ports, self.post, self.lots), Open()),
            *(machine.wall.now, watch),
            mark=f"{machine.name}.{machine.starts}",
            taken_seconds=TAKEN_SECONDS,
            chance=self.lots.random,
        )
        await noticing.begin()
        machine.also(self.over_and_over(machine, delivering.deliver))
        machine.also(self.over_and_over(machine, noticing.look))
        await self.over_and_over(machine, noticing.read)

    async def over_and_over(self, machine: Machine, work: Any) -> None:
        while True:
            if not await work():
                await machine.rest()


class Evening(World):
    """Everything there is, of an evening at some tables."""

    def __init__(self, plan: Plan, bug: Bug, loop: VirtualLoop) -> None:
        super().__init__(plan, bug, loop)
        self.post = Post()
        self.ids = [TableId(f"{GAMES}{plan.seed % 5}-{number}") for number in range(plan.tables)]
        for name in NAMES:
            channels = (Channel("c", "test", f"https://{name}/".encode()),)
            whole = self.server.memory
            assert isinstance(whole, Whole)
            whole.outbox.addressees[notices.of_player(name)] = Addressee(channels=channels)
            disk = self.server._on_disk
            assert isinstance(disk, Whole)
            disk.outbox.addressees[notices.of_player(name)] = Addressee(channels=channels)

    def start(self) -> None:
        """Start all processes and all players."""
        plan, bug = self.plan, self.bug
        kinds: dict[str, tuple[int, Any]] = {
            "engine": (plan.engines, lambda ports, lots: bug.engine(plan, ports, lambda _: None)),
            "projector": (plan.projectors, lambda ports, lots: Views(plan, ports)),
            "clock": (1 + plan.seed % 2, lambda ports, lots: Timekeeper(plan, ports)),
            "notifier": (
                1 + plan.seed // 2 % 2,
                lambda ports, lots: Teller(plan, ports, self.post, lots),
            ),
        }
        for kind, (count, made) in kinds.items():
            for number in range(count):
                machine = self.machine(f"{kind}-{number}")
                ports = bug.ports(self.server, machine, self.lots(f"{machine.name} ports"))
                self.run(machine, made(ports, self.lots(f"{machine.name} whims")))
        for number, id in enumerate(self.ids):
            client = self.client(f"players-{number}")
            self.run_client(client, self.play(client, id, self.lots(f"moves {id}")))

    async def play(self, client: Any, id: TableId, lots: Random) -> None:
        """Open a table and play some moves; now and then somebody is too late."""
        async with await client.bus() as bus:
            for number in range(MOVES):
                log = self.server.memory.logs.get(id, [])
                table = table_at(id, [one.record for one in log])
                order = opening(id, lots) if not log else next_order(ruleset_of(table), table, 1)
                if order is None:
                    return
                named = msgspec.structs.replace(order, id=CommandId(f"{id}-{number}"))
                try:
                    await bus.send(named, 5.0)
                except NoAnswerError:
                    client.retries += 1
                pause = lots.choice((0.05, 0.3, 1.0, 3.0, 5.0))
                await asyncio.sleep(pause * (0.5 + lots.random()))

    async def history(self) -> None:
        """Trouble, healing, everything coming right, and the judgement."""
        await super().history()
        if self.is_right_clock():
            await self.until(
                self.all_told, SECONDS_TO_TELL, "everybody who is to act has been told"
            )
        await asyncio.sleep(SETTLED_SECONDS)
        whole = self.server.memory
        assert isinstance(whole, Whole)
        twice = names_done_twice(whole)
        promise(not twice, f"timers done twice: {twice}")
        for id in self.ids:
            log = whole.logs.get(id, [])
            if log:
                self.judge(whole, book_of(id, [one.record for one in log]))

    def all_told(self) -> bool:
        """Whether everybody has been told who is to act."""
        for id in self.ids:
            log = self.server.memory.logs.get(id, [])
            if not log:
                continue
            book = book_of(id, [one.record for one in log])
            last = book.pages[-1]
            for seat in last.asked:
                heard = [
                    notice
                    for notice in self.post.arrived[f"https://{seat}/"]
                    if notice.table == id and is_task(notice) and notice.version <= last.version
                ]
                since = {book.page(one.version).since.get(seat) for one in heard}
                if last.since[seat] not in since:
                    return False
        return True

    def judge(self, whole: Whole, book: Book) -> None:
        """Nobody was called who was not to act; all were told, and nobody twice."""
        for record in book.records:
            if isinstance(record.order.command, CallTime):
                asked = book.page(record.version - 1).asked
                promise(record.order.player in asked, f"{book.id}: {record.version} calls nobody")
        for name in NAMES:
            self.judge_one(book, PlayerId(Party(name)))
        timers = whole.clock.set
        late = [
            timer.name
            for partition in timers.values()
            for timer in partition.values()
            if timer.due < self.server.wall.now() - 5_000_000 and self.is_right_clock()
        ]
        promise(not late, f"timers that were never done: {late}")

    def is_right_clock(self) -> bool:
        """Whether no clock was put wrong."""
        return not any(one.wall.wrong_by for one in self.processes)

    def judge_one(self, book: Book, seat: PlayerId) -> None:
        """Each turn of a player is told at most once, and the last one at least once."""
        told: defaultdict[int, set[str]] = defaultdict(set)
        for notice in self.post.arrived[f"https://{seat}/"]:
            is_here = notice.table == book.id and notice.version <= len(book.pages)
            if is_here and is_task(notice):
                told[book.page(notice.version).since.get(seat, 0)].add(notice.id)
        if self.plan.is_durable:
            for since, ids in told.items():
                where = f"{book.id}: {seat} told of his turn since {since} by {sorted(ids)}"
                promise(since > 0, f"{where}, which was none")
                promise(len(ids) == 1, where)


def opening(id: TableId, lots: Random) -> Order:
    """A table whose turns last some seconds."""
    seats = tuple(Seat(PlayerId(Party(name)), name.title()) for name in NAMES)
    clock = Clocking(
        turn_seconds=lots.choice((3, 8)),
        bank_seconds=lots.choice((0, 5)),
        then=lots.choice(("call", "neutral")),
        reminders=(2,),
    )
    settings = Settings(clock=clock)
    command = OpenTable(lots.choice(titles()), seats, lots.randrange(1000), settings=settings)
    return Order(id, CommandId("open"), seats[0].player, seats[0].player, command)


def evening_plan(seed: int) -> Plan:
    """The plan of an evening: few tables, all by the rules."""
    plan = planned(seed)
    return msgspec.structs.replace(
        plan, games=0, clients=0, orders=0, tables=1, trouble_seconds=10.0
    )

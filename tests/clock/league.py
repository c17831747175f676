"""A table with its engine and its clock, over ports in memory, and a time that the test moves."""

from contracts import notices
from contracts.clocking import Clocking
from contracts.commands import AnyCommand, CallTime, OpenTable, Order
from contracts.ids import CommandId, PlayerId, TableId
from contracts.pieces import Seat, Settings
from contracts.rejections import Rejection
from contracts.streams import Recorded, Refused
from services.clock.calendar import SECOND
from services.clock.keeping import Keeper
from services.clock.memory import Memory as ClockMemory
from services.engine.handling import Handling
from services.engine.memory import Memory
from services.engine.ports import Lease
from services.engine.table.agenda import awaited
from services.engine.table.fold import table_at
from services.engine.table.state import Table
from tests.ports.ground import TestClock
from tests.positions import TITLE, player

ANN, BOB, CID = map(player, ("ann", "bob", "cid"))
TABLE = TableId("t")
RELEASE = "test"


class League:
    """One table of three, opened at moment 0."""

    def __init__(self, clock: Clocking | None, **more) -> None:
        self.time = TestClock(0)
        self.engine = Memory(self.time, partitions=1)
        self.clock = ClockMemory()
        self.handling = Handling(
            self.engine, self.time, partitions=1, release=RELEASE, snapshot_every=5
        )
        self.keeper = self.new_keeper()
        self.opening = OpenTable(
            TITLE,
            tuple(Seat(one, one) for one in (ANN, BOB, CID)),
            1,
            settings=Settings(clock=clock, **{"host": CID, "undo": "free", **more}),
        )
        self.sent = 0

    def new_keeper(self) -> Keeper:
        """A clock process that has just been started."""
        return Keeper(self.clock, self.clock, (0,), release=RELEASE)

    async def begin(self) -> "League":
        lease = await self.engine.take(0, "test")
        assert isinstance(lease, Lease)
        self.lease = lease
        await self.keeper.begin()
        await self.do(ANN, self.opening)
        return self

    @property
    def table(self) -> Table:
        return table_at(TABLE, [one.record for one in self.engine.logs[TABLE]])

    @property
    def waiting(self) -> tuple[PlayerId, ...]:
        return awaited(self.table)

    async def do(self, who: PlayerId, command: AnyCommand, sender: str = "") -> None:
        """An order that has to be accepted."""
        outcome = await self.tried(who, command, sender)
        assert isinstance(outcome, Recorded), outcome

    async def tried(self, who: PlayerId, command: AnyCommand, sender: str = ""):
        self.sent += 1
        version = None
        if TABLE in self.engine.logs and not isinstance(command, CallTime):
            version = len(self.engine.logs[TABLE])
        id = CommandId(f"o{self.sent}")
        self.engine.post(Order(TABLE, id, sender or who, who, command, version))
        await self.handle()
        return self.engine.outcomes[TABLE][id]

    async def handle(self) -> None:
        """Let the engine decide what waits, and the clock read what it wrote."""
        await self.handling.handle(self.lease, await self.engine.fresh(0, 100))
        log = self.engine.logs.get(TABLE, [])
        for sealed in log[len(self.clock.books.get(TABLE, ())) :]:
            self.clock.write(TABLE, sealed)
        self.clock.snapshots = dict(self.engine.snapshots)
        await self.keeper.catch_up()

    async def until(self, seconds: float) -> None:
        """Let time go on to a moment, with the clock looking whenever something is due."""
        end = round(seconds * SECOND)
        while True:
            _, following = await self.keeper.fire(self.time.time)
            await self.carried()
            _, following = await self.keeper.fire(self.time.time)
            if following is not None and following <= self.time.time:
                continue
            if following is None or following > end:
                break
            self.time.time = following
        self.time.time = end

    async def carried(self) -> None:
        """Carry what the clock sent to the engine."""
        for body in self.clock.commands[0]:
            self.engine.put(0, {b"o": body})
        self.clock.commands[0].clear()
        await self.handle()

    @property
    def calls(self) -> list[tuple[str, float]]:
        """Whose time was called, and when, in seconds."""
        return [
            (one.record.order.player, one.record.at / SECOND)
            for one in self.engine.logs[TABLE]
            if isinstance(one.record.order.command, CallTime)
        ]

    @property
    def refusals(self) -> list[Rejection]:
        found = self.engine.outcomes[TABLE].values()
        return [one.rejection for one in found if isinstance(one, Refused)]

    @property
    def prompts(self) -> list[notices.Prompt]:
        return [notices.decode_prompt(body) for body in self.clock.prompts[0]]

    def deadlines(self) -> dict[str, float]:
        """Until when who has to act, in seconds."""
        found = self.clock.deadlines.get(TABLE, {})
        return {who: one.until / SECOND for who, one in found.items()}

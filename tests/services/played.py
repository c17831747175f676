"""Tables that are played by the rules on a store, a seed picking among the choices."""

import random

from contracts import streams
from contracts.choices import Interval
from contracts.commands import AnyCommand, MakeRequest, OpenTable, Order
from contracts.ids import CommandId, Party, PlayerId, TableId, TitleId
from contracts.pieces import Seat, Settings
from contracts.streams import Refused
from contracts.titles.load import titles
from services.engine import live
from services.engine.handling import Handling
from services.engine.ports import Entry, Lease
from services.engine.rules.decide import game_choices
from services.engine.rules.ruleset import ruleset_of
from services.engine.store import Store
from services.engine.table.agenda import awaited
from tests.ports.ground import TestClock

NAMES = ("ann", "bob", "cyd")


class Playing:
    """Plays at tables of a store, as an engine that nobody disturbs."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.clock = TestClock()
        self.handling = Handling(store, self.clock, partitions=store.partitions, release="test")
        self.leases: dict[int, Lease] = {}

    async def order(self, table: str, player: str, command: AnyCommand, **fields) -> None:
        """Have an order decided; it has to be accepted."""
        id = TableId(table)
        partition = self.store.partition_of(id)
        if partition not in self.leases:
            await self.store.create_group(partition)
            lease = await self.store.take(partition, "test")
            assert isinstance(lease, Lease)
            self.leases[partition] = lease
        self.clock.time += 1_000_000
        seat = PlayerId(Party(player))
        number = CommandId(str(self.clock.time))
        body = streams.encode(Order(id, number, player, seat, command, **fields))
        entry = Entry("", {b"o": body})
        (done,) = await self.handling.handle(self.leases[partition], [entry])
        assert not isinstance(done.outcome, Refused), done

    async def open(self, table: str, undo: str = "free") -> None:
        seats = tuple(Seat(PlayerId(Party(name)), name.title()) for name in NAMES)
        command = OpenTable(TitleId(titles()[0]), seats, 1, settings=Settings(undo))
        await self.order(table, "ann", command)

    async def play(self, table: str, moves: int, seed: int = 1) -> None:
        """Make some moves, each any of the choices of who is awaited."""
        draw = random.Random(seed)
        for _ in range(moves):
            present = (await live.opened(self.store, "test", TableId(table))).table
            player = awaited(present)[0]
            offered = [
                choice
                for choice in game_choices(ruleset_of(present), present, player)
                if not isinstance(choice.open, Interval)
            ]
            choice = draw.choice(offered)
            await self.order(
                table,
                player,
                choice.command,
                version=present.version,
                question=choice.question,
            )

    async def undo(self, table: str, to: int) -> None:
        present = (await live.opened(self.store, "test", TableId(table))).table
        await self.order(table, "ann", MakeRequest("undo", to), version=present.version)

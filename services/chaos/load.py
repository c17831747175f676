"""Clients that play at many tables, and send again whatever is not answered."""

import asyncio
import time
from collections.abc import Callable
from random import Random
from typing import Final

import msgspec

from contracts.commands import OpenTable, Order
from contracts.ids import CommandId, Party, PlayerId, TableId, TitleId
from contracts.pieces import Seat
from contracts.records import Record
from contracts.rejections import Rejection
from contracts.streams import Outcome, Recorded
from contracts.titles.load import titles
from services.bus.client import Bus
from services.bus.errors import NoAnswerError
from services.chaos.history import History
from services.engine.rules.decide import decide
from services.engine.rules.ruleset import Ruleset, ruleset_for
from services.engine.table.fold import applied
from services.engine.table.state import Table, new_table
from services.players.play import next_order

MOVES_MOST: Final = 150
"""After so many moves a new table is opened: later ones take the house players longer to find."""
PATIENCE_SECONDS: Final = 5.0
AGAIN: Final = 0.05
"""How often an order that was answered is sent once more."""
WRONG: Final = 0.05
"""How often an order goes out before the right one that must be refused."""
NAMES: Final = ("ann", "bob", "cyd", "dan")


class UnlikeError(Exception):
    """The engine answered an order otherwise than the rules do here."""


class Client:
    """Plays one table after another, alone at each of them."""

    def __init__(self, name: str, bus: Bus, history: History, seed: int) -> None:
        self.name = name
        self._bus = bus
        self._history = history
        self._lots = Random(f"{seed} {name}")  # noqa: S311 - no secret
        self._tables = 0

    async def play(self, is_over: Callable[[], bool]) -> None:
        """Play until it is over."""
        while not is_over():
            self._tables += 1
            await self._play_one(TableId(f"{self.name}-{self._tables}"), is_over)

    async def _play_one(self, id: TableId, is_over: Callable[[], bool]) -> None:
        order: Order | None = self._opening(id)
        assert order is not None
        assert isinstance(order.command, OpenTable)
        ruleset = ruleset_for(order.command)
        assert not isinstance(ruleset, Rejection)
        table = new_table(id)
        seed = self._lots.randrange(1000)
        while order is not None and table.version < MOVES_MOST and not is_over():
            if table.version and self._lots.random() < WRONG:
                await self._refused(order)
            table = await self._moved(ruleset, table, order)
            order = next_order(ruleset, table, seed)
            # Other tables have their turn: finding an order takes the loop for itself.
            await asyncio.sleep(0)

    def _opening(self, id: TableId) -> Order:
        names = NAMES[: self._lots.randint(3, len(NAMES))]
        seats = tuple(Seat(PlayerId(Party(name)), name.title()) for name in names)
        title = TitleId(self._lots.choice(titles()))
        command = OpenTable(title, seats, self._lots.randrange(2**31))
        return Order(id, CommandId("house-0"), "house", seats[0].player, command)

    async def _moved(self, ruleset: Ruleset, table: Table, order: Order) -> Table:
        """Send an order that has to be accepted; the table after it."""
        outcome = await self._answered(order)
        if outcome != Recorded(table.version + 1):
            raise UnlikeError(f"{table.id}, {order.id}: {outcome}")
        events = decide(ruleset, table, order)
        assert not isinstance(events, Rejection)
        if self._lots.random() < AGAIN:
            await self._answered(order)
        return applied(table, Record(table.version + 1, 0, "", order, events))

    async def _refused(self, order: Order) -> None:
        """Send an order made against a version that never was."""
        id = CommandId(f"{order.id}-wrong")
        wrong = msgspec.structs.replace(order, id=id, version=1_000_000, question=None)
        outcome = await self._answered(wrong)
        if isinstance(outcome, Recorded):
            raise UnlikeError(f"{order.table}, {id}: {outcome}")

    async def _answered(self, order: Order) -> Outcome:
        """The answer to an order, however often it has to be sent."""
        began = time.monotonic()
        while True:
            self._history.invoked(self.name, order.table, order.id)
            try:
                outcome = await self._bus.send(order, PATIENCE_SECONDS)
            except NoAnswerError:
                self._history.unanswered(self.name, order.table, order.id)
                continue
            took = time.monotonic() - began
            self._history.answered(self.name, order.table, order.id, outcome, took)
            return outcome

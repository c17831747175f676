"""Clients that play at many tables, and send again whatever is not answered.

Each plays all seats of its tables, as the people who sit there. It is not alone: the clock calls
time and programmes move in between, so an order may be refused because play has gone on; then the
client reads on in the minute book and decides anew. Some of the time it says nothing at all.
"""

import asyncio
import contextlib
import time
from collections.abc import Callable
from random import Random
from typing import Final

import msgspec
from redis.exceptions import RedisError

from contracts.commands import MakeRequest, OpenTable, Order
from contracts.ids import CommandId, TableId
from contracts.people import NOBODY
from contracts.rejections import Rejection
from contracts.streams import Outcome, Recorded
from services.bus.client import Bus
from services.bus.errors import NoAnswerError
from services.chaos.besides import paused, something
from services.chaos.following import Followed, UnlikeError
from services.chaos.history import History
from services.chaos.opening import host_of, opening
from services.engine.rules.decide import decide
from services.engine.rules.ruleset import ruleset_for
from services.engine.table.agenda import awaited
from services.players.play import next_order

MOVES_MOST: Final = 150
"""After so many records a new table is opened: later ones take house players longer to find."""
PATIENCE_SECONDS: Final = 5.0
AGAIN: Final = 0.05
"""How often an order that was answered is sent once more."""
WRONG: Final = 0.05
"""How often an order goes out before the right one that must be refused."""
BESIDE: Final = 0.15
"""How often something is done beside the game: an undo, another person in a seat, a programme."""
THINKS: Final = 0.2
"""How often a player thinks for a second, so that others are told that it is his turn."""
SILENT: Final = 0.04
"""How often nobody at a table says anything until somebody's time was called, or for a while."""
UNANSWERED: Final = 0.3
"""How often nobody moves on while a request waits that nobody answers, until it expires."""
SILENT_SECONDS: Final = 12.0
PAUSES_TRIED: Final = 200
_LOOK_SECONDS: Final = 0.2


class Client:
    """Plays one table after another."""

    def __init__(self, name: str, bus: Bus, history: History, seed: int) -> None:
        self.name = name
        self.silences = 0
        self._bus = bus
        self._history = history
        self._lots = Random(f"{seed} {name}")  # noqa: S311 - no secret
        self._tables = 0
        self._sent = 0

    async def play(self, is_over: Callable[[], bool]) -> None:
        """Play until it is over."""
        while not is_over():
            self._tables += 1
            await self._play_one(TableId(f"{self.name}-{self._tables}"), is_over)

    async def _play_one(self, id: TableId, is_over: Callable[[], bool]) -> None:
        first = opening(self.name, id, self._lots)
        assert isinstance(first.command, OpenTable)
        ruleset = ruleset_for(first.command)
        assert not isinstance(ruleset, Rejection)
        book = Followed(id, ruleset)
        seed = self._lots.randrange(1000)
        await self._tried(book, first)
        while awaited(book.table) and book.table.version < MOVES_MOST and not is_over():
            await self._turn(book, seed)
            # Other tables have their turn: finding an order takes the loop for itself.
            await asyncio.sleep(0)
        await self._put_away(book)

    async def _turn(self, book: Followed, seed: int) -> None:
        """One move, or what else may happen when somebody is to move."""
        lots, table = self._lots, book.table
        if lots.random() < SILENT:
            await self._silence(book)
            return
        if lots.random() < THINKS:
            await asyncio.sleep(lots.uniform(0.2, 1.5))
        if lots.random() < BESIDE or table.requests:
            order = something(book, host_of(self.name), lots)
            if order is not None:
                await self._tried(book, self._named(order))
                return
            if table.requests and lots.random() < UNANSWERED:
                await self._silence(book)
                return
        order = next_order(book.ruleset, table, seed)
        assert order is not None  # somebody is waited for
        person = table.people[order.player]
        if person == NOBODY:
            await self._silence(book)
            return
        order = msgspec.structs.replace(order, sender=person)
        if lots.random() < WRONG:
            await self._refused(order)
        await self._tried(book, self._named(order))

    async def _silence(self, book: Followed) -> None:
        """Wait until something happens of itself, or for a while."""
        self.silences += 1
        for _ in range(round(SILENT_SECONDS / _LOOK_SECONDS)):
            if await self._read_on(book):
                return
            await asyncio.sleep(_LOOK_SECONDS)

    async def _put_away(self, book: Followed) -> None:
        """Stop all time at a table that is not played on, so that it comes to rest."""
        for _ in range(PAUSES_TRIED):
            order = paused(book, host_of(self.name))
            if order is None or await self._tried(book, self._named(order)):
                return
        raise UnlikeError(f"{book.id}: the host cannot pause it")

    # --- orders ------------------------------------------------------------------------------

    def _named(self, order: Order) -> Order:
        """An order under an id that no other order has."""
        self._sent += 1
        named: Order = msgspec.structs.replace(order, id=CommandId(f"{order.id}-{self._sent}"))
        return named

    async def _tried(self, book: Followed, order: Order) -> bool:
        """Send an order and read on; whether it was recorded.

        It has to be, unless the rules refuse it here as well, or somebody was quicker.
        """
        before = book.table.version
        expected = decide(book.ruleset, book.table, order)
        outcome = await self._answered(order)
        read = await self._read_on(book)
        if isinstance(outcome, Recorded):
            self._check_place(book, order, outcome.version, before)
            if self._lots.random() < AGAIN:
                await self._answered(order)
            return True
        if not read and not isinstance(expected, Rejection):
            raise UnlikeError(f"{order.table}, {order.id}: {outcome}")
        return False

    def _check_place(self, book: Followed, order: Order, version: int, before: int) -> None:
        """An order is recorded where its answer says, and right after what it was made against."""
        there = book.ids[version - 1] if version <= len(book.ids) else "nothing"
        if there != order.id:
            raise UnlikeError(f"{order.table}: {order.id} is to be record {version}, not {there}")
        is_move = order.version is not None or isinstance(order.command, OpenTable)
        if is_move and version != before + 1:
            raise UnlikeError(f"{order.table}: {order.id} against {before} is record {version}")

    async def _read_on(self, book: Followed) -> int:
        """Follow what was recorded meanwhile; how many records."""
        while True:
            with contextlib.suppress(RedisError):
                found = await self._bus.records(book.id, book.table.version + 1)
                break
            await asyncio.sleep(_LOOK_SECONDS)
        for sealed in found:
            book.follow(sealed.record)
        return len(found)

    async def _refused(self, order: Order) -> None:
        """Send an order made against a version that never was."""
        self._sent += 1
        id = CommandId(f"{order.id}-{self._sent}-wrong")
        wrong = msgspec.structs.replace(order, id=id, version=1_000_000, question=None)
        if isinstance(wrong.command, MakeRequest):
            return
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

"""What commands of the console ask of a store: tables, views, and answers to orders."""

import asyncio
import contextlib
import os
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Final, Literal, TypeVar
from uuid import uuid4

import msgspec

from contracts.commands import AnyCommand, Order
from contracts.ids import CommandId, FrameId, Party, PlayerId, TableId
from contracts.notation import Draft
from contracts.records import Record, Sealed
from contracts.rejections import Code, Rejection, in_words
from contracts.streams import Outcome, Refused, is_table_id
from contracts.views import AnyView
from services.archive.folder import folder_of, of_tombstone
from services.archive.form import Contents
from services.bus.archived import tombstone
from services.bus.client import Bus, bus
from services.console.completing import completed, question_of
from services.console.errors import BadInputError, RefusedError
from services.console.session import Place, reached, until_stopped
from services.engine.projections import api
from services.engine.projections.writing import page_of
from services.engine.table.fold import table_at, tables
from services.engine.table.state import Table, new_table

T = TypeVar("T")
Admit = Callable[[Order], Awaitable[Order]]
"""Lets an order in with its true actor, or raises `RefusedError`."""

_SECONDS_BETWEEN_LOOKS: Final = 0.05

_views = msgspec.msgpack.Decoder(AnyView)


class Desk:
    """A place to work at: one store, and the questions that commands put to it."""

    def __init__(self, one: Bus, archive: Path | None = None) -> None:
        """`archive` is where files of archived tables lie, if they are not where they were put."""
        self.bus = one
        self.archive = archive

    async def sent(self, order: Order) -> Outcome:
        """Send an order and give what became of it."""
        return await self.bus.send(order)

    async def records(
        self, table: TableId, first: int = 1, last: int | None = None
    ) -> list[Sealed]:
        """Records of a table, each checked against the one before; none of one never opened."""
        found = await self.bus.records(table, first, last)
        if not found and (contents := await self.archived(table)) is not None:
            return list(contents.sealed[first - 1 : last])
        return found

    async def archived(self, table: TableId) -> Contents | None:
        """What the file of an archived table holds, None of any other; raises `FileError`."""
        stone = await tombstone(self.bus.client, self.bus.partitions, table)
        if stone is None:
            return None
        return of_tombstone(stone, self.archive or Path(stone.file).parent)

    async def book(self, table: TableId) -> list[Sealed]:
        """The whole minute book of a table; raises if there is none."""
        sealed = await self.records(table)
        if not sealed:
            raise await self._unknown(table)
        return sealed

    async def book_until(self, table: TableId, at: int | None) -> list[Record]:
        """The records of a table up to a version, to the last one if none is named."""
        records = [sealed.record for sealed in await self.book(table)]
        if at is not None and not 1 <= at <= len(records):
            raise BadInputError(f"--at: table {table} has versions 1 to {len(records)}, not {at}.")
        return records[:at]

    async def table(self, table: TableId) -> Table:
        """The table as it stands."""
        return table_at(table, [sealed.record for sealed in await self.book(table)])

    async def view(self, table: TableId, name: api.Name, at: int | None = None) -> AnyView:
        """A view as it is, or as it was after a version.

        What the projector has stored is shown if it is up to date; else it is worked out.
        """
        head = await self.bus.head(table)
        if head is None:
            raise await self._unknown(table)
        if at is not None and not 1 <= at <= head.version:
            raise BadInputError(f"--at: table {table} has versions 1 to {head.version}, not {at}.")
        if at in {None, head.version}:
            stored = await self.stored_view(table, name)
            if stored is not None and stored.version == head.version:
                return stored
        records = [sealed.record for sealed in await self.records(table, 1, at)]
        return _views_of(table, records, (name,))[name]

    async def stored_view(self, table: TableId, name: api.Name) -> AnyView | None:
        """A view as the projector has stored it."""
        body = await self.bus.view(table, name)
        return None if body is None else _views.decode(body)

    async def stored_views(self, table: TableId) -> dict[api.Name, AnyView]:
        """All views as the projector has stored them."""
        found = {name: await self.stored_view(table, name) for name in api.NAMES}
        return {name: view for name, view in found.items() if view is not None}

    async def current_views(self, table: TableId) -> dict[api.Name, AnyView]:
        """The stored views if they show the last record; none while the projector is behind."""
        head = await self.bus.head(table)
        stored = await self.stored_views(table)
        is_current = head is not None and await self.bus.shown(table) == head.version
        return stored if is_current else {}

    async def computed_views(self, table: TableId) -> dict[api.Name, AnyView]:
        """All views as they follow from the minute book."""
        records = [sealed.record for sealed in await self.book(table)]
        return _views_of(table, records, api.NAMES)

    async def until_shown(self, table: TableId, version: int, seconds_most: float) -> None:
        """Wait until the projector shows a version."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds_most):
                while await self.bus.shown(table) < version:  # noqa: ASYNC110 (another process)
                    await asyncio.sleep(_SECONDS_BETWEEN_LOOKS)

    async def entries(self, table: TableId) -> tuple[list[tuple[bytes, bytes]], bytes]:
        """What lies in a table's log, unchecked, and the digest that its head names."""
        head = await self.bus.head(table)
        if head is None:
            raise await self._unknown(table)
        if (contents := await self.archived(table)) is not None:
            return [(one.body, one.digest) for one in contents.sealed], contents.seal
        return await self.bus.entries(table), head.digest

    async def _unknown(self, table: TableId) -> BadInputError:
        known = await self.bus.tables()
        names = ", ".join(known[:20]) + (" …" if len(known) > 20 else "")
        return BadInputError(f"There is no table {table}. Tables: {names or 'none yet'}.")


def run(
    place: Place, needs: Literal["store", "services"], work: Callable[[Desk], Awaitable[T]]
) -> T:
    """Do some work at a desk, with whatever it needs started before and stopped after."""

    async def at_desk(url: str) -> T:
        async with bus(url) as one:
            folder = folder_of(place.data, os.environ)
            return await until_stopped(work(Desk(one, folder)))

    with reached(place, needs) as url:
        return asyncio.run(at_desk(url))


def new_order(
    table: TableId,
    player: PlayerId,
    command: AnyCommand,
    *,
    version: int | None = None,
    question: FrameId | None = None,
    sender: str | None = None,
    id: str | None = None,
) -> Order:
    """An order with an id of its own."""
    command_id = CommandId(id or uuid4().hex)
    return Order(table, command_id, sender or player, player, command, version, question)


async def ordered(
    desk: Desk,
    table: TableId,
    player: PlayerId,
    command: AnyCommand,
    *,
    version: int,
    admit: Admit | None = None,
) -> int:
    """Give a command; the version of its record, or `RefusedError`."""
    order = new_order(table, player, command, version=version)
    outcome = await desk.sent(order if admit is None else await admit(order))
    if isinstance(outcome, Refused):
        raise RefusedError(in_words(outcome.rejection))
    return outcome.version


async def acted(
    desk: Desk,
    table: TableId,
    player: PlayerId,
    draft: Draft,
    *,
    version: int | None,
    sender: str | None,
    id: str | None,
    admit: Admit | None = None,
) -> list[str]:
    """Carry out what a line asks for; the minutes of what it led to."""
    at = await desk.table(table)
    seated(at, player)
    command = completed(draft, at, player)
    question = question_of(command, at, player) if version is None else None
    order = new_order(
        table,
        player,
        command,
        version=(at.version if version is None else version) if question is None else None,
        question=question,
        sender=sender,
        id=id,
    )
    outcome = await desk.sent(order if admit is None else await admit(order))
    if isinstance(outcome, Refused):
        raise RefusedError(in_words(outcome.rejection))
    records = [sealed.record for sealed in await desk.records(table, 1, outcome.version)]
    return _minutes(table, records)


def table_id(name: str) -> TableId:
    """The id of a table; raises if no table can be called so."""
    if not is_table_id(name):
        raise BadInputError(
            f"{name!r} is no name of a table: letters, digits, `_`, `.` and `-`, at most 64."
        )
    return TableId(name)


def player_id(name: str) -> PlayerId:
    """The id of a player."""
    return PlayerId(Party(name))


def seated(table: Table, player: PlayerId) -> None:
    """Raise if a player has no seat."""
    if player not in table.order:
        seats = f"Seats: {', '.join(table.order)}."
        sentence = f"{player} has no seat here."
        raise RefusedError(in_words(Rejection(Code.NOT_SEATED, "design", sentence, seats)))


def _views_of(
    table: TableId, records: list[Record], names: tuple[api.Name, ...]
) -> dict[api.Name, AnyView]:
    state, before = api.start(table), new_table(table)
    for record, after in tables(table, records):
        state = api.project(state, record, before, after)
        before = after
    return {name: api.view(state, before, name) for name in names}


def _minutes(table: TableId, records: list[Record]) -> list[str]:
    """What the last record led to, in sentences."""
    before, after = table_at(table, records, len(records) - 1), table_at(table, records)
    return [line.text for line in page_of(records[-1], before, after).lines]

"""The lobby, fresh, and which lines of it somebody wants to see."""

from collections.abc import Iterable
from typing import Final

import msgspec

from contracts import streams
from contracts.ids import PlayerId, TableId
from contracts.views import TableLine
from services.bus.archived import all_tombstones
from services.bus.client import Bus
from services.console.desk import Desk

OVER: Final = "over"
"""The status of a table where the game is over."""
ARCHIVED: Final = "archived"
"""The status of a table that lies in the archive: nobody is waited for there."""

_line = msgspec.msgpack.Decoder(TableLine).decode


def picked(
    lines: Iterable[TableLine], person: str | None, *, running: bool, finished: bool
) -> list[TableLine]:
    """The lines that are wanted; if a person is named, those that have waited longest first."""
    found = [
        line
        for line in lines
        if (not running or line.status not in {OVER, ARCHIVED})
        and (not finished or line.status == OVER)
        and (person is None or waits_for(line, person))
    ]
    if person is not None:
        found.sort(key=lambda line: (line.waiting_since, line.table))
    return found


def waits_for(line: TableLine, person: str) -> bool:
    """Whether a table waits for a person's move or answer, wherever he sits there."""
    mine = set(seats_of(line, person))
    return bool(mine & {*line.waiting, *line.answering})


def seats_of(line: TableLine, person: str) -> list[PlayerId]:
    """A person's seats: those that name him, and one of his own name that names nobody."""
    return [seat.player for seat in line.seats if person == (seat.person or seat.player)]


async def lines_of(desk: Desk) -> list[TableLine]:
    """The lines of all tables, the last that moved first.

    Where the projector is behind, the lines of its tables are worked out from their books.
    """
    archived = {
        stone.table: msgspec.structs.replace(
            _line(stone.line), status=ARCHIVED, waiting=(), answering=()
        )
        for stone in await all_tombstones(desk.bus.client, desk.bus.partitions)
    }
    lines = {**archived, **{line.table: line for line in await desk.bus.lobby()}}
    behind = {number for number in range(desk.bus.partitions) if await _is_behind(desk.bus, number)}
    for table in await desk.bus.tables() if behind else ():
        if desk.bus.partition_of(table) in behind and table not in archived:
            await _freshen(desk, lines, table)
    return sorted(lines.values(), key=lambda line: (-line.last_activity, line.table))


async def _freshen(desk: Desk, lines: dict[TableId, TableLine], table: TableId) -> None:
    head = await desk.bus.head(table)
    if head is None or (table in lines and lines[table].version == head.version):
        return
    view = await desk.view(table, "tables")
    assert isinstance(view, TableLine)  # that is what this view is
    lines[table] = view


async def _is_behind(bus: Bus, partition: int) -> bool:
    """Whether the feed has records that the projector has not shown."""
    newest = await bus.client.xrevrange(streams.feed(partition), "+", "-", count=1)
    if not newest:
        return False
    shown = await bus.client.hget(streams.readers(partition), streams.VIEWS_READER)
    return shown is None or _place(shown) < _place(newest[0][0])


def _place(id: bytes) -> tuple[int, int]:
    first, _, second = id.partition(b"-")
    return int(first), int(second or 0)

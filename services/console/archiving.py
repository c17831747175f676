"""What the commands of the archive do at a desk, and how they say it."""

import time
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct
from rich.table import Table as Shown
from rich.text import Text

from contracts.archived import Resealed, Tombstone
from contracts.ids import TableId
from contracts.records import Sealed
from contracts.views import TableLine
from services.archive.archiving import Archived, Archiving, Wish
from services.archive.errors import ArchiveError
from services.archive.folder import contents_of
from services.archive.removing import Removed, Removing, Sitting
from services.archive.resealing import earlier_seal
from services.archive.taking import head_of
from services.bus.archived import all_tombstones
from services.console import screen
from services.console.desk import Desk
from services.console.errors import BadInputError, RefusedError
from services.engine.table.fold import table_at

_DAY_MICROSECONDS: Final = 86_400 * 1_000_000
_line = msgspec.msgpack.Decoder(TableLine).decode


def now() -> int:
    """Microseconds since 1970, UTC."""
    return time.time_ns() // 1000


def days_ago(days: int | None) -> int | None:
    """The moment so many days ago."""
    if days is not None and days < 0:
        raise BadInputError("--idle-days: a number of days, 0 or more.")
    return None if days is None else now() - days * _DAY_MICROSECONDS


# --- archive and restore -------------------------------------------------------------------------


class Done(Struct, frozen=True):
    """What came of some tables: those that went, and sentences about those that did not."""

    archived: tuple[Archived, ...]
    failed: tuple[str, ...]


async def archived(desk: Desk, named: Sequence[TableId], wish: Wish, folder: Path) -> Done:
    """Archive some tables, or all that are over; what is in the way of one is in nobody else's."""
    work = Archiving(desk.bus.client, desk.bus.partitions, folder)
    tables = list(named) or await _over(desk, wish)
    done: list[Archived] = []
    failed: list[str] = []
    with screen.progress("archiving") as advance:
        for number, table in enumerate(tables, 1):
            try:
                done.append(await work.archive(table, now(), wish))
            except ArchiveError as error:
                failed.append(str(error))
            advance(number, len(tables))
    return Done(tuple(done), tuple(failed))


async def _over(desk: Desk, wish: Wish) -> list[TableId]:
    """The tables that are over, and have been for as long as is wished.

    The lobby tells of most of them; where it is behind, the minute book does.
    """
    lobby = {line.table: line for line in await desk.bus.lobby()}
    away = {stone.table for stone in await stones(desk)}
    found: list[TableId] = []
    for table in await desk.bus.tables():
        head = await desk.bus.head(table)
        if table in away or head is None:
            continue
        line = lobby.get(table)
        if line is not None and line.version == head.version:
            is_over, last = line.status == "over", line.last_activity
        else:
            records = [sealed.record for sealed in await desk.book(table)]
            ending = table_at(table, records).ending
            is_over, last = ending is not None and ending.over, records[-1].at
        if is_over and (wish.before is None or last <= wish.before):
            found.append(table)
    return found


async def restored(desk: Desk, table: TableId | None, file: Path | None, folder: Path) -> Archived:
    """Bring a table back, by its name or out of a file."""
    if table is None:
        assert file is not None
        table = contents_of(file).table
    return await Archiving(desk.bus.client, desk.bus.partitions, folder).restore(table, file)


async def stones(desk: Desk) -> list[Tombstone]:
    """All archived tables."""
    return await all_tombstones(desk.bus.client, desk.bus.partitions)


def picture(found: Iterable[Tombstone]) -> Shown:
    """The archived tables, one a line."""
    shown = screen.table(
        ("table", "title", "seats", "state", "records", "archived", "file"), right=("records",)
    )
    for stone in found:
        line = _line(stone.line)
        state = line.status if not line.winners else f"won by {', '.join(line.winners)}"
        when = datetime.fromtimestamp(stone.at // 1_000_000, UTC)
        seats = ", ".join(seat.player for seat in line.seats)
        row = (stone.table, line.title, seats, state, str(stone.version), f"{when:%Y-%m-%d}")
        shown.add_row(*map(Text, (*row, stone.file)))
    return shown


def plain(stone: Tombstone) -> dict[str, object]:
    """An archived table as an object of JSON."""
    return {
        "table": stone.table,
        "records": stone.version,
        "seal": stone.digest.hex(),
        "file": stone.file,
        "archived": stone.at,
        "line": msgspec.to_builtins(_line(stone.line)),
    }


# --- removing a person ---------------------------------------------------------------------------


async def removed(
    desk: Desk, name: str, stand_in: str | None, folders: Sequence[Path], *, leave: bool
) -> Removed:
    """Remove a person; who still sits somewhere is not removed unless his seats may be left."""
    work = Removing(desk.bus.client, desk.bus.partitions, folders)
    sittings = await work.sittings(name)
    if sittings and not leave:
        raise RefusedError(_still_sits(name, sittings))
    return await work.remove(name, now(), stand_in)


def _still_sits(name: str, sittings: Iterable[Sitting]) -> str:
    where = ", ".join(f"{one.table} (seat {one.seat})" for one in sittings)
    return (
        f"{name} still plays at: {where}. Let somebody take his seat there, or end the game; or "
        "say --leave, and his seats wait under the stand-in until somebody takes them."
    )


# --- seals of before -----------------------------------------------------------------------------


class Formerly(Struct, frozen=True):
    """A time that a book was sealed anew; `is_proved` None if its names were not told."""

    resealed: Resealed
    is_proved: bool | None


def names_told(texts: Iterable[str]) -> dict[str, str]:
    """The names that stand-ins stand for, as they were typed: `removed-1=ann`."""
    found: dict[str, str] = {}
    for text in texts:
        stand_in, equals, name = text.partition("=")
        if not (stand_in and equals and name):
            raise BadInputError(f"--formerly: write it as removed-1=ann, not {text!r}.")
        found[stand_in] = name
    return found


def formerly(
    sealed: Sequence[Sealed], resealed: Sequence[Resealed], names: Mapping[str, str]
) -> list[Formerly]:
    """Each time that a book was sealed anew, the last first, with whether its old seal is proved.

    An older seal is proved only with the names of all times since.
    """
    found: list[Formerly] = []
    told: dict[str, str] = {}
    is_known = True
    for one in reversed(resealed):
        needed = _needed(one, sealed, names)
        is_known = is_known and needed is not None
        if needed is None or not is_known:
            found.append(Formerly(one, None))
            continue
        told |= needed
        found.append(Formerly(one, earlier_seal(sealed, one, told) == one.before))
    return found


def _needed(
    one: Resealed, sealed: Sequence[Sealed], names: Mapping[str, str]
) -> dict[str, str] | None:
    """The names behind the stand-ins of one time; None if one that is needed is not told."""
    needed: dict[str, str] = {}
    for stand_in in one.names:
        if stand_in in names:
            needed[stand_in] = names[stand_in]
        elif any(stand_in.encode() in entry.body for entry in sealed[: one.version]):
            shown = _shown_alike(stand_in, names)
            if shown is None:
                return None
            needed[stand_in] = shown
    return needed


def _shown_alike(stand_in: str, names: Mapping[str, str]) -> str | None:
    """The name to show of somebody whose id is told, as `open` writes it."""
    for new, old in names.items():
        if stand_in == new[:1].upper() + new[1:]:
            return old.title()
    return None


async def resealed_at(desk: Desk, table: TableId) -> tuple[list[Sealed], tuple[Resealed, ...]]:
    """A table's book, and each time that it was sealed anew."""
    contents = await desk.archived(table)
    if contents is not None:
        return list(contents.sealed), contents.resealed
    _, _, _, resealed = await head_of(desk.bus.client, desk.bus.partitions, table)
    return await desk.book(table), resealed

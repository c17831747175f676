"""Take tables out of the store into files, and bring them back; never is a table nowhere.

To archive: everything is read, written to a file and put on the disk, read back and proved; only
then one act takes the table out of the store, if it is still what was read. To restore: the file is
read and proved, and one act puts everything back. The file stays, for a store may lose its last
second; the next archiving of the table writes over it. Whoever dies anywhere in between leaves the
table in the store, in the file, or in both; whoever begins again ends it.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from contracts import notices, streams
from contracts.archived import HEAD_RESEALED, Tombstone, encode, tombstones
from contracts.ids import TableId
from contracts.records import FORMAT
from contracts.views import TableLine
from services.archive import folder as files
from services.archive.errors import ArchiveError, BusyError, FileError
from services.archive.exchange import Act, Exchange
from services.archive.form import Contents
from services.archive.taking import Taken, head_of, put_back, taken, timer_names, untold
from services.bus.archived import tombstone
from services.bus.typed import Client
from services.engine.projections import api
from services.engine.projections.audit import audit
from services.engine.table.fold import table_at, tables
from services.engine.table.state import Table, new_table

TRIES: Final = 20
"""How often a table that changes meanwhile is tried."""
Between = Callable[[str], None]
"""Told of each step that is over; a test dies here."""

_map = msgspec.msgpack.Encoder().encode
_line = msgspec.msgpack.Decoder(TableLine).decode


def nothing(step: str) -> None:
    """Nobody wants to know."""


class Archived(Struct, frozen=True):
    """A table that is in the archive now."""

    table: TableId
    file: Path
    records: int
    seal: bytes
    bytes: int


class Wish(Struct, frozen=True):
    """Which tables may be archived: finished ones, or others too that nobody has moved at since.

    `before` is in microseconds since 1970, UTC. With `untold` one goes even if the notifier has
    still to tell something of it.
    """

    finished: bool = True
    before: int | None = None
    untold: bool = False


class Archiving:
    """Archives tables of a store that has been opened, and restores them."""

    def __init__(
        self, client: Client, partitions: int, folder: Path, *, between: Between = nothing
    ) -> None:
        self._client = client
        self._partitions = partitions
        self._folder = folder
        self._between = between
        self._exchange = Exchange(client)

    # --- into the archive ------------------------------------------------------------------------

    async def archive(self, table: TableId, now: int, wish: Wish) -> Archived:
        """Put a table into its file and take it out of the store; raises `ArchiveError`."""
        async with files.held(self._folder):
            return await self._archived(table, now, wish)

    async def _archived(self, table: TableId, now: int, wish: Wish) -> Archived:
        for _ in range(TRIES):
            found = await taken(self._client, self._partitions, table, now)
            _may_go(found.contents, folded(found.contents), wish)
            if not wish.untold and await untold(self._client, found.partition, table):
                raise ArchiveError(
                    f"Somebody has still to be told what happened at table {table}. Let Minutebook "
                    "run for a minute (`up`), or archive it with --untold."
                )
            self._between("read")
            path = files.put(self._folder, found.contents)
            self._between("written")
            _proved(path, found.contents)
            self._between("proved")
            stone = Tombstone(
                *(table, found.contents.version, found.contents.seal, str(path), now),
                line=_line_of(found),
            )
            if await self._exchange.done(_leaving(found, stone)):
                self._between("gone")
                return Archived(
                    *(table, path, found.contents.version, found.contents.seal),
                    bytes=path.stat().st_size,
                )
        raise BusyError(f"Table {table} changes all the time. Archive it when it is quiet.")

    # --- and back --------------------------------------------------------------------------------

    async def restore(self, table: TableId, file: Path | None = None) -> Archived:
        """Bring a table back out of its file, or out of another one; raises `ArchiveError`."""
        stone = await tombstone(self._client, self._partitions, table)
        if file is not None:
            contents = files.contents_of(file, table)
        elif stone is not None:
            file = files.place_of(stone, self._folder)
            contents = files.of_tombstone(stone, self._folder)
        else:
            raise ArchiveError(await self._not_archived(table))
        _sound(file, contents)
        self._between("read")
        await self._come_back(contents, stone)
        self._between("back")
        return Archived(table, file, contents.version, contents.seal, file.stat().st_size)

    async def _come_back(self, contents: Contents, stone: Tombstone | None) -> None:
        version, digest, is_archived, _ = await head_of(
            self._client, self._partitions, contents.table
        )
        if version and not is_archived:
            raise ArchiveError(await self._not_archived(contents.table))
        seals = {contents.seal, *(one.before for one in contents.resealed)}
        if is_archived and (version != contents.version or digest not in seals):
            raise ArchiveError(
                f"Table {contents.table} was archived with {version} records and the seal "
                f"{digest.hex()}; this file has {contents.version} and {contents.seal.hex()}."
            )
        partition = streams.partition_of(contents.table, self._partitions)
        act = _coming_back(partition, contents)
        head = streams.head(partition, contents.table)
        act.expect(digest if version else None, "HGET", head, streams.HEAD_DIGEST)
        act.expect(None if stone is None else encode(stone), *_stone(partition, contents.table))
        if not await self._exchange.done(act):
            raise BusyError(f"Table {contents.table} changed meanwhile. Try again.")

    async def _not_archived(self, table: TableId) -> str:
        version, _, _, _ = await head_of(self._client, self._partitions, table)
        if version:
            return f"Table {table} is not archived: it is in the store, at version {version}."
        return f"There is no table {table}, nor is one of that name in the archive."


def folded(contents: Contents) -> Table:
    """The table at the end of its book; raises `ArchiveError` if it is no sound book."""
    try:
        return table_at(contents.table, [one.record for one in contents.sealed])
    except Exception as error:
        raise ArchiveError(
            f"The book of table {contents.table} cannot be folded "
            f"({type(error).__name__}: {error}). `audit {contents.table}` tells more."
        ) from error


def _may_go(contents: Contents, table: Table, wish: Wish) -> None:
    last = contents.sealed[-1].record.at
    is_over = table.ending is not None and table.ending.over
    if wish.finished and not is_over:
        raise ArchiveError(
            f"The game at table {contents.table} is not over. Where nobody has moved for days, "
            "--idle-days archives it all the same."
        )
    if wish.before is not None and last > wish.before:
        raise ArchiveError(f"Somebody moved at table {contents.table} not so long ago.")


def _proved(path: Path, contents: Contents) -> None:
    """See that a file holds what was written, and that it is a sound book."""
    found = files.contents_of(path, contents.table)
    if found != contents:
        raise FileError(f"{path} does not hold what was written to it. The table stays.")
    _sound(path, found)


def _sound(path: Path, contents: Contents) -> None:
    report = audit(
        contents.table, [(one.body, one.digest) for one in contents.sealed], contents.seal
    )
    if report.fault is not None:
        raise FileError(f"{path} is not a sound book: {report.fault.sentence}")


def _line_of(found: Taken) -> bytes:
    """The table's line in the lobby: the projector's if it is up to date, or worked out."""
    if found.line and _line(found.line).version == found.contents.version:
        return found.line
    return encoded_line(found.contents)


def encoded_line(contents: Contents) -> bytes:
    """A table's line in the lobby, worked out from its book."""
    state, before = api.start(contents.table), new_table(contents.table)
    for record, after in tables(contents.table, (one.record for one in contents.sealed)):
        state = api.project(state, record, before, after)
        before = after
    return _map(api.view(state, before, "tables"))


# --- what the store does -------------------------------------------------------------------------


def _stone(partition: int, table: TableId) -> tuple[str, str, str]:
    return ("HGET", tombstones(partition), table)


def as_it_was(found: Taken) -> Act:
    """An act that is done only if a table is still as it was taken."""
    partition, table = found.partition, found.contents.table
    head, at = streams.head(partition, table), notices.prefix(partition)
    act = Act()
    act.expect(found.contents.version, "HGET", head, streams.HEAD_VERSION)
    act.expect(found.contents.seal, "HGET", head, streams.HEAD_DIGEST)
    act.expect(None, "HGET", head, streams.HEAD_ARCHIVED)
    act.expect(found.outcomes, "HLEN", streams.outcomes(partition, table))
    for key, dump in found.dumps.items():
        act.expect(dump, "DUMP", key)
    act.expect(found.told, "HGET", f"{at}told", table)
    act.expect(found.timers, "HGET", streams.timers_of_tables(partition), table)
    views = streams.views(partition, table)
    act.expect(found.waiting, "HGET", views, streams.VIEWS_WAITING)
    return act


def without_derived(act: Act, found: Taken) -> None:
    """Take away what is worked out from the book: snapshot, views, lobby, timers, deadlines."""
    partition, table = found.partition, found.contents.table
    act.then("DEL", streams.snapshot(partition, table))
    act.then("DEL", streams.views(partition, table))
    act.then("DEL", notices.deadlines(partition, table))
    act.then("HDEL", streams.lobby(partition), table)
    for player in found.waiting.split(b"\0"):
        if player:
            act.then("ZREM", streams.waiting(partition), streams.waits(player.decode(), table))
    for name in timer_names(found.timers):
        act.then("ZREM", streams.timers(partition), name)
        act.then("HDEL", streams.timer_bodies(partition), name)
    act.then("HDEL", streams.timers_of_tables(partition), table)
    act.then("HDEL", streams.reckonings(partition), table)


def _leaving(found: Taken, stone: Tombstone) -> Act:
    """A table leaves the store; its head and a tombstone stay."""
    partition, table = found.partition, found.contents.table
    act = as_it_was(found)
    without_derived(act, found)
    for key in (streams.log, streams.outcomes):
        act.then("DEL", key(partition, table))
    for name in found.dumps:
        act.then("DEL", name)
    at = notices.prefix(partition)
    for name in ("told", "marks", "firsts"):
        act.then("HDEL", f"{at}{name}", table)
    act.then("ZREM", f"{at}looks", table)
    act.then("DEL", f"{at}prompted:{table}")
    act.then("HSET", streams.head(partition, table), streams.HEAD_ARCHIVED, 1)
    act.then("HDEL", streams.head(partition, table), HEAD_RESEALED)
    act.then("HSET", tombstones(partition), table, encode(stone))
    return act


def put_book(act: Act, partition: int, contents: Contents) -> None:
    """Have a book in the store in place of whatever was there, and say so on the feed."""
    table = contents.table
    log, head = streams.log(partition, table), streams.head(partition, table)
    outcomes = streams.outcomes(partition, table)
    act.then("DEL", log)
    for one in contents.sealed:
        act.then(
            *("XADD", log, f"{one.record.version}-0", streams.LOG_FORMAT, FORMAT),
            *(streams.LOG_BODY, one.body, streams.LOG_DIGEST, one.digest),
        )
    act.then("HSET", head, streams.HEAD_VERSION, contents.version)
    act.then("HSET", head, streams.HEAD_DIGEST, contents.seal)
    if contents.resealed:
        act.then("HSET", head, HEAD_RESEALED, encode(contents.resealed))
    act.then("DEL", outcomes)
    pairs = [part for pair in contents.outcomes.items() for part in pair]
    act.then_many("HSET", outcomes, pairs)
    for kept in contents.kept:
        put_back(act, partition, table, kept)
    act.then(
        *("XADD", streams.feed(partition), "*", streams.FEED_TABLE, table),
        *(streams.FEED_VERSION, streams.FEED_ANEW),
    )


def _coming_back(partition: int, contents: Contents) -> Act:
    """A table comes back into the store."""
    table = contents.table
    act = Act()
    act.expect(0, "EXISTS", streams.log(partition, table))
    put_book(act, partition, contents)
    act.then("HDEL", streams.head(partition, table), streams.HEAD_ARCHIVED)
    act.then("HDEL", tombstones(partition), table)
    act.then("SADD", streams.tables(partition), table)
    return act

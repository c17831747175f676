"""Read all that the store has of a table, in such a way that a later act can tell a change."""

from typing import Any

from msgspec import Struct

from contracts import notices, streams, talk
from contracts.archived import HEAD_RESEALED, Resealed, decode_resealed
from contracts.ids import TableId
from contracts.notices import READER as NOTICES
from services.archive.errors import ArchiveError, BusyError
from services.archive.exchange import Act
from services.archive.form import Contents, Kept
from services.archive.resealing import TIMERS, TOLD, is_of
from services.bus.reading import read_log
from services.bus.typed import Client


class Taken(Struct, frozen=True):
    """What the store has of a table, and what can be told by if it changes."""

    partition: int
    contents: Contents
    dumps: dict[str, bytes]
    """The kept keys as they were, in the store's own form."""
    timers: bytes
    told: bytes
    waiting: bytes
    """Players that the views say the table waits for, each followed by NUL."""
    line: bytes
    """The line in the lobby, or nothing."""
    outcomes: int


async def head_of(
    client: Client, partitions: int, table: TableId
) -> tuple[int, bytes, bool, tuple[Resealed, ...]]:
    """Version and digest of a table's last record, whether it is archived, when sealed anew."""
    key = streams.head(streams.partition_of(table, partitions), table)
    fields = await client.hgetall(key)
    return (
        int(fields.get(streams.HEAD_VERSION.encode(), 0)),
        fields.get(streams.HEAD_DIGEST.encode(), b""),
        streams.HEAD_ARCHIVED.encode() in fields,
        decode_resealed(fields.get(HEAD_RESEALED.encode())),
    )


async def taken(client: Client, partitions: int, table: TableId, at: int) -> Taken:
    """All that the store has of a table; raises `ArchiveError`, and `DamagedLogError`."""
    partition = streams.partition_of(table, partitions)
    version, digest, is_archived, resealed = await head_of(client, partitions, table)
    if is_archived:
        raise ArchiveError(f"Table {table} is archived already.")
    if not version:
        raise ArchiveError(f"There is no table {table}.")
    # The store's own form first: what changes between the two readings is found by the act.
    dumps = {key: await client.execute_command("DUMP", key) for key in talk.keys(partition, table)}
    there = {key: dump for key, dump in dumps.items() if dump is not None}
    kept = [await kept_key(client, table, key) for key in there]
    told = await client.hget(f"{notices.prefix(partition)}told", table) or b""
    timers = await client.hget(streams.timers_of_tables(partition), table) or b""
    outcomes = await client.hgetall(streams.outcomes(partition, table))
    # What is written from now on is found by the act too.
    book = await read_log(client, partition, table, 1, version)
    if len(book) != version or book[-1].digest != digest:
        raise BusyError(f"Table {table} changed while it was read. Try again.")
    if told:
        kept.append(Kept(TOLD, "field", told))
    if done := reminders_done(timers, await _set_timers(client, partition, timers)):
        kept.append(Kept(TIMERS, "field", done))
    return Taken(
        partition=partition,
        contents=Contents(table, tuple(book), outcomes, tuple(kept), resealed, at),
        dumps={key: dump or b"" for key, dump in dumps.items()},
        timers=timers,
        told=told,
        waiting=await client.hget(streams.views(partition, table), streams.VIEWS_WAITING) or b"",
        line=streams.unpacked(await client.hget(streams.lobby(partition), table) or b""),
        outcomes=len(outcomes),
    )


async def kept_key(client: Client, table: TableId, key: str) -> Kept:
    """A key of a table, as it is kept."""
    kind = (await client.execute_command("TYPE", key)).decode()
    value: Any
    match kind:
        case "stream":
            value = [
                [id, [part for pair in fields.items() for part in pair]]
                for id, fields in await client.xrange(key, "-", "+")
            ]
        case "hash":
            value = [[field, one] for field, one in sorted((await client.hgetall(key)).items())]
        case _:
            raise BusyError(f"Table {table} changed while it was read. Try again.")
    return Kept(is_of(table, key), kind, value)


def put_back(act: Act, partition: int, table: TableId, kept: Kept) -> None:
    """Have something that was kept with a table in the store again."""
    key = f"{{{partition}}}:table:{table}:{kept.name}"
    value = kept.value
    match kept.kind:
        case "stream":
            for id, parts in value:
                act.then("XADD", key, id, *parts)
        case "hash":
            act.then_many("HSET", key, [part for pair in value for part in pair])
        case "field" if kept.name == TOLD:
            act.then("HSET", f"{notices.prefix(partition)}told", table, value)
        case "field" if kept.name == TIMERS:
            act.then("HSET", streams.timers_of_tables(partition), table, value)
        case _:
            raise ArchiveError(f"This release does not know what {kept.name} ({kept.kind}) is.")


async def untold(client: Client, partition: int, table: TableId) -> bool:
    """Whether there may be something at a table that the notifier has not told yet."""
    at = notices.prefix(partition)
    if await client.execute_command("ZSCORE", f"{at}looks", table) is not None:
        return True
    place = await client.hget(streams.readers(partition), NOTICES)
    if place is None:
        return False
    field, wanted = streams.FEED_TABLE.encode(), table.encode()
    entries = await client.xrange(streams.feed(partition), f"({place.decode()}", "+")
    return any(fields.get(field) == wanted for _, fields in entries)


# --- timers --------------------------------------------------------------------------------------


async def _set_timers(client: Client, partition: int, timers: bytes) -> set[str]:
    """Those of a table's timers that are not done yet."""
    found = set()
    for name in timer_names(timers):
        if await client.execute_command("ZSCORE", streams.timers(partition), name) is not None:
            found.add(name)
    return found


def timer_names(timers: bytes) -> list[str]:
    """The names of a table's timers; the first line is the version that they are for."""
    return timers.decode().split("\n")[1:] if timers else []


def reminders_done(timers: bytes, still_set: set[str]) -> bytes:
    """The version, and the reminders that were given: nobody is reminded of them again.

    Calls are left out. One that was decided has its outcome, whoever gives it again; one that was
    not has to be given again.
    """
    done = [name for name in timer_names(timers) if name not in still_set and " remind-" in name]
    return "\n".join((timers.decode().split("\n")[0], *done)).encode() if done else b""

"""Look at a store, and at who works on it, without touching anything."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast

import msgspec
from redis.exceptions import ResponseError

from contracts import archived, heartbeats, notices, streams
from contracts.streams import CLOCK_READER, VIEWS_READER
from contracts.views import TableLine
from services.bus import lag
from services.bus.connection import is_cluster
from services.bus.holders import is_dead
from services.bus.typed import Client
from services.console.status.facts import Dead, Due, Facts, Gone, Held, Living, Node, Read, Tables
from services.embedded.probe import judge

PROMPTS = "prompts"
_Key = Callable[[int], str]
LANES_MOST = 10_000
"""Lanes of letters of one partition that are looked at, at most."""

_line = msgspec.msgpack.Decoder(TableLine).decode


async def looked(client: Client, partitions: int) -> Facts:
    """All there is to see now in a store that has been opened."""
    all_of_them = range(partitions)
    now = await lag.server_time(client)
    processes, gone = await _processes(client)
    readers = {
        reader: await _read(client, reader, streams.readers, streams.feed, all_of_them)
        for reader in (VIEWS_READER, CLOCK_READER, notices.READER)
    }
    return Facts(
        now=now,
        nodes=await _nodes(client),
        leases=await _leases(client, all_of_them, now),
        processes=processes,
        gone=gone,
        commands=tuple(await lag.waiting(client, [streams.commands(one) for one in all_of_them])),
        dead_commands=await _dead_commands(client, all_of_them),
        readers=readers,
        prompts=await _read(client, PROMPTS, _prompt_places, notices.prompts, all_of_them),
        timers=await _due(client, [streams.timers(one) for one in all_of_them], now),
        looks=await _due(client, [f"{notices.prefix(one)}looks" for one in all_of_them], now),
        letters=await _letters(client, all_of_them, now),
        dead_letters=await _dead_letters(client, all_of_them),
        pauses=await _pauses(client, now),
        tables=await _tables(client, all_of_them),
    )


# --- servers and processes -------------------------------------------------------------------


async def _nodes(client: Client) -> tuple[Node, ...]:
    """The servers of the store; of a cluster those that take writes."""
    one = cast("Any", client)
    if is_cluster(client):
        found = []
        for node in sorted(one.get_primaries(), key=lambda node: (node.host, node.port)):
            answers = await one.info(target_nodes=node)
            found.append(_node(answers, await _settings(client, node), f" at {node.name}"))
        return tuple(found)
    return (_node(await one.info(), await _settings(client, None), ""),)


async def _settings(client: Client, node: object) -> Mapping[Any, Any]:
    """The settings of a server, as far as it shows them: managed ones do not."""
    one = cast("Any", client)
    more = {} if node is None else {"target_nodes": node}
    try:
        found: Mapping[Any, Any] = await one.config_get("appendfsync", **more)
    except ResponseError:
        return {}
    return {_text(name): _text(value) for name, value in found.items()}


def _text(one: str | bytes) -> str:
    return one.decode() if isinstance(one, bytes) else one


def _node(answers: Mapping[str, Any], settings: Mapping[Any, Any], where: str) -> Node:
    probe = judge(answers, settings)
    errors = []
    if int(answers.get("loading", 0)):
        errors.append("It is still loading its data.")
    for name, what in (
        ("aof_last_write_status", "writing to the append-only file"),
        ("aof_last_bgrewrite_status", "rewriting the append-only file"),
        ("rdb_last_bgsave_status", "saving a snapshot"),
    ):
        if answers.get(name, "ok") != "ok":
            errors.append(f"The last time, {what} failed. Is the disk full?")
    return Node(
        name=f"{probe.server}{where}",
        memory_bytes=int(answers.get("used_memory", 0)),
        memory_bytes_most=int(answers.get("maxmemory", 0)),
        settings=probe.warnings,
        errors=tuple(errors),
    )


async def _processes(client: Client) -> tuple[tuple[Living, ...], tuple[Gone, ...]]:
    """The processes that give signs of life, and those that have ceased to."""
    found = await client.execute_command("ZRANGE", heartbeats.INDEX, 0, -1, "WITHSCORES")
    living: list[Living] = []
    gone: list[Gone] = []
    for member, expires in _pairs(found):
        service, _, name = member.decode().partition(" ")
        key = heartbeats.sign(name)
        async with client.pipeline(transaction=False) as together:
            together.execute_command("GET", key)
            together.execute_command("PTTL", key)
            body, left = await together.execute()
        if body is None or is_dead(name):
            gone.append(Gone(service, name, expires))
        else:
            silent = heartbeats.EXPIRES_SECONDS - left / 1000
            living.append(Living(heartbeats.decode(body), max(0.0, silent)))
    ordered = sorted(living, key=lambda one: (one.sign.service, one.sign.began))
    return tuple(ordered), tuple(gone)


def _pairs(answer: Sequence[Any]) -> list[tuple[bytes, int]]:
    """Members and scores, which come in pairs or one after another, by the protocol in use.

    >>> _pairs([b"a", b"1"]), _pairs([[b"a", 1.0]]), _pairs([])
    ([(b'a', 1)], [(b'a', 1)], [])
    """
    flat = [part for one in answer for part in (one if isinstance(one, list) else [one])]
    return [(one, round(float(at))) for one, at in zip(flat[::2], flat[1::2], strict=True)]


async def _leases(client: Client, partitions: Sequence[int], now: int) -> tuple[Held, ...]:
    async with client.pipeline(transaction=False) as together:
        for partition in partitions:
            together.execute_command("HMGET", streams.lease(partition), "holder", "until")
        found = await together.execute()
    held = []
    for holder, until in found:
        left = int(until or 0) / 1000 - now / 1_000_000
        held.append(Held(holder.decode() if holder and left > 0 else "", max(0.0, left)))
    return tuple(held)


# --- streams ---------------------------------------------------------------------------------


def _prompt_places(partition: int) -> str:
    return f"{notices.prefix(partition)}places"


async def _read(
    client: Client, reader: str, hashes: _Key, of: _Key, partitions: Sequence[int]
) -> Read:
    """How far a reader of streams is behind."""
    places = await lag.places(client, [hashes(one) for one in partitions], reader)
    found = dict(zip((of(one) for one in partitions), places, strict=True))
    return Read(lag.all_of(await lag.after(client, found)), places.count(None))


async def _dead_commands(client: Client, partitions: Sequence[int]) -> Dead:
    async with client.pipeline(transaction=False) as together:
        for partition in partitions:
            together.execute_command("XLEN", streams.dead(partition))
            together.execute_command("XREVRANGE", streams.dead(partition), "+", "-", "COUNT", 1)
        found = await together.execute()
    found_last = [one[0] for one in found[1::2] if one]
    if not found_last:
        return Dead()
    id, fields = max(found_last, key=lambda entry: _order(entry[0]))
    why = fields[streams.DEAD_WHY.encode()].decode(errors="replace")
    return Dead(sum(found[::2]), _order(id)[0] * 1000, why)


def _order(id: bytes) -> tuple[int, int]:
    milliseconds, _, number = id.partition(b"-")
    return int(milliseconds), int(number)


# --- what is due -----------------------------------------------------------------------------


async def _due(client: Client, sets: Sequence[str], now: int) -> Due:
    """What some sorted sets have by when it is due."""
    async with client.pipeline(transaction=False) as together:
        for name in sets:
            together.execute_command("ZCOUNT", name, "-inf", now)
            together.execute_command("ZCARD", name)
            together.execute_command("ZRANGE", name, 0, 0, "WITHSCORES")
        found = await together.execute()
    parts = [
        Due(overdue, _pairs(first)[0][1] if overdue else 0, number - overdue)
        for overdue, number, first in zip(found[::3], found[1::3], found[2::3], strict=True)
    ]
    return sum(parts, Due())


async def _letters(client: Client, partitions: Sequence[int], now: int) -> Due:
    """Letters that wait in lanes, by when their lane is due."""
    total = Due()
    for partition in partitions:
        at = notices.prefix(partition)
        found = await client.execute_command(
            "ZRANGE", f"{at}lanes", 0, LANES_MOST - 1, "WITHSCORES"
        )
        lanes = _pairs(found)
        async with client.pipeline(transaction=False) as together:
            for lane, _ in lanes:
                together.execute_command("ZCARD", f"{at}lane:{lane.decode()}")
            numbers = await together.execute() if lanes else []
        for (_, moment), number in zip(lanes, numbers, strict=True):
            total += Due(number, moment) if moment <= now else Due(later=number)
    return total


async def _dead_letters(client: Client, partitions: Sequence[int]) -> Dead:
    total, last, letter = 0, 0, ""
    for partition in partitions:
        at = notices.prefix(partition)
        total += await client.execute_command("ZCARD", f"{at}dead")
        found = await client.execute_command("ZRANGE", f"{at}dead", -1, -1, "WITHSCORES")
        for id, moment in _pairs(found):
            if moment >= last:
                last, letter = moment, f"{at}letter:{id.decode()}"
    if not total:
        return Dead()
    why, table = await client.execute_command("HMGET", letter, "w", "b")
    return Dead(total, last, (why or b"").decode(), (table or b"").decode())


async def _pauses(client: Client, now: int) -> dict[str, int]:
    """The kinds of services that want to be left alone, until when; never where they are."""
    found: dict[str, int] = {}
    for name, until in (await client.hgetall(notices.PAUSES)).items():
        kind = name.decode().partition(":")[0]
        if int(until) > now:
            found[kind] = max(found.get(kind, 0), int(until))
    return found


async def _tables(client: Client, partitions: Sequence[int]) -> Tables:
    """How many tables there are, by their lines in the lobby and by their tombstones."""
    playing = finished = gone = total = 0
    for partition in partitions:
        away = set(await client.execute_command("HKEYS", archived.tombstones(partition)))
        gone += len(away)
        members = await client.smembers(streams.tables(partition))
        total += len(members - away)
        lines = await client.hgetall(streams.lobby(partition))
        for table in (members & lines.keys()) - away:
            is_over = _line(streams.unpacked(lines[table])).status == "over"
            finished, playing = finished + is_over, playing + (not is_over)
    return Tables(playing, finished, gone, total - playing - finished)

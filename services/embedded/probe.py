"""Look at a server that somebody else runs: may it be the store, and how safe is it.

A server that is too old, or a replica, is refused. One that could lose what it has answered, or
throw tables away when memory is short, is used with a warning in words.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import redis
import redis.asyncio

from contracts.addresses import without_secrets
from services.embedded.errors import ServerTooOldError, StoreUnfitError
from services.embedded.versions import Family, ServerVersion, floor, read_version

_SECONDS_TO_ANSWER = 10.0


@dataclass(frozen=True)
class Probe:
    """What a server is and how safe it keeps a table."""

    server: ServerVersion
    is_cluster: bool
    is_append_only: bool
    # None where the server does not let us see its settings, as managed ones do not.
    fsync: str | None
    eviction: str
    warnings: tuple[str, ...]


def probe_url(url: str) -> Probe:
    """Look at the server at `url`; of a cluster (`redis+cluster://`), at the node that is named."""
    node = url.replace("+cluster://", "://", 1)
    try:
        client = redis.Redis.from_url(node, socket_timeout=_SECONDS_TO_ANSWER)
    except ValueError as error:
        raise StoreUnfitError(
            f"{without_secrets(url)!r} is not the address of a store ({error}). It looks like redis://host:6379/0."
        ) from None
    with client:
        return probe(client)


def probe(client: redis.Redis) -> Probe:
    """Look at the server behind `client`."""
    try:
        answers = client.info("server", "persistence", "memory", "replication")
    except redis.RedisError as error:
        raise _does_not_answer(error) from None
    try:
        return judge(answers, client.config_get("appendfsync"))
    except redis.ResponseError:
        # Managed servers do not show their settings.
        return judge(answers, {})


async def probe_async(client: redis.asyncio.Redis) -> Probe:
    """Look at the server behind an asynchronous `client`."""
    try:
        answers = await client.info("server", "persistence", "memory", "replication")
    except redis.RedisError as error:
        raise _does_not_answer(error) from None
    try:
        return judge(answers, await client.config_get("appendfsync"))
    except redis.ResponseError:
        return judge(answers, {})


def judge(answers: Mapping[str, Any], settings: Mapping[Any, Any]) -> Probe:
    """Judge a server by its answers to INFO and, where it gives them, its settings."""
    server = _version(answers)
    if server.is_too_old:
        raise ServerTooOldError(f"The store is {server}; Minutebook needs {floor()} or newer.")
    if answers.get("role") in {"slave", "replica"}:
        raise StoreUnfitError(
            "The store is a replica, which takes no writes. Give the address of the primary."
        )
    is_append_only = bool(int(answers.get("aof_enabled", 0)))
    fsync = settings.get("appendfsync")
    eviction = str(answers.get("maxmemory_policy", "unknown"))
    return Probe(
        server=server,
        is_cluster=answers.get("redis_mode", answers.get("server_mode")) == "cluster",
        is_append_only=is_append_only,
        fsync=fsync,
        eviction=eviction,
        warnings=_warnings(fsync, eviction, is_append_only=is_append_only),
    )


def _version(answers: Mapping[str, Any]) -> ServerVersion:
    family: Family = "valkey" if "valkey_version" in answers else "redis"
    version = answers.get("valkey_version") or answers.get("redis_version")
    if version is None:
        raise StoreUnfitError(
            "The store does not say its version; Minutebook needs Redis or Valkey."
        )
    return ServerVersion(family, read_version(str(version)))


def _warnings(fsync: str | None, eviction: str, *, is_append_only: bool) -> tuple[str, ...]:
    warnings: list[str] = []
    if not is_append_only:
        warnings.append(
            "The store keeps no append-only file: if it stops, moves that were answered are lost, "
            "in the worst case all tables. Set `appendonly yes` and `appendfsync always`."
        )
    elif fsync is None:
        warnings.append(
            "The store does not show its settings, so it is not known how soon it writes to disk. "
            "`appendfsync always` is what keeps every move that was answered."
        )
    elif fsync != "always":
        warnings.append(
            f"The store has `appendfsync {fsync}`: if the machine loses power, moves of the last "
            "moment that were answered are lost. Set `appendfsync always`."
        )
    if eviction != "noeviction":
        warnings.append(
            f"The store has `maxmemory-policy {eviction}`: when memory is short it may throw "
            "tables away. Set `maxmemory-policy noeviction`."
        )
    return tuple(warnings)


def _does_not_answer(error: redis.RedisError) -> StoreUnfitError:
    return StoreUnfitError(
        f"The store does not answer ({error}). Is the server running, and is its address right?"
    )

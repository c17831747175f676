"""What is thought of a server that somebody else runs."""

from typing import Any

import pytest
import redis
import redis.asyncio

from services.embedded.errors import ServerTooOldError, StoreUnfitError
from services.embedded.probe import judge, probe, probe_async, probe_url
from services.embedded.versions import ServerVersion
from tests.stores import TestStore

GOOD: dict[str, Any] = {
    "redis_version": "7.0.15",
    "redis_mode": "standalone",
    "role": "master",
    "aof_enabled": 1,
    "maxmemory_policy": "noeviction",
}
ALWAYS = {"appendfsync": "always"}


def test_a_server_that_keeps_everything_is_used_without_a_word():
    found = judge(GOOD, ALWAYS)
    assert found.server == ServerVersion("redis", (7, 0, 15))
    assert found.warnings == ()
    assert not found.is_cluster


@pytest.mark.parametrize(
    ("answers", "settings", "word"),
    [
        ({"aof_enabled": 0}, ALWAYS, "no append-only file"),
        ({}, {"appendfsync": "everysec"}, "appendfsync everysec"),
        ({}, {}, "does not show its settings"),
        ({"maxmemory_policy": "allkeys-lru"}, ALWAYS, "throw tables away"),
    ],
)
def test_what_could_lose_a_table_is_said(
    answers: dict[str, Any], settings: dict[str, str], word: str
):
    (warning,) = judge(GOOD | answers, settings).warnings
    assert word in warning


@pytest.mark.parametrize(
    "answers",
    [
        {"redis_version": "6.2.14"},
        # Valkey goes on naming a Redis that it is compatible with.
        {"redis_version": "7.2.4", "valkey_version": "7.1.0"},
    ],
)
def test_a_server_below_the_floor_is_refused(answers: dict[str, Any]):
    with pytest.raises(ServerTooOldError, match=r"needs Redis 7\.0 or Valkey 7\.2 or newer"):
        judge(GOOD | answers, ALWAYS)


def test_a_replica_or_a_stranger_is_refused():
    with pytest.raises(StoreUnfitError, match="replica"):
        judge(GOOD | {"role": "slave"}, ALWAYS)
    with pytest.raises(StoreUnfitError, match="does not say its version"):
        judge({}, {})


def test_a_cluster_is_known_as_one():
    assert judge(GOOD | {"redis_mode": "cluster"}, ALWAYS).is_cluster


async def test_a_real_server_is_seen_alike_from_both_sides(
    session_store: TestStore, async_redis_client: redis.asyncio.Redis
):
    seen = await probe_async(async_redis_client)
    with redis.Redis.from_url(session_store.url) as client:
        assert probe(client) == seen == probe_url(session_store.url)


def test_an_address_where_nobody_answers_is_said_so():
    with pytest.raises(StoreUnfitError, match="does not answer"):
        probe_url("unix:///nowhere.sock")
    with pytest.raises(StoreUnfitError, match="not the address of a store"):
        probe_url("store on the left")

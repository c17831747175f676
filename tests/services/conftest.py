"""The services are tested on one server, and on a cluster of three."""

from collections.abc import Iterator

import pytest
import redis

from services.bus.connection import node_address
from tests.stores import TestStore


@pytest.fixture(params=["server", pytest.param("cluster", marks=pytest.mark.slow)])
def redis_url(request: pytest.FixtureRequest) -> str:
    """The address of a store with nothing in it."""
    if request.param == "cluster":
        return str(request.getfixturevalue("cluster_url"))
    store: TestStore = request.getfixturevalue("session_store")
    store.empty()
    return store.url


@pytest.fixture
def redis_client(redis_url: str) -> Iterator[redis.Redis | redis.RedisCluster]:
    """A client of an empty store; answers are bytes."""
    node = node_address(redis_url)
    if node == redis_url:
        with redis.Redis.from_url(node) as client:
            yield client
    else:
        with redis.RedisCluster.from_url(node) as cluster:
            yield cluster

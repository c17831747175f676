"""The servers that other tests start are what they promise to be."""

from pathlib import Path

import redis
from redis.cluster import ClusterNode, RedisCluster

from tests.servers import loopback_servers


def test_several_servers_are_apart_from_each_other(tmp_path: Path):
    with loopback_servers(2, tmp_path) as (one, other):
        with one.client() as client:
            client.set("key", "one")
        with redis.Redis.from_url(other.url) as client:
            assert client.get("key") is None
        one.kill()
        with other.client() as client:
            assert client.ping()


def test_three_masters_make_one_cluster(tmp_path: Path):
    with loopback_servers(3, tmp_path, is_cluster=True) as servers:
        nodes = [ClusterNode("127.0.0.1", server.port) for server in servers]
        with RedisCluster(startup_nodes=nodes) as client:
            for key in ("{1}:a", "{2}:a", "{3}:a"):
                client.set(key, key)
                assert client.get(key) == key.encode()
            assert len(client.get_primaries()) == 3

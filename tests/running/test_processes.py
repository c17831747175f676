"""Each service as a process: what it answers, what it leaves, and a store that fails."""

import contextlib
import os
import signal
import urllib.error

import pytest
import redis

from contracts import heartbeats, streams
from contracts.heartbeats import Heartbeat
from services.bus.holders import is_dead
from services.embedded.server import Server
from services.notifier.settings import KEY_SETTING
from services.running.standing import STORE_SECONDS_MOST
from tests.notifier.post import KEY
from tests.running.asking import asked, figures, free_address, problems, until
from tests.services.processes import running

MODULES = {
    "engine": "services.engine",
    "projector": "services.engine.projector",
    "clock": "services.clock",
    "notifier": "services.notifier",
}


def signs(client: redis.Redis) -> list[Heartbeat]:
    members = client.zrange(heartbeats.INDEX, 0, -1)
    names = [str(member, "utf-8").partition(" ")[2] for member in members]
    bodies = [client.get(heartbeats.sign(name)) for name in names]
    return [heartbeats.decode(body) for body in bodies if body is not None]


@contextlib.contextmanager
def service(name: str, url: str, http: str, **environment: str):
    key = {KEY_SETTING: KEY.decode()}
    with running(MODULES[name], url, "--http", http, **key, **environment) as process:
        yield process


@pytest.mark.parametrize("name", MODULES)
def test_a_service_is_ready_says_so_and_leaves_nothing_behind(name, redis_url, redis_client):
    http = free_address()
    with service(name, redis_url, http) as process:
        until(lambda: problems(http, "/ready") == [])
        assert problems(http, "/health") == []
        process.wait_for('"event": "ready"')
        until(lambda: figures(http)[("minutebook_ready", ())] == 1)
        found = figures(http)
        labels = (("release", signs(redis_client)[0].release), ("service", name))
        assert found[("minutebook_service_info", labels)] == 1
        until(lambda: signs(redis_client)[0].is_ready)
        (sign,) = signs(redis_client)
        assert (sign.service, sign.process) == (name, process.process.pid)
        assert sign.partitions == tuple(range(streams.PARTITIONS))
        if name == "engine":
            assert found[("minutebook_leases_held", ())] == streams.PARTITIONS
            holder = redis_client.hget(streams.lease(0), "holder")
            assert holder is not None
            assert holder.decode() == sign.name
            assert not is_dead(sign.name)
        assert process.stop() == 0
    assert redis_client.keys("minutebook:{services}:*") == []


def test_one_that_is_killed_is_remembered_and_its_sign_runs_out(redis_url, redis_client):
    http = free_address()
    with service("clock", redis_url, http) as process:
        until(lambda: problems(http, "/ready") == [])
        process.kill()
    (sign,) = signs(redis_client)
    assert 0 < redis_client.pttl(heartbeats.sign(sign.name)) <= heartbeats.EXPIRES_SECONDS * 1000
    assert redis_client.zcard(heartbeats.INDEX) == 1


@pytest.mark.slow
@pytest.mark.parametrize("name", ["engine", "clock"])
def test_while_the_store_is_silent_a_service_lives_and_is_not_ready(name, tmp_path, monkeypatch):
    http = free_address()
    with Server(tmp_path) as server, service(name, server.url, http):
        until(lambda: problems(http, "/ready") == [])
        os.kill(server.process, signal.SIGSTOP)
        try:
            until(lambda: "store has not answered" in str(problems(http, "/ready")), 20)
            assert problems(http, "/health") == []
        finally:
            os.kill(server.process, signal.SIGCONT)
        until(lambda: problems(http, "/ready") == [], STORE_SECONDS_MOST + 20)


@pytest.mark.parametrize("name", MODULES)
def test_when_the_store_is_gone_a_service_says_so_and_ends(name, tmp_path):
    http = free_address()
    with Server(tmp_path) as server, service(name, server.url, http) as process:
        until(lambda: problems(http, "/ready") == [])
        os.kill(server.process, signal.SIGKILL)
        assert process.exit_code() == 1
        assert "does not answer" in process.lines[-1]
        assert "Traceback" not in process.log
        with pytest.raises(urllib.error.URLError):
            asked(http, "/health")


def test_an_address_that_is_taken_ends_it_with_a_message(redis_url):
    http = free_address()
    with service("clock", redis_url, http) as first:
        first.wait_for("ready")
        with service("notifier", redis_url, http) as second:
            assert second.exit_code() == 1
            assert f"--http: the address {http} cannot be answered at" in second.log
            assert "Traceback" not in second.log

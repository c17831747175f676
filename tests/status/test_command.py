"""The command `status` as a person calls it: what it prints, and its exit codes."""

import contextlib
import json
import signal
import subprocess
import sys
import time

import pytest
import redis

from contracts import heartbeats, streams
from services.notifier.settings import KEY_SETTING
from tests.console.calls import a_running_minutebook, environment, minutebook
from tests.notifier.post import KEY
from tests.ports.purse import opening
from tests.running.asking import until
from tests.services.processes import running


def test_where_nothing_is_up_it_says_how_to_start_it(tmp_path):
    called = minutebook(tmp_path, "status")
    assert called.code == 3
    assert called.output == ""
    assert f"No Minutebook is up on {tmp_path}." in called.errors
    assert f"Start one with: minutebook up --data {tmp_path}" in called.errors
    assert list(tmp_path.iterdir()) == []


def test_a_store_that_does_not_answer_and_one_that_nobody_uses(tmp_path, redis_url, redis_client):
    called = minutebook(tmp_path, "status", MINUTEBOOK_REDIS="redis://127.0.0.1:1/0")
    assert called.code == 3
    assert "does not answer" in called.errors
    called = minutebook(tmp_path, "status", "--redis", redis_url)
    assert called.code == 3
    assert "is empty: no Minutebook has used it yet" in called.errors
    assert redis_client.dbsize() == 0


@pytest.mark.slow
def test_of_an_up_that_does_its_work_it_says_that_all_is_well(tmp_path):
    with a_running_minutebook(tmp_path):
        until(lambda: minutebook(tmp_path, "status").code == 0, 60)
        called = minutebook(tmp_path, "status")
        assert called.code == 0, called.printed
        first, *_, last = called.output.splitlines()
        assert first.startswith("  The store is ")
        assert "  The engine decides for all 16 partitions; nothing waits." in called.output
        assert last == "All is well: every service keeps up."
        called = minutebook(tmp_path, "status", "--json")
        told = json.loads(called.output)
        assert told["is_well"] is True
        assert told["verdict"] == last
        services = [process["sign"][0] for process in told["facts"]["processes"]]
        assert services == ["clock", "engine", "notifier", "projector"]
        assert minutebook(tmp_path, "open", "1830", "ann", "bob", "cy", "--table", "t").code == 0
        assert "  1 table is being played, 0 finished." in minutebook(tmp_path, "status").output


@pytest.mark.slow
def test_without_an_engine_it_says_what_waits_and_who_is_missing(tmp_path, redis_url):
    key = {KEY_SETTING: KEY.decode()}
    with contextlib.ExitStack() as ends:
        for module in ("services.engine.projector", "services.clock", "services.notifier"):
            ends.enter_context(running(module, redis_url, **key)).wait_for('"event": "ready"')
        with redis.Redis.from_url(redis_url) as client:
            until(lambda: client.zcard(heartbeats.INDEX) == 3)
            partition = streams.partition_of(opening("friday").table, streams.PARTITIONS)
            order = streams.encode(opening("friday"))
            client.xadd(streams.commands(partition), {streams.COMMAND_ORDER: order})
            called = minutebook(tmp_path, "status", MINUTEBOOK_REDIS=redis_url)
            assert called.code == 1
            assert "! No engine runs: nothing is decided.\n" in called.output
            assert "1 command waits for" in called.output
            assert called.output.endswith("Not all is well: look at the engine.\n")
        with running("services.engine", redis_url) as engine:
            engine.wait_for('"event": "command refused"')
            until(lambda: minutebook(tmp_path, "status", "--redis", redis_url).code == 0)


def test_watching_goes_on_whatever_becomes_of_the_store(tmp_path):
    with subprocess.Popen(
        [sys.executable, "-m", "services.console", "status", "--watch"],
        env=environment(tmp_path, MINUTEBOOK_REDIS="redis://127.0.0.1:1/0"),
        cwd=tmp_path,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stderr is not None
        began = time.monotonic()
        for _ in range(2):
            assert "does not answer" in process.stderr.readline()
        assert time.monotonic() - began > 1
        process.send_signal(signal.SIGINT)
        assert process.wait(20) == 130
        assert "Traceback" not in process.stderr.read()

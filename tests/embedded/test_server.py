"""The private server: started, stopped, killed, and started again."""

import os
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
import redis
import redis.asyncio

from services.embedded.errors import (
    DirectoryInUseError,
    EmbeddedError,
    ServerFailedError,
    ServerTooOldError,
    StoreUnfitError,
)
from services.embedded.find import ServerBinary, find_server
from services.embedded.server import Server
from services.embedded.store import store
from services.embedded.versions import ServerVersion

_SECONDS_MOST = 20.0


def wait_until(is_so: Callable[[], bool], what: str) -> None:
    until = time.monotonic() + _SECONDS_MOST
    while not is_so():
        assert time.monotonic() < until, f"not in time: {what}"
        time.sleep(0.01)


def is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    try:
        # An orphan that nobody has waited for yet is as good as gone.
        return " Z " not in Path(f"/proc/{process}/stat").read_text()
    except OSError:
        return not Path("/proc/self").exists()


def wait_until_ended(process: int) -> None:
    wait_until(lambda: not is_alive(process), f"process {process} has ended")


def socket_of(server: Server) -> Path:
    return Path(unquote(urlsplit(server.url).path))


def test_it_writes_through_to_the_disk_and_listens_to_this_user_only(tmp_path: Path):
    with Server(tmp_path / "data") as server, redis.Redis.from_url(server.url) as client:
        settings = client.config_get(
            "appendonly", "appendfsync", "aof-use-rdb-preamble", "save", "maxmemory-policy", "port"
        )
        assert settings == {
            "appendonly": "yes",
            "appendfsync": "always",
            "aof-use-rdb-preamble": "no",
            "save": "",
            "maxmemory-policy": "noeviction",
            "port": "0",
        }
        assert stat.S_IMODE(socket_of(server).stat().st_mode) == 0o700
        assert stat.S_IMODE(socket_of(server).parent.stat().st_mode) == 0o700
        assert stat.S_IMODE((tmp_path / "data").stat().st_mode) == 0o700


def test_a_second_start_goes_on_where_the_first_ended(tmp_path: Path):
    server = Server(tmp_path)
    for times in (1, 2, 3):
        with server, redis.Redis.from_url(server.url) as client:
            assert client.incr("times") == times
        assert not server.is_running


def test_stopping_leaves_no_process_and_no_socket(tmp_path: Path):
    server = Server(tmp_path)
    server.start()
    process, folder = server.process, socket_of(server).parent
    server.stop()
    server.stop()
    assert not is_alive(process)
    assert not folder.exists()
    with pytest.raises(ServerFailedError, match="has not been started"):
        _ = server.url


async def test_asynchronous_code_starts_it_in_a_thread(tmp_path: Path):
    async with (
        Server(tmp_path) as server,
        redis.asyncio.Redis.from_url(server.url) as client,
    ):
        assert await client.ping()
        assert server.is_running


def test_two_servers_on_one_directory_are_refused(tmp_path: Path):
    with Server(tmp_path) as first:
        with pytest.raises(DirectoryInUseError, match="open in another Minutebook"):
            Server(tmp_path).start()
        assert first.is_running
        with redis.Redis.from_url(first.url) as client:
            assert client.ping()


def test_a_server_is_started_once(tmp_path: Path):
    with Server(tmp_path) as server, pytest.raises(ServerFailedError, match="started already"):
        server.start()


def test_long_paths_and_odd_characters_do_no_harm(tmp_path: Path):
    deep = tmp_path / ("long " * 20) / ("path'" * 20) / 'with "quotes" and ümlaut'
    with Server(deep) as server, redis.Redis.from_url(server.url) as client:
        assert client.set("key", "value")
    with Server(deep) as server, redis.Redis.from_url(server.url) as client:
        assert client.get("key") == b"value"


def test_a_long_temporary_directory_is_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    long = tmp_path / ("t" * 100)
    long.mkdir()
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(long))
    with Server(tmp_path / "data") as server:
        assert not socket_of(server).is_relative_to(long)
    assert list(long.iterdir()) == []


LAUNCHER = """
import signal, sys
from pathlib import Path
import redis
from services.embedded.server import Server
server = Server(Path(sys.argv[1]))
server.start()
with redis.Redis.from_url(server.url) as client:
    client.incr("times")
print(server.process, server.url, flush=True)
signal.pause()
"""


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM, signal.SIGABRT])
def test_the_server_ends_with_its_launcher_however_that_ends(tmp_path: Path, how: signal.Signals):
    url = ""
    for times in (1, 2):
        launcher = subprocess.Popen(
            [sys.executable, "-c", LAUNCHER, str(tmp_path)], stdout=subprocess.PIPE, text=True
        )
        assert launcher.stdout
        with launcher.stdout:
            process, url = launcher.stdout.readline().split()
        with redis.Redis.from_url(url) as client:
            assert client.get("times") == str(times).encode()
        launcher.send_signal(how)
        launcher.wait()
        wait_until_ended(int(process))
    with Server(tmp_path) as server, redis.Redis.from_url(server.url) as client:
        assert client.get("times") == b"2"
    assert not Path(urlsplit(url).path).parent.exists()


def test_a_start_right_after_a_kill_waits_for_the_old_server_to_close(tmp_path: Path):
    launcher = subprocess.Popen(
        [sys.executable, "-c", LAUNCHER, str(tmp_path)], stdout=subprocess.PIPE, text=True
    )
    assert launcher.stdout
    with launcher.stdout:
        launcher.stdout.readline()
    launcher.kill()
    launcher.wait()
    with Server(tmp_path) as server, redis.Redis.from_url(server.url) as client:
        assert client.get("times") == b"1"


def test_a_killed_server_is_noticed_and_its_data_is_there_at_the_next_start(tmp_path: Path):
    server = Server(tmp_path)
    server.start()
    with redis.Redis.from_url(server.url) as client:
        client.set("key", "value")
    os.kill(server.process, signal.SIGKILL)
    wait_until(lambda: not server.is_running, "the server has ended")
    with pytest.raises(ServerFailedError, match=r"The server ended \(exit code -9\)"):
        server.ensure_running()
    server.stop()
    with server, redis.Redis.from_url(server.url) as client:
        assert client.get("key") == b"value"


def test_a_server_that_cannot_open_its_files_says_so_with_its_own_words(tmp_path: Path):
    with Server(tmp_path) as server, redis.Redis.from_url(server.url) as client:
        client.set("key", "value")
    (manifest,) = (tmp_path / "appendonlydir").glob("*.manifest")
    manifest.write_text("nonsense\n")
    with pytest.raises(ServerFailedError, match="did not start") as failure:
        Server(tmp_path).start()
    assert "server.log" in str(failure.value)
    assert "manifest" in str(failure.value)


def test_an_older_server_does_not_open_the_files_of_a_newer_one(tmp_path: Path):
    newer = find_server()
    with Server(tmp_path, binary=newer):
        pass
    older = ServerBinary(newer.path, ServerVersion(newer.is_a.family, (8, 0, 0)))
    with pytest.raises(ServerTooOldError, match="older and must not open it"):
        Server(tmp_path, binary=older).start()


def test_a_program_that_is_too_old_is_not_even_started(tmp_path: Path):
    old = tmp_path / "redis-server"
    old.write_text(
        '#!/bin/sh\n[ "$1" = --version ] && echo "Redis server v=6.2.14" && exit\nexit 3\n'
    )
    old.chmod(0o755)
    with (
        pytest.raises(ServerTooOldError, match=r"Redis 6\.2\.14"),
        store(tmp_path / "data", {"MINUTEBOOK_REDIS_BINARY": str(old)}),
    ):
        pytest.fail("it was started")
    assert not (tmp_path / "data").exists()


def test_the_store_is_private_unless_one_is_named(tmp_path: Path):
    with store(tmp_path / "data", {}) as private:
        assert private.private is not None
        assert private.probe.warnings == ()
        with store(tmp_path / "unused", {"MINUTEBOOK_REDIS": private.url}) as named:
            assert named.private is None
            assert named.url == private.url
    assert not (tmp_path / "unused").exists()


def test_strict_durability_refuses_what_would_be_warned_about(tmp_path: Path):
    with store(tmp_path, {}) as private:
        with redis.Redis.from_url(private.url) as client:
            client.config_set("appendfsync", "everysec")
        settings = {"MINUTEBOOK_REDIS": private.url}
        with store(tmp_path, settings) as named:
            assert len(named.probe.warnings) == 1
        strict = {**settings, "MINUTEBOOK_STRICT_DURABILITY": "yes"}
        with pytest.raises(StoreUnfitError, match="appendfsync everysec"):
            store(tmp_path, strict).__enter__()


def test_every_refusal_is_one_kind_of_error_that_a_console_can_print():
    for kind in (DirectoryInUseError, ServerFailedError, ServerTooOldError, StoreUnfitError):
        assert issubclass(kind, EmbeddedError)

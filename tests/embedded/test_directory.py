"""The lock and the marker of the data directory."""

import os
import subprocess
from pathlib import Path

import msgspec
import pytest

from services.embedded.directory import STORE_FORMAT, DataDirectory, Marker, locked
from services.embedded.errors import DirectoryInUseError, DirectoryUnfitError, ServerTooOldError
from services.embedded.versions import ServerVersion

VALKEY = ServerVersion("valkey", (9, 1, 2))


def a_used_directory(path: Path, server: ServerVersion = VALKEY) -> None:
    with locked(path) as directory:
        directory.admit(server)
        (path / "appendonlydir").mkdir()
        directory.mark_in_use(server)


def marker_of(path: Path) -> Marker:
    return msgspec.json.decode((path / "minutebook-store.json").read_bytes(), type=Marker)


def test_one_directory_is_open_once(tmp_path: Path):
    with locked(tmp_path), pytest.raises(DirectoryInUseError, match=f"process {os.getpid()}"):
        locked(tmp_path).__enter__()
    with locked(tmp_path) as directory:
        assert isinstance(directory, DataDirectory)


def test_a_lock_whose_launcher_is_gone_is_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("services.embedded.directory._PATIENCE_SECONDS", 0.2)
    gone = subprocess.Popen(["true"])
    gone.wait()
    with locked(tmp_path):
        (tmp_path / "minutebook.lock").write_text(f'{{"launcher": {gone.pid}}}')
        with pytest.raises(DirectoryInUseError, match="still open in a server whose Minutebook"):
            locked(tmp_path).__enter__()


def test_an_empty_or_torn_lock_file_is_no_obstacle(tmp_path: Path):
    (tmp_path / "minutebook.lock").write_text('{"laun')
    with locked(tmp_path):
        pass


def test_the_socket_of_a_killed_launcher_is_swept_and_nothing_else(tmp_path: Path):
    data, left, foreign = tmp_path / "data", tmp_path / "minutebook-left", tmp_path / "foreign"
    for folder in (left, foreign):
        folder.mkdir()
        (folder / "store.sock").touch()
    data.mkdir()
    for folder in (left, foreign):
        (data / "minutebook.lock").write_text(f'{{"launcher": 1, "socket_directory": "{folder}"}}')
        with locked(data):
            pass
    assert not left.exists()
    assert (foreign / "store.sock").exists()


def test_a_directory_that_cannot_be_made_is_said_so(tmp_path: Path):
    (tmp_path / "file").touch()
    with pytest.raises(DirectoryUnfitError, match="cannot be used"):
        locked(tmp_path / "file" / "data").__enter__()


def test_the_marker_names_the_server_that_wrote_last(tmp_path: Path):
    with locked(tmp_path) as directory:
        directory.admit(VALKEY)
        assert marker_of(tmp_path).state == "new"
        (tmp_path / "appendonlydir").mkdir()
        directory.mark_in_use(VALKEY)
    assert marker_of(tmp_path) == Marker("valkey", "9.1.2", STORE_FORMAT, "in use")


@pytest.mark.parametrize(
    "opener",
    [
        ServerVersion("valkey", (9, 1, 1)),
        ServerVersion("valkey", (10, 0, 0)),
        # Plain commands in the append-only file: another family may open them.
        ServerVersion("redis", (7, 0, 15)),
    ],
)
def test_a_repair_a_newer_server_or_the_other_family_may_open_it(
    tmp_path: Path, opener: ServerVersion
):
    a_used_directory(tmp_path)
    with locked(tmp_path) as directory:
        directory.admit(opener)
        # A server that then fails to start has changed nothing.
        assert marker_of(tmp_path).server == VALKEY
        directory.mark_in_use(opener)
    assert marker_of(tmp_path).server == opener


def test_an_older_release_of_the_same_family_may_not(tmp_path: Path):
    a_used_directory(tmp_path)
    with locked(tmp_path) as directory, pytest.raises(ServerTooOldError, match=r"Valkey 8\.1\.8"):
        directory.admit(ServerVersion("valkey", (8, 1, 8)))


@pytest.mark.parametrize("name", ["dump.rdb", "appendonly.aof", "appendonlydir"])
def test_data_of_an_unknown_server_is_left_alone(tmp_path: Path, name: str):
    (tmp_path / name).touch()
    with locked(tmp_path) as directory, pytest.raises(DirectoryUnfitError, match=name):
        directory.admit(VALKEY)


def test_lost_data_is_not_taken_for_a_beginning(tmp_path: Path):
    a_used_directory(tmp_path)
    (tmp_path / "appendonlydir").rmdir()
    with locked(tmp_path) as directory, pytest.raises(DirectoryUnfitError, match="is gone"):
        directory.admit(VALKEY)


def test_another_store_format_or_a_torn_marker_is_refused(tmp_path: Path):
    a_used_directory(tmp_path)
    file = tmp_path / "minutebook-store.json"
    file.write_bytes(msgspec.json.encode(Marker("valkey", "9.1.2", STORE_FORMAT + 1, "in use")))
    with locked(tmp_path) as directory, pytest.raises(DirectoryUnfitError, match="store format"):
        directory.admit(VALKEY)
    file.write_text('{"family": "val')
    with locked(tmp_path) as directory, pytest.raises(DirectoryUnfitError, match="cannot be read"):
        directory.admit(VALKEY)

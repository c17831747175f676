"""Where data lies, and how one Minutebook finds another that is up."""

import subprocess
import sys
from pathlib import Path

import pytest

from services.console.place import InUse, announced, data_directory, running


def test_the_data_directory_is_the_one_named_then_the_settings_then_the_users_own(tmp_path):
    setting = {"MINUTEBOOK_DATA": str(tmp_path / "set")}
    assert data_directory(tmp_path / "named", setting) == tmp_path / "named"
    assert data_directory(None, setting) == tmp_path / "set"
    own = data_directory(None, {"XDG_DATA_HOME": str(tmp_path)})
    assert own.name == "minutebook"
    assert own.is_absolute()


def test_nothing_is_up_where_nothing_was_started(tmp_path):
    assert running(tmp_path) is None
    assert running(tmp_path / "missing") is None


def test_others_are_told_while_it_is_up_and_not_afterwards(tmp_path):
    with announced(tmp_path, "up") as announcement:
        announcement.tell("redis://somewhere")
        told = running(tmp_path)
        assert told is not None
        assert (told.url, told.kind) == ("redis://somewhere", "up")
        with pytest.raises(InUse) as caught, announced(tmp_path, "command"):
            pass
        assert caught.value.running == told
    assert running(tmp_path) is None


def test_what_a_killed_process_left_behind_misleads_nobody(tmp_path):
    code = f"""
import os, signal
from pathlib import Path
from services.console.place import announced
with announced(Path({str(tmp_path)!r}), "up") as announcement:
    announcement.tell("redis://gone")
    os.kill(os.getpid(), signal.SIGKILL)
"""
    subprocess.run([sys.executable, "-c", code], check=False, cwd=Path.cwd())
    assert (tmp_path / "running.json").read_bytes()
    assert running(tmp_path) is None

"""`up` starts everything, plays to the end, goes on where it ended, and leaves nothing running."""

import re
import signal
import subprocess
import sys

import pytest

from services.engine.projections import api
from tests.console.calls import SECONDS_MOST, environment, minutebook

pytestmark = pytest.mark.slow


def children_of(process):
    """The processes that a process of this test has started."""
    asked = ["ps", "-o", "pid=", "--ppid", str(process.pid)]
    return [
        int(number)
        for number in subprocess.run(
            asked, capture_output=True, text=True, check=False
        ).stdout.split()
    ]


def is_alive(process):
    asked = ["ps", "-o", "stat=", "-p", str(process)]
    state = subprocess.run(asked, capture_output=True, text=True, check=False).stdout.strip()
    return bool(state) and not state.startswith("Z")


def test_a_demonstration_that_is_interrupted_goes_on_and_ends_with_every_view_right(tmp_path):
    with subprocess.Popen(
        [sys.executable, "-m", "services.console", "up", "--pace", "0.02"],
        env=environment(tmp_path),
        cwd=tmp_path,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stderr is not None
        # It plays once a line tells of a version that is not the first.
        while not re.match(r" +(?!1 )\d+  ", process.stderr.readline()):
            assert process.poll() is None
        started = children_of(process)
        assert len(started) >= 3
        process.send_signal(signal.SIGINT)
        assert "Stopping" in process.stderr.read()
        assert process.wait(SECONDS_MOST) == 0
    assert not any(is_alive(child) for child in started)
    before = len(minutebook(tmp_path, "export", "demonstration-1").output.splitlines()) - 1
    assert before > 1

    called = minutebook(tmp_path, "up", "--exit-when-finished")
    assert called.code == 0
    assert f"Table demonstration-1 goes on at version {before}." in called.errors
    assert "The game is over" in called.errors
    views = f"All {len(api.NAMES)} views are what the minute book says."
    assert views in called.errors
    assert minutebook(tmp_path, "audit", "demonstration-1").code == 0
    assert minutebook(tmp_path, "rebuild").code == 0

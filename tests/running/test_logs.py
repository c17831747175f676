"""Lines of the log: JSON with the same keys first, from a level on, and troubles noted."""

import json
import subprocess
import sys

import pytest

from services.running import logs
from services.running.settings import SettingsError, Surroundings, read, variable
from services.running.standing import Standing

SAYING = """
import structlog
from services.running import logs
from services.running.standing import Standing
standing = Standing("clock")
logs.configure("clock", {level!r}, standing)
log = structlog.get_logger("clock")
log.debug("caught up", entries=3)
log.info("timer done", table="friday", player="änn", late_ms=2)
log.error("minute book damaged", table="friday", why="It is missing.")
print(standing.troubles[0].what, standing.troubles[0].table)
"""


def lines(level: str) -> list[dict[str, object]]:
    said = subprocess.run(
        [sys.executable, "-c", SAYING.format(level=level)],
        capture_output=True,
        text=True,
        check=True,
    )
    assert said.stdout == "minute book damaged friday\n"
    return [json.loads(line) for line in said.stderr.splitlines()]


def test_every_line_begins_with_the_same_keys_and_goes_on_with_its_own():
    done, damaged = lines("info")
    assert list(done) == ["at", "level", "service", "event", "table", "player", "late_ms"]
    assert (done["service"], done["event"], done["player"]) == ("clock", "timer done", "änn")
    assert damaged["level"] == "error"


@pytest.mark.parametrize(("level", "count"), [("debug", 3), ("info", 2), ("error", 1)])
def test_only_lines_from_the_level_on_are_written(level, count):
    assert len(lines(level)) == count


def test_what_is_no_json_is_written_as_text():
    line = logs.written(None, "", {"event": "x", "level": "info", "why": ValueError("no")})
    assert json.loads(line) == {"level": "info", "event": "x", "why": "no"}


def test_an_argument_goes_before_the_environment_and_that_before_the_default():
    environment = {"MINUTEBOOK_LOG_LEVEL": "debug", "MINUTEBOOK_CLOCK_HTTP": "127.0.0.1:1"}
    found = read(Surroundings, "clock", ["--log-level", "error"], environment)
    assert (found.log_level, found.http) == ("error", "127.0.0.1:1")
    assert read(Surroundings, "notifier", [], environment).http == ""
    assert variable("projector", "http") == "MINUTEBOOK_PROJECTOR_HTTP"


def test_a_level_that_there_is_not_is_said_to_be_wrong():
    with pytest.raises(SettingsError, match=r"A setting is wrong: .*loud.*log_level"):
        read(Surroundings, "clock", ["--log-level", "loud"], {})


def test_a_service_is_named_in_what_it_says_of_itself():
    assert Standing("notifier").heartbeat().service == "notifier"

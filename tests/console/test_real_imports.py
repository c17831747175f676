"""Games as people played them, through the running services, whatever dies on the way.

The games are not ours to pass on; `MINUTEBOOK_HISTORIES` names the folder that has them (default:
`../shared/histories` beside this project). Without it these tests say so and are skipped.
"""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.console.calls import ROOT, SECONDS_MOST, environment, minutebook

FOLDER = Path(os.environ.get("MINUTEBOOK_HISTORIES", ROOT.parent / "shared" / "histories"))
GAMES = [path for path in sorted(FOLDER.glob("1830/*.json")) if ".setup" not in path.name]

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        not GAMES, reason=f"no games in {FOLDER}; set MINUTEBOOK_HISTORIES to the folder with them"
    ),
]


def engine_of(process):
    """The engine among the children of a process that this test has started, or None."""
    asked = ["ps", "-o", "pid=,args=", "--ppid", str(process.pid)]
    listed = subprocess.run(asked, capture_output=True, text=True, check=False).stdout
    for line in listed.splitlines():
        number, _, arguments = line.strip().partition(" ")
        if arguments.rstrip().endswith("services.engine"):
            return int(number)
    return None


def recorded(data):
    """How many decisions the engine has logged."""
    log = data / "logs" / "engine.log"
    return log.read_text().count("decision recorded") if log.exists() else 0


def until(condition):
    end = time.monotonic() + SECONDS_MOST
    while not condition():
        assert time.monotonic() < end, "it does not happen"
        time.sleep(0.005)


def importing(data, file):
    return subprocess.Popen(
        [sys.executable, "-m", "services.console", "import", str(file), "--table", "t", "--json"],
        env=environment(data),
        cwd=data,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


@pytest.mark.parametrize("file", GAMES, ids=lambda path: path.stem)
def test_a_game_is_replayed_to_its_end_equal_to_its_trace(tmp_path, file):
    book = tmp_path / "book.jsonl"
    called = minutebook(tmp_path, "replay", file, "--json", "--export", book)
    told = json.loads(called.output)
    assert called.code == 0
    assert told["accepted"] == told["commands"]
    assert told["first_difference"] is None
    assert told["result"] == told["expected"]
    assert minutebook(tmp_path, "audit", book).code == 0


def test_an_import_goes_on_when_its_engine_is_killed_and_ends_with_the_same_digests(tmp_path):
    whole, broken = tmp_path / "whole", tmp_path / "broken"
    whole.mkdir()
    broken.mkdir()
    undisturbed = minutebook(whole, "import", GAMES[0], "--table", "t", "--json")
    assert undisturbed.code == 0
    with importing(broken, GAMES[0]) as process:
        until(lambda: recorded(broken) > 40)
        victim = engine_of(process)
        assert victim is not None
        os.kill(victim, signal.SIGKILL)
        printed, said = process.communicate(timeout=SECONDS_MOST)
    assert process.returncode == 0, said
    assert json.loads(printed) == json.loads(undisturbed.output)
    assert (broken / "logs" / "engine.log").read_text().count('"ready"') == 2
    books = [minutebook(data, "export", "t").output for data in (whole, broken)]
    assert books[0] == books[1]
    assert minutebook(broken, "audit", "t").code == 0


def test_an_import_that_is_killed_goes_on_when_it_is_started_again(tmp_path):
    with importing(tmp_path, GAMES[0]) as process:
        until(lambda: recorded(tmp_path) > 40)
        process.kill()
    again = minutebook(tmp_path, "import", GAMES[0], "--table", "t", "--json")
    assert again.code == 0, again.errors
    told = json.loads(again.output)
    assert told["accepted"] == told["commands"]
    assert minutebook(tmp_path, "audit", "t").code == 0
    other = GAMES[-1]
    if other != GAMES[0]:
        refused = minutebook(tmp_path, "import", other, "--table", "t")
        assert refused.code == 1


def test_a_file_that_differs_in_one_action_is_not_taken_for_what_was_imported(tmp_path):
    history = json.loads(GAMES[-1].read_bytes())
    told = json.loads(minutebook(tmp_path, "import", GAMES[-1], "--table", "t", "--json").output)
    bid = next(action for action in history["actions"] if action["type"] == "bid")
    bid["price"] += 5
    other = tmp_path / "other.json"
    other.write_text(json.dumps(history))
    refused = minutebook(tmp_path, "import", other, "--table", "t", "--json")
    assert refused.code == 1
    again = json.loads(refused.output)
    assert f"action {bid['id']}: " in again["first_difference"]
    assert "played otherwise" in again["first_difference"]
    assert (again["records"], again["seal"]) == (told["records"], told["seal"])

"""Services are kept running, stopped in order, given up with a reason, and never left behind."""

import os
import signal
import subprocess
import sys
import time

import pytest

from services.console import supervisor
from services.console.errors import UnreachableError
from services.console.supervisor import Service, Supervisor

ENDLESS = "import time\nwhile True: time.sleep(0.05)"
SECONDS_MOST = 20.0


def python(name, code):
    return Service(name, (sys.executable, "-c", code))


def until(condition):
    end = time.monotonic() + SECONDS_MOST
    while not condition():
        assert time.monotonic() < end, "it does not happen"
        time.sleep(0.01)


def is_alive(process):
    """Whether a process runs; one that has ended and has not been waited for does not."""
    asked = ["ps", "-o", "stat=", "-p", str(process)]
    state = subprocess.run(asked, capture_output=True, text=True, check=False).stdout.strip()
    return bool(state) and not state.startswith("Z")


def test_a_killed_service_is_started_again(tmp_path):
    with Supervisor([python("engine", ENDLESS)], logs=tmp_path, environment={}) as kept:
        until(lambda: kept.processes)
        first = kept.processes["engine"]
        os.kill(first, signal.SIGKILL)
        until(lambda: kept.processes.get("engine", first) != first)
        assert kept.restarts == {"engine": 1}
        second = kept.processes["engine"]
    assert not is_alive(second)


@pytest.mark.parametrize("code", [0, 3])
def test_a_service_that_ends_of_itself_is_started_again_whatever_its_exit_code(tmp_path, code):
    once = f"import sys, pathlib\np = pathlib.Path({str(tmp_path / 'seen')!r})\n"
    once += f"seen = p.exists()\np.touch()\nif not seen: sys.exit({code})\n{ENDLESS}"
    with Supervisor([python("engine", once)], logs=tmp_path, environment={}) as kept:
        until(lambda: kept.restarts["engine"] == 1)
        kept.ensure_running()


def test_a_service_that_never_gets_going_is_given_up_with_the_end_of_its_log(tmp_path, monkeypatch):
    monkeypatch.setattr(supervisor, "_PAUSE_SECONDS_MOST", 0.01)
    broken = python("projector", "print('no such option', flush=True)\nraise SystemExit(7)")
    with Supervisor([broken], logs=tmp_path, environment={}) as kept:
        until(lambda: said_by(kept))
        said = said_by(kept)
    assert "The projector ended 5 times" in said
    assert "exit code 7" in said
    assert "no such option" in said


def said_by(kept):
    try:
        kept.ensure_running()
    except UnreachableError as error:
        return str(error)
    return ""


def test_a_program_that_is_not_there_is_said_to_be_missing(tmp_path):
    missing = Service("engine", (str(tmp_path / "nothing"),))
    with Supervisor([missing], logs=tmp_path, environment={}) as kept:
        until(lambda: said_by(kept))
        assert "engine could not be started" in said_by(kept)


def test_services_end_with_a_launcher_that_is_killed(tmp_path):
    launcher = f"""
import time
from pathlib import Path
from services.console.supervisor import Service, Supervisor
with Supervisor([Service("engine", ({sys.executable!r}, "-c", {ENDLESS!r}))],
                logs=Path({str(tmp_path)!r}), environment={{}}) as kept:
    while not kept.processes: time.sleep(0.01)
    print(kept.processes["engine"], flush=True)
    time.sleep(60)
"""
    with subprocess.Popen(
        [sys.executable, "-c", launcher], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        child = int(process.stdout.readline())
        assert is_alive(child)
        process.kill()
    until(lambda: not is_alive(child))


def test_a_service_that_will_not_end_is_made_to(tmp_path, monkeypatch):
    monkeypatch.setattr(supervisor, "_SECONDS_TO_STOP", 0.2)
    ready = tmp_path / "ready"
    deaf = "import signal, pathlib\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
    deaf += f"pathlib.Path({str(ready)!r}).touch()\n{ENDLESS}"
    with Supervisor([python("engine", deaf)], logs=tmp_path, environment={}) as kept:
        until(ready.exists)
        process = kept.processes["engine"]
    assert not is_alive(process)

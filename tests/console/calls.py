"""Call the console as a person does, in a process of its own."""

import contextlib
import os
import signal
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
SECONDS_MOST = 120


@dataclass(frozen=True)
class Called:
    """What a call came to; `printed` is what a person sees, output and errors."""

    code: int
    output: str
    errors: str

    @property
    def printed(self):
        return self.output + self.errors


def environment(data, **settings):
    """An environment in which nothing of the caller's own Minutebook is seen."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith("MINUTEBOOK_")}
    return {**kept, "MINUTEBOOK_DATA": str(data), "PYTHONPATH": str(ROOT), **settings}


def minutebook(data, *arguments, **settings):
    """Call the console with a data directory, and wait for its end."""
    called = subprocess.run(
        [sys.executable, "-m", "services.console", *map(str, arguments)],
        env=environment(data, **settings),
        cwd=data,
        capture_output=True,
        text=True,
        check=False,
        timeout=SECONDS_MOST,
    )
    assert "Traceback" not in called.stderr
    return Called(called.returncode, called.stdout, called.stderr)


@contextlib.contextmanager
def a_running_minutebook(data, *options):
    """An `up` without a demonstration, for as long as it is needed; it has to end with code 0."""
    with subprocess.Popen(
        [sys.executable, "-m", "services.console", "up", "--no-demo", *options],
        env=environment(data),
        cwd=data,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stderr is not None
        first = process.stderr.readline()
        assert "is up" in first, first + process.stderr.read()
        try:
            yield process
        finally:
            process.send_signal(signal.SIGTERM)
            said = process.stderr.read()
            assert process.wait(SECONDS_MOST) == 0, said

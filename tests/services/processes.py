"""Processes of the engine that tests start, wait for and kill."""

import contextlib
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SECONDS = 20.0


class Process:
    """A process whose log is read as it is written."""

    def __init__(self, module: str, url: str, *options: str, **environment: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", module, "--redis", url, *options],
            cwd=ROOT,
            env={**os.environ, **environment},
            stderr=subprocess.PIPE,
            text=True,
        )
        self.lines: list[str] = []
        self._news = threading.Condition()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self.process.stderr is not None
        for line in self.process.stderr:
            with self._news:
                self.lines.append(line)
                self._news.notify_all()
        with self._news:
            self._news.notify_all()

    def wait_for(self, words: str, times: int = 1) -> str:
        """The line of its log that holds these words, once it has been written so often."""

        def found() -> bool:
            return self.count(words) >= times or not self._reader.is_alive()

        with self._news:
            assert self._news.wait_for(found, SECONDS), f"not said: {words}\n{self.log}"
        assert self.count(words) >= times, f"ended without saying: {words}\n{self.log}"
        return next(line for line in self.lines if words in line)

    def count(self, words: str) -> int:
        return sum(words in line for line in self.lines)

    @property
    def log(self) -> str:
        return "".join(self.lines)

    def kill(self) -> None:
        """Kill it as a crash would."""
        self.process.kill()
        self.exit_code()
        assert self.process.stderr is not None
        self.process.stderr.close()

    def stop(self) -> int:
        """End it as a supervisor would, and give its exit code."""
        self.process.terminate()
        return self.exit_code()

    def exit_code(self) -> int:
        code = self.process.wait(SECONDS)
        self._reader.join(SECONDS)
        return code


@contextlib.contextmanager
def running(module: str, url: str, *options: str, **environment: str) -> Iterator[Process]:
    process = Process(module, url, *options, **environment)
    try:
        yield process
    finally:
        process.kill()


def purse_engine(url: str, *options: str, **environment: str):
    """An engine that is ready."""
    return running("tests.services.purse_engine", url, *options, **environment)

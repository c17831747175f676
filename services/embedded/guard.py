"""See to it that a child process does not outlive its launcher, however the launcher ends.

The guard is a shell that waits on a pipe whose other end only the launcher holds. When the launcher
ends without a word, killed or crashed, the pipe closes and the guard stops the child. The
parent-death signal of Linux would need no second process, but it follows the thread that started
the child rather than the process, so a server started from a worker thread would die with that
thread; and macOS has none.
"""

import contextlib
import subprocess
from typing import Literal

# First line: whom to guard. A second line means all is well; the end of the pipe means the launcher
# is gone.
_WATCH = 'read -r child || exit 0; read -r _ || kill -"$0" "$child"'


class Guard:
    """Watches over one child process on behalf of this one.

    The child is asked to end (`TERM`), or ended (`KILL`) where it may have been stopped and could
    not be asked.
    """

    def __init__(self, how: Literal["TERM", "KILL"] = "TERM") -> None:
        # A session of its own: an interrupt typed at the terminal is for the launcher alone.
        self._shell = subprocess.Popen(
            ["/bin/sh", "-c", _WATCH, how],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            cwd="/",
        )
        self._is_watching = False

    def watch(self, child: int) -> None:
        """From now on, stop the process `child` when this process ends."""
        self._is_watching = True
        self._say(f"{child}\n")

    def release(self) -> None:
        """Stop watching, the child having ended or never having been started."""
        if self._is_watching:
            self._say("released\n")
        if self._shell.stdin:
            with contextlib.suppress(BrokenPipeError):
                self._shell.stdin.close()
        self._shell.wait()

    def _say(self, line: str) -> None:
        if self._shell.stdin and not self._shell.stdin.closed:
            # A guard that somebody killed has nothing left to be told.
            with contextlib.suppress(BrokenPipeError):
                self._shell.stdin.write(line.encode())
                self._shell.stdin.flush()

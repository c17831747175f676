"""A message may take so long and no longer, however little at a time the other side sends.

The time limit of a socket begins anew with each byte, so a server that drips keeps a thread for as
long as it likes; a few of them would keep all threads, and nobody would hear anything any more.
"""

import contextlib
import socket
import threading
from types import TracebackType
from typing import Final, Self

SECONDS: Final = 40.0


class Deadline:
    """Ends the connections of a message when its time is up."""

    def __init__(self, seconds: float | None = None) -> None:
        self._timer = threading.Timer(SECONDS if seconds is None else seconds, self._end)
        self._timer.daemon = True
        self._lock = threading.Lock()
        self._sockets: list[socket.socket] = []
        self._is_over = False

    def __enter__(self) -> Self:
        self._timer.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._timer.cancel()
        with self._lock:
            for one in self._sockets:
                one.close()
            self._sockets.clear()

    def ends(self, connected: socket.socket) -> socket.socket:
        """Have a connection end with the time, and give it back; raises if the time is up."""
        with self._lock:
            if self._is_over:
                connected.close()
                raise TimeoutError
            # A second handle of the connection: it stays valid whatever TLS makes of the first.
            self._sockets.append(connected.dup())
        return connected

    def _end(self) -> None:
        with self._lock:
            self._is_over = True
            for one in self._sockets:
                with contextlib.suppress(OSError):
                    one.shutdown(socket.SHUT_RDWR)

"""How a process stands: is it alive, is it ready, and if not, why.

It is written by the event loop and read by the thread that answers over HTTP, so that the answer
does not wait for the loop. Alive means: the loop goes round and, once ready, work goes on. Ready
means: it has begun, holds what it needs, and the store answers.
"""

import asyncio
import os
import secrets
import socket
import time
from collections import deque
from collections.abc import Callable, Sequence
from importlib.metadata import version
from typing import Final

from contracts.heartbeats import TROUBLES_MOST, Heartbeat, Trouble

LOOP_SECONDS_MOST: Final = 30.0
"""How long the loop may be at one thing before the process counts as hanging."""
PROGRESS_SECONDS_MOST: Final = 60.0
"""How long work may stand still while there is some."""
STORE_SECONDS_MOST: Final = 10.0
"""How long the store may be silent before the process is not ready."""

Monotonic = Callable[[], float]


def process_name() -> str:
    """A name for this process: its host, its number, and something that no other process has."""
    return f"{socket.gethostname()}/{os.getpid()}/{secrets.token_hex(4)}"


def now() -> int:
    """Microseconds since 1970, UTC, by the clock of this machine."""
    return time.time_ns() // 1000


class Standing:
    """How one process of a service stands."""

    def __init__(self, service: str, *, monotonic: Monotonic = time.monotonic) -> None:
        self.service = service
        self.name = process_name()
        self.release = version("minutebook")
        self.began = now()
        self.is_ready = self.is_ending = False
        self.waits_for = "the store"
        self.partitions: tuple[int, ...] = ()
        self.troubles: deque[Trouble] = deque(maxlen=TROUBLES_MOST)
        self.news = asyncio.Event()
        """Set when there is something that should be told at once."""
        self._monotonic = monotonic
        self._ticked = self._progressed = self._reached = monotonic()

    # --- what the process says ---------------------------------------------------------------

    def ticked(self) -> None:
        """Note that the event loop goes round."""
        self._ticked = self._monotonic()

    def reached(self) -> None:
        """Note that the store has answered."""
        self._reached = self._monotonic()

    def progressed(self) -> None:
        """Note that the work goes on, or that there is none."""
        self._progressed = self._monotonic()

    def waits(self, what: str) -> None:
        """Note what has to be there before the work can begin."""
        self.is_ready, self.waits_for = False, what
        self.news.set()

    def ready(self, partitions: Sequence[int]) -> None:
        """Note that the work has begun, for these partitions."""
        self.partitions = tuple(partitions)
        self.is_ready, self.waits_for = True, ""
        self.progressed()
        self.news.set()

    def ended(self) -> None:
        """Note that the process is on its way out."""
        self.is_ready, self.is_ending = False, True

    def troubled(self, what: str, table: str = "") -> None:
        """Note what could not be done; the same again takes the place of the one before."""
        for one in [one for one in self.troubles if (one.what, one.table) == (what, table)]:
            self.troubles.remove(one)
        self.troubles.append(Trouble(now(), what, table))

    # --- what others are told ----------------------------------------------------------------

    def why_not_alive(self) -> list[str]:
        """What speaks against its being alive, in sentences; nothing if it is."""
        moment = self._monotonic()
        found = []
        if (seconds := moment - self._ticked) > LOOP_SECONDS_MOST:
            found.append(f"The event loop has been at one thing for {seconds:.0f} s.")
        seconds = moment - self._progressed
        if self.is_ready and seconds > PROGRESS_SECONDS_MOST:
            found.append(f"There is work, and none of it was done for {seconds:.0f} s.")
        return found

    def why_not_ready(self) -> list[str]:
        """What speaks against its being ready, in sentences; nothing if it is."""
        found = self.why_not_alive()
        if self.is_ending:
            found.append("It is ending.")
        elif not self.is_ready:
            found.append(f"It waits for {self.waits_for}.")
        if (seconds := self._monotonic() - self._reached) > STORE_SECONDS_MOST:
            found.append(f"The store has not answered for {seconds:.0f} s.")
        return found

    def heartbeat(self) -> Heartbeat:
        """What is written into the store."""
        host, number, _ = self.name.split("/")
        moment = now()
        return Heartbeat(
            service=self.service,
            name=self.name,
            host=host,
            process=int(number),
            release=self.release,
            began=self.began,
            at=moment,
            progressed=moment - round((self._monotonic() - self._progressed) * 1_000_000),
            is_ready=self.is_ready,
            waits_for=self.waits_for,
            partitions=self.partitions,
            troubles=tuple(self.troubles),
        )

"""Signs of life: what each process of a service says of itself in the store, every few seconds.

Each process has a small key of its own, which runs out if it is not written again. An index names
all of them by the moment at which they run out, so a process that vanished without a word is
remembered for a day. All keys have one hash tag, so they lie together on a cluster too.
"""

from typing import Final

import msgspec
from msgspec import Struct

EVERY_SECONDS: Final = 2.0
"""How often a process writes its sign of life."""
EXPIRES_SECONDS: Final = 20.0
"""How long a sign of life holds: longer than any store or search lets a process wait."""
REMEMBERED_SECONDS: Final = 86_400
"""How long the index remembers a process that is gone."""
TROUBLES_MOST: Final = 5
"""Troubles of one process that are told, the last ones."""

INDEX: Final = "minutebook:{services}:index"
"""Sorted set of processes (`member`), by the moment (microseconds) at which they run out."""


def sign(name: str) -> str:
    """The key of a process's sign of life.

    >>> sign("host/12/ab")
    'minutebook:{services}:host/12/ab'
    """
    return f"minutebook:{{services}}:{name}"


def member(service: str, name: str) -> str:
    """How the index names a process.

    >>> member("clock", "host/12/ab")
    'clock host/12/ab'
    """
    return f"{service} {name}"


class Trouble(Struct, frozen=True, array_like=True):
    """Something that a process could not do: when, what it says in its log, and at which table."""

    at: int
    what: str
    table: str = ""


class Heartbeat(Struct, frozen=True, array_like=True, kw_only=True):
    """What a process says of itself.

    `name` is that under which an engine holds leases. `began` is when it started, `at` when this
    was written, `progressed` when its work last went on, all in microseconds since 1970, UTC. Until
    it is ready, `waits_for` says what is not there yet. `partitions` are those that it serves.
    """

    service: str
    name: str
    host: str
    process: int
    release: str
    began: int
    at: int
    progressed: int
    is_ready: bool
    waits_for: str = ""
    partitions: tuple[int, ...] = ()
    troubles: tuple[Trouble, ...] = ()


encode: Final = msgspec.msgpack.Encoder().encode
_heartbeat = msgspec.msgpack.Decoder(Heartbeat).decode


def decode(body: bytes) -> Heartbeat:
    """The sign of life that was encoded."""
    return _heartbeat(body)

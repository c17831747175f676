"""The store's client as it is called here, with the types that its answers have.

redis-py types every answer for text and bytes, for blocking and for waiting clients at once. Ours
waits, and answers in bytes.
"""

from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Any, Protocol, Self

LogEntry = tuple[bytes, dict[bytes, bytes]]
"""An entry of a stream: its id and its fields."""

Sent = str | bytes | int | float


class Pipeline(Protocol):
    """Requests that are sent together; with a transaction they are done together too."""

    async def __aenter__(self) -> Self:
        """Begin."""

    async def __aexit__(self, *error: object) -> None:
        """Forget what was not sent."""

    def execute_command(self, *parts: Sent) -> object:
        """Add a request."""

    async def execute(self, *, raise_on_error: bool = True) -> list[Any]:
        """Send all, and give their answers in order; errors among them if they are not raised."""


class Script(Protocol):
    """A script that the store runs as one act."""

    async def __call__(self, keys: Sequence[str], args: Sequence[Sent]) -> Any:  # noqa: ANN401
        """Run it."""


class Channels(Protocol):
    """Channels that are listened to."""

    async def subscribe(self, *channels: str) -> None:
        """Listen to these too."""

    def listen(self) -> AsyncIterator[Mapping[str, Any]]:
        """What is heard, for ever."""

    async def aclose(self) -> None:
        """Stop listening."""


class Client(Protocol):
    """A client of the store."""

    async def execute_command(self, *parts: Sent) -> Any:  # noqa: ANN401
        """Send one request and give its answer."""

    async def ping(self) -> bool:
        """Whether it answers."""

    async def hget(self, name: str, key: str) -> bytes | None:
        """One field of a hash."""

    async def hgetall(self, name: str) -> dict[bytes, bytes]:
        """All fields of a hash."""

    async def hset(self, name: str, key: str, value: Sent) -> int:
        """Set one field of a hash."""

    async def smembers(self, name: str) -> set[bytes]:
        """All members of a set."""

    async def xadd(self, name: str, fields: Mapping[str, Sent]) -> bytes:
        """Add an entry to a stream and give its id."""

    async def xlen(self, name: str) -> int:
        """How many entries a stream has."""

    async def xrange(
        self, name: str, min: str, max: str, count: int | None = None
    ) -> list[LogEntry]:
        """Entries of a stream from one id to another."""

    async def xrevrange(
        self, name: str, max: str, min: str, count: int | None = None
    ) -> list[LogEntry]:
        """Entries of a stream from one id back to another."""

    async def xread(
        self, streams: Mapping[str, str | bytes], count: int | None = None, block: int | None = None
    ) -> list[tuple[bytes, list[LogEntry]]]:
        """Entries of several streams after the ids named."""

    async def xreadgroup(
        self,
        groupname: str,
        consumername: str,
        streams: Mapping[str, str | bytes],
        count: int | None = None,
        block: int | None = None,
    ) -> list[tuple[bytes, list[tuple[bytes, dict[bytes, bytes] | None]]]]:
        """Entries of streams for a group; fields None of an entry that has been deleted since."""

    async def xack(self, name: str, groupname: str, *ids: bytes) -> int:
        """Take entries off a group's list of pending ones."""

    async def xgroup_create(
        self, name: str, groupname: str, id: str, *, mkstream: bool = False
    ) -> bool:
        """Create a group that reads a stream from an id on."""

    def pipeline(self, *, transaction: bool = True) -> Pipeline:
        """Requests that are sent together."""

    def register_script(self, script: str) -> Script:
        """Know a script, and load it into the store where it is missing."""

    def pubsub(self) -> Channels:
        """Channels to listen to."""

    async def aclose(self) -> None:
        """Close all connections."""

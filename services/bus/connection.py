"""Connect to the store, and make sure that it is one that this release can use.

The store is one server, or a cluster of them: `redis+cluster://host:6379` names any node of one.
"""

import contextlib
from collections.abc import AsyncIterator, Iterator
from typing import Final, cast

from redis.asyncio import Redis, RedisCluster
from redis.backoff import NoBackoff
from redis.exceptions import RedisClusterException, RedisError
from redis.retry import Retry

from contracts import streams
from contracts.addresses import without_secrets
from services.bus.errors import StoreError
from services.bus.typed import Client

# Longer than a server that waits for a slow disk takes, and than any blocking read of ours.
SECONDS_TO_ANSWER: Final = 20.0
STORE_ERRORS: Final = (RedisError, RedisClusterException)
"""What the store's client raises: an unreachable cluster is none of its other errors."""


# Both fields or none. Not a transaction: a cluster's client runs its own in other event loops.
_MARK: Final = """
redis.call('HSETNX', KEYS[1], ARGV[1], ARGV[2])
redis.call('HSETNX', KEYS[1], ARGV[3], ARGV[4])
"""

CLUSTER: Final = "+cluster"
"""In the scheme of an address: one of the nodes of a cluster."""


def connected(url: str) -> Client:
    """A client of the store at `url`. It repeats no request by itself, and answers in bytes."""
    address = node_address(url)
    try:
        if address != url:
            return cast("Client", _connected_to_cluster(address))
        client = Redis.from_url(
            url,
            decode_responses=False,
            retry=Retry(NoBackoff(), 0),
            socket_timeout=SECONDS_TO_ANSWER,
            socket_connect_timeout=SECONDS_TO_ANSWER,
        )
        return cast("Client", client)
    except ValueError as error:
        raise StoreError(
            f"{without_secrets(url)!r} is not the address of a store ({error}). It looks like redis://host:6379/0."
        ) from None


def _connected_to_cluster(address: str) -> RedisCluster:
    """A client of a cluster, which follows a partition that has moved to another node."""
    return RedisCluster.from_url(
        address,
        decode_responses=False,
        retry=Retry(NoBackoff(), 0),
        socket_timeout=SECONDS_TO_ANSWER,
        socket_connect_timeout=SECONDS_TO_ANSWER,
    )


def node_address(url: str) -> str:
    """The address of a node, if `url` names a cluster by it; else `url` itself.

    >>> node_address("redis+cluster://one:6379"), node_address("redis://one:6379/0")
    ('redis://one:6379', 'redis://one:6379/0')
    """
    scheme, separator, rest = url.partition("://")
    return f"{scheme.removesuffix(CLUSTER)}{separator}{rest}"


def is_cluster(client: Client) -> bool:
    """Whether the store is a cluster, whose partitions lie on several servers."""
    return isinstance(client, RedisCluster)


@contextlib.asynccontextmanager
async def connection(url: str) -> AsyncIterator[Client]:
    """Give a client of the store and close it at the end."""
    client = connected(url)
    try:
        yield client
    finally:
        await client.aclose()


@contextlib.contextmanager
def said_in_words(url: str = "") -> Iterator[None]:
    """Turn an error of the store's client into a `StoreError`."""
    try:
        yield
    except STORE_ERRORS as error:
        where = f" at {without_secrets(url)}" if url else ""
        raise StoreError(
            f"The store{where} does not answer ({error}). "
            "Is the server running, and is its address right?"
        ) from error


async def opened(client: Client, partitions: int | None = None) -> int:
    """Mark a new store as ours, check the marker of an old one; give its number of partitions.

    `partitions` is what a new store is to have; an old one with another number is refused.
    """
    new = str(partitions or streams.PARTITIONS)
    await client.register_script(_MARK)(
        [streams.STORE],
        [
            *(streams.STORE_FORMAT_FIELD, str(streams.STORE_FORMAT)),
            *(streams.STORE_PARTITIONS_FIELD, new),
        ],
    )
    marker = await client.hgetall(streams.STORE)
    written = marker[streams.STORE_FORMAT_FIELD.encode()].decode(errors="replace")
    if written != str(streams.STORE_FORMAT):
        raise StoreError(
            f"The store was written in format {written}; this release reads format "
            f"{streams.STORE_FORMAT}. Use the release that wrote it, or another store."
        )
    number = marker[streams.STORE_PARTITIONS_FIELD.encode()].decode(errors="replace")
    if not number.isdecimal() or not int(number):
        raise StoreError(f"The store says it has {number!r} partitions, which is no number.")
    if partitions not in {None, int(number)}:
        raise StoreError(
            f"The store has {number} partitions and cannot be given {partitions}: "
            "the number is fixed when a store is first opened."
        )
    return int(number)

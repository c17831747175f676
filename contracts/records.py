"""Records: one accepted command with the events it caused, chained by digests.

The digest of a record is BLAKE2b over the digest before it and the record's own encoding, so a
changed, missing or swapped record is found by whoever follows the chain.
"""

from hashlib import blake2b
from typing import Final

import msgspec
from msgspec import Struct

from contracts.commands import Order
from contracts.events import AnyEvent

DIGEST_BYTES: Final = 16
FIRST_DIGEST: Final = bytes(DIGEST_BYTES)
"""What stands before the first record."""

FORMAT: Final = 1
"""Number of the encoding of records; raised when an upcast becomes necessary."""


class Record(Struct, frozen=True, array_like=True):
    """One accepted command.

    `version` counts 1, 2, 3 without a gap. `at` is server time in microseconds since 1970, UTC, and
    never earlier than the record before; at an imported table it is the time that the order
    reports.
    `engine` is the release of the rules that decided, for auditors only.
    """

    version: int
    at: int
    engine: str
    order: Order
    events: tuple[AnyEvent, ...]


class Sealed(Struct, frozen=True):
    """A record with its encoding and the digest that chains it to the one before."""

    record: Record
    body: bytes
    digest: bytes


_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(Record).decode


def encode(record: Record) -> bytes:
    """The record as MessagePack arrays."""
    return _encode(record)


def decode(body: bytes) -> Record:
    """The record that was encoded; raises `msgspec.DecodeError` for anything else."""
    return _decode(body)


def digest(previous: bytes, body: bytes) -> bytes:
    """The digest that chains an encoded record to the digest before it."""
    return blake2b(previous + body, digest_size=DIGEST_BYTES).digest()


def seal(previous: bytes, record: Record) -> Sealed:
    """Encode a record and chain it to the digest before it."""
    body = encode(record)
    return Sealed(record, body, digest(previous, body))

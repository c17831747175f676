"""Tokens: what a person, or a program of his, shows to be let in.

A token is `mb_<id>_<secret>`. The id is no secret: it names the entry in the store, in lists and in
logs. Of the secret the store has a digest only.
"""

import re
from hashlib import blake2b
from typing import Final

import msgspec
from msgspec import Struct

from contracts.ids import TableId
from contracts.people import sender_of

TOKENS: Final = "minutebook:tokens"
"""Hash of all tokens that were ever given, by id, each a `Token`."""
TOKENS_USED: Final = "minutebook:tokens:used"
"""Hash of when each token was last used, by id, in microseconds, to the hour."""

ID_BYTES: Final = 6
SECRET_BYTES: Final = 32
"""Random bytes of a secret: 256 bits, so it cannot be guessed, however fast the digest is."""
DAYS: Final = 365
"""How long a token lasts if nobody says."""
DAYS_MOST: Final = 3650

_TOKEN: Final = re.compile(r"mb_([0-9a-f]{12})_([A-Za-z0-9_-]{43})")


class Token(Struct, frozen=True, array_like=True):
    """A token as the store has it: for whom it stands, where, and how long.

    `program` is None for the person himself. `tables` empty is all tables. Moments are microseconds
    since 1970, UTC; `revoked` is 0 for one that holds.
    """

    id: str
    person: str
    program: str | None
    tables: tuple[TableId, ...]
    given: int
    expires: int
    digest: bytes
    revoked: int = 0

    @property
    def sender(self) -> str:
        """The sender that it stands for."""
        return sender_of(self.person, self.program)


def written(id: str, secret: str) -> str:
    """A token as its owner keeps it."""
    return f"mb_{id}_{secret}"


def parts(text: str) -> tuple[str, str] | None:
    """The id and the secret of a token, None if this cannot be one.

    >>> parts("mb_0123456789ab_" + "x" * 43) == ("0123456789ab", "x" * 43)
    True
    >>> parts("mb_0123456789ab_short") is None
    True
    """
    found = _TOKEN.fullmatch(text)
    return None if found is None else (found[1], found[2])


def digest_of(id: str, secret: str) -> bytes:
    """What the store keeps of a secret.

    A fast digest is right here. Slow ones (scrypt) guard words that people choose, which can be
    tried one after another; 256 random bits cannot, and each order would have to wait for it. The
    id is the key of the digest, so one token's digest proves nothing under another's id.
    """
    return blake2b(secret.encode(), key=id.encode(), digest_size=32).digest()


_encode = msgspec.msgpack.Encoder().encode
_token = msgspec.msgpack.Decoder(Token).decode


def encode(token: Token) -> bytes:
    """A token as MessagePack."""
    return _encode(token)


def decode(body: bytes) -> Token:
    """The token that was encoded."""
    return _token(body)

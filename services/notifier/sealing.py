"""Secrets of channels are sealed at rest (Fernet: AES-128-CBC with HMAC-SHA256) and never printed.

The key is the setting `MINUTEBOOK_NOTICES_KEY`, or lies in a file that only its owner may read and
that is made when it is first needed. Without it the sealed channels are lost, and nothing else.
"""

import contextlib
import os
import tempfile
from collections.abc import Mapping
from pathlib import Path

import msgspec
from cryptography.fernet import Fernet, InvalidToken
from msgspec import Struct

from services.notifier.settings import KEY_FILE_SETTING, KEY_SETTING


class SealError(Exception):
    """A key or a seal that cannot be used."""


class Target(Struct, frozen=True):
    """Where a channel leads to: an address with its secrets, and the key that signs a webhook."""

    url: str
    key: str = ""

    def __repr__(self) -> str:
        """Nothing secret, so that no log and no trace can tell."""
        return f"Target({self.scheme}://…)"

    @property
    def scheme(self) -> str:
        """The kind of service."""
        return self.url.partition("://")[0].lower()


class Seals:
    """Seals targets and opens them."""

    def __init__(self, key: str | bytes) -> None:
        try:
            self._fernet = Fernet(key)
        except ValueError:
            raise SealError(
                "The key for the secrets of channels is none: it is 32 bytes in URL-safe base64. "
                f"Is {KEY_SETTING} or the file that {KEY_FILE_SETTING} names what it was?"
            ) from None

    def seal(self, target: Target) -> bytes:
        """A target that nobody can read without the key."""
        return self._fernet.encrypt(msgspec.msgpack.encode(target))

    def opened(self, sealed: bytes) -> Target:
        """The target that was sealed."""
        try:
            return msgspec.msgpack.decode(self._fernet.decrypt(sealed), type=Target)
        except (InvalidToken, msgspec.DecodeError):
            raise SealError("It was sealed with another key.") from None


def seals(environment: Mapping[str, str], file: Path | None = None) -> Seals:
    """The seals that settings name, or else a key in a file, which is made if it is missing."""
    if given := environment.get(KEY_SETTING):
        return Seals(given)
    if named := environment.get(KEY_FILE_SETTING):
        file = Path(named)
    if file is None:
        raise SealError(f"Set {KEY_SETTING} or {KEY_FILE_SETTING}: channels have secrets to keep.")
    return Seals(_key_in(file))


def _key_in(file: Path) -> bytes:
    with contextlib.suppress(FileNotFoundError):
        if file.stat().st_mode & 0o077:
            raise SealError(f"Others may read {file}. Make it yours alone (chmod 600).")
        return file.read_bytes().strip()
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    handle, made = tempfile.mkstemp(dir=file.parent)
    try:
        with os.fdopen(handle, "wb") as output:
            output.write(Fernet.generate_key())
            output.flush()
            os.fsync(output.fileno())
        # Whoever is first has made the key; a file that is there is never written over.
        with contextlib.suppress(FileExistsError):
            os.link(made, file)
    finally:
        Path(made).unlink()
    return file.read_bytes().strip()

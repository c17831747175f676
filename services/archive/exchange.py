"""One act of the store: if all is still as it was read, do this; otherwise nothing at all."""

import struct
from collections.abc import Iterable, Sequence
from importlib import resources
from typing import Final

from services.bus.typed import Client, Sent

WORDS_MOST: Final = 1000
"""Words of one request at most: the script's stack is no longer than a few thousand."""
_length = struct.Struct(">I").pack


class Act:
    """What has to be so, and what is to be done then; all keys lie in one partition."""

    def __init__(self) -> None:
        self.checks: list[tuple[bytes, tuple[Sent, ...]]] = []
        self.requests: list[tuple[Sent, ...]] = []

    def expect(self, found: Sent | None, *words: Sent) -> None:
        """A request finds this; None is nothing. Its second word is a key."""
        self.checks.append((_bytes("" if found is None else found), words))

    def then(self, *words: Sent) -> None:
        """A request is done. Its second word is a key."""
        self.requests.append(words)

    def then_many(self, command: str, key: str, parts: Sequence[Sent], at_once: int = 2) -> None:
        """A request with any number of words; `at_once` of them belong together."""
        step = WORDS_MOST - WORDS_MOST % at_once
        for first in range(0, len(parts), step):
            self.then(command, key, *parts[first : first + step])

    @property
    def keys(self) -> list[str]:
        """Every key that is named."""
        named = (str(words[1]) for words in (*(one for _, one in self.checks), *self.requests))
        return list(dict.fromkeys(named))


class Exchange:
    """Does acts in a store."""

    def __init__(self, client: Client) -> None:
        text = (resources.files("services.archive") / "exchange.lua").read_text()
        self._script = client.register_script(text)

    async def done(self, act: Act) -> bool:
        """Do an act; false, and nothing is done, if something is not as it was read."""
        return int(await self._script(act.keys, [_written(act)])) == 0


def _written(act: Act) -> bytes:
    parts: list[Sent] = [len(act.checks)]
    for wanted, words in act.checks:
        parts += (wanted, len(words), *words)
    parts.append(len(act.requests))
    for words in act.requests:
        parts += (len(words), *words)
    return b"".join(_texts(parts))


def _texts(parts: Iterable[Sent]) -> Iterable[bytes]:
    for part in parts:
        text = _bytes(part)
        yield _length(len(text))
        yield text


def _bytes(part: Sent) -> bytes:
    return part if isinstance(part, bytes) else str(part).encode()

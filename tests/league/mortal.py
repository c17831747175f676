"""A client of the store that dies with its process: at any request, before or after the store acts.

Whoever is dead asks for nothing any more, whatever tasks of his are left.
"""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, Final, Self

from services.bus.typed import Client

_AT_ONCE: Final = ("pubsub",)


class KilledError(BaseException):
    """The process is gone; nothing of ours catches it."""


class Mortal:
    """A process's client: `left` is how many moments it has still to live, None if many."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self.left: int | None = None
        self.is_dead = False
        self.under_way = 0

    def moment(self) -> None:
        """A moment at which the process may die."""
        if self.left is not None:
            self.left -= 1
            self.is_dead = self.is_dead or self.left < 0
        if self.is_dead:
            raise KilledError

    async def through(self, request: Callable[[], Awaitable[Any]]) -> Any:
        """A request and its answer."""
        self.moment()
        self.under_way += 1
        try:
            answer = await request()
        finally:
            self.under_way -= 1
        self.moment()
        return answer

    async def silence(self) -> None:
        """Wait until what was sent before the death has been done."""
        while self.under_way:  # noqa: ASYNC110 - it is a matter of one request
            await asyncio.sleep(0)

    def __getattr__(self, name: str) -> Any:
        found = getattr(self.client, name)
        if name in _AT_ONCE:
            return found

        async def asked(*parts: Any, **named: Any) -> Any:
            return await self.through(lambda: found(*parts, **named))

        return asked

    def register_script(self, script: str) -> "MortalScript":
        return MortalScript(self, self.client.register_script(script))

    def pipeline(self, **how: Any) -> "MortalPipeline":
        return MortalPipeline(self, self.client.pipeline(**how))


class MortalScript:
    """A script of a mortal client."""

    def __init__(self, mortal: Mortal, script: Any) -> None:
        self.mortal = mortal
        self.script = script

    async def __call__(self, keys: Any, args: Any) -> Any:
        return await self.mortal.through(lambda: self.script(keys, args))


class MortalPipeline:
    """Requests of a mortal client that are sent together."""

    def __init__(self, mortal: Mortal, pipeline: Any) -> None:
        self.mortal = mortal
        self.pipeline = pipeline

    async def __aenter__(self) -> Self:
        await self.pipeline.__aenter__()
        return self

    async def __aexit__(self, *error: object) -> None:
        await self.pipeline.__aexit__(*error)

    def execute_command(self, *parts: Any) -> Any:
        return self.pipeline.execute_command(*parts)

    async def execute(self, **how: Any) -> Any:
        return await self.mortal.through(lambda: self.pipeline.execute(**how))

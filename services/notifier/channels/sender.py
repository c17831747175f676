"""Send a message through the channel that its target names."""

import asyncio
from collections.abc import Mapping
from hashlib import blake2b
from typing import Final, Protocol

from services.notifier.channels import apprised, webhook
from services.notifier.channels.addresses import Allowed, Resolve, resolved
from services.notifier.patience import Failed, Reply
from services.notifier.sealing import Target
from services.notifier.wording import Message

SECONDS_MOST: Final = 45.0
"""How long a message may take, whatever the service does."""


class Sender(Protocol):
    """Sends messages."""

    async def send(self, target: Target, message: Message, now: int) -> Reply:
        """Send a message and give what came of it."""


class Channels:
    """The channels that there are: our own webhook, and Apprise's."""

    def __init__(
        self,
        allowed: Allowed,
        routes: Mapping[str, str] | None = None,
        resolve: Resolve = resolved,
    ) -> None:
        self._allowed = allowed
        self._resolve = resolve
        self._apprised = apprised.Apprised(allowed, routes, resolve)

    async def send(self, target: Target, message: Message, now: int) -> Reply:
        """Send a message and give what came of it."""
        try:
            async with asyncio.timeout(SECONDS_MOST):
                if target.scheme in webhook.SCHEMES:
                    return await asyncio.to_thread(
                        webhook.sent, target, message, now, self._allowed, self._resolve
                    )
                return await asyncio.to_thread(self._apprised.sent, target, message)
        except TimeoutError:
            return Failed(f"No end within {SECONDS_MOST:g} seconds.")


def service_of(target: Target) -> str:
    """A name for what a pause of a service holds for; the secret cannot be told from it."""
    return f"{target.scheme}:{blake2b(target.url.encode(), digest_size=8).hexdigest()}"


def complaint(url: str) -> str:
    """What is wrong with the address of a channel, in words; empty if nothing is."""
    scheme = url.partition("://")[0].lower()
    if scheme in webhook.SCHEMES:
        return "" if url.partition("://")[2] else "A webhook's address is https://host/path."
    return apprised.complaint(url)

"""Send a message through the channel that its target names."""

import asyncio
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Final

from services.notifier.channels import apprised, webhook
from services.notifier.channels.addresses import Allowed, Resolve, resolved
from services.notifier.patience import Failed, Reply
from services.notifier.sealing import Target
from services.notifier.wording import Message

SECONDS_MOST: Final = 45.0
"""How long a message may take, whatever the service does."""
MESSAGES_AT_ONCE: Final = 64


class Channels:
    """The channels that there are: our own webhook, and Apprise's."""

    def __init__(
        self,
        allowed: Allowed,
        routes: Mapping[str, str] | None = None,
        resolve: Resolve = resolved,
        messages_at_once: int = MESSAGES_AT_ONCE,
    ) -> None:
        self._allowed = allowed
        self._resolve = resolve
        self._apprised = apprised.Apprised(allowed, routes, resolve)
        # Sending blocks, and a service that takes its time must not keep others from theirs.
        self._threads = ThreadPoolExecutor(messages_at_once, "sending")

    async def send(self, target: Target, message: Message, now: int) -> Reply:
        """Send a message and give what came of it."""
        loop = asyncio.get_running_loop()
        try:
            async with asyncio.timeout(SECONDS_MOST):
                return await loop.run_in_executor(self._threads, self._sent, target, message, now)
        except TimeoutError:
            return Failed(f"No end within {SECONDS_MOST:g} seconds.")

    def _sent(self, target: Target, message: Message, now: int) -> Reply:
        if target.scheme in webhook.SCHEMES:
            return webhook.sent(target, message, now, self._allowed, self._resolve)
        return self._apprised.sent(target, message, now)

    def close(self) -> None:
        """Wait for no message that is under way."""
        self._threads.shutdown(wait=False, cancel_futures=True)


def complaint(url: str) -> str:
    """What is wrong with the address of a channel, in words; empty if nothing is."""
    scheme = url.partition("://")[0].lower()
    if scheme in webhook.SCHEMES:
        return webhook.complaint(url)
    return apprised.complaint(url)


def doubt(url: str, allowed: Allowed) -> str:
    """Why the notifier will refuse an address unless it allows more than this; '' if it will not.

    Only of webhooks this can be said before something is sent.
    """
    is_webhook = url.partition("://")[0].lower() in webhook.SCHEMES
    return webhook.doubt(url, allowed) if is_webhook else ""

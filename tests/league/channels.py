"""Channels that record what arrives, and now and then refuse it as real services do."""

from collections import defaultdict
from dataclasses import dataclass, field
from random import Random
from typing import Final

from msgspec import Struct

from contracts.notices import Notice
from services.notifier.patience import Delivered, Failed, Impossible, Limited, Reply
from services.notifier.sealing import Target
from services.notifier.wording import Message
from tests.league.plan import DAY, MINUTE, SECOND, Plan

AT_ONCE: Final = 5
"""Messages that a service takes within `WINDOW`."""
WINDOW: Final = 10 * SECOND


class Receipt(Struct, frozen=True):
    """Something that arrived, and when."""

    at: int
    url: str
    id: str
    notice: Notice
    subject: str
    text: str


@dataclass
class Service:
    """One channel's service: when it is down, whether it is gone, what it took lately."""

    outages: tuple[tuple[int, int], ...]
    gone_from: int | None
    lots: Random
    taken: list[int] = field(default_factory=list)


class Services:
    """All services that messages are sent to."""

    def __init__(self, plan: Plan, *, is_troubled: bool = True) -> None:
        self.plan = plan
        self.is_troubled = is_troubled
        self.receipts: list[Receipt] = []
        self.disturbed: defaultdict[str, list[int]] = defaultdict(list)
        """When a service refused something, or asked for a pause."""
        self._services: dict[str, Service] = {}

    def gone_from(self, url: str) -> int | None:
        """From when on nothing can arrive any more."""
        return self._service(url).gone_from

    def _service(self, url: str) -> Service:
        if url not in self._services:
            lots = self.plan.lots(f"service {url}")
            outages = []
            for _ in range(self.plan.days // 5 if self.is_troubled else 0):
                first = self.plan.end - lots.randrange(self.plan.days * DAY)
                outages.append((first, first + lots.randint(1, 40) * MINUTE))
            gone = None
            if self.is_troubled and lots.random() < 0.03:
                gone = self.plan.end - lots.randrange(self.plan.days * DAY)
            self._services[url] = Service(tuple(outages), gone, lots)
        return self._services[url]

    async def send(self, target: Target, message: Message, now: int) -> Reply:
        """Take a message, or say why not."""
        service = self._service(target.url)
        reply, has_arrived = self._reply(service, now)
        if has_arrived:
            service.taken.append(now)
            self.receipts.append(
                Receipt(now, target.url, message.id, message.notice, message.subject, message.text)
            )
        if not isinstance(reply, Delivered) or reply.pause_seconds:
            self.disturbed[target.url].append(now)
        return reply

    def _reply(self, service: Service, now: int) -> tuple[Reply, bool]:
        if service.gone_from is not None and now >= service.gone_from:
            return Impossible("The service says: there is no such channel (404)."), False
        if any(first <= now < last for first, last in service.outages):
            return Failed("The service answered 502."), False
        service.taken = [moment for moment in service.taken if moment > now - WINDOW]
        if len(service.taken) >= AT_ONCE:
            return Limited(service.lots.choice((2.0, 7.25, 30.0, 120.0))), False
        if not self.is_troubled:
            return Delivered(), True
        fate = service.lots.random()
        if fate < 0.02:
            return Failed("The connection was reset."), False
        if fate < 0.03:
            # It took the message, and the answer was lost.
            return Failed("No answer came."), True
        if fate < 0.04:
            return Limited(service.lots.choice((5.0, 60.0, 600.0))), False
        if fate < 0.08:
            return Delivered(2.5), True
        return Delivered(), True

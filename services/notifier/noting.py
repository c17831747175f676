"""What the notifier says of notices and letters: lines of the log, and the figures of Prometheus.

No line and no figure says where a letter goes; channels are told apart by their kind of service.
"""

from collections import OrderedDict
from collections.abc import Collection, Sequence
from typing import Final

import structlog
from prometheus_client import Counter, Gauge, Histogram

from contracts import notices as n
from contracts.notices import Letter, Notice
from services.bus.typed import Client
from services.notifier.patience import Delivered, Failed, Impossible, Limited, Reply
from services.notifier.ports import Sender
from services.notifier.sealing import Target
from services.notifier.telling import Withdrawn
from services.notifier.watching import Logging
from services.notifier.wording import Message
from services.running.metrics import LONG_SECONDS, REGISTRY

NOTICES: Final = Counter(
    "minutebook_notices_total",
    "Notices by their kind; `state` is made, or how one was taken back: withdrawn or corrected.",
    ["kind", "state"],
    registry=REGISTRY,
)
LETTERS: Final = Counter(
    "minutebook_letters_total",
    "What became of letters: sent, failed (to be tried again), held, given up or withdrawn.",
    ["kind", "state"],
    registry=REGISTRY,
)
DELIVERIES: Final = Counter(
    "minutebook_deliveries_total",
    "Attempts to deliver, by the kind of the channel and what the service answered.",
    ["channel", "result"],
    registry=REGISTRY,
)
DELIVERY: Final = Histogram(
    "minutebook_delivery_seconds",
    "Time until a service answered.",
    buckets=LONG_SECONDS,
    registry=REGISTRY,
)
PAUSES: Final = Counter(
    "minutebook_service_pauses_total",
    "Times that a service wanted to be left alone (429), by the kind of the channel.",
    ["channel"],
    registry=REGISTRY,
)
DEAD: Final = Gauge(
    "minutebook_letters_dead", "Letters that were given up and are kept.", registry=REGISTRY
)
LANES: Final = Gauge(
    "minutebook_letter_lanes", "Lanes in which letters wait, now or for later.", registry=REGISTRY
)
LOOKS: Final = Gauge(
    "minutebook_looks_waiting", "Tables that are to be looked at, now or soon.", registry=REGISTRY
)
KINDS_AT_HAND: Final = 1000
"""Letters under way of which it is known by what kind of channel they go."""


class Noting(Logging):
    """Is told what the notifier does, and says it in the log and in figures."""

    def __init__(self) -> None:
        super().__init__()
        self._channels: OrderedDict[str, str] = OrderedDict()

    def goes_by(self, letter: str, channel: str) -> None:
        """Remember by what kind of channel a letter goes, for the line that tells of it."""
        self._channels[letter] = channel
        if len(self._channels) > KINDS_AT_HAND:
            self._channels.popitem(last=False)

    def noticed(self, notices: Sequence[Notice], withdrawn: Sequence[Withdrawn]) -> None:
        """A look at a table was written down."""
        for notice in notices:
            NOTICES.labels(notice.kind, "made").inc()
        for one in withdrawn:
            correction = one.correction
            state = "withdrawn" if correction is None else "corrected"
            NOTICES.labels("" if correction is None else correction.kind, state).inc()
        super().noticed(notices, withdrawn)

    def dealt_with(self, what: str, letter: Letter, why: str = "", again: int = 0) -> None:
        """A letter was sent, failed, held, given up or withdrawn."""
        LETTERS.labels(letter.notice.kind, what).inc()
        channel = self._channels.pop(letter.id, "")
        with structlog.contextvars.bound_contextvars(
            channel_kind=channel, table=letter.notice.table, notice_kind=letter.notice.kind
        ):
            super().dealt_with(what, letter, why, again)


class CountedSender:
    """Sends messages, and counts what came of it."""

    def __init__(self, sender: Sender, noting: Noting) -> None:
        self._sender = sender
        self._noting = noting

    async def send(self, target: Target, message: Message, now: int) -> Reply:
        """Send a message and give what came of it."""
        channel = target.scheme
        self._noting.goes_by(message.id, channel)
        with DELIVERY.time():
            reply = await self._sender.send(target, message, now)
        DELIVERIES.labels(channel, result_of(reply)).inc()
        if isinstance(reply, Limited):
            PAUSES.labels(channel).inc()
        return reply


def result_of(reply: Reply) -> str:
    """What an attempt came to, in a word.

    >>> result_of(Delivered()), result_of(Limited(2.0)), result_of(Failed("no answer"))
    ('sent', 'limited', 'failed')
    """
    match reply:
        case Delivered():
            return "sent"
        case Limited():
            return "limited"
        case Failed():
            return "failed"
        case Impossible():
            return "impossible"


class Figures:
    """Asks the store what waits in the outbox, and shows it."""

    def __init__(self, client: Client, partitions: Collection[int]) -> None:
        self._client = client
        self._partitions = tuple(partitions)

    async def __call__(self) -> None:
        """Show what waits now."""
        for figure, name in ((DEAD, "dead"), (LANES, "lanes"), (LOOKS, "looks")):
            async with self._client.pipeline(transaction=False) as together:
                for partition in self._partitions:
                    together.execute_command("ZCARD", f"{n.prefix(partition)}{name}")
                figure.set(sum(await together.execute()))

"""The engine as a process: commands come in through FastStream, batch by batch, and are handled.

The store may fail at any moment, and then the process ends with an error: what it had in hand is
still pending, and the next start finishes it first. Nothing here mends what a restart mends.
"""

import asyncio
import contextlib
import functools
import time
from collections.abc import AsyncIterator, Sequence
from typing import TYPE_CHECKING, Any, Final

import structlog

from contracts import streams
from contracts.streams import ENGINE_CONSUMER, ENGINE_GROUP
from services.bus.connection import STORE_ERRORS, connection, node_address, opened, said_in_words
from services.bus.errors import StoreError
from services.engine.drain import Stranded, drain
from services.engine.handling import Decide, Handling, by_the_rules
from services.engine.lease import all_renewed, all_taken
from services.engine.noting import LEASES, Figures, told
from services.engine.ports import Entry, Held, Lease, LeaseLostError
from services.engine.settings import Settings, chosen
from services.engine.store import Store
from services.running.beating import beating
from services.running.process import signals
from services.running.standing import Standing

if TYPE_CHECKING:
    from faststream import FastStream
    from faststream.message import StreamMessage
    from faststream.redis import RedisBroker

# Below the client's own time limit for an answer, or each idle read would count as a failure.
POLLING_MILLISECONDS: Final = 1000
RENEWALS_PER_LEASE: Final = 4
RENEWAL_SECONDS_MOST: Final = 1.0

_log = structlog.get_logger("engine")


class ServerClock:
    """The clock of this machine."""

    def now(self) -> int:
        """Microseconds since 1970, UTC."""
        return time.time_ns() // 1000


class Worker:
    """Handles the batches of the partitions that it holds; after a failure it takes no more."""

    def __init__(self, handling: Handling, leases: dict[int, Lease], standing: Standing) -> None:
        self.handling = handling
        self.leases = leases
        self.standing = standing
        self.ended = asyncio.Event()
        self.failure: Exception | None = None
        self._in_turn = {partition: asyncio.Lock() for partition in leases}

    async def handle(self, partition: int, entries: Sequence[Entry]) -> None:
        """Handle a batch; if that fails, so does the process."""
        if self.failure is not None:
            return
        try:
            async with self._in_turn[partition]:
                told(partition, await self.handling.handle(self.leases[partition], entries))
                self.standing.progressed()
        except Exception as error:  # noqa: BLE001 - FastStream would log it and read on
            self.fail(error)

    def fail(self, error: Exception) -> None:
        """End the process with an error."""
        self.failure = self.failure or error
        self.ended.set()


def application(worker: Worker, url: str, batch: int) -> "FastStream":
    """The FastStream application: one batch subscriber for each partition that the worker holds."""
    from faststream import FastStream
    from faststream.redis import RedisBroker, RedisClusterBroker

    address = node_address(url)
    kind = RedisBroker if address == url else RedisClusterBroker
    # Its log has two lines for every batch, and what it calls an error ends this process anyhow.
    broker = kind(address, apply_types=False, logger=None)  # type: ignore[arg-type]
    for partition in worker.leases:
        subscribe(broker, worker, partition, batch)
    return FastStream(broker, logger=None)


def subscribe(broker: "RedisBroker", worker: Worker, partition: int, batch: int) -> None:
    """Have the worker handle a partition's commands."""
    from faststream import AckPolicy
    from faststream.redis import StreamSub

    source = StreamSub(
        streams.commands(partition),
        group=ENGINE_GROUP,
        consumer=ENGINE_CONSUMER,
        batch=True,
        max_records=batch,
        polling_interval=POLLING_MILLISECONDS,
    )

    # Commands are acknowledged by the script that writes what they lead to.
    @broker.subscriber(
        stream=source,
        parser=parsed,
        decoder=decoded,
        ack_policy=AckPolicy.MANUAL,
        no_reply=True,
        title=streams.commands(partition),
        description="Orders that wait to be decided.",
    )
    async def decide(entries) -> None:  # type: ignore[no-untyped-def]  # noqa: ANN001 - see below
        # FastStream makes a document of the annotation, and fails at types of ours.
        await worker.handle(partition, entries)


async def parsed(message: Any) -> "StreamMessage[Any]":  # noqa: ANN401 - FastStream's own
    """A batch of raw entries: nothing in them is FastStream's."""
    from faststream.message import StreamMessage

    entries = [
        Entry(id.decode(), fields)
        for id, fields in zip(message["message_ids"], message["data"], strict=True)
        if fields is not None
    ]
    return StreamMessage(raw_message=message, body=entries)


async def decoded(message: "StreamMessage[Any]") -> Any:  # noqa: ANN401 - FastStream's own
    """The entries as they were parsed."""
    return message.body


async def serve(settings: Settings, standing: Standing, *, decide: Decide = by_the_rules) -> None:
    """Run until a signal ends it; raises what went wrong."""
    with said_in_words(settings.redis):
        async with connection(settings.redis) as client:
            store = Store(
                client,
                await opened(client),
                lease_milliseconds=round(settings.lease_seconds * 1000),
            )
            handling = Handling(
                store,
                ServerClock(),
                partitions=store.partitions,
                release=standing.release,
                decide=decide,
                tables_at_hand=settings.tables_at_hand,
            )
            figures = Figures(client, chosen(settings.partitions, store.partitions), standing)
            async with (
                beating(client, standing, figures),
                held(store, settings, standing) as leases,
            ):
                await work(store, Worker(handling, leases, standing), settings)


@contextlib.asynccontextmanager
async def held(
    store: Store, settings: Settings, standing: Standing
) -> AsyncIterator[dict[int, Lease]]:
    """Hold the leases of the partitions that the settings name; give them back at the end."""

    def waiting(partition: int, by: Held) -> None:
        standing.waits(f"the lease of partition {partition}, which {by.holder} holds")
        _log.info("waiting for a lease", partition=partition, holder=by.holder)

    partitions = chosen(settings.partitions, store.partitions)
    for partition in partitions:
        await store.create_group(partition)
    leases = await all_taken(store, partitions, standing.name, sleep=asyncio.sleep, waiting=waiting)
    LEASES.set(len(leases))
    try:
        yield leases
    finally:
        LEASES.set(0)
        with contextlib.suppress(*STORE_ERRORS):
            for lease in leases.values():
                await store.release(lease)


async def work(store: Store, worker: Worker, settings: Settings) -> None:
    """Finish what is pending, then handle what comes, until a signal or a failure."""
    worker.standing.waits("the end of what an engine before it has left")
    finished = 0
    for partition, lease in worker.leases.items():
        said = functools.partial(told, partition)
        finished += await drain(store, worker.handling, (lease,), most=settings.batch, told=said)
    app = application(worker, settings.redis, settings.batch)
    with signals(worker.ended):
        await app.start()
        worker.standing.ready(tuple(worker.leases))
        _log.info("ready", partitions=len(worker.leases), finished=finished)
        watching = asyncio.create_task(watch(store, worker, app, settings))
        try:
            await worker.ended.wait()
        finally:
            watching.cancel()
            await app.stop()
    if worker.failure is not None:
        raise worker.failure
    _log.info("stopped")


async def watch(store: Store, worker: Worker, app: "FastStream", settings: Settings) -> None:
    """Renew the leases, finish what is stranded, and see that every subscriber still reads."""
    stranded = Stranded(store)
    pause_seconds = min(RENEWAL_SECONDS_MOST, settings.lease_seconds / RENEWALS_PER_LEASE)
    while True:
        await asyncio.sleep(pause_seconds)
        try:
            await all_renewed(store, worker.leases.values())
            worker.standing.reached()
            for partition in worker.leases:
                if entries := await stranded.look(partition, settings.batch):
                    await worker.handle(partition, entries)
        except (*STORE_ERRORS, LeaseLostError) as error:
            worker.fail(error)
            return
        for broker in app.brokers:
            if not all(subscriber.running for subscriber in broker.subscribers):
                worker.fail(StoreError("The store has lost its consumer groups: was it emptied?"))
                return

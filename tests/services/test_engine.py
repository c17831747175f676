"""The engine as a process on a real store: killed, restarted, doubled, cut off."""

import asyncio
import contextlib

import pytest
import redis

from contracts import streams
from contracts.commands import Order
from contracts.ids import CommandId, TableId
from contracts.records import FIRST_DIGEST
from contracts.rejections import Code
from contracts.streams import Recorded, Refused
from services.bus.client import Bus, bus
from services.bus.errors import NoAnswerError, StoreError
from services.embedded.server import Server
from services.engine.ports import Lease, LeaseLostError, Write
from services.engine.settings import chosen, settings
from services.engine.store import Store
from services.running.settings import SettingsError
from tests.ports.purse import bid, opening
from tests.services.processes import purse_engine, running

TABLE = TableId("friday")
ORDERS = [
    opening(TABLE, imported=True, reported=1_000),
    *(bid(TABLE, f"b{n}", n % 7, None if n % 5 else n, 2_000 + n) for n in range(1, 60)),
]
pytestmark = pytest.mark.anyio


async def post(one: Bus, order: Order) -> None:
    """Send an order and do not wait for its answer."""
    key = streams.commands(one.partition_of(order.table))
    await one.client.xadd(key, {streams.COMMAND_ORDER: streams.encode(order)})


async def version(one: Bus) -> int:
    head = await one.head(TABLE)
    return 0 if head is None else head.version


async def seal(one: Bus) -> tuple[int, bytes]:
    """Version and digest of the last record, all records having been checked."""
    records = await one.records(TABLE)
    head = await one.head(TABLE)
    assert head is not None
    assert (head.version, head.digest) == (len(records), records[-1].digest)
    return head.version, head.digest


async def answered(one: Bus, orders: list[Order]) -> None:
    """Wait until the last of these orders has been decided."""
    await one.send(orders[-1])


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory):
    """The seal of the orders played by an engine that nobody disturbs."""

    async def played(url: str) -> tuple[int, bytes]:
        async with bus(url) as one:
            for order in ORDERS:
                await post(one, order)
            await answered(one, ORDERS)
            return await seal(one)

    with Server(tmp_path_factory.mktemp("undisturbed")) as server, purse_engine(server.url):
        return asyncio.run(played(server.url))


async def test_orders_sent_twice_through_the_bus_get_their_first_answers(redis_url):
    with purse_engine(redis_url) as engine:
        async with bus(redis_url) as one:
            assert await one.send(opening(TABLE)) == Recorded(1)
            first = await asyncio.gather(one.send(bid(TABLE, "b", 5)), one.send(bid(TABLE, "c", 0)))
            again = await asyncio.gather(one.send(bid(TABLE, "b", 5)), one.send(bid(TABLE, "c", 0)))
            assert first == again
            assert first[0] == Recorded(2)
            assert await version(one) == 2
        engine.wait_for('"repeated": true', 2)
        assert engine.stop() == 0
        assert engine.count('"event": "decision recorded"') == 3


@pytest.mark.parametrize("kills", [1, 3])
async def test_an_engine_killed_with_commands_in_hand_leaves_the_same_digests(
    redis_url, undisturbed, kills
):
    async with bus(redis_url) as one:
        for order in ORDERS:
            await post(one, order)
        commands = streams.commands(one.partition_of(TABLE))
        for _ in range(kills):
            with purse_engine(redis_url, "--batch", "8", PURSE_SECONDS="0.004") as engine:
                engine.wait_for('"event": "decision recorded"', 3)
                while not await in_hand(one):
                    assert await one.client.xlen(commands) > 0
                engine.kill()
                assert await in_hand(one) > 0
        with purse_engine(redis_url) as engine:
            await answered(one, ORDERS)
            engine.wait_for('"event": "ready"')
            assert await seal(one) == undisturbed
            assert await one.client.xlen(commands) == 0


async def in_hand(one: Bus) -> int:
    """How many commands were given out and are not done."""
    key = streams.commands(one.partition_of(TABLE))
    found = await one.client.execute_command("XPENDING", key, streams.ENGINE_GROUP)
    return found["pending"]


async def test_a_killed_engine_is_followed_at_once_though_its_lease_runs_on(redis_url):
    with purse_engine(redis_url, "--lease-seconds", "600") as engine:
        engine.wait_for('"event": "ready"')
        engine.kill()
    with purse_engine(redis_url, "--lease-seconds", "600") as engine:
        engine.wait_for('"event": "ready"')


async def test_a_second_engine_waits_and_takes_over_when_the_first_stops(redis_url):
    with purse_engine(redis_url) as first:
        first.wait_for('"event": "ready"')
        with purse_engine(redis_url) as second:
            second.wait_for("waiting for a lease")
            assert first.stop() == 0
            second.wait_for('"event": "ready"')
            async with bus(redis_url) as one:
                assert await one.send(opening(TABLE)) == Recorded(1)


async def test_an_engine_that_was_overtaken_writes_nothing_more_and_ends(redis_url):
    with purse_engine(redis_url, "--lease-seconds", "8") as engine:
        engine.wait_for('"event": "ready"')
        async with bus(redis_url) as one:
            await one.send(opening(TABLE))
            store = Store(one.client, one.partitions)
            mine = await store.take(one.partition_of(TABLE), "another", dead=await holder(one))
            assert isinstance(mine, Lease)
            await post(one, bid(TABLE, "b1", 5))
            assert engine.exit_code() == 1
            assert "has taken over partition" in engine.lines[-1]
            assert "Traceback" not in engine.log
            assert await version(one) == 1
            # And the other way about: one who wakes up with an older epoch is refused.
            late = Lease(mine.partition, mine.epoch - 1)
            write = Write(TABLE, CommandId("x"), "", "", Recorded(2), 1, FIRST_DIGEST)
            with pytest.raises(LeaseLostError):
                await store.commit(late, [write])


async def holder(one: Bus) -> str:
    key = streams.lease(one.partition_of(TABLE))
    return (await one.client.hget(key, "holder") or b"").decode()


async def test_an_unreadable_command_is_kept_and_the_stream_goes_on(redis_url):
    async with bus(redis_url) as one:
        partition = one.partition_of(TABLE)
        await one.client.xadd(streams.commands(partition), {"o": b"\xc1", "a": b"\xff\xfe"})
        await one.client.xadd(streams.commands(partition), {"data": "x", "headers": "y"})
        with purse_engine(redis_url) as engine:
            assert await one.send(opening(TABLE)) == Recorded(1)
            letters = await one.client.xrange(streams.dead(partition), "-", "+")
            assert len(letters) == 2
            assert letters[0][1][b"entry"]
            assert engine.stop() == 0


async def test_an_order_for_a_table_that_nobody_opened_is_refused(redis_url):
    with purse_engine(redis_url):
        async with bus(redis_url) as one:
            outcome = await one.send(bid("nowhere", "b1", 1))
    assert isinstance(outcome, Refused)
    assert outcome.rejection.code is Code.UNKNOWN_TABLE


@pytest.mark.parametrize("module", ["services.engine", "services.engine.projector"])
async def test_a_store_of_another_format_is_refused_in_words(redis_url, redis_client, module):
    redis_client.hset(streams.STORE, mapping={"format": 99, "partitions": 16})
    with running(module, redis_url) as process:
        assert process.exit_code() == 1
        assert "format 99; this release reads format 1" in process.log
        assert "Traceback" not in process.log
    with pytest.raises(StoreError, match="format 99"):
        async with bus(redis_url):
            pass


@pytest.mark.parametrize("module", ["services.engine", "services.engine.projector"])
async def test_a_store_that_is_not_there_is_named_in_words(module, tmp_path):
    url = f"unix://{tmp_path}/nothing.sock"
    with running(module, url) as process:
        assert process.exit_code() == 1
        assert f"The store at {url} does not answer" in process.log
        assert "Traceback" not in process.log


@pytest.mark.parametrize("module", ["services.engine", "services.engine.projector"])
async def test_a_store_that_goes_away_ends_the_process_with_an_error(module, tmp_path):
    with Server(tmp_path) as server, running(module, server.url) as process:
        process.wait_for('"event": "ready"')
        with redis.Redis.from_url(server.url) as client, contextlib.suppress(redis.RedisError):
            client.shutdown(nosave=True)
        assert process.exit_code() == 1
        assert "does not answer" in process.lines[-1]
        assert "Traceback" not in process.log


async def test_a_store_that_was_emptied_ends_the_engine_with_an_error(redis_url, redis_client):
    with purse_engine(redis_url) as engine:
        engine.wait_for('"event": "ready"')
        redis_client.flushdb()
        assert engine.exit_code() == 1


async def test_a_command_given_to_an_engine_that_was_replaced_is_finished_all_the_same(redis_url):
    """One that stood still may read on before it learns that its lease is gone."""
    with purse_engine(redis_url) as engine:
        engine.wait_for('"event": "ready"')
        async with bus(redis_url) as one:
            # Both in one act, so that the engine that waits for news is given none.
            sent_and_given = one.client.register_script(
                "redis.call('XADD', KEYS[1], '*', ARGV[1], ARGV[2])"
                "return redis.call("
                "  'XREADGROUP', 'GROUP', ARGV[3], ARGV[4], 'STREAMS', KEYS[1], '>')"
            )
            assert await sent_and_given(
                [streams.commands(one.partition_of(TABLE))],
                [
                    *(streams.COMMAND_ORDER, streams.encode(opening(TABLE))),
                    *(streams.ENGINE_GROUP, streams.ENGINE_CONSUMER),
                ],
            )
            engine.wait_for('"event": "decision recorded"')
            assert await version(one) == 1
            assert await in_hand(one) == 0


async def test_whoever_waits_for_an_answer_that_does_not_come_is_told_so(redis_url):
    async with bus(redis_url) as one:
        with pytest.raises(NoAnswerError, match="Is the engine running"):
            await one.send(opening(TABLE), patience_seconds=0.1)


async def test_an_answer_that_was_lost_on_its_way_is_looked_up(redis_url):
    with purse_engine(redis_url):
        async with bus(redis_url) as one:
            one._channel = streams.answers("nobody listens")
            assert await one.send(opening(TABLE)) == Recorded(1)


async def test_an_order_that_was_lost_with_its_stream_is_sent_again(redis_url, redis_client):
    async with bus(redis_url) as one:
        sending = asyncio.create_task(one.send(opening(TABLE)))
        key = streams.commands(one.partition_of(TABLE))
        assert await one.client.xread({key: "0-0"}, block=5000)
        redis_client.delete(key)
        with purse_engine(redis_url):
            assert await sending == Recorded(1)


async def test_a_book_and_a_feed_can_be_followed(redis_url):
    with purse_engine(redis_url):
        async with bus(redis_url) as one:
            feed, book = one.feed(dict.fromkeys(range(one.partitions), "0-0")), one.follow(TABLE)
            for order in (opening(TABLE), bid(TABLE, "b1", 1), bid(TABLE, "b2", 1)):
                await one.send(order)
            for version in (1, 2, 3):
                assert (await anext(book)).record.version == version
                entry = await anext(feed)
                assert (entry.table, entry.version) == (TABLE, version)
            assert await one.tables() == [TABLE]


async def test_the_number_of_partitions_is_fixed_when_a_store_is_first_opened(redis_url):
    from services.bus.connection import connection, opened

    async with connection(redis_url) as client:
        assert await opened(client, 4) == 4
        assert await opened(client) == 4
        with pytest.raises(StoreError, match="has 4 partitions and cannot be given 8"):
            await opened(client, 8)


def test_settings_come_from_arguments_before_the_environment():
    found = settings("x", ["--batch", "7"], {"MINUTEBOOK_BATCH": "8", "MINUTEBOOK_REDIS": "u"})
    assert (found.batch, found.redis) == (7, "u")
    with pytest.raises(SettingsError, match=r"batch"):
        settings("x", [], {"MINUTEBOOK_BATCH": "many"})


@pytest.mark.parametrize("wrong", ["x", "3-", "16", "5-2", "1,,2"])
def test_partitions_that_are_not_there_are_refused(wrong):
    with pytest.raises(SettingsError):
        chosen(wrong, 16)

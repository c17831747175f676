"""A store of several servers: partitions are spread, shared, moved, and tables play on."""

import asyncio
import contextlib

import pytest

from contracts import streams
from contracts.commands import Order
from contracts.ids import TableId
from contracts.streams import Recorded
from services.bus.client import Bus, bus
from tests.cluster.slots import keys_on, move, owners, slot_of
from tests.ports.purse import bid, opening
from tests.servers import loopback_servers
from tests.services.processes import purse_engine

PARTITIONS = 16
BIDS = 5
pytestmark = pytest.mark.anyio


def tables(partitions: int = PARTITIONS) -> list[TableId]:
    """A table of each partition, in order of the partitions."""
    found: dict[int, TableId] = {}
    number = 0
    while len(found) < partitions:
        table = TableId(f"table-{number}")
        found.setdefault(streams.partition_of(table, partitions), table)
        number += 1
    return [found[partition] for partition in range(partitions)]


def orders(table: TableId, round: int = 0) -> list[Order]:
    bids = [bid(table, f"b{round}.{number}", 1 + number) for number in range(BIDS)]
    return [opening(table), *bids] if round == 0 else bids


async def played(one: Bus, table: TableId, round: int = 0) -> None:
    """Play some orders at a table, each of which has to be recorded."""
    for order in orders(table, round):
        assert isinstance(await one.send(order, patience_seconds=60), Recorded)


async def versions(one: Bus) -> dict[TableId, int]:
    """How long each book is, every record having been checked."""
    return {table: len(await one.records(table)) for table in await one.tables()}


async def test_partitions_are_spread_over_all_servers(cluster_url, session_cluster):
    with purse_engine(cluster_url) as engine:
        async with bus(cluster_url) as one:
            await asyncio.gather(*(played(one, table) for table in tables()))
            assert await versions(one) == dict.fromkeys(sorted(tables()), 1 + BIDS)
        assert engine.stop() == 0
    assert set(owners(session_cluster, PARTITIONS).values()) == {0, 1, 2}
    assert all(keys_on(server) > 0 for server in session_cluster)


@pytest.mark.parametrize("kind", ["redis_url", "cluster_url"])
async def test_two_engines_share_the_partitions_and_one_goes_on_without_the_other(request, kind):
    url = request.getfixturevalue(kind)
    low, high = tables()[:8], tables()[8:]
    with (
        purse_engine(url, "--partitions", "0-7") as first,
        purse_engine(url, "--partitions", "8-15") as second,
    ):
        async with bus(url) as one:
            await asyncio.gather(*(played(one, table) for table in tables()))
            for engine in (first, second):
                engine.wait_for('"event": "decision recorded"', 8 * (1 + BIDS))
                assert engine.count('"event": "decision recorded"') == 8 * (1 + BIDS)
            first.kill()
            waiting = asyncio.gather(*(played(one, table, 1) for table in low))
            await asyncio.gather(*(played(one, table, 1) for table in high))
            assert not waiting.done()
            with purse_engine(url, "--partitions", "0-7"):
                await waiting
            assert await versions(one) == dict.fromkeys(sorted(tables()), 1 + 2 * BIDS)


async def test_engines_that_want_the_same_partition_have_it_one_after_the_other(cluster_url):
    with purse_engine(cluster_url, "--partitions", "0-9") as first:
        first.wait_for('"event": "ready"')
        with purse_engine(cluster_url, "--partitions", "8-15") as second:
            line = second.wait_for("waiting for a lease")
            assert '"partition": 8' in line
            assert second.count('"event": "ready"') == 0
            assert first.stop() == 0
            second.wait_for('"event": "ready"')


async def test_a_partition_moves_to_another_server_and_its_tables_play_on(
    cluster_url, session_cluster
):
    table = tables()[3]
    with contextlib.ExitStack() as engines:
        engine = engines.enter_context(purse_engine(cluster_url))
        async with bus(cluster_url) as one:
            await played(one, table)
            source = session_cluster[owners(session_cluster, PARTITIONS)[3]]
            target = next(server for server in session_cluster if server is not source)
            move(3, source, target, session_cluster)
            try:
                playing = asyncio.ensure_future(played(one, table, 1))
                await kept_running(engines, engine, cluster_url, playing)
                assert len(await one.records(table)) == 1 + 2 * BIDS
                assert session_cluster[owners(session_cluster, PARTITIONS)[3]] is target
            finally:
                move(3, target, source, session_cluster)


async def kept_running(engines, engine, url: str, playing: "asyncio.Future[None]") -> None:
    """Start the engine again whenever it ends, as a supervisor does, until the play is over."""
    while not playing.done():
        await asyncio.wait([playing], timeout=0.5)
        if engine.process.poll() is not None:
            engine = engines.enter_context(purse_engine(url))
    await playing


async def test_a_store_of_one_server_becomes_the_first_of_a_cluster(tmp_path):
    """The files of a single server are opened by a server of a cluster; then partitions move."""
    with loopback_servers(1, tmp_path, keeps=True) as (alone,), purse_engine(alone.url):
        async with bus(alone.url) as one:
            await asyncio.gather(*(played(one, table) for table in tables()))
            before = {table: await one.head(table) for table in tables()}
    with loopback_servers(2, tmp_path, is_cluster=True, keeps=True) as servers:
        first, second = servers
        spread = owners(servers, PARTITIONS)
        url = f"redis+cluster://127.0.0.1:{first.port}"
        async with bus(url) as one:
            assert {table: await one.head(table) for table in tables()} == before
            for partition in range(PARTITIONS):
                if spread[partition] == 0 and partition % 2:
                    move(partition, first, second, servers)
            assert set(owners(servers, PARTITIONS).values()) == {0, 1}
            with purse_engine(url):
                await asyncio.gather(*(played(one, table, 1) for table in tables()))
            assert await versions(one) == dict.fromkeys(sorted(tables()), 1 + 2 * BIDS)


def test_every_key_of_a_partition_lies_in_one_slot():
    from redis.crc import key_slot

    table = TableId("friday")
    for partition in range(64):
        kinds = (streams.commands, streams.feed, streams.readers, streams.dead, streams.lease)
        more = (streams.tables, streams.lobby, streams.waiting)
        of_tables = (streams.log, streams.head, streams.outcomes, streams.snapshot, streams.views)
        names = [kind(partition) for kind in (*kinds, *more)]
        names += [kind(partition, table) for kind in of_tables]
        assert {key_slot(name.encode()) for name in names} == {slot_of(partition)}

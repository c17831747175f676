"""Views are kept up with the minute books, each record once, and built again the same."""

import asyncio

import msgspec
import pytest

from contracts import streams
from contracts.ids import PlayerId, TableId
from contracts.records import Sealed
from contracts.views import AnyView
from services.bus.client import Bus, bus
from services.bus.following import OvertakenError
from services.engine import catchup
from services.engine.catchup import Projector
from services.engine.projections import api
from services.engine.projector import rebuilt
from services.engine.shelves import Shelves
from services.engine.store import Store
from services.engine.table.fold import tables
from services.engine.table.state import new_table
from tests.services.played import Playing
from tests.services.processes import running

pytestmark = pytest.mark.anyio
FRIDAY, SUNDAY = TableId("friday"), TableId("sunday")


@pytest.fixture
async def one(redis_url):
    async with bus(redis_url) as one:
        yield one


@pytest.fixture
def store(one: Bus):
    return Store(one.client, one.partitions)


@pytest.fixture
def playing(store: Store):
    return Playing(store)


def projector(store: Store) -> Projector:
    return Projector(store, Shelves(store.client), range(store.partitions))


async def caught_up(projector: Projector) -> int:
    await projector.begin()
    return await catch_up(projector)


async def catch_up(projector: Projector) -> int:
    count = 0
    while found := await projector.catch_up():
        count += found
    return count


def folded(id: TableId, records: list[Sealed]) -> dict[str, AnyView]:
    """The views of a table, worked out at once from all its records."""
    state, table = api.start(id), new_table(id)
    for record, after in tables(id, [sealed.record for sealed in records]):
        state, table = api.project(state, record, table, after), after
    return dict(api.views(state, table))


async def stored(one: Bus, id: TableId) -> dict[str, AnyView]:
    found: dict[str, AnyView] = {}
    for name in api.NAMES:
        body = await one.view(id, name)
        assert body is not None
        found[name] = msgspec.msgpack.decode(body, type=AnyView)
    return found


async def everything(one: Bus) -> dict[bytes, object]:
    """All keys of all views with what is in them."""
    found: dict[bytes, object] = {}
    for partition in range(one.partitions):
        for key in (streams.lobby(partition), streams.readers(partition)):
            found[key.encode()] = await one.client.hgetall(key)
        waiting = streams.waiting(partition)
        found[waiting.encode()] = await one.client.execute_command("ZRANGE", waiting, 0, -1)
    for table in await one.tables():
        key = streams.views(one.partition_of(table), table)
        found[key.encode()] = await one.client.hgetall(key)
    return found


async def test_views_show_what_the_minute_book_says(one, store, playing):
    await playing.open(FRIDAY)
    projecting = projector(store)
    await caught_up(projecting)
    for moves in (1, 7, 30):
        await playing.play(FRIDAY, moves)
        assert await catch_up(projecting) == moves
        assert await stored(one, FRIDAY) == folded(FRIDAY, await one.records(FRIDAY))
    assert await one.shown(FRIDAY) == 39


async def test_views_follow_an_undo_also_one_far_back(one, store, playing):
    await playing.open(FRIDAY)
    await playing.play(FRIDAY, 80)
    projecting = projector(store)
    await caught_up(projecting)
    for to in (80, 3, 81):
        await playing.undo(FRIDAY, to)
        await catch_up(projecting)
        assert await stored(one, FRIDAY) == folded(FRIDAY, await one.records(FRIDAY))


async def test_a_projector_that_dies_before_it_stores_leaves_the_record_to_the_next(
    one, store, playing, monkeypatch
):
    await playing.open(FRIDAY)
    first = projector(store)
    await caught_up(first)
    await playing.play(FRIDAY, 5)

    async def dies(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(first._shelf, "show", dies)
    with pytest.raises(KeyboardInterrupt):
        await first.catch_up()
    assert await one.shown(FRIDAY) == 1
    assert await caught_up(projector(store)) == 5
    assert await stored(one, FRIDAY) == folded(FRIDAY, await one.records(FRIDAY))


async def test_two_projectors_do_not_put_views_back(one, store, playing):
    await playing.open(FRIDAY)
    slow, quick = projector(store), projector(store)
    await caught_up(slow)
    await caught_up(quick)
    await playing.play(FRIDAY, 5)
    views = await slow.views(FRIDAY)
    await playing.play(FRIDAY, 5)
    await catch_up(quick)
    assert views is not None
    partition = one.partition_of(FRIDAY)
    place = slow.follower.places[partition]
    with pytest.raises(OvertakenError):
        await slow.follower.deal_with(partition, {FRIDAY: ()}, place, "")
    # Not even with the right place, as when both build from nothing.
    place = quick.follower.places[partition]
    assert await slow._shelf.show(partition, place, "", [views])
    assert await one.shown(FRIDAY) == 11
    # The slow one goes on from where the quick one is.
    await catch_up(slow)
    await playing.play(FRIDAY, 1)
    assert await catch_up(slow) == 1
    assert await stored(one, FRIDAY) == folded(FRIDAY, await one.records(FRIDAY))


async def test_a_rebuild_gives_the_same_byte_for_byte(redis_url, one, store, playing):
    for table, moves in ((FRIDAY, 60), (SUNDAY, 3)):
        await playing.open(table)
        await playing.play(table, moves)
    projecting = projector(store)
    await caught_up(projecting)
    await playing.play(SUNDAY, 20, seed=2)
    await playing.undo(SUNDAY, 10)
    await catch_up(projecting)
    before = await everything(one)
    key = streams.views(one.partition_of(FRIDAY), FRIDAY)
    await one.client.hset(key, "wealth", b"not what it was")
    await one.client.hset(streams.lobby(one.partition_of(FRIDAY)), "ghost", b"no such table")
    assert await everything(one) != before
    assert await rebuilt(redis_url) == 2
    assert await everything(one) == before
    # And the projector that went on meanwhile still does.
    await playing.play(FRIDAY, 1)
    assert await catch_up(projecting) == 1
    assert await stored(one, FRIDAY) == folded(FRIDAY, await one.records(FRIDAY))


async def test_the_lobby_and_each_players_list_say_who_is_waited_for(one, store, playing):
    for table in (FRIDAY, SUNDAY):
        await playing.open(table)
    projecting = projector(store)
    await caught_up(projecting)
    await playing.play(FRIDAY, 1)
    await catch_up(projecting)
    lobby = await one.lobby()
    assert [line.table for line in lobby] == [FRIDAY, SUNDAY]
    for player in ("ann", "bob", "cyd"):
        expected = [line.table for line in lobby if PlayerId(player) in line.waiting]
        waiting = await one.waiting(PlayerId(player))
        assert sorted(line.table for line in waiting) == sorted(expected)
        mine = await one.player_tables(PlayerId(player))
        assert len(mine.waiting) + len(mine.others) == 2
    assert await one.waiting(PlayerId("an")) == []


async def test_a_damaged_book_leaves_other_tables_their_views(one, store, playing):
    for table in (FRIDAY, SUNDAY):
        await playing.open(table)
        await playing.play(table, 3)
    key = streams.log(one.partition_of(FRIDAY), FRIDAY)
    await one.client.execute_command("XDEL", key, "2-0")
    await caught_up(projector(store))
    assert await one.shown(FRIDAY) == 0
    assert await one.shown(SUNDAY) == 4


async def test_what_all_readers_have_passed_is_thrown_away(one, store, playing, monkeypatch):
    monkeypatch.setattr(catchup, "TRIM_EVERY", 1)
    feed = streams.feed(one.partition_of(FRIDAY))
    await playing.open(FRIDAY)
    projecting = projector(store)
    await caught_up(projecting)
    partition = one.partition_of(FRIDAY)
    await one.client.hset(streams.readers(partition), "slow", "0-1")
    await playing.play(FRIDAY, 2)
    for number in range(148):
        await playing.undo(FRIDAY, 2 + number % 2)
    await catch_up(projecting)
    assert await one.client.xlen(feed) == 151
    await one.client.execute_command("HDEL", streams.readers(partition), "slow")
    await playing.play(FRIDAY, 1)
    await catch_up(projecting)
    # Trimming goes by whole nodes of the stream, of a hundred entries each.
    assert await one.client.xlen(feed) < 101


async def test_the_projector_as_a_process_keeps_up_and_tells(redis_url, one, playing):
    await playing.open(FRIDAY)
    with running("services.engine.projector", redis_url) as process:
        process.wait_for('"event": "ready"')
        assert await one.shown(FRIDAY) == 1
        listening = asyncio.ensure_future(anext(one.views_shown()))
        version = 1
        async with asyncio.timeout(60):
            # Whoever begins to listen may miss what is shown just then, so more is shown.
            while not listening.done():
                await playing.play(FRIDAY, 1)
                version += 1
                await asyncio.wait([listening], timeout=1)
        heard = listening.result()
        assert heard.table == FRIDAY
        assert 2 <= heard.version <= version
        assert process.stop() == 0

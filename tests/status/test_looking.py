"""`status` looks at a real store, alone and as a cluster, on which services do and leave things."""

import asyncio
import time

import pytest

from contracts import archived, notices, streams
from contracts.commands import Order
from contracts.ids import TableId
from services.bus.client import Bus, bus
from services.console.status.facts import Dead, Facts
from services.console.status.looking import looked
from services.console.status.words import SERVICES, report
from services.notifier.patience import Impossible
from services.running.beating import beating, withdrawn, written
from services.running.standing import Standing
from tests.notifier.post import Post
from tests.ports.purse import bid, opening

pytestmark = pytest.mark.anyio
FRIDAY = "friday"


@pytest.fixture(params=["redis_url", pytest.param("cluster_url", marks=pytest.mark.slow)])
async def one(request):
    async with bus(request.getfixturevalue(request.param)) as found:
        yield found


@pytest.fixture
async def post(one: Bus):
    """Services in a test's hands, a minute ago."""
    found = Post(one)
    found.now = time.time_ns() // 1000 - 60_000_000
    await found.begin()
    return found


@pytest.fixture
async def services(one: Bus):
    """Every service gives signs of life; those of the engine's name hold all leases."""
    standings = {service: Standing(service) for service in SERVICES}
    for standing in standings.values():
        standing.ready(range(one.partitions))
        await written(one.client, standing)
    return standings


async def see(one: Bus) -> Facts:
    return await looked(one.client, one.partitions)


async def sentences(one: Bus) -> list[str]:
    return [sentence.words for sentence in report(await see(one)).sentences]


async def wait(one: Bus, order: Order) -> None:
    """Send an order and wait for nothing."""
    key = streams.commands(one.partition_of(order.table))
    await one.client.xadd(key, {streams.COMMAND_ORDER: streams.encode(order)})


async def test_an_empty_store_has_nothing_that_waits_and_no_services(one):
    facts = await see(one)
    assert facts.processes == ()
    assert facts.gone == ()
    assert [lease.holder for lease in facts.leases] == [""] * one.partitions
    assert sum(behind.entries for behind in facts.commands) == 0
    assert all(read.unread == one.partitions for read in facts.readers.values())
    said = await sentences(one)
    assert "No engine runs: nothing is decided." in said
    assert "The projector has not begun with 16 partitions yet." in said
    assert all("memory" in words for words in said if words.startswith("The store is"))


async def test_commands_that_wait_are_seen_with_the_age_of_the_oldest(one, services):
    await wait(one, opening(FRIDAY))
    await wait(one, bid(FRIDAY, "b1", 5))
    await wait(one, opening("sunday"))
    facts = await see(one)
    assert sum(behind.entries for behind in facts.commands) == 3
    partition = one.partition_of(TableId(FRIDAY))
    assert facts.commands[partition].entries == 2
    assert 0 <= facts.commands[partition].seconds(facts.now) < 10
    assert "3 commands wait, the oldest for less than a second." in await sentences(one)


async def test_a_reader_that_has_not_read_is_behind_until_it_has(one, post, services):
    await post.playing.open(FRIDAY)
    await post.playing.play(FRIDAY, 4)
    facts = await see(one)
    assert facts.readers[streams.VIEWS_READER].behind.entries == 5
    assert facts.readers[notices.READER].behind.entries == 5
    assert facts.tables.unshown == 1
    assert any("The projector is 5 records behind" in words for words in await sentences(one))
    await post.noticed()
    facts = await see(one)
    assert facts.readers[streams.VIEWS_READER].behind.entries == 0
    assert facts.readers[notices.READER].behind.entries == 0
    assert (facts.tables.playing, facts.tables.unshown) == (1, 0)
    assert "The projector has dealt with every record." in await sentences(one)


async def test_letters_that_wait_are_paused_and_are_given_up(one, post, services):
    await post.channel("ann")
    await post.playing.open(FRIDAY)
    await post.noticed(seconds=0)
    looks = (await see(one)).looks
    # A table is left alone until it has been quiet for ten seconds, and that was long ago.
    assert (looks.overdue, looks.later) == (1, 0)
    assert looks.oldest == post.now + 10_000_000
    await post.noticed(seconds=11)
    facts = await see(one)
    assert (facts.looks.overdue, facts.letters.overdue, facts.letters.later) == (0, 1, 0)
    assert facts.letters.oldest == post.now

    post.noting.script = [Impossible("The service answered 404.")]
    await post.delivered()
    await post.outbox.pause("discord:0123456789abcdef", facts.now + 40_000_000)
    await post.outbox.pause("slack", facts.now - 1)
    facts = await see(one)
    assert facts.letters.overdue == 0
    assert facts.dead_letters.number == 1
    assert (facts.dead_letters.why, facts.dead_letters.table) == (
        "The service answered 404.",
        FRIDAY,
    )
    assert set(facts.pauses) == {"discord"}
    said = await sentences(one)
    assert any("wants to be left alone for 39 s" in words for words in said)
    assert any("`minutebook notices friday --again`" in words for words in said)


async def test_timers_and_dead_commands_are_counted(one, services):
    now = time.time_ns() // 1000
    client = one.client
    await client.execute_command("ZADD", streams.timers(3), now - 130_000_000, "a")
    await client.execute_command("ZADD", streams.timers(4), now + 90_000_000, "b")
    for partition, id, why in ((2, "7-0", "There is no table x."), (5, "6-9", "Unreadable.")):
        await client.execute_command("XADD", streams.dead(partition), id, streams.DEAD_WHY, why)
    facts = await see(one)
    assert (facts.timers.overdue, facts.timers.later) == (1, 1)
    assert facts.dead_commands == Dead(2, 7000, "There is no table x.")
    assert "1 timer is overdue, the oldest for 2 minutes." in await sentences(one)


async def test_tables_in_the_archive_are_counted_once(one, post, services):
    await post.playing.open(FRIDAY)
    await post.playing.open("sunday")
    await post.shown()
    partition = one.partition_of(TableId("sunday"))
    stone = archived.Tombstone(TableId("sunday"), 1, b"", "sunday.xz", 0, b"")
    await one.client.hset(archived.tombstones(partition), "sunday", archived.encode(stone))
    tables = (await see(one)).tables
    assert (tables.playing, tables.finished, tables.archived, tables.unshown) == (1, 0, 1, 0)


async def test_signs_of_life_are_seen_and_their_end_too(one, services):
    facts = await see(one)
    assert [living.sign.service for living in facts.processes] == sorted(SERVICES)
    assert all(living.silent_seconds < 5 for living in facts.processes)
    await withdrawn(one.client, services["clock"])
    # A process of this host that is no more is dead before its sign runs out.
    killed = services["notifier"]
    await withdrawn(one.client, killed)
    host, _, rest = killed.name.split("/")
    killed.name = f"{host}/{2**22 + 1}/{rest}"
    await written(one.client, killed)
    facts = await see(one)
    assert [living.sign.service for living in facts.processes] == ["engine", "projector"]
    assert [gone.service for gone in facts.gone] == ["notifier"]
    said = await sentences(one)
    assert "No clock runs: nobody's time is called." in said
    assert any(
        words.startswith("No notifier runs: nobody is told anything. The last") for words in said
    )


async def test_a_service_beats_while_it_runs_and_shows_its_figures(one):
    standing = Standing("clock")
    looks = asyncio.Event()

    async def look() -> None:
        looks.set()

    async with beating(one.client, standing, look):
        await asyncio.wait_for(looks.wait(), 5)
        while not (await see(one)).processes:  # noqa: ASYNC110 - it is written beside
            await asyncio.sleep(0.01)
        (living,) = (await see(one)).processes
        assert living.sign.waits_for == "the store"
    assert (await see(one)).processes == ()
    assert (await see(one)).gone == ()

"""What follows the feed goes on over books that are archived, sealed anew, damaged or shortened."""

import msgspec
import pytest
from structlog.testing import capture_logs

from contracts.clocking import Clocking
from contracts.commands import Pass
from contracts.ids import TableId
from contracts.records import FIRST_DIGEST, Sealed, seal
from services.bus.following import Follower, Head, Mention, shares
from services.engine.catchup import Projector
from services.engine.handling import Handling
from services.engine.memory import Memory
from services.engine.ports import Lease
from tests.clock.league import ANN, BOB, CID, TABLE, League
from tests.ports.ground import TestClock
from tests.ports.purse import bid, decide, opening
from tests.world.games import bodies, project

FRIDAY = TableId("friday")
pytestmark = pytest.mark.anyio


class Shown:
    """A store in memory, an engine that plays the purse on it, and a projector."""

    def __init__(self) -> None:
        self.memory = Memory(TestClock(), partitions=1)
        self.projector = self.new_projector()

    def new_projector(self) -> Projector:
        return Projector(self.memory, self.memory, (0,), project=project, encoded=bodies)

    async def play(self, *orders) -> None:
        lease = await self.memory.take(0, "test")
        assert isinstance(lease, Lease)
        clock = TestClock()
        handling = Handling(self.memory, clock, partitions=1, release="test", decide=decide)
        for order in orders:
            self.memory.post(order)
        await handling.handle(lease, await self.memory.fresh(0, 1000))

    async def caught_up(self) -> None:
        while await self.projector.catch_up():
            pass

    def mentioned(self) -> None:
        """The table is named in the feed once more."""
        self.memory.feeds[0].append((FRIDAY, 3))

    @property
    def version(self) -> int:
        views = self.memory.views.get(FRIDAY)
        return 0 if views is None else views.version


@pytest.fixture
async def shown():
    found = Shown()
    await found.projector.begin()
    await found.play(opening(FRIDAY), bid(FRIDAY, "b1", 5), bid(FRIDAY, "b2", 7))
    await found.caught_up()
    assert found.version == 3
    return found


def archived(book: list[Sealed]) -> Head:
    return Head(len(book), book[-1].digest, None, is_archived=True)


def sealed_anew(book: list[Sealed], sender: str) -> list[Sealed]:
    """The same records with another sender, each sealed again."""
    found: list[Sealed] = []
    for one in book:
        order = msgspec.structs.replace(one.record.order, sender=sender)
        record = msgspec.structs.replace(one.record, order=order)
        found.append(seal(found[-1].digest if found else FIRST_DIGEST, record))
    return found


async def test_a_table_in_the_archive_keeps_its_views_and_is_not_called_damaged(shown):
    shown.memory.archived[FRIDAY] = archived(shown.memory.logs.pop(FRIDAY))
    shown.mentioned()
    with capture_logs() as logs:
        await shown.caught_up()
        assert shown.version == 3
        shown.projector = shown.new_projector()
        shown.memory.places.clear()
        await shown.projector.begin()
    assert shown.version == 3
    assert logs == []


async def test_a_book_that_is_gone_without_being_archived_is_called_damaged(shown):
    whole = shown.memory.head
    head = await whole(FRIDAY)
    shown.memory.logs.pop(FRIDAY)
    shown.memory.head = lambda table: _at_once(head)
    shown.mentioned()
    with capture_logs() as logs:
        await shown.caught_up()
    [line] = logs
    assert line["event"] == "minute book damaged"
    assert "record 1: It is missing; the head is 3." in line["why"]


async def _at_once(head: Head) -> Head:
    return head


async def test_a_book_that_was_sealed_anew_is_shown_anew_though_no_version_was_added(shown):
    before = shown.memory.views[FRIDAY].bodies
    shown.memory.logs[FRIDAY] = sealed_anew(shown.memory.logs[FRIDAY], "player-4")
    shown.mentioned()
    await shown.caught_up()
    after = shown.memory.views[FRIDAY].bodies
    assert after != before
    shown.memory.views.clear()
    shown.memory.places.clear()
    await shown.new_projector().begin()
    assert shown.memory.views[FRIDAY].bodies == after


async def test_views_that_are_stored_are_not_stored_again_when_the_feed_comes_to_them(shown):
    stored: list[TableId] = []
    show = shown.memory.show

    async def noted(partition, before, now, views):
        stored.extend(one.table for one in views)
        return await show(partition, before, now, views)

    shown.memory.show = noted
    shown.mentioned()
    await shown.caught_up()
    assert stored == []
    assert shown.memory.places[0] == "4-0"


async def test_the_clock_takes_the_timers_of_a_table_that_is_archived_and_sets_them_again():
    play = await League(Clocking(100)).begin()
    book = play.clock.books.pop(TABLE)
    play.clock.archived[TABLE] = archived(book)
    play.clock.feeds[0].append((TABLE, 1))
    with capture_logs() as logs:
        await play.keeper.catch_up()
    assert (play.deadlines(), logs) == ({}, [])
    assert await play.keeper.fire(10**12) == (0, None)
    play.clock.books[TABLE] = book
    del play.clock.archived[TABLE]
    play.clock.feeds[0].append((TABLE, 1))
    await play.keeper.catch_up()
    assert play.deadlines() == {"ann": 100}


async def test_the_clock_goes_on_with_a_book_that_was_sealed_anew():
    play = await League(Clocking(100)).begin()
    await play.until(10)
    await play.do(ANN, Pass())
    anew = sealed_anew(play.clock.books[TABLE], "player-4")
    play.clock.books[TABLE] = anew
    play.engine.logs[TABLE] = list(anew)
    play.handling = Handling(play.engine, play.time, partitions=1, release="test")
    play.clock.feeds[0].append((TABLE, 2))
    with capture_logs() as logs:
        await play.keeper.catch_up()
        await play.until(20)
        await play.do(BOB, Pass())
    assert play.deadlines() == {CID: 120}
    assert logs == []


def test_mentions_are_dealt_with_in_order_a_few_tables_at_a_time():
    many = [Mention(f"{n}-0", TableId(f"t{n % 20}"), 1 + n // 20) for n in range(45)]
    found = list(shares(many))
    assert [end for _, end in found] == ["15-0", "31-0", "44-0"]
    told = [
        (table, version) for some, _ in found for table, them in some.items() for version in them
    ]
    assert sorted(told) == sorted((one.table, one.version) for one in many)


async def test_a_store_that_has_lost_the_place_is_read_again_from_where_it_is(shown):
    follower: Follower = shown.projector.follower
    shown.memory.places[0] = "1-0"
    assert await shown.projector.catch_up() == 0
    assert follower.places == {0: "1-0"}
    assert await shown.projector.catch_up() == 2
    assert follower.places == {0: "3-0"}

"""What a projector may rely on, on memory, on a real store and in the simulated world alike."""

import msgspec
import pytest

from contracts import streams
from contracts.ids import TableId
from services.engine.handling import Handling
from services.engine.ports import Lease, Mention, Views
from tests.ports.ground import Ground
from tests.ports.purse import ANN, bid, decide, opening

FRIDAY = TableId("friday")
SEVEN = (opening(FRIDAY), *(bid(FRIDAY, f"b{number}", 1) for number in range(6)))
"""Orders that lead to seven records, and so to seven entries of the feed."""
pytestmark = pytest.mark.anyio


class Shown:
    """A ground with some tables of one partition, and what its shelf does there."""

    def __init__(self, ground: Ground, partition: int, lease: Lease) -> None:
        self.ground, self.partition, self.lease = ground, partition, lease
        self.handling = Handling(
            ground.ports,
            ground.clock,
            partitions=ground.ports.partitions,
            release="test",
            decide=decide,
        )

    async def play(self, *orders) -> None:
        for order in orders:
            await self.ground.post(order)
        entries = await self.ground.ports.fresh(self.partition, 1000)
        await self.handling.handle(self.lease, entries)

    async def mentions(self, place: str, most: int = 100) -> list[Mention]:
        found = await self.ground.ports.after({self.partition: place}, most)
        return [mention for _, mentions in found for mention in mentions]


@pytest.fixture
async def shown(ground: Ground):
    partition = streams.partition_of(FRIDAY, ground.ports.partitions)
    lease = await ground.ports.take(partition, "a")
    assert isinstance(lease, Lease)
    return Shown(ground, partition, lease)


def neighbour(shown: Shown) -> TableId:
    """Another table of the same partition."""
    of = shown.ground.ports.partitions
    names = (TableId(f"table-{number}") for number in range(1000))
    return next(name for name in names if streams.partition_of(name, of) == shown.partition)


def views(table: TableId, version: int, mark: bytes = b"\x80") -> Views:
    return Views(table, version, (ANN,), {"wealth": mark, streams.VIEWS_LINE: b"\x80"})


async def test_a_feed_is_read_on_from_any_place(shown):
    ports = shown.ground.ports
    assert await ports.newest(shown.partition) == "0-0"
    assert await shown.mentions("0-0") == []
    await shown.play(opening(FRIDAY), bid(FRIDAY, "b1", 1), bid(FRIDAY, "b2", 0))
    await shown.play(opening(neighbour(shown)))
    told = await shown.mentions("0-0")
    assert [(one.table, one.version) for one in told] == [
        (FRIDAY, 1),
        (FRIDAY, 2),
        (neighbour(shown), 1),
    ]
    assert await shown.mentions("0-0", 2) == told[:2]
    assert await shown.mentions(told[0].place) == told[1:]
    assert await ports.newest(shown.partition) == told[-1].place
    assert await shown.mentions(told[-1].place) == []
    assert await ports.tables(shown.partition) == sorted([FRIDAY, neighbour(shown)])


async def test_views_and_place_are_stored_together_and_only_from_the_place_where_they_are(shown):
    ports, partition = shown.ground.ports, shown.partition
    await shown.play(*SEVEN)
    assert await ports.place(partition) is None
    assert not await ports.show(partition, "1-0", "2-0", [views(FRIDAY, 1)])
    assert await shown.ground.shown(FRIDAY) == 0
    assert await ports.show(partition, "", "1-0", [views(FRIDAY, 1)])
    assert await ports.place(partition) == "1-0"
    assert await shown.ground.shown(FRIDAY) == 1
    assert not await ports.show(partition, "", "2-0", [views(FRIDAY, 2)])
    assert await ports.place(partition) == "1-0"
    assert await shown.ground.shown(FRIDAY) == 1


async def test_views_may_be_stored_before_the_place_is_moved(shown):
    ports, partition = shown.ground.ports, shown.partition
    await shown.play(*SEVEN)
    assert await ports.show(partition, "", "", [views(FRIDAY, 1)])
    assert await ports.place(partition) is None
    assert await ports.show(partition, "", "", [views(FRIDAY, 2)])
    assert await ports.show(partition, "", "5-0", [])
    assert await ports.place(partition) == "5-0"
    assert await shown.ground.shown(FRIDAY) == 2


async def test_later_views_are_not_replaced_by_earlier_ones(shown):
    ports, partition, other = shown.ground.ports, shown.partition, neighbour(shown)
    await shown.play(*SEVEN)
    assert await ports.show(partition, "", "1-0", [views(FRIDAY, 7)])
    assert await ports.show(partition, "1-0", "2-0", [views(FRIDAY, 6), views(other, 1)])
    assert await shown.ground.shown(FRIDAY) == 7
    assert await shown.ground.shown(other) == 1


async def test_views_of_the_same_version_are_replaced_since_a_book_may_be_sealed_anew(shown):
    ports, partition = shown.ground.ports, shown.partition
    await shown.play(*SEVEN)
    for number, mark in enumerate((b"\x80", b"\x81\xa1a\x01"), 1):
        place = f"{number - 1}-0" if number > 1 else ""
        assert await ports.show(partition, place, f"{number}-0", [views(FRIDAY, 7, mark)])
        assert await shown.ground.view(FRIDAY, "wealth") == mark


async def test_nothing_is_stored_of_a_record_that_is_not_in_the_store_any_more(shown):
    """It was restarted without its last second between the folding and the storing."""
    ports, partition = shown.ground.ports, shown.partition
    await shown.play(*SEVEN)
    log = await shown.ground.log(FRIDAY)

    async def is_stored(version: int, digest: bytes, now: str = "1-0") -> bool:
        some = msgspec.structs.replace(views(FRIDAY, version), digest=digest)
        return await ports.show(partition, "", now, [some])

    assert not await is_stored(8, log[-1].digest)
    assert not await is_stored(7, log[-2].digest)
    newest = await ports.newest(partition)
    beyond = f"{int(newest.partition('-')[0]) + 1}-0"
    assert not await is_stored(7, log[-1].digest, beyond)
    assert await ports.place(partition) is None
    assert await shown.ground.shown(FRIDAY) == 0
    assert await is_stored(6, log[-2].digest, newest)


async def test_what_is_forgotten_is_gone_with_its_place(shown):
    ports, partition = shown.ground.ports, shown.partition
    await shown.play(opening(FRIDAY))
    assert await ports.show(partition, "", "1-0", [views(FRIDAY, 7)])
    assert await ports.forget(partition) == 1
    assert await ports.place(partition) is None
    assert await shown.ground.shown(FRIDAY) == 0
    assert await ports.show(partition, "", "1-0", [views(FRIDAY, 1)])
    assert await shown.ground.shown(FRIDAY) == 1


async def test_what_was_not_read_is_never_thrown_away(shown):
    ports, partition = shown.ground.ports, shown.partition
    await shown.play(opening(FRIDAY), *(bid(FRIDAY, f"b{n}", 1) for n in range(250)))
    told = await shown.mentions("0-0", 1000)
    await ports.trim(partition)
    assert await shown.mentions("0-0", 1000) == told
    assert await ports.show(partition, "", told[200].place, [])
    await ports.trim(partition)
    assert await shown.mentions(told[200].place, 1000) == told[201:]
    assert len(await shown.mentions("0-0", 1000)) < len(told)
    assert await ports.newest(partition) == told[-1].place

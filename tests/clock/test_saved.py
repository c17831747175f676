"""A clock that is started anew need not read whole books, and relies on nothing that it finds."""

import msgspec
import pytest

from contracts.clocking import Clocking
from contracts.commands import MakeRequest, Pass
from contracts.ids import TableId
from contracts.notices import TimeCalled
from contracts.records import Sealed
from services.clock.keeping import Keeper
from services.clock.saving import Saved, restored_from
from tests.clock.league import ANN, BOB, CID, RELEASE, TABLE, League
from tests.world.server import copied

pytestmark = pytest.mark.anyio


async def league() -> League:
    """A table at which some have passed; the engine's last snapshot is two records old."""
    play = await League(Clocking(100, bank_seconds=50, reminders=(20,))).begin()
    for number, who in enumerate((ANN, BOB, CID, ANN, BOB, CID)):
        await play.until(10 * number)
        await play.do(who, Pass())
    assert play.table.version == 7
    return play


def anew(play: League, reads: list[int], release: str = RELEASE) -> Keeper:
    """A clock that knows nothing, and notes from where it reads the book."""
    clock, read = play.clock, type(play.clock).read

    async def noted(table: TableId, first: int = 1) -> list[Sealed]:
        reads.append(first)
        return await read(clock, table, first)

    vars(clock)["read"] = noted
    return Keeper(clock, clock, (0,), release=release)


async def test_a_clock_that_is_started_anew_reads_on_from_the_engines_last_snapshot():
    play = await league()
    before = play.deadlines()
    reads: list[int] = []
    kept = await anew(play, reads).kept(TABLE)
    assert reads == [5, 7]
    assert kept is not None
    assert {who: one.until / 1_000_000 for who, one in kept.deadlines} == before


async def test_it_goes_on_as_one_that_was_never_stopped():
    stopped, steady = [await league() for _ in range(2)]
    for number in range(6):
        for play in (stopped, steady):
            if play is stopped:
                play.keeper = anew(play, [])
                await play.keeper.begin()
            await play.until(60 + 30 * number)
            if number == 3:
                await play.do(CID, MakeRequest("undo", play.table.version - 2))
            else:
                await play.do(play.waiting[0], Pass())
        assert stopped.deadlines() == steady.deadlines()
        assert stopped.prompts == steady.prompts


@pytest.mark.parametrize("wrong", ["release", "digest", "version", "bytes", "no snapshot", "later"])
async def test_what_does_not_agree_is_left_aside_and_the_book_is_read_from_its_start(wrong):
    play = await league()
    before, body = play.deadlines(), play.clock.reckonings[TABLE]
    kept = msgspec.msgpack.decode(body, type=Saved)
    match wrong:
        case "digest":
            kept = msgspec.structs.replace(kept, digest=bytes(16))
        case "version":
            kept = msgspec.structs.replace(kept, version=99)
        case "later":
            # The engine has written a snapshot of a version that the clock has not come to.
            kept = msgspec.structs.replace(kept, version=4)
        case "no snapshot":
            play.clock.snapshots = {}
    again = b"\xc1" if wrong == "bytes" else msgspec.msgpack.encode(kept)
    play.clock.reckonings[TABLE] = again
    reads: list[int] = []
    release = "another" if wrong == "release" else RELEASE
    found = await anew(play, reads, release).kept(TABLE)
    assert 1 in reads
    assert found is not None
    assert {who: one.until / 1_000_000 for who, one in found.deadlines} == before


async def test_what_is_to_be_told_of_a_record_that_the_feed_has_not_named_is_saved_too():
    """The clock reads a book to its end, dies, and the feed comes to the last record afterwards."""
    play = await League(Clocking(100, then="neutral")).begin()
    for who in (ANN, BOB, CID, ANN):
        await play.do(who, Pass())
    feed, disk = play.clock.feeds[0], copied(play.clock)
    await play.until(150)
    assert [type(one) for one in play.prompts] == [TimeCalled]
    # Once more from before the call; the book has it by now, and the feed names it later.
    later = feed[5:]
    disk.books, disk.snapshots = play.clock.books, play.clock.snapshots
    disk.feeds[0].append((TABLE, 5))
    play.clock = disk
    ahead = anew(play, [])
    await ahead.begin()
    await ahead.catch_up()
    assert play.prompts == []
    disk.feeds[0] += later
    reads: list[int] = []
    following = anew(play, reads)
    await following.begin()
    await following.catch_up()
    assert 1 not in reads
    assert [type(one) for one in play.prompts] == [TimeCalled]


async def test_a_table_of_which_nothing_was_saved_gives_nothing():
    play = await league()
    assert await restored_from(play.clock, RELEASE, TABLE, None) is None

"""Chat inside the action list (known fault C04): what is said touches nothing of the game.

Games that were recorded are decided again by an engine on a real store, with something said before
every single order, and noted now and then. The minute book has to be what it was.
"""

import gzip

import msgspec
import pytest

from contracts import events as e
from contracts.book import read
from contracts.clocking import Clocking
from contracts.commands import MakeRequest, Pass, SetProgramme
from contracts.programmes import OnlyChoice
from contracts.records import Record
from contracts.streams import Recorded
from services.clock.keeping import Keeper
from services.clock.store import Store as Timers
from services.engine.catchup import Projector
from services.engine.rules.companies.director import is_in_receivership
from services.engine.shelves import Shelves
from services.engine.table.agenda import awaited
from services.engine.table.fold import table_at, tables
from services.soak.game import digest
from tests.architecture.source import ROOT
from tests.talk.parlour import FRIDAY, PEOPLE, Parlour

pytestmark = pytest.mark.anyio
LOGS = ROOT / "tests" / "golden" / "logs"
LOOK_EVERY = 40


@pytest.fixture
def redis_url(session_store):
    """One server: that scripts stay within a partition, the other tests show on a cluster."""
    session_store.empty()
    return session_store.url


def recorded(name: str) -> list[Record]:
    with gzip.open(LOGS / f"{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
        records = read(lines.read().splitlines()).records
    return [
        msgspec.structs.replace(one, order=msgspec.structs.replace(one.order, table=FRIDAY))
        for one in records
    ]


async def chatter(parlour: Parlour, number: int) -> None:
    """Somebody says something, somebody reads it, somebody notes something."""
    # A sender of its own for each few lines, since nobody may write without end in a minute.
    line = await parlour.said(f"guest-{number // 9}", f"line {number}")
    if number % 50 == 0:
        await parlour.talk.read_up_to(FRIDAY, "ann", line.id)
        await parlour.talk.write_note(FRIDAY, "bob", f"note {number}", id="same")


@pytest.fixture
def talkative(monkeypatch):
    """A table may hear as many lines in a minute as there are orders in a game."""
    monkeypatch.setattr("contracts.talk.ALL_LINES_A_MINUTE", 10_000)


@pytest.mark.parametrize(
    ("name", "most"),
    [("soak-1830-3-12", 300), pytest.param("soak-1862-4-23", None, marks=pytest.mark.slow)],
)
async def test_talk_before_every_order_of_a_game_leaves_every_state_as_it_was(
    at, talkative, name, most
):
    parlour, expected = Parlour(at), recorded(name)[:most]
    for record in expected:
        if record.version > 1:
            await chatter(parlour, record.version)
        assert await parlour.decided(record.order) == Recorded(record.version)
    written = [sealed.record for sealed in await at.records(FRIDAY)]
    assert [one.events for one in written] == [one.events for one in expected]
    for (record, here), (_, there) in zip(
        tables(FRIDAY, written), tables(FRIDAY, expected), strict=True
    ):
        if record.version % LOOK_EVERY == 0 or record is written[-1]:
            assert digest(here) == digest(there)
    undone = [one for one in expected if isinstance(one.events[0], e.Undone)]
    assert undone, "the game has an undo, so that there is something to lose"
    lines = await parlour.talk.lines(FRIDAY, most=10_000)
    assert [line.text for line in lines] == [f"line {one.version}" for one in expected[1:]]
    assert [line.version for line in lines] == [one.version - 1 for one in expected[1:]]


@pytest.mark.slow
async def test_a_company_in_receivership_neither_runs_for_a_line_of_chat_nor_misses_its_run(at):
    parlour, expected = Parlour(at), recorded("soak-1862-4-23")
    runs = {
        record.version
        for record, after in tables(FRIDAY, expected)
        for event in record.events
        if isinstance(event, e.RoutesRun) and is_in_receivership(after, event.company)
    }
    assert runs
    for record in expected[: max(sorted(runs)[:3])]:
        if record.version in runs:
            before = await parlour.everything()
            for number in range(3):
                await chatter(parlour, 50 * number)
            assert await parlour.everything() == before, "it was triggered"
        await parlour.decided(record.order)
        (last,) = await at.records(FRIDAY, record.version)
        assert last.record.events == record.events, "it was skipped"


async def test_no_key_of_a_table_is_touched_but_those_of_talk(at):
    """Book, feed, views, timers, deadlines, programmes: all is as it was, byte for byte."""
    parlour = Parlour(at)
    await parlour.open(host="ann", undo="free", clock=Clocking(turn_seconds=3600))
    store = parlour.store
    projector = Projector(store, Shelves(at.client), range(at.partitions))
    keeper = Keeper(store, Timers(at.client, at.partitions), range(at.partitions))
    await projector.begin()
    await keeper.begin()

    async def others_follow() -> None:
        while await projector.catch_up():
            pass
        while await keeper.catch_up():
            pass

    await parlour.done("Andrea", "ann", SetProgramme(OnlyChoice()))
    for _ in range(6):
        (seat,) = awaited(await parlour.table())
        await parlour.done(PEOPLE[seat], seat, Pass())
    await others_follow()
    before = await parlour.everything()
    assert len(before) > 8
    line = await parlour.said("Andrea", "Hello", only=["bob"])
    await parlour.talk.read_up_to(FRIDAY, "Boris", line.id)
    await parlour.talk.write_note(FRIDAY, "Cilla", "Nothing")
    await parlour.talk.remove_note(FRIDAY, "Cilla", "nothing")
    await others_follow()
    assert await parlour.everything() == before


async def test_an_undo_leaves_chat_marks_and_notes_and_a_line_keeps_its_version(at):
    parlour = Parlour(at)
    await parlour.open(undo="free")
    waiting = (await parlour.table()).order[0]
    await parlour.done(PEOPLE[waiting], waiting, Pass())
    line = await parlour.said("Boris", "You passed?")
    await parlour.talk.read_up_to(FRIDAY, "Andrea", line.id)
    await parlour.talk.write_note(FRIDAY, "Cilla", "He passed")
    await parlour.done(PEOPLE[waiting], waiting, MakeRequest("undo", 1))
    assert await parlour.talk.lines(FRIDAY) == [line]
    assert line.version == 2
    assert (await parlour.talk.unread(FRIDAY, "Andrea")).count == 0
    assert await parlour.notes("Cilla") == ["He passed"]
    after = await parlour.said("Andrea", "Not any more")
    assert after.version == 3


async def test_an_order_made_before_a_line_is_not_stale_after_it(at):
    parlour = Parlour(at)
    await parlour.open()
    waiting = (await parlour.table()).order[0]
    order = parlour.order(PEOPLE[waiting], waiting, Pass(), version=1)
    await parlour.says("Boris", "Hurry up")
    assert await parlour.decided(order) == Recorded(2)


async def test_talk_sets_no_programme_to_work_and_stops_none(at):
    parlour = Parlour(at)
    await parlour.open()
    await parlour.done("Andrea", "ann", SetProgramme(OnlyChoice()))
    held = (await parlour.table()).beside.programmes
    for number in range(5):
        await parlour.says("Andrea", f"line {number}")
    records = [one.record for one in await at.records(FRIDAY)]
    assert table_at(FRIDAY, records).beside.programmes == held
    assert len(records) == 2

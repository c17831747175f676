"""Tables go into files and come back; wherever somebody dies in between, no table is lost."""

import asyncio
import os
import signal
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from contracts import notices, streams, talk
from contracts.archived import Tombstone
from contracts.commands import OpenTable, Pass
from contracts.events import MoneyPaid, QuestionClosed
from contracts.ids import TableId
from contracts.money import Payment
from contracts.pieces import Seat
from contracts.records import seal
from contracts.rejections import Code
from contracts.streams import Recorded
from contracts.views import TableLine
from services.archive import folder as files
from services.archive import form
from services.archive.archiving import Wish, _leaving, put_book
from services.archive.errors import ArchiveError, FileError
from services.archive.exchange import Act, Exchange
from services.archive.taking import taken
from services.bus.archived import all_tombstones, tombstone
from services.bus.client import bus
from tests.archive.shelf import ANY, NOW, OVER, DiedError, Telling, contents, dies_at

pytestmark = pytest.mark.anyio
ROOT = Path(__file__).parents[2]
SEATS = (Seat("ann", "Ann"), Seat("bob", "Bob"), Seat("cyd", "Cyd"))
OPENING = OpenTable("1830", SEATS, 7)
FRIDAY = TableId("friday")


async def open_friday(shelf):
    """A table that has just been opened."""
    assert await shelf.order("friday", "ann", OPENING, id="open", version=0) == Recorded(1)


async def partition_keys(shelf, table: str) -> list[str]:
    """The keys of a table of its own."""
    found = await shelf.client.execute_command("KEYS", f"*:table:{table}:*")
    return sorted(key.decode().rpartition(":")[2] for key in found)


# --- there and back ------------------------------------------------------------------------------


async def test_a_finished_game_leaves_nothing_but_its_head_and_a_tombstone(shelf):
    found = contents()
    await shelf.put_in(found)
    await shelf.projector.begin()
    await shelf.projector.catch_up()
    assert await shelf.view(OVER, "wealth")
    partition = streams.partition_of(TableId(OVER), shelf.partitions)
    await shelf.client.execute_command("SET", streams.snapshot(partition, TableId(OVER)), "short")
    await shelf.client.hset(streams.reckonings(partition), OVER, "short")
    done = await shelf.archiving().archive(TableId(OVER), NOW, Wish())
    assert done.seal == found.seal
    assert await partition_keys(shelf, OVER) == ["head"]
    assert await shelf.client.hgetall(streams.reckonings(partition)) == {}
    assert await shelf.view(OVER, "wealth") is None
    stone = await tombstone(shelf.client, shelf.partitions, TableId(OVER))
    assert stone is not None
    assert (stone.version, stone.digest, stone.at) == (found.version, found.seal, NOW)
    line = msgspec.msgpack.decode(stone.line, type=TableLine)
    assert (line.status, line.version) == ("over", found.version)
    async with bus(shelf.url) as one:
        assert await one.lobby() == []
        assert await one.waiting("ann") == []
        assert await one.tables() == [OVER]


async def test_restored_it_is_what_it_was_key_for_key(shelf):
    await open_friday(shelf)
    await shelf.refused("friday", "bob", Pass(), id="early", version=1)
    chat = talk.chat(streams.partition_of(FRIDAY, shelf.partitions), FRIDAY)
    await shelf.client.execute_command("XADD", chat, "5-1", "f", "ann", "t", b"\xff\x00 hi")
    before = await shelf.keys()
    await shelf.archiving().archive(FRIDAY, NOW, ANY)
    assert await shelf.keys() != before
    await shelf.archiving().restore(FRIDAY)
    assert await shelf.keys() == before
    # A store may lose its last second, and then the file is all that there is.
    (file,) = files.files_in(shelf.folder)
    assert files.contents_of(file).version == 1


async def test_restored_it_is_played_on_and_a_repeated_order_gets_its_first_answer(shelf):
    await open_friday(shelf)
    refusal = await shelf.refused("friday", "bob", Pass(), id="early", version=1)
    await shelf.archiving().archive(FRIDAY, NOW, ANY)
    for id in ("open", "early", "fresh"):
        away = await shelf.refused("friday", "ann", Pass(), id=id, version=1)
        assert away.code == Code.ARCHIVED
    await shelf.archiving().restore(FRIDAY)
    assert await shelf.order("friday", "ann", OPENING, id="open", version=0) == Recorded(1)
    assert await shelf.refused("friday", "bob", Pass(), id="early", version=1) == refusal
    # Of an order that was answered with "archived" nothing is kept: it is decided now.
    assert await shelf.order("friday", "ann", Pass(), id="fresh", version=1) == Recorded(2)


async def test_whoever_asks_for_an_archived_table_is_told_how_it_is_brought_back(shelf):
    await open_friday(shelf)
    await shelf.archiving().archive(FRIDAY, NOW, ANY)
    away = await shelf.refused("friday", "ann", Pass(), version=1)
    assert "in the archive" in away.sentence
    assert "minutebook restore friday" in away.legal
    again = await shelf.refused("friday", "ann", OPENING, version=0)
    assert again.code == Code.ARCHIVED


async def test_a_table_of_another_store_comes_out_of_its_file(shelf):
    found = contents(most=40)
    file = files.put(shelf.folder.parent / "copy", found)
    await shelf.archiving().restore(TableId(OVER), file)
    assert file.exists()
    held = await shelf.held(OVER)
    assert (held.sealed, held.outcomes) == (found.sealed, found.outcomes)


async def test_what_notifier_and_clock_remember_comes_back_with_it(shelf):
    await open_friday(shelf)
    partition = streams.partition_of(FRIDAY, shelf.partitions)
    told = f"{notices.prefix(partition)}told"
    await shelf.client.hset(told, FRIDAY, b"\x91\x01")
    names = "1\nfriday 1.0 1 call ann\nfriday 1.0 1 remind-60 ann\nfriday 1.0 1 remind-30 ann"
    await shelf.client.hset(streams.timers_of_tables(partition), FRIDAY, names)
    due = "friday 1.0 1 remind-30 ann"
    await shelf.client.execute_command("ZADD", streams.timers(partition), 9, due)
    await shelf.archiving().archive(FRIDAY, NOW, ANY)
    assert await shelf.client.hget(told, FRIDAY) is None
    assert await shelf.client.execute_command("ZCARD", streams.timers(partition)) == 0
    await shelf.archiving().restore(FRIDAY)
    assert await shelf.client.hget(told, FRIDAY) == b"\x91\x01"
    # A reminder that was given is not given again; one that was not is set anew by the clock.
    done = await shelf.client.hget(streams.timers_of_tables(partition), FRIDAY)
    assert done == b"1\nfriday 1.0 1 remind-60 ann"


# --- what may not go -----------------------------------------------------------------------------


async def test_a_game_that_is_not_over_stays(shelf):
    await open_friday(shelf)
    with pytest.raises(ArchiveError, match="is not over"):
        await shelf.archiving().archive(FRIDAY, NOW, Wish())
    with pytest.raises(ArchiveError, match="not so long ago"):
        await shelf.archiving().archive(FRIDAY, NOW, Wish(finished=False, before=5))


async def test_a_table_of_which_somebody_has_still_to_be_told_stays(shelf):
    await open_friday(shelf)
    partition = streams.partition_of(FRIDAY, shelf.partitions)
    await shelf.client.hset(streams.readers(partition), notices.READER, "0-0")
    with pytest.raises(ArchiveError, match="still to be told"):
        await shelf.archiving().archive(FRIDAY, NOW, ANY)
    untold = msgspec.structs.replace(ANY, untold=True)
    await shelf.archiving().archive(FRIDAY, NOW, untold)


async def test_no_table_and_no_archived_table_is_archived(shelf):
    with pytest.raises(ArchiveError, match="There is no table friday"):
        await shelf.archiving().archive(FRIDAY, NOW, ANY)
    await open_friday(shelf)
    with pytest.raises(ArchiveError, match="is not archived: it is in the store, at version 1"):
        await shelf.archiving().restore(FRIDAY)
    await shelf.archiving().archive(FRIDAY, NOW, ANY)
    with pytest.raises(ArchiveError, match="archived already"):
        await shelf.archiving().archive(FRIDAY, NOW, ANY)


async def test_a_file_of_another_table_is_not_written_over(shelf):
    """On some disks `Friday` and `friday` are one file."""
    await open_friday(shelf)
    other = files.put(shelf.folder, contents(most=40))
    other.replace(files.file_of(shelf.folder, FRIDAY))
    with pytest.raises(ArchiveError, match=f"holds another book .table {OVER}"):
        await shelf.archiving().archive(FRIDAY, NOW, ANY)


async def test_a_file_that_the_table_has_gone_on_from_is_written_over(shelf):
    await open_friday(shelf)
    files.put(shelf.folder, await shelf.held("friday"))
    await shelf.order("friday", "ann", Pass(), version=1)
    done = await shelf.archiving().archive(FRIDAY, NOW, ANY)
    assert done.records == 2


async def test_a_table_that_changes_meanwhile_is_read_again(shelf, redis_client):
    await open_friday(shelf)
    chat = talk.chat(streams.partition_of(FRIDAY, shelf.partitions), FRIDAY)

    def between(step):
        if step == "proved" and not redis_client.exists(chat):
            redis_client.xadd(chat, {"f": "bob", "t": "wait!"})

    done = await shelf.archiving(between).archive(FRIDAY, NOW, ANY)
    (kept,) = files.contents_of(done.file).kept
    assert kept.value[0][1] == [b"f", b"bob", b"t", b"wait!"]


@pytest.mark.parametrize("what", ["a record", "a refusal", "a line of chat", "what was told"])
async def test_nothing_leaves_the_store_if_anything_was_added_since_it_was_read(shelf, what):
    await open_friday(shelf)
    partition = streams.partition_of(FRIDAY, shelf.partitions)
    found = await taken(shelf.client, shelf.partitions, FRIDAY, NOW)
    match what:
        case "a record":
            await shelf.order("friday", "ann", Pass(), version=1)
        case "a refusal":
            await shelf.refused("friday", "bob", Pass(), version=1)
        case "a line of chat":
            chat = talk.chat(partition, FRIDAY)
            await shelf.client.execute_command("XADD", chat, "*", "f", "ann", "t", "hi")
        case "what was told":
            await shelf.client.hset(f"{notices.prefix(partition)}told", FRIDAY, b"\x90")
    stone = Tombstone(FRIDAY, 1, found.contents.seal, "", NOW, b"")
    before = await shelf.keys()
    assert not await Exchange(shelf.client).done(_leaving(found, stone))
    assert await shelf.keys() == before


# --- a file that is not what it was --------------------------------------------------------------


async def archived_friday(shelf) -> Path:
    await open_friday(shelf)
    return (await shelf.archiving().archive(FRIDAY, NOW, ANY)).file


async def test_a_damaged_file_is_not_restored(shelf):
    file = await archived_friday(shelf)
    body = bytearray(file.read_bytes())
    body[len(body) // 2] ^= 1
    file.write_bytes(body)
    with pytest.raises(FileError, match=rf"{file}: .*damaged"):
        await shelf.archiving().restore(FRIDAY)
    assert (await shelf.refused("friday", "ann", Pass(), version=1)).code == Code.ARCHIVED


async def test_another_file_under_its_name_is_not_restored(shelf):
    file = await archived_friday(shelf)
    found = files.contents_of(file)
    files.write_over(file, msgspec.structs.replace(found, sealed=found.sealed[:0], outcomes={}))
    with pytest.raises(FileError, match="is not the file that was archived"):
        await shelf.archiving().restore(FRIDAY)


async def test_an_older_file_that_is_named_is_not_restored_over_a_longer_book(shelf):
    await open_friday(shelf)
    older = (await shelf.archiving().archive(FRIDAY, NOW, ANY)).file
    older = older.rename(shelf.folder.parent / "older.minutebook.xz")
    await shelf.archiving().restore(FRIDAY, older)
    await shelf.order("friday", "ann", Pass(), version=1)
    await shelf.archiving().archive(FRIDAY, NOW, ANY)
    with pytest.raises(ArchiveError, match=r"was archived with 2 records .* this file has 1"):
        await shelf.archiving().restore(FRIDAY, older)
    await shelf.archiving().restore(FRIDAY)
    assert (await shelf.held("friday")).version == 2


async def test_a_missing_file_is_missed_in_words(shelf):
    file = await archived_friday(shelf)
    away = file.replace(shelf.folder.parent / file.name)
    with pytest.raises(FileError, match=r"is archived, but its file .* is not there"):
        await shelf.archiving().restore(FRIDAY)
    # Moved to the folder where files lie now, it is found by its name.
    shelf.folder = shelf.folder.parent
    assert (await shelf.archiving().restore(FRIDAY)).file == away


# --- engine, projector and clock -----------------------------------------------------------------


async def test_an_engine_that_has_the_table_in_mind_writes_nothing_any_more(shelf):
    await open_friday(shelf)
    await shelf.order("friday", "ann", Pass(), version=1)
    await shelf.archiving().archive(FRIDAY, NOW, ANY)
    assert (await shelf.refused("friday", "bob", Pass(), version=2)).code == Code.ARCHIVED
    assert await partition_keys(shelf, "friday") == ["head"]
    await shelf.archiving().restore(FRIDAY)
    assert await shelf.order("friday", "bob", Pass(), version=2) == Recorded(3)


async def test_projector_and_clock_neither_choke_on_it_nor_call_it_damaged(shelf, capsys):
    await open_friday(shelf)
    await shelf.put_in(contents(most=40))
    await shelf.projector.begin()
    await shelf.keeper.begin()
    await shelf.order("friday", "ann", Pass(), version=1)
    await shelf.archiving().archive(FRIDAY, NOW, ANY)
    # The record of the pass is still to be followed, and its book is gone.
    await shelf.projector.catch_up()
    await shelf.keeper.catch_up()
    assert await shelf.view("friday", "wealth") is None
    await shelf.projector.rebuild()
    assert await shelf.view("friday", "wealth") is None
    assert await shelf.view(OVER, "wealth") is not None
    printed = capsys.readouterr()
    assert "damaged" not in printed.out + printed.err
    await shelf.archiving().restore(FRIDAY)
    await shelf.projector.catch_up()
    await shelf.keeper.catch_up()
    assert await shelf.view("friday", "wealth") is not None
    async with bus(shelf.url) as one:
        assert await one.shown(FRIDAY) == 2
        assert "friday" in [line.table for line in await one.waiting("bob")]


async def test_a_projector_that_has_the_table_in_mind_shows_it_again_once_it_is_back(shelf):
    await open_friday(shelf)
    await shelf.projector.begin()
    await shelf.order("friday", "ann", Pass(), version=1)
    await shelf.projector.catch_up()
    before = await shelf.view("friday", "wealth")
    await shelf.archiving().archive(FRIDAY, NOW, ANY)
    await shelf.archiving().restore(FRIDAY)
    assert await shelf.view("friday", "wealth") is None
    await shelf.projector.catch_up()
    assert await shelf.view("friday", "wealth") == before


# --- whoever dies --------------------------------------------------------------------------------


@pytest.mark.parametrize("step", ["read", "written", "proved", "gone"])
async def test_dying_between_any_two_steps_of_archiving_leaves_the_table_somewhere(shelf, step):
    await open_friday(shelf)
    whole = await shelf.held("friday")
    with pytest.raises(DiedError):
        await shelf.archiving(dies_at(step)).archive(FRIDAY, NOW, ANY)
    is_gone = step == "gone"
    assert bool(await all_tombstones(shelf.client, shelf.partitions)) == is_gone
    if is_gone:
        assert files.contents_of(files.file_of(shelf.folder, FRIDAY)).sealed == whole.sealed
        return
    assert await shelf.held("friday") == whole
    assert (await shelf.archiving().archive(FRIDAY, NOW, ANY)).records == 1


@pytest.mark.parametrize("step", ["read", "back"])
async def test_dying_between_any_two_steps_of_restoring_leaves_the_table_somewhere(shelf, step):
    file = await archived_friday(shelf)
    whole = files.contents_of(file)
    with pytest.raises(DiedError):
        await shelf.archiving(dies_at(step)).restore(FRIDAY)
    if step == "read":
        await shelf.archiving().restore(FRIDAY)
    assert (await shelf.held("friday")).sealed == whole.sealed
    # The file that was left behind is in nobody's way.
    await shelf.order("friday", "ann", Pass(), version=1)
    assert (await shelf.archiving().archive(FRIDAY, NOW, ANY)).records == 2


KILLED = """
import asyncio, os, signal, sys
from pathlib import Path
from contracts.ids import TableId
from services.archive.archiving import Archiving, Wish
from services.bus.connection import connection, opened

async def main(url, folder, step):
    def between(done):
        if done == step:
            os.kill(os.getpid(), signal.SIGKILL)
    async with connection(url) as client:
        work = Archiving(client, await opened(client), Path(folder), between=between)
        await work.archive(TableId("friday"), 5, Wish(finished=False))

asyncio.run(main(*sys.argv[1:]))
"""


@pytest.mark.parametrize("step", ["written", "gone"])
async def test_killed_for_good_it_leaves_the_table_somewhere(shelf, step):
    await open_friday(shelf)
    whole = await shelf.held("friday")
    killed = subprocess.run(  # noqa: ASYNC221 - it is over before anything else is done
        [sys.executable, "-c", KILLED, shelf.url, str(shelf.folder), step],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        check=False,
        timeout=60,
    )
    assert killed.returncode == -signal.SIGKILL
    if step == "written":
        assert (await shelf.held("friday")).sealed == whole.sealed
    else:
        assert files.contents_of(files.file_of(shelf.folder, FRIDAY)).sealed == whole.sealed
        await shelf.archiving().restore(FRIDAY)
        assert (await shelf.held("friday")).sealed == whole.sealed


@pytest.mark.parametrize("lost", ["the end of the file", "an outcome"])
async def test_a_file_that_does_not_hold_what_was_written_takes_nothing_away(
    shelf, monkeypatch, lost
):
    await open_friday(shelf)
    await shelf.refused("friday", "bob", Pass(), version=1)
    whole = form.written

    def lossy(found):
        if lost == "an outcome":
            return whole(msgspec.structs.replace(found, outcomes={}))
        return whole(found)[:-8]

    monkeypatch.setattr(files, "written", lossy)
    before = await shelf.keys()
    with pytest.raises(FileError, match=r"damaged|does not hold what was written"):
        await shelf.archiving().archive(FRIDAY, NOW, ANY)
    assert await shelf.keys() == before


@pytest.mark.parametrize(
    ("event", "said"),
    [
        (MoneyPaid("fee", (Payment("ann", "nobody", 5),)), "is not a sound book|cannot be folded"),
        (QuestionClosed("9.9", "answered"), "cannot be folded"),
    ],
)
async def test_a_book_that_is_not_sound_is_not_archived_nor_sealed_anew(shelf, event, said):
    """Its digests follow, but what it says cannot be: nothing hides that."""
    first = contents(most=2)
    record = msgspec.structs.replace(first.sealed[1].record, events=(event,))
    odd = (first.sealed[0], seal(first.sealed[0].digest, record))
    partition = streams.partition_of(TableId(OVER), shelf.partitions)
    act = Act()
    put_book(act, partition, msgspec.structs.replace(first, sealed=odd, outcomes={}))
    act.then("SADD", streams.tables(partition), OVER)
    assert await Exchange(shelf.client).done(act)
    before = await shelf.keys()
    with pytest.raises(ArchiveError, match=said):
        await shelf.archiving().archive(TableId(OVER), NOW, ANY)
    assert await shelf.keys() == before
    if said == "cannot be folded":
        done = await shelf.removing().remove("ann", NOW)
        assert [OVER in sentence and said in sentence for sentence in done.failed] == [True]


async def test_two_who_archive_at_once_do_not_write_over_each_other(shelf):
    await open_friday(shelf)
    async with files.held(shelf.folder):
        other = asyncio.create_task(shelf.archiving().archive(FRIDAY, NOW, ANY))
        await asyncio.sleep(0)
        assert files.files_in(shelf.folder) == []
    assert (await other).records == 1


async def test_a_half_written_file_is_never_believed(shelf, monkeypatch):
    """The disk is full in the middle of it: the table stays, and so does whatever was there."""
    file = await archived_friday(shelf)
    whole = file.read_bytes()
    await shelf.archiving().restore(FRIDAY)
    await shelf.order("friday", "ann", Pass(), version=1)

    def full(*arguments):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(ArchiveError, match="No space left on device"):
        await shelf.archiving().archive(FRIDAY, NOW, ANY)
    assert files.files_in(shelf.folder) == [file]
    assert file.read_bytes() == whole
    assert (await shelf.held("friday")).version == 2


# --- the notifier --------------------------------------------------------------------------------


async def test_the_notifier_looks_no_more_at_an_archived_table_and_tells_nothing_twice(shelf):
    await open_friday(shelf)
    await shelf.projector.begin()
    telling = Telling(shelf)
    await telling.noticing.begin()
    await shelf.order("friday", "ann", Pass(), version=1)
    await shelf.projector.catch_up()
    await telling.on()
    told = [letter.id for letter in await telling.outbox.letters(table="friday")]
    assert told
    await shelf.archiving().archive(FRIDAY, NOW, ANY)
    # A prompt comes late: there is nobody to be told any more.
    late = notices.encode(notices.TimeCalled(FRIDAY, "bob", 2, 5))
    partition = streams.partition_of(FRIDAY, shelf.partitions)
    await shelf.client.xadd(notices.prompts(partition), {notices.PROMPT_BODY: late})
    await telling.on()
    assert await telling.outbox.looks(partition, NOW, 10) == []
    await shelf.archiving().restore(FRIDAY)
    await shelf.projector.catch_up()
    await telling.on()
    assert [letter.id for letter in await telling.outbox.letters(table="friday")] == told

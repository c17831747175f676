"""A person goes, and everybody's games stay whole; an interrupted removal is ended by the next."""

import asyncio
import re
import zlib

import msgspec
import pytest

from contracts import archived, notices, streams, tokens
from contracts.clocking import Clocking
from contracts.commands import AssignSeat, OpenTable, Pass
from contracts.ids import TableId
from contracts.notices import Addressee, Notice
from contracts.pieces import Seat, Settings
from contracts.rejections import Code
from contracts.streams import Recorded
from services.archive import folder as files
from services.archive.errors import ArchiveError
from services.archive.removing import Removed
from services.archive.resealing import earlier_seal
from services.archive.taking import head_of
from services.bus.archived import tombstone
from services.bus.client import bus
from services.bus.talk import Talk
from services.engine.projections.audit import audit
from services.engine.table.agenda import awaited
from services.engine.table.fold import table_at, tables
from services.notifier.ports import Draft
from services.notifier.store import Store as Outbox
from services.notifier.telling import Memory
from tests.archive.shelf import ANY, NOW, OVER, DiedError, Telling, contents, dies_at

pytestmark = pytest.mark.anyio
FRIDAY = TableId("friday")
SEATS = (Seat("ann", "Ann"), Seat("bob", "Bob"), Seat("cyd", "Cyd"))
KNOWN = {"removed-1": "ann", "Removed-1": "Ann"}


async def open_friday(shelf, seats=SEATS, **settings):
    opening = OpenTable("1830", seats, 7, settings=Settings(**settings))
    outcome = await shelf.order(
        "friday", "ann", opening, version=0, sender=seats[0].person or "ann"
    )
    assert outcome == Recorded(1)


def unpacked(part: bytes) -> bytes:
    """A view as it was before it was packed; anything else as it is."""
    try:
        return streams.unpacked(part)
    except zlib.error:
        return part


async def names_left(shelf, name: bytes = b"ann") -> list[str]:
    """Keys of the store in whose contents, or name, a person still stands."""
    found = []
    for key in await shelf.client.execute_command("KEYS", "*"):
        kind = (await shelf.client.execute_command("TYPE", key)).decode()
        match kind:
            case "hash":
                parts = [
                    part for pair in (await shelf.client.hgetall(key)).items() for part in pair
                ]
            case "stream":
                entries = await shelf.client.xrange(key, "-", "+")
                parts = [part for _, fields in entries for part in fields.values()]
            case "zset":
                parts = await shelf.client.execute_command("ZRANGE", key, 0, -1)
            case "set":
                parts = list(await shelf.client.smembers(key))
            case _:
                parts = [await shelf.client.execute_command("GET", key)]
        words = b" ".join([key, *map(unpacked, parts)]).lower()
        if re.search(rb"(?<![a-z])" + name + rb"(?![a-z])", words):
            found.append(key.decode())
    return found


# --- C14 -----------------------------------------------------------------------------------------


async def test_game_result_and_log_stay_and_the_name_becomes_a_stand_in(shelf):
    """Known fault C14: removing one account removed the games of others."""
    before = contents()
    await shelf.put_in(before)
    await shelf.projector.begin()
    await shelf.projector.catch_up()
    done = await shelf.removing().remove("bob", NOW)
    assert (done.stand_in, done.tables, done.failed) == ("removed-1", (OVER,), ())
    await shelf.projector.catch_up()
    after = await shelf.held(OVER)
    assert audit(OVER, [(s.body, s.digest) for s in after.sealed], after.seal).fault is None
    assert after.version == before.version
    old, new = standings(before), standings(after)
    assert [one.total for one in new] == [one.total for one in old]
    assert {one.player for one in new} == {"ann", "removed-1"}
    known = {"removed-1": "bob", "Removed-1": "Bob"}
    assert earlier_seal(after.sealed, after.resealed[0], known) == before.seal
    async with bus(shelf.url) as one:
        (line,) = await one.lobby()
        assert {seat.player for seat in line.seats} == {"ann", "removed-1"}
        assert {seat.name for seat in line.seats} == {"Ann", "Removed-1"}
        assert await one.shown(TableId(OVER)) == before.version
    assert await names_left(shelf, b"bob") == []


def standings(found):
    ending = table_at(found.table, [sealed.record for sealed in found.sealed]).ending
    assert ending is not None
    return ending.standings


async def test_an_archived_game_is_renamed_in_its_file_and_opens_at_any_step(shelf):
    before = contents(most=120)
    await shelf.put_in(before)
    done = await shelf.archiving().archive(TableId(OVER), NOW, ANY)
    removed = await shelf.removing().remove("ann", NOW)
    assert removed.files == (done.file,)
    stone = await tombstone(shelf.client, shelf.partitions, TableId(OVER))
    assert stone is not None
    assert b"ann" not in stone.line
    _, digest, _, _ = await head_of(shelf.client, shelf.partitions, TableId(OVER))
    assert digest == stone.digest != before.seal
    found = files.of_tombstone(stone, shelf.folder)
    records = [sealed.record for sealed in found.sealed]
    for record, table in tables(TableId(OVER), records):
        assert table.version == record.version
        assert "removed-1" in table.cash
    assert earlier_seal(found.sealed, found.resealed[0], KNOWN) == before.seal
    await shelf.archiving().restore(TableId(OVER))
    assert (await shelf.held(OVER)).resealed == found.resealed


async def test_the_file_that_a_restored_table_left_behind_is_renamed_too(shelf):
    await shelf.put_in(contents(most=40))
    await shelf.archiving().archive(TableId(OVER), NOW, ANY)
    await shelf.archiving().restore(TableId(OVER))
    done = await shelf.removing().remove("ann", NOW)
    assert (done.tables, len(done.files)) == ((OVER,), 1)
    (file,) = files.files_in(shelf.folder)
    assert not any(b"\xa3ann" in sealed.body for sealed in files.contents_of(file).sealed)
    # What she sends afterwards is refused, and that goes too once it is asked for.
    await shelf.order(OVER, "ann", Pass(), version=40)
    assert await names_left(shelf) != []
    again = await shelf.removing().remove("ann", NOW)
    assert (again.stand_in, again.failed) == ("removed-2", ())
    assert await names_left(shelf) == []


# --- running tables ------------------------------------------------------------------------------


async def test_an_engine_that_has_the_table_in_mind_reads_it_again_and_play_goes_on(shelf):
    await open_friday(shelf)
    await shelf.order("friday", "ann", Pass(), version=1)
    await shelf.removing().remove("ann", NOW)
    # The engine decided the last record itself, and still has that table at hand.
    assert await shelf.order("friday", "bob", Pass(), version=2) == Recorded(3)
    table = await shelf.table("friday")
    assert table.order == ("removed-1", "bob", "cyd")
    book = await shelf.held("friday")
    assert audit("friday", [(s.body, s.digest) for s in book.sealed], book.seal).fault is None
    assert (await shelf.refused("friday", "ann", Pass(), version=3)).code == Code.NOT_SEATED


async def test_a_refusal_that_was_decided_on_the_old_book_is_decided_again(shelf):
    await open_friday(shelf)
    await shelf.removing().remove("ann", NOW)
    refusal = await shelf.refused("friday", "bob", Pass(), version=1)
    assert "removed-1" in f"{refusal.sentence} {refusal.legal}"
    assert "ann" not in f"{refusal.sentence} {refusal.legal}"


async def test_a_repeated_order_gets_its_first_answer_afterwards(shelf):
    await open_friday(shelf)
    await shelf.order("friday", "ann", Pass(), id="first", version=1)
    await shelf.removing().remove("ann", NOW)
    assert await shelf.order("friday", "bob", Pass(), id="first", version=2) == Recorded(2)


async def test_the_host_gives_the_seat_of_whoever_went_to_somebody_else(shelf):
    seats = (Seat("ann", "Ann", "ann"), Seat("bob", "Bob", "bob"))
    await open_friday(shelf, seats, host="bob")
    await shelf.removing().remove("ann", NOW)
    given = AssignSeat("removed-1", "eve")
    assert await shelf.order("friday", "bob", given, version=1) == Recorded(2)
    outcome = await shelf.order("friday", "removed-1", Pass(), version=2, sender="eve")
    assert outcome == Recorded(3)


async def test_projector_and_clock_make_everything_anew(shelf):
    clocked = {"clock": msgspec.convert([60, 0, 0, None, "call", [30]], Clocking)}
    await open_friday(shelf, **clocked)
    await shelf.projector.begin()
    await shelf.keeper.begin()
    partition = streams.partition_of(FRIDAY, shelf.partitions)
    assert await shelf.client.hgetall(notices.deadlines(partition, FRIDAY)) != {}
    await shelf.removing().remove("ann", NOW)
    await shelf.projector.catch_up()
    await shelf.keeper.catch_up()
    assert await names_left(shelf) == []
    assert b"removed-1" in await shelf.client.hgetall(notices.deadlines(partition, FRIDAY))
    async with bus(shelf.url) as one:
        assert [line.table for line in await one.waiting("removed-1")] == ["friday"]
        assert await one.waiting("ann") == []


async def test_who_still_plays_is_found(shelf):
    await shelf.put_in(contents())
    await open_friday(shelf, host="bob")
    (one,) = await shelf.removing().sittings("ann")
    assert (one.table, one.seat) == ("friday", "ann")


async def test_a_removal_in_the_middle_of_play_loses_no_move_and_no_answer(shelf):
    """Everybody plays on while one after the other goes; whoever is refused looks again."""
    await open_friday(shelf)
    played: list[int] = []
    gone: list[Removed] = []

    async def play():
        while len(played) < 12:
            table = await shelf.table("friday")
            outcome = await shelf.order(
                "friday", awaited(table)[0], Pass(), version=table.version, id=f"m{len(played)}"
            )
            if isinstance(outcome, Recorded):
                played.append(outcome.version)
            await asyncio.sleep(0)

    async def remove():
        gone.extend([await shelf.removing().remove(name, NOW) for name in ("ann", "bob", "cyd")])

    await asyncio.gather(play(), remove())
    assert [one.failed for one in gone] == [(), (), ()]
    book = await shelf.held("friday")
    assert audit("friday", [(s.body, s.digest) for s in book.sealed], book.seal).fault is None
    assert played == list(range(2, 14))
    assert (book.version, len(book.resealed)) == (13, 3)
    table = await shelf.table("friday")
    assert table.order == ("removed-1", "removed-2", "removed-3")
    for number, version in enumerate(played):
        again = await shelf.order("friday", "eve", Pass(), version=1, id=f"m{number}")
        assert again == Recorded(version)


# --- people, programs, substitutes ---------------------------------------------------------------


async def test_a_person_goes_whose_seat_has_another_name(shelf):
    seats = (Seat("red", "Ann Lee", "ann"), Seat("blue", "Bob", "bob"))
    opening = OpenTable("1830", seats, 7, settings=Settings(host="blue"))
    assert await shelf.order("friday", "red", opening, version=0, sender="ann") == Recorded(1)
    await shelf.order("friday", "red", Pass(), version=1, sender="ann/robot")
    await shelf.removing().remove("ann", NOW)
    table = await shelf.table("friday")
    assert table.people == {"removed-1-seat": "removed-1", "blue": "bob"}
    assert table.seats[0] == Seat("removed-1-seat", "Removed-1", "removed-1")
    (_, second) = (await shelf.held("friday")).sealed
    assert second.record.order.sender == "removed-1/robot"
    assert await names_left(shelf) == []


async def test_his_lines_of_chat_stay_under_the_stand_in_and_his_notes_go(shelf):
    await open_friday(shelf)
    chat = Talk(shelf.client, shelf.partitions)
    await chat.say(FRIDAY, "ann", "Hello!", id="a1")
    await chat.say(FRIDAY, "bob", "Hi Ann!", only=["ann"], id="b1")
    await chat.write_note(FRIDAY, "ann", "Buy trains.", id="n1")
    await chat.write_note(FRIDAY, "bob", "Sell them.", id="n1")
    before = [line.id for line in await chat.lines(FRIDAY, "bob")]
    await shelf.removing().remove("ann", NOW)
    first, second = await chat.lines(FRIDAY, "bob")
    assert [first.id, second.id] == before
    assert (first.sender, first.text) == ("removed-1", "Hello!")
    assert (second.sender, second.text, second.only) == ("bob", "Hi Removed-1!", ("removed-1",))
    assert await chat.notes(FRIDAY, "ann") == ()
    assert [note.text for note in await chat.notes(FRIDAY, "bob")] == ["Sell them."]
    assert await names_left(shelf) == []


# --- the notifier, tokens ------------------------------------------------------------------------


async def test_his_letters_and_channels_go_and_what_others_read_names_him_no_more(shelf):
    await open_friday(shelf)
    outbox = Outbox(shelf.client, shelf.partitions)
    partition = streams.partition_of(FRIDAY, shelf.partitions)
    await outbox.set_addressee("player:ann", Addressee(zone="Europe/Paris"))
    await outbox.set_addressee("table:friday", Addressee(mentions={"ann": "@ann", "bob": "@b"}))
    to_ann, to_bob = notice("ann"), notice("bob", happened=("Ann passed.",))
    drafts = (Draft(to_ann, "player:ann", "main"), Draft(to_bob, "player:bob", "main"))
    await outbox.settled(partition, FRIDAY, b"", Memory(1), now=5, again=5, drafts=drafts)
    await shelf.client.execute_command("ZREM", f"{notices.prefix(partition)}looks", "friday")
    done = await shelf.removing().remove("ann", NOW)
    assert done.letters == 1
    assert await outbox.letters("player:ann") == []
    (letter,) = await outbox.letters("player:bob")
    assert letter.notice.happened == ("Removed-1 passed.",)
    assert await outbox.addressee("player:ann") == Addressee()
    assert (await outbox.addressee("table:friday")).mentions == {"bob": "@b"}
    assert await names_left(shelf) == []


def notice(player, **fields):
    return Notice(
        id=f"friday/1/{player}/turn/0",
        table="friday",
        player=player,
        kind="turn",
        version=1,
        title="1830",
        words="You have to act.",
        made=5,
        **fields,
    )


async def test_short_cuts_and_prompts_that_still_wait_name_him_no_more(shelf):
    await open_friday(shelf)
    partition = streams.partition_of(FRIDAY, shelf.partitions)
    await shelf.client.execute_command("SET", streams.snapshot(partition, FRIDAY), b"of ann's")
    await shelf.client.hset(streams.reckonings(partition), FRIDAY, b"of ann's")
    prompted = f"{notices.prefix(partition)}prompted:friday"
    due = notices.ReminderDue(FRIDAY, "ann", 1, 9)
    await shelf.client.hset(prompted, "reminder ann 1 9", notices.encode(due))
    await shelf.removing().remove("ann", NOW)
    waiting = await shelf.client.hgetall(prompted)
    assert list(waiting) == [b"reminder removed-1 1 9"]
    assert notices.decode_prompt(waiting[b"reminder removed-1 1 9"]).player == "removed-1"
    assert await names_left(shelf) == []


async def test_his_tokens_go(shelf):
    for id, person in (("a1", "ann"), ("b1", "bob")):
        body = tokens.encode(tokens.Token(id, person, None, (), 1, 2, b"d"))
        await shelf.client.hset(tokens.TOKENS, id, body)
    await open_friday(shelf)
    await shelf.removing().remove("ann", NOW)
    assert list(await shelf.client.hgetall(tokens.TOKENS)) == [b"b1"]


# --- stand-ins -----------------------------------------------------------------------------------


async def test_stand_ins_are_counted_and_may_be_named(shelf):
    await shelf.put_in(contents(most=40))
    assert (await shelf.removing().remove("ann", NOW)).stand_in == "removed-1"
    assert (await shelf.removing().remove("bob", NOW)).stand_in == "removed-2"
    await open_friday(shelf)
    assert (await shelf.removing().remove("bob", NOW, "somebody")).stand_in == "somebody"
    with pytest.raises(ArchiveError, match="cyd is the name of somebody"):
        await shelf.removing().remove("ann", NOW, "cyd")


async def test_who_is_nowhere_cannot_be_removed(shelf):
    await open_friday(shelf)
    with pytest.raises(ArchiveError, match="zoe stands nowhere"):
        await shelf.removing().remove("zoe", NOW)
    with pytest.raises(ArchiveError, match="is nobody's name"):
        await shelf.removing().remove("clock", NOW)
    assert (await shelf.removing().remove("ann", NOW)).stand_in == "removed-1"


# --- whoever dies --------------------------------------------------------------------------------


async def many_tables(shelf):
    """One table in the store, one in the archive, one that is played."""
    await shelf.put_in(contents(most=40))
    await shelf.put_in(contents("soak-1830-6-17", most=40))
    await shelf.archiving().archive(TableId("soak-1830-6-17"), NOW, ANY)
    await open_friday(shelf)


@pytest.mark.parametrize(
    ("step", "times"),
    [("begun", 1), ("table", 1), ("table", 2), ("file written", 1), ("file", 1), ("letters", 1)],
)
async def test_a_removal_that_died_is_ended_by_the_next_one(shelf, step, times):
    await many_tables(shelf)
    with pytest.raises(DiedError):
        await shelf.removing(dies_at(step, times)).remove("ann", NOW)
    done = await shelf.removing().remove("ann", NOW + 5)
    assert done.stand_in == "removed-1"
    assert await names_left(shelf) == []
    for table in (OVER, "friday"):
        book = await shelf.held(table)
        assert len(book.resealed) == 1
        assert audit(table, [(s.body, s.digest) for s in book.sealed], book.seal).fault is None
    stone = await tombstone(shelf.client, shelf.partitions, TableId("soak-1830-6-17"))
    assert stone is not None
    found = files.of_tombstone(stone, shelf.folder)
    assert stone.digest == found.seal
    assert len(found.resealed) == 1
    assert not any(b"\xa3ann" in sealed.body for sealed in found.sealed)
    assert await shelf.client.hgetall(archived.REMOVING) == {}


async def test_between_the_file_and_its_tombstone_the_table_can_be_read_and_restored(shelf):
    await many_tables(shelf)
    with pytest.raises(DiedError):
        await shelf.removing(dies_at("file written")).remove("ann", NOW)
    table = TableId("soak-1830-6-17")
    stone = await tombstone(shelf.client, shelf.partitions, table)
    assert stone is not None
    found = files.of_tombstone(stone, shelf.folder)
    assert stone.digest != found.seal
    await shelf.archiving().restore(table)
    version, digest, is_archived, resealed = await head_of(shelf.client, shelf.partitions, table)
    assert (version, digest, is_archived) == (found.version, found.seal, False)
    assert resealed == found.resealed


async def test_a_file_that_cannot_be_read_is_named_and_the_removal_stays_open(shelf):
    await many_tables(shelf)
    (file,) = files.files_in(shelf.folder)
    whole = file.read_bytes()
    file.write_bytes(whole[:-40])
    done = await shelf.removing().remove("ann", NOW)
    assert [str(file) in sentence for sentence in done.failed] == [True]
    file.write_bytes(whole)
    again = await shelf.removing().remove("ann", NOW)
    assert (again.stand_in, again.failed, again.files) == ("removed-1", (), (file,))
    assert await names_left(shelf) == []


async def test_his_orders_among_the_dead_letters_go(shelf):
    await open_friday(shelf)
    for player in ("ann", "bob"):
        assert (await shelf.refused("saturday", player, Pass())).code == Code.UNKNOWN_TABLE
    partition = streams.partition_of(TableId("saturday"), shelf.partitions)
    assert await shelf.client.xlen(streams.dead(partition)) == 2
    await shelf.removing().remove("ann", NOW)
    assert await shelf.client.xlen(streams.dead(partition)) == 1
    assert await names_left(shelf) == []


async def test_the_notifier_tells_nobody_again_what_he_was_told_before_it(shelf):
    await open_friday(shelf)
    await shelf.projector.begin()
    telling = Telling(shelf)
    await telling.noticing.begin()
    await shelf.order("friday", "ann", Pass(), version=1)
    await shelf.projector.catch_up()
    await telling.on()
    before = [letter.id for letter in await telling.outbox.letters(table="friday")]
    assert [id for id in before if "bob" in id]
    await shelf.removing().remove("ann", NOW)
    await shelf.projector.catch_up()
    await telling.on()
    after = [letter.id for letter in await telling.outbox.letters(table="friday")]
    assert after == [id for id in before if "ann" not in id]

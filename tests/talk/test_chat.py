"""Chat at a table: who may write, who may read, what is new to whom."""

import asyncio

import pytest

from contracts import streams, talk
from contracts.archived import HEAD_RESEALED
from contracts.commands import AssignSeat, Pass
from contracts.ids import TableId
from contracts.people import NOBODY
from contracts.rejections import Code, Rejection
from contracts.talk import Line
from services.bus.talk import Talk
from tests.talk.parlour import FRIDAY, Parlour, keys

pytestmark = pytest.mark.anyio


@pytest.fixture
async def parlour(at):
    one = Parlour(at)
    await one.open(host="ann")
    return one


async def test_what_is_said_is_heard_by_all_in_order_with_sender_version_and_time(parlour):
    first = await parlour.talk.say(FRIDAY, "Andrea", "Good evening")
    await parlour.done("Andrea", "ann", Pass())
    second = await parlour.talk.say(FRIDAY, "Boris", "  Already?\r\n(It is late.)  ")
    assert isinstance(first, Line)
    assert isinstance(second, Line)
    assert (first.sender, first.version, second.version) == ("Andrea", 1, 2)
    assert second.text == "Already?\n(It is late.)"
    assert 0 < first.at <= second.at
    assert await parlour.talk.lines(FRIDAY) == [first, second]
    assert await parlour.talk.lines(FRIDAY, after=first.id) == [second]
    assert await parlour.talk.last_lines(FRIDAY, most=1) == [second]


async def test_where_a_table_names_people_they_and_the_host_may_write_and_all_may_read(parlour):
    assert await parlour.says("Andrea", "mine") == "mine"
    assert await parlour.says("Andrea/robot", "by my program") == "by my program"
    for stranger in ("ann", "Olga", "Olga/Andrea"):
        assert await parlour.says(stranger, "I look on") == Code.NOT_SEATED
    assert await parlour.hears("Olga") == await parlour.hears(None) == ["mine", "by my program"]


async def test_a_host_who_does_not_sit_there_may_write(at):
    parlour = Parlour(at)
    await parlour.open(host="Olga")
    assert await parlour.says("Olga", "Welcome") == "Welcome"


async def test_a_host_whose_seat_somebody_else_has_taken_may_write(at):
    parlour = Parlour(at)
    await parlour.open(people={"ann": "Andrea", "bob": "Boris"}, host="ann")
    await parlour.done("Andrea", "ann", AssignSeat("ann", "Doris"))
    assert await parlour.says("Andrea", "Farewell") == "Farewell"
    assert await parlour.says("Doris", "Hello") == "Hello"


async def test_where_a_table_names_nobody_anybody_may_write(at):
    parlour = Parlour(at)
    await parlour.open(people={})
    assert await parlour.says("Olga", "Hello") == "Hello"


async def test_a_seat_without_a_person_goes_by_its_own_name_beside_seats_that_have_one(at):
    parlour = Parlour(at)
    await parlour.open(people={"ann": "Andrea"})
    assert await parlour.says("bob", "Hello") == "Hello"
    assert await parlour.says("ann", "Hello") == Code.NOT_SEATED


@pytest.mark.parametrize("sender", ["clock", "nobody", "programme:4.0", "clock/x", "", "a/b/c"])
async def test_what_is_no_person_says_nothing(parlour, sender):
    assert await parlour.says(sender, "Hello") == Code.NOT_ADMITTED
    written = await parlour.talk.write_note(FRIDAY, sender, "Hello")
    assert isinstance(written, Rejection)
    assert written.code == Code.NOT_ADMITTED


async def test_a_substitute_may_write_at_once_and_the_one_before_no_more(parlour):
    assert await parlour.says("Boris", "I have to go") == "I have to go"
    await parlour.done("Andrea", "ann", AssignSeat("bob", "Berta"))
    assert await parlour.says("Boris", "Wait") == Code.NOT_SEATED
    assert await parlour.says("Berta", "Here I am") == "Here I am"


async def test_a_book_that_was_sealed_anew_is_read_anew(parlour):
    await parlour.says("Andrea", "Hello")
    seats, _ = parlour.talk._seats._known[FRIDAY]
    seats.people["bob"] = "somebody of before"
    assert await parlour.says("Boris", "Hello") == Code.NOT_SEATED
    head = streams.head(parlour.at.partition_of(FRIDAY), FRIDAY)
    await parlour.at.client.hset(head, HEAD_RESEALED, "1")
    assert await parlour.says("Boris", "Hello") == "Hello"


async def test_a_private_line_is_for_its_writer_and_who_sat_there_then(parlour):
    said = await parlour.talk.say(FRIDAY, "Andrea", "Sell me the train?", only=["bob"])
    assert isinstance(said, Line)
    assert said.only == ("Boris",)
    assert await parlour.hears("Boris") == await parlour.hears("Andrea") == ["Sell me the train?"]
    assert await parlour.hears("Cilla") == await parlour.hears(None) == []
    await parlour.done("Andrea", "ann", AssignSeat("bob", "Berta"))
    assert await parlour.hears("Berta") == [], "a substitute reads the letters of another"
    assert (await parlour.talk.unread(FRIDAY, "Cilla")).count == 0
    assert (await parlour.talk.unread(FRIDAY, "Boris")).count == 1


async def test_a_private_line_needs_seats_in_which_somebody_sits(parlour):
    assert await parlour.says("Andrea", "psst", only=["eve"]) == Code.NOT_SEATED
    await parlour.done("Andrea", "ann", AssignSeat("cyd", "Cilla2"))
    assert await parlour.says("Andrea", "psst", only=["cyd"]) == "psst"
    partition = parlour.at.partition_of(FRIDAY)
    assert await parlour.at.client.xlen(talk.chat(partition, FRIDAY)) == 1
    seats, _ = parlour.talk._seats._known[FRIDAY]
    seats.people["cyd"] = NOBODY
    assert await parlour.says("Andrea", "psst", only=["cyd"]) == Code.NOT_SEATED


async def test_a_line_that_is_sent_again_is_one_line_and_nobody_elses(parlour):
    first = await parlour.talk.say(FRIDAY, "Andrea", "Hello", id="1")
    for text in ("Hello", "Something else"):
        assert await parlour.talk.say(FRIDAY, "Andrea", text, id="1") == first
    at_once = [parlour.talk.say(FRIDAY, "Boris", "Hello", id="1") for _ in range(5)]
    places = {line.id for line in await asyncio.gather(*at_once)}
    assert len(places) == 1
    assert await parlour.hears(None) == ["Hello", "Hello"]


@pytest.mark.parametrize("text", ["", " \n\t", "\x00\x1b", "\u202e", "x" * (talk.TEXT_MOST + 1)])
async def test_a_text_that_nobody_can_read_is_refused(parlour, text):
    assert await parlour.says("Andrea", text) == Code.BAD_TEXT
    assert await parlour.hears(None) == []


async def test_an_id_of_ones_own_has_its_bounds(parlour):
    for id in ("", "a\0b", "x" * (talk.ID_MOST + 1)):
        assert await parlour.says("Andrea", "Hello", id=id) == Code.BAD_TEXT


async def test_one_person_writes_so_much_a_minute_and_hinders_nobody_else(parlour, monkeypatch):
    monkeypatch.setattr(talk, "LINES_A_MINUTE", 3)
    senders = ("Andrea", "Andrea/robot", "Andrea/other")
    assert [await parlour.says(one, f"{n}") for n, one in enumerate(senders)] == ["0", "1", "2"]
    assert await parlour.says("Andrea", "more") == Code.TOO_MUCH
    assert await parlour.says("Boris", "I may") == "I may"
    again = await parlour.talk.say(FRIDAY, "Andrea", "again", id="k")
    assert isinstance(again, Rejection)
    assert again.legal == "Wait a minute."
    # A minute later, by the store's own time: its lines are moved back by one.
    await moved_back(parlour, milliseconds=60_000)
    assert await parlour.says("Andrea", "now") == "now"


async def moved_back(parlour: Parlour, milliseconds: int) -> None:
    """Put a table's lines into the past."""
    key = talk.chat(parlour.at.partition_of(FRIDAY), FRIDAY)
    client = parlour.at.client
    lines = await client.xrange(key, "-", "+")
    await client.execute_command("DEL", key)
    for id, fields in lines:
        moment, _, number = id.decode().partition("-")
        parts = [part for pair in fields.items() for part in pair]
        await client.execute_command("XADD", key, f"{int(moment) - milliseconds}-{number}", *parts)


async def test_all_together_write_so_much_a_minute_and_so_much_in_all(parlour, monkeypatch):
    monkeypatch.setattr(talk, "ALL_LINES_A_MINUTE", 2)
    assert await parlour.says("Andrea", "1") == "1"
    assert await parlour.says("Boris", "2") == "2"
    assert await parlour.says("Cilla", "3") == Code.TOO_MUCH
    monkeypatch.setattr(talk, "ALL_LINES_A_MINUTE", 200)
    monkeypatch.setattr(talk, "LINES_MOST", 2)
    assert await parlour.says("Cilla", "3") == Code.TOO_MUCH
    assert await parlour.hears(None) == ["1", "2"]


async def test_unread_is_what_others_said_since_the_mark_and_a_mark_never_goes_back(parlour):
    lines = [
        await parlour.talk.say(FRIDAY, sender, "Hello")
        for sender in ("Andrea", "Boris", "Andrea", "Cilla")
    ]
    assert [(await parlour.talk.unread(FRIDAY, who)).count for who in ("Andrea", "Olga")] == [2, 4]
    third = await parlour.talk.read_up_to(FRIDAY, "Andrea", lines[2].id)
    assert third == lines[2].id
    unread = await parlour.talk.unread(FRIDAY, "Andrea")
    assert (unread.count, unread.up_to) == (1, lines[2].id)
    assert await parlour.talk.read_up_to(FRIDAY, "Andrea", lines[0].id) == third
    assert (await parlour.talk.unread(FRIDAY, "Boris")).count == 3, "marks are each one's own"


async def test_a_mark_beyond_the_last_line_does_not_swallow_the_next(parlour):
    last = await parlour.talk.say(FRIDAY, "Boris", "Hello")
    marked = await parlour.talk.read_up_to(FRIDAY, "Andrea", "999999999999999-0")
    assert marked == last.id
    await parlour.says("Boris", "Still there?")
    assert (await parlour.talk.unread(FRIDAY, "Andrea")).count == 1
    for place in ("", "yesterday", "1-1-1"):
        refused = await parlour.talk.read_up_to(FRIDAY, "Andrea", place)
        assert isinstance(refused, Rejection)


async def test_marks_compare_as_numbers(parlour):
    key = talk.chat(parlour.at.partition_of(FRIDAY), FRIDAY)
    for number in (9, 10):
        fields = {"f": "Boris", "t": str(number), "v": "1", "i": str(number)}
        parts = [part for pair in fields.items() for part in pair]
        await parlour.at.client.execute_command("XADD", key, f"1700000000000-{number}", *parts)
    await parlour.talk.read_up_to(FRIDAY, "Andrea", "1700000000000-10")
    assert await parlour.talk.read_up_to(FRIDAY, "Andrea", "1700000000000-9") == "1700000000000-10"


async def test_a_table_that_is_not_there_has_no_chat_and_gets_none(parlour):
    sunday = TableId("sunday")
    for found in (
        await parlour.talk.say(sunday, "Andrea", "Hello"),
        await parlour.talk.write_note(sunday, "Andrea", "Hello"),
    ):
        assert isinstance(found, Rejection)
        assert found.code == Code.UNKNOWN_TABLE
    assert not await keys(parlour.at, "*sunday*")


async def test_nothing_is_said_at_a_table_that_has_gone_into_the_archive(parlour):
    assert await parlour.says("Andrea", "Good game") == "Good game"
    partition = parlour.at.partition_of(FRIDAY)
    await parlour.at.client.hset(streams.head(partition, FRIDAY), streams.HEAD_ARCHIVED, "1")
    assert await parlour.says("Andrea", "Another?") == Code.NOT_ALLOWED
    noted = await parlour.talk.write_note(FRIDAY, "Andrea", "Another?")
    assert isinstance(noted, Rejection)
    assert noted.code == Code.NOT_ALLOWED
    await parlour.at.client.execute_command("DEL", streams.log(partition, FRIDAY))
    fresh = Talk(parlour.at.client, parlour.at.partitions)
    gone = await fresh.say(FRIDAY, "Andrea", "Another?")
    assert isinstance(gone, Rejection)
    assert gone.code == Code.NOT_ALLOWED


async def test_all_of_a_tables_talk_lies_in_the_keys_that_are_named(parlour):
    before = set(await keys(parlour.at, "*"))
    await parlour.says("Andrea", "Hello", only=["bob"])
    await parlour.talk.read_up_to(FRIDAY, "Boris", "1-0")
    await parlour.talk.write_note(FRIDAY, "Cilla", "Mind the gap")
    made = {key.decode() for key in set(await keys(parlour.at, "*")) - before}
    assert made == set(parlour.talk.keys(FRIDAY))

"""What noticing and delivering may rely on, in memory and on a real store alike."""

from collections.abc import Sequence

import pytest

from contracts import notices as n
from contracts.ids import TableId
from contracts.notices import Addressee, Deadline, Kind, Notice, ProgramStopped, ReminderDue
from contracts.streams import partition_of
from services.notifier.ports import FEED, PROMPTS, Draft, Entry, Taken
from services.notifier.telling import Memory, Withdrawn
from tests.notifier.ground import Ground, MemoryGround, RedisGround, Told
from tests.tables import ANN, BOB, TABLE, dealt, opened

pytestmark = pytest.mark.anyio
NOW = 1_700_000_000_000_000
QUIET, MOST = 10, 60
TO_ANN, TO_BOB = n.of_player("ann"), n.of_player("bob")


@pytest.fixture(params=["memory", "redis", pytest.param("cluster", marks=pytest.mark.slow)])
async def ground(request: pytest.FixtureRequest):
    """One kind of ports after another, each with nothing in it."""
    ground: Ground
    if request.param == "memory":
        ground = MemoryGround()
    elif request.param == "redis":
        store = request.getfixturevalue("session_store")
        store.empty()
        ground = await RedisGround.on(store.url)
    else:
        ground = await RedisGround.on(request.getfixturevalue("cluster_url"))
    yield ground
    await ground.close()


@pytest.fixture
def outbox(ground):
    return ground.outbox


HERE = partition_of(TABLE, 16)


def notice(id: str, kind: Kind = "turn", made: int = NOW, corrects: str = "") -> Notice:
    return Notice(
        id=id,
        table=TABLE,
        player=ANN,
        kind=kind,
        version=1,
        title="T",
        words="You have to act.",
        made=made,
        corrects=corrects,
    )


def draft(id: str, channel: str = "phone", lane: str = "", to: str = TO_ANN, **more) -> Draft:
    return Draft(notice(id), to, channel, lane, **more)


def over(id: str, correction: str = "") -> Withdrawn:
    return Withdrawn(id, notice(correction, "undone", corrects=id) if correction else None)


async def settled(outbox, version: int, now: int = NOW, **more) -> bool:
    """Write what a look led to, whatever was remembered before."""
    before, _ = await outbox.memory(HERE, TABLE)
    return await outbox.settled(
        HERE, TABLE, before, Memory(version, undos=((now, 0),)), now=now, again=QUIET, **more
    )


async def taken(outbox, now: int = NOW, mark: str = "one", most: int = 16) -> list[Taken]:
    return await outbox.taken(HERE, now=now, until=now + 100, most=most, mark=mark)


async def states(outbox, addressee: str = TO_ANN) -> dict[str, str]:
    return {one.id: one.state for one in await outbox.letters(addressee)}


async def noted(outbox, before: str, place: str, *entries: Entry, now: int = NOW) -> bool:
    return await outbox.noted((HERE, FEED), before, place, entries, now=now, quiet=QUIET, most=MOST)


# --- what is to be looked at -----------------------------------------------------------------


async def test_a_place_is_moved_from_where_it_was_and_nothing_is_noted_otherwise(outbox):
    assert await outbox.places([HERE]) == {}
    assert await noted(outbox, "", "1-0")
    assert not await noted(outbox, "", "2-0", Entry(TABLE, 1))
    assert await outbox.places([HERE, HERE + 1]) == {(HERE, FEED): "1-0"}
    assert await outbox.pending("looks", [HERE], NOW + 1000) == []
    assert await noted(outbox, "1-0", "2-0", Entry(TABLE, 1))
    assert await outbox.pending("looks", [HERE, HERE + 1], NOW + 1000) == [HERE]


async def test_a_table_is_looked_at_once_it_is_quiet_or_has_waited_long(outbox):
    await noted(outbox, "", "1-0", Entry(TABLE, 1))
    assert await outbox.looks(HERE, NOW + QUIET - 1, 9) == []
    await noted(outbox, "1-0", "2-0", Entry(TABLE, 3), Entry(TABLE, 2), now=NOW + 5)
    assert await outbox.looks(HERE, NOW + QUIET, 9) == []
    assert await outbox.looks(HERE, NOW + 5 + QUIET, 9) == [(TABLE, 3)]
    await noted(outbox, "2-0", "3-0", Entry(TABLE, 4), now=NOW + 55)
    assert await outbox.looks(HERE, NOW + MOST, 9) == [(TABLE, 4)]


async def test_the_tables_that_have_waited_longest_are_looked_at_first(outbox):
    await noted(outbox, "", "1-0", Entry(TableId("b"), 1))
    await noted(outbox, "1-0", "2-0", Entry(TableId("a"), 1), now=NOW + 1)
    assert await outbox.looks(HERE, NOW + 99, 1) == [(TableId("b"), 1)]


async def test_a_prompt_has_the_table_looked_at_at_once_and_waits_once_under_its_id(outbox):
    prompt = ReminderDue(TABLE, ANN, 1, 99)
    entry = Entry(TABLE, 1, "reminder", n.encode(prompt))
    await outbox.noted((HERE, PROMPTS), "", "1-0", [entry, entry], now=NOW, quiet=9, most=9)
    assert await outbox.looks(HERE, NOW, 9) == [(TABLE, 1)]
    assert await outbox.prompts(HERE, TABLE) == {"reminder": prompt}
    await settled(outbox, 1, prompts=["reminder"])
    assert await outbox.prompts(HERE, TABLE) == {}
    assert await outbox.looks(HERE, NOW, 9) == []


async def test_only_a_table_that_is_to_be_looked_at_is_looked_at_later(outbox):
    await noted(outbox, "", "1-0", Entry(TABLE, 1))
    await outbox.postpone(HERE, TABLE, NOW + 500)
    await outbox.postpone(HERE, TableId("other"), NOW)
    assert await outbox.looks(HERE, NOW + 499, 9) == []
    assert await outbox.looks(HERE, NOW + 500, 9) == [(TABLE, 1)]


# --- what a look leads to --------------------------------------------------------------------


async def test_what_a_look_leads_to_is_written_once_and_against_what_was_remembered(outbox):
    assert await outbox.memory(HERE, TABLE) == (b"", Memory())
    assert await settled(outbox, 1, drafts=[draft("n1")])
    before, memory = await outbox.memory(HERE, TABLE)
    assert memory.version == 1
    late = await outbox.settled(
        HERE, TABLE, b"", Memory(2), now=NOW, again=QUIET, drafts=[draft("n2")]
    )
    assert not late
    assert await outbox.memory(HERE, TABLE) == (before, memory)
    assert await states(outbox) == {"n1/phone": "waiting"}


async def test_a_table_with_more_to_see_is_looked_at_again(outbox):
    await noted(outbox, "", "1-0", Entry(TABLE, 2))
    await settled(outbox, 1)
    assert await outbox.looks(HERE, NOW + QUIET - 1, 9) == []
    assert await outbox.looks(HERE, NOW + QUIET, 9) == [(TABLE, 2)]
    await settled(outbox, 2)
    assert await outbox.looks(HERE, NOW + 999, 9) == []


async def test_a_prompt_that_came_during_a_look_is_kept_for_the_next(outbox):
    for place, name in (("1-0", "first"), ("2-0", "second")):
        before = (await outbox.places([HERE])).get((HERE, PROMPTS), "")
        body = n.encode(ProgramStopped(TABLE, ANN, "pass", name))
        entry = Entry(TABLE, 0, name, body)
        await outbox.noted((HERE, PROMPTS), before, place, [entry], now=NOW, quiet=9, most=9)
    await settled(outbox, 1, prompts=["first"])
    assert list(await outbox.prompts(HERE, TABLE)) == ["second"]
    assert await outbox.looks(HERE, NOW + QUIET, 9) == [(TABLE, 0)]


async def test_a_letter_that_is_there_is_not_written_again(outbox):
    await settled(outbox, 1, drafts=[draft("n1")])
    (one,) = await taken(outbox)
    await outbox.marked(HERE, one, "sent", now=NOW)
    await settled(outbox, 2, drafts=[draft("n1")])
    assert await states(outbox) == {"n1/phone": "sent"}
    assert await taken(outbox) == []


async def test_letters_are_listed_by_person_and_by_table_and_one_to_nowhere_goes_nowhere(outbox):
    drafts = [draft("n1"), draft("n2", to=TO_BOB), draft("n3", "-", state="nowhere")]
    await settled(outbox, 1, drafts=drafts)
    assert set(await states(outbox)) == {"n1/phone", "n3/-"}
    at_table = {one.id: one.state for one in await outbox.letters(table=TABLE)}
    assert at_table == {"n1/phone": "waiting", "n2/phone": "waiting", "n3/-": "nowhere"}
    assert {one.letter.id for one in await taken(outbox)} == {"n1/phone", "n2/phone"}


# --- letters ---------------------------------------------------------------------------------


async def test_one_letter_of_a_lane_is_under_way_at_a_time(outbox):
    await settled(outbox, 1, drafts=[draft("n1", lane="bot"), draft("n2", lane="bot", to=TO_BOB)])
    await settled(outbox, 2, now=NOW + 1, drafts=[draft("n3")])
    first = {one.lane: one for one in await taken(outbox, NOW + 1)}
    assert set(first) == {"bot", "player:ann/phone"}
    assert await taken(outbox, NOW + 2, "two") == []
    await outbox.marked(HERE, first["bot"], "sent", now=NOW + 2)
    (second,) = await taken(outbox, NOW + 2, "two")
    ids = {first["bot"].letter.id, second.letter.id}
    assert ids == {"n1/phone", "n2/phone"}
    assert (second.letter.state, second.letter.attempts) == ("sending", 1)


async def test_a_letter_that_nobody_marks_is_taken_again_and_its_first_taker_is_too_late(outbox):
    await settled(outbox, 1, drafts=[draft("n1")])
    (first,) = await taken(outbox, NOW, "one")
    assert await taken(outbox, NOW + 99, "two") == []
    (second,) = await taken(outbox, NOW + 100, "two")
    assert (second.letter.id, second.letter.attempts) == ("n1/phone", 2)
    assert not await outbox.marked(HERE, first, "dead", now=NOW + 101)
    assert await outbox.marked(HERE, second, "sent", now=NOW + 101)
    assert not await outbox.marked(HERE, second, "waiting", now=NOW + 102, again=NOW)
    assert await states(outbox) == {"n1/phone": "sent"}
    assert await outbox.pending("letters", [HERE], NOW + 10_000) == []


async def test_a_letter_that_waits_is_due_when_it_was_said_to_be(outbox):
    await settled(outbox, 1, drafts=[draft("n1")])
    (one,) = await taken(outbox)
    await outbox.marked(HERE, one, "waiting", now=NOW + 1, again=NOW + 50, why="No answer.")
    letter = await outbox.letter(HERE, "n1/phone")
    assert (letter.state, letter.why, letter.due, letter.attempts) == (
        *("waiting", "No answer."),
        *(NOW + 50, 1),
    )
    assert await taken(outbox, NOW + 49) == []
    (one,) = await taken(outbox, NOW + 50)
    await outbox.marked(HERE, one, "held", now=NOW + 51, again=NOW + 60, is_no_attempt=True)
    letter = await outbox.letter(HERE, "n1/phone")
    assert (letter.state, letter.attempts) == ("held", 1)
    assert await outbox.pending("letters", [HERE], NOW + 59) == []
    assert await outbox.pending("letters", [HERE], NOW + 60) == [HERE]


async def test_a_lane_rests_with_all_of_its_letters_also_those_that_come_meanwhile(outbox):
    await settled(outbox, 1, drafts=[draft("n1", lane="bot"), draft("n2", lane="bot", to=TO_BOB)])
    (one,) = await taken(outbox)
    await outbox.marked(HERE, one, "sent", now=NOW + 1, rest=NOW + 500)
    await settled(outbox, 2, now=NOW + 2, drafts=[draft("n3", lane="bot")])
    assert await taken(outbox, NOW + 499) == []
    assert len(await taken(outbox, NOW + 500)) == 1


async def test_a_letter_that_is_held_with_its_lane_keeps_its_place_in_it(outbox):
    await settled(outbox, 1, drafts=[draft("n2", lane="bot")])
    (one,) = await taken(outbox)
    await outbox.marked(HERE, one, "held", now=NOW + 1, again=NOW + 500, rest=NOW + 500)
    assert (await outbox.letter(HERE, "n2/phone")).due == NOW + 500
    await settled(outbox, 2, now=NOW + 2, drafts=[draft("n1", lane="bot")])
    (first,) = await taken(outbox, NOW + 500)
    await outbox.marked(HERE, first, "waiting", now=NOW + 500, again=NOW + 501)
    (second,) = await taken(outbox, NOW + 502)
    assert (first.letter.id, second.letter.id) == ("n2/phone", "n1/phone")


async def test_lanes_are_served_in_turn(outbox):
    for number in range(6):
        drafts = [draft(f"{lane}{number}", lane=lane) for lane in ("a", "b", "c")]
        await settled(outbox, number + 1, now=NOW + number, drafts=drafts)
    served = []
    for number in range(6):
        (one,) = await taken(outbox, NOW + 100 + number, most=1)
        served.append(one.lane)
        await outbox.marked(HERE, one, "sent", now=NOW + 100 + number)
    assert sorted(served[:3]) == sorted(served[3:]) == ["a", "b", "c"]


async def test_a_letter_that_was_given_up_is_listed_and_can_be_tried_again_once(outbox):
    await settled(outbox, 1, drafts=[draft("n1")])
    assert not await outbox.try_again(HERE, "n1/phone", NOW)
    (one,) = await taken(outbox)
    await outbox.marked(HERE, one, "dead", now=NOW, why="Gone.")
    ((partition, letter),) = await outbox.dead()
    assert (partition, letter.id, letter.why) == (HERE, "n1/phone", "Gone.")
    assert await outbox.try_again(HERE, "n1/phone", NOW + 1)
    assert not await outbox.try_again(HERE, "n1/phone", NOW + 1)
    assert not await outbox.try_again(HERE, "never/was", NOW + 1)
    assert await outbox.dead() == []
    (one,) = await taken(outbox, NOW + 1)
    assert one.letter.attempts == 1


# --- what holds no more ----------------------------------------------------------------------


async def test_a_letter_that_was_not_sent_is_withdrawn_and_never_taken(outbox):
    await settled(outbox, 1, drafts=[draft("n1"), draft("n1", "post")])
    one = next(one for one in await taken(outbox) if one.letter.channel == "post")
    await outbox.marked(HERE, one, "dead", now=NOW)
    other = next(o for o in await taken(outbox, NOW + 100) if o.letter.channel == "phone")
    await outbox.marked(HERE, other, "held", now=NOW, again=NOW + 101)
    await settled(outbox, 2, now=NOW + 100, withdrawn=[over("n1", "c1")])
    assert await states(outbox) == {"n1/phone": "withdrawn", "n1/post": "withdrawn"}
    assert await taken(outbox, NOW + 1000) == []
    assert await outbox.dead() == []


async def test_a_letter_that_was_sent_is_corrected_on_the_channel_that_it_took(outbox):
    await settled(outbox, 1, drafts=[draft("n1", lane="bot")])
    (one,) = await taken(outbox)
    await outbox.marked(HERE, one, "sent", now=NOW)
    await settled(outbox, 2, now=NOW + 1, withdrawn=[over("n1", "c1"), over("never")])
    await settled(outbox, 3, now=NOW + 2, withdrawn=[over("n1", "c1")])
    assert await states(outbox) == {"n1/phone": "sent", "c1/phone": "waiting"}
    (correction,) = await taken(outbox, NOW + 2)
    assert (correction.letter.notice.corrects, correction.lane) == ("n1", "bot")
    assert {one.id for one in await outbox.letters(table=TABLE)} == {"n1/phone", "c1/phone"}


async def test_without_a_correction_what_was_sent_stays_as_it_is(outbox):
    await settled(outbox, 1, drafts=[draft("n1")])
    (one,) = await taken(outbox)
    await outbox.marked(HERE, one, "sent", now=NOW)
    await settled(outbox, 2, withdrawn=[over("n1")])
    assert await states(outbox) == {"n1/phone": "sent"}


@pytest.mark.parametrize(
    ("outcome", "found"),
    [
        ("sent", {"n1/phone": "sent", "c1/phone": "waiting"}),
        ("waiting", {"n1/phone": "withdrawn"}),
        ("dead", {"n1/phone": "withdrawn"}),
    ],
)
async def test_a_letter_under_way_is_corrected_if_it_arrived_and_else_not_tried_again(
    outbox, outcome, found
):
    await settled(outbox, 1, drafts=[draft("n1")])
    (one,) = await taken(outbox)
    await settled(outbox, 2, withdrawn=[over("n1", "c1")])
    assert await states(outbox) == {"n1/phone": "sending"}
    await outbox.marked(HERE, one, outcome, now=NOW + 1, again=NOW + 1)
    assert await states(outbox) == found
    assert [one.letter.id for one in await taken(outbox, NOW + 1)] == [
        id for id, state in found.items() if state == "waiting"
    ]
    assert await outbox.dead() == []
    assert {one.id for one in await outbox.letters(table=TABLE)} == set(found)


async def test_who_takes_a_letter_from_one_who_died_is_told_that_it_is_withdrawn(outbox):
    await settled(outbox, 1, drafts=[draft("n1")])
    await taken(outbox)
    await settled(outbox, 2, withdrawn=[over("n1", "c1")])
    (one,) = await taken(outbox, NOW + 100, "two")
    assert one.is_withdrawn
    await outbox.marked(HERE, one, "sent", now=NOW + 100)
    assert (await states(outbox))["c1/phone"] == "waiting"


# --- digests ---------------------------------------------------------------------------------


async def gathered(outbox, *ids: str, due: int = NOW + 1000) -> None:
    """Letters that wait for the digest of Ann."""
    await settled(outbox, len(ids), drafts=[draft(id, lane=id) for id in ids])
    for one in await taken(outbox):
        await outbox.gather(TO_ANN, one.letter, HERE, due)
        await outbox.marked(HERE, one, "digest", now=NOW, is_no_attempt=True)


async def digest(outbox, due: int, told: list[str], over: Sequence[str] = ()) -> bool:
    letters = [Draft(notice(f"digest/{due}", "digest"), TO_ANN, "phone")]
    return await outbox.write_digest(TO_ANN, due, letters, told, over, now=due, next_due=due + 1000)


async def test_a_digest_is_due_when_the_first_letter_said_and_is_written_once(outbox):
    await gathered(outbox, "n1", "n2")
    await outbox.gather(TO_ANN, await outbox.letter(HERE, "n1/phone"), HERE, NOW + 5)
    there = partition_of(TableId(TO_ANN), 16)
    every = list(range(16))
    assert await outbox.pending("digests", every, NOW + 999) == []
    assert await outbox.pending("digests", every, NOW + 1000) == [there]
    assert await outbox.digests(there, NOW + 1000) == [(TO_ANN, NOW + 1000)]
    assert await outbox.gathered(TO_ANN) == {"n1/phone": HERE, "n2/phone": HERE}
    assert not await digest(outbox, NOW + 999, ["n1/phone"])
    assert await digest(outbox, NOW + 1000, ["n1/phone"], ["n2/phone"])
    assert not await digest(outbox, NOW + 1000, ["n2/phone"]), "the first is not marked yet"
    assert await outbox.gathered(TO_ANN) == {}
    assert await outbox.told(TO_ANN) == {"n1/phone": HERE}
    assert await outbox.digests(there, NOW + 1000) == [(TO_ANN, NOW + 1000)]
    await outbox.told_by_digest(HERE, "n1/phone", NOW + 1001)
    await outbox.digest_done(TO_ANN, ["n1/phone"], NOW + 1000, NOW + 2000)
    assert await outbox.told(TO_ANN) == {}
    assert await outbox.digests(there, NOW + 9000) == []
    letter = await outbox.letter(HERE, "n1/phone")
    assert (letter.state, letter.why) == ("sent", "in a digest")
    (one,) = await outbox.taken(there, now=NOW + 1000, until=NOW + 1100, most=9, mark="one")
    assert one.letter.notice.kind == "digest"


async def test_what_is_gathered_while_a_digest_is_written_waits_for_the_next(outbox):
    await gathered(outbox, "n1")
    assert await digest(outbox, NOW + 1000, ["n1/phone"])
    await outbox.gather(TO_ANN, await outbox.letter(HERE, "n1/phone"), HERE, NOW + 3000)
    await outbox.digest_done(TO_ANN, ["n1/phone"], NOW + 1000, NOW + 2000)
    there = partition_of(TableId(TO_ANN), 16)
    assert await outbox.digests(there, NOW + 9000) == [(TO_ANN, NOW + 2000)]
    # Whoever wrote the digest before comes late, and changes nothing.
    await outbox.digest_done(TO_ANN, ["n1/phone"], NOW + 1000, NOW + 8000)
    assert await outbox.digests(there, NOW + 9000) == [(TO_ANN, NOW + 2000)]


async def test_a_digest_of_nothing_writes_nothing_and_is_off_the_list(outbox):
    await gathered(outbox, "n1")
    await settled(outbox, 2, withdrawn=[over("n1", "c1")])
    assert await outbox.write_digest(
        TO_ANN, NOW + 1000, [], [], ["n1/phone"], now=NOW + 1000, next_due=NOW + 2000
    )
    there = partition_of(TableId(TO_ANN), 16)
    assert await outbox.digests(there, NOW + 9000) == []
    assert await states(outbox) == {"n1/phone": "withdrawn"}


async def test_what_was_withdrawn_after_a_digest_told_it_is_corrected(outbox):
    await gathered(outbox, "n1", "n2")
    await digest(outbox, NOW + 1000, ["n1/phone", "n2/phone"])
    await settled(outbox, 3, withdrawn=[over("n1", "c1"), over("n2")])
    for id in ("n1/phone", "n1/phone", "n2/phone", "gone/phone"):
        await outbox.told_by_digest(HERE, id, NOW + 1001)
    assert await states(outbox) == {
        "n1/phone": "sent",
        "n2/phone": "sent",
        "c1/phone": "waiting",
        f"digest/{NOW + 1000}/phone": "waiting",
    }


# --- addressees and pauses -------------------------------------------------------------------


async def test_addressees_and_pauses_are_kept(outbox):
    assert await outbox.addressee(TO_ANN) == Addressee()
    await outbox.set_addressee(TO_ANN, Addressee(zone="Europe/London"))
    assert (await outbox.addressee(TO_ANN)).zone == "Europe/London"
    assert await outbox.paused_until(["a", "b"]) == 0
    await outbox.pause("a", NOW)
    await outbox.pause("b", NOW + 1)
    assert await outbox.paused_until(["a", "c"]) == NOW
    assert await outbox.paused_until(["a", "b"]) == NOW + 1


# --- tables ----------------------------------------------------------------------------------


async def test_tables_are_shown_with_their_books_and_what_is_new(ground):
    books = ground.books
    assert await books.newest(HERE) == "0-0"
    assert (await books.version(TABLE), await books.shown(TABLE)) == (0, None)
    told = Told(ground, dealt())
    await told.to(2)
    await told.to(4, shown=False)
    assert await books.tables(HERE) == [TABLE]
    assert await books.version(TABLE) == 4
    assert [one.record.version for one in await books.read(TABLE, 2, 3)] == [2, 3]
    shown = await books.shown(TABLE)
    assert (shown.turn.version, shown.line.table) == (2, TABLE)
    assert shown.lines
    ((stream, news),) = await books.after({(HERE, FEED): "0-0", (HERE, PROMPTS): "0-0"}, 9)
    assert stream == (HERE, FEED)
    assert [one.entry for one in news] == [Entry(TABLE, version) for version in (1, 2, 3, 4)]
    assert news[-1].place == await books.newest(HERE)
    ((_, later),) = await books.after({(HERE, FEED): news[1].place}, 1)
    assert [one.entry.version for one in later] == [3]


async def test_prompts_are_named_so_that_a_repeated_one_is_the_same(ground):
    reminder = n.encode(ReminderDue(TABLE, ANN, 1, 99))
    last = n.encode(ReminderDue(TABLE, ANN, 1, 99, 60))
    stopped = n.encode(ProgramStopped(TABLE, BOB, "pass", "Because."))
    for body in (reminder, b"\xc1", reminder, stopped, stopped, last):
        await ground.prompt(HERE, body)
    ((_, news),) = await ground.books.after({(HERE, PROMPTS): "0-0"}, 9)
    assert news[1].entry is None
    ids = [one.entry.prompt_id for one in news if one.entry]
    assert ids[0] == ids[1]
    assert ids[2] != ids[3]
    assert ids[4] not in ids[:4], "another reminder of the same turn is another"
    await ground.books.trim(HERE, news[-1].place)
    assert await ground.books.after({(HERE, PROMPTS): news[-1].place}, 9) == []


async def test_deadlines_are_those_that_the_clock_has_set(ground):
    await Told(ground, opened()).to()
    assert await ground.books.deadlines(TABLE) == {}
    await ground.limit(TABLE, "ann", Deadline(1, 99))
    assert await ground.books.deadlines(TABLE) == {ANN: Deadline(1, 99)}

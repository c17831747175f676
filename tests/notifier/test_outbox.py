"""From the move to the message: on a real store, with a clock that the test sets."""

import asyncio
import random

import pytest

from contracts import notices as n
from contracts import streams
from contracts.commands import OpenTable
from contracts.ids import Party, PlayerId, TableId, TitleId
from contracts.notices import Addressee, ProgramStopped, QuietHours, ReminderDue
from contracts.pieces import Seat
from contracts.talk import Line
from contracts.titles.load import titles
from services.bus.client import Bus, bus
from services.bus.talk import Talk
from services.engine import live
from services.notifier.channels.addresses import Allowed
from services.notifier.channels.sender import Channels
from services.notifier.patience import (
    ATTEMPTS_MOST,
    SECOND,
    Delivered,
    Failed,
    Impossible,
    Limited,
)
from services.notifier.ports import FEED
from tests.notifier import imitations
from tests.notifier.imitations import serving
from tests.notifier.post import CrashedError, Post
from tests.services.played import NAMES

pytestmark = pytest.mark.anyio
FRIDAY = "friday"


@pytest.fixture
async def one(redis_url):
    async with bus(redis_url) as one:
        yield one


@pytest.fixture
async def post(one):
    post = Post(one)
    await post.begin()
    return post


@pytest.fixture
async def at_table(post):
    """A table is open, all have a channel, and the first to act has been told."""
    for name in NAMES:
        await post.channel(name)
    await post.playing.open(FRIDAY)
    await post.told()
    return post


async def first_move(post: Post) -> tuple[str, str]:
    """The first to act acts; who it was, and who is to act now."""
    (first,) = await post.asked(FRIDAY)
    await post.playing.play(FRIDAY, 1)
    (second,) = await post.asked(FRIDAY)
    assert first != second
    return first, second


def url(name: str) -> str:
    return f"https://{name}.example/"


# --- once ------------------------------------------------------------------------------------


async def test_the_first_to_act_and_the_others_are_told_that_it_begins(at_table):
    (first,) = await at_table.asked(FRIDAY)
    for name in NAMES:
        (message,) = at_table.noting.to(url(name))
        assert message.notice.kind == ("turn" if name == first else "begun")
    await at_table.told()
    assert len(at_table.noting.sent) == len(NAMES)


async def test_whoever_becomes_the_one_to_act_hears_it_once(at_table):
    sent = len(at_table.noting.sent)
    _, second = await first_move(at_table)
    await at_table.told()
    await at_table.told()
    assert [target for target, _ in at_table.noting.sent[sent:]] == [url(second)]
    message = at_table.noting.to(url(second))[-1]
    assert "https://rails.example/friday" in message.text
    assert await at_table.states(second) == ["sent", "sent"]


async def test_a_turns_notice_says_how_much_of_the_chat_is_unread(at_table):
    talk = Talk(at_table.client, at_table.outbox.partitions)
    first, second = await first_move(at_table)
    for said in ("Sorry, that was slow.", "Your turn."):
        assert isinstance(await talk.say(TableId(FRIDAY), first, said), Line)
    await at_table.told()
    message = at_table.noting.to(url(second))[-1]
    assert message.notice.unread == 2
    assert "You have not read 2 lines of the chat." in message.text


async def test_a_reminder_says_how_much_of_the_chat_is_unread(at_table):
    (first,) = await at_table.asked(FRIDAY)
    talk = Talk(at_table.client, at_table.outbox.partitions)
    other = next(name for name in NAMES if name != first)
    assert isinstance(await talk.say(TableId(FRIDAY), other, "Where are you?"), Line)
    await at_table.prompt(ReminderDue(TableId(FRIDAY), first, 1, 99))
    await at_table.told()
    message = at_table.noting.to(url(first))[-1]
    assert (message.notice.kind, message.notice.unread) == ("reminder", 1)


async def test_nobody_is_told_while_quick_moves_go_on(at_table):
    sent = len(at_table.noting.sent)
    for _ in range(3):
        await at_table.playing.play(FRIDAY, 1)
        await at_table.told(seconds=2)
    assert len(at_table.noting.sent) == sent
    await at_table.told()
    heard = {target for target, _ in at_table.noting.sent[sent:]}
    assert heard == {url(name) for name in await at_table.asked(FRIDAY)}


async def test_moves_that_never_pause_do_not_keep_a_notice_for_ever(at_table):
    sent = len(at_table.noting.sent)
    for _ in range(9):
        await at_table.playing.play(FRIDAY, 1)
        await at_table.told(seconds=8)
    assert len(at_table.noting.sent) > sent


async def test_a_restart_tells_nothing_again_and_forgets_nothing(at_table):
    sent = len(at_table.noting.sent)
    _, second = await first_move(at_table)
    await at_table.shown()
    at_table.again()
    await at_table.noticing.begin()
    await at_table.told()
    at_table.again()
    await at_table.noticing.begin()
    await at_table.told()
    assert [target for target, _ in at_table.noting.sent[sent:]] == [url(second)]


async def test_tables_that_were_there_before_are_told_of_as_they_are(one):
    post = Post(one)
    await post.projector.begin()
    for name in NAMES:
        await post.channel(name)
    await post.playing.open(FRIDAY)
    await post.playing.play(FRIDAY, 4)
    await post.shown()
    await post.noticing.begin()
    await post.told()
    (asked,) = await post.asked(FRIDAY)
    assert [(target, message.notice.kind) for target, message in post.noting.sent] == [
        (url(asked), "turn")
    ]


async def test_a_table_waits_for_its_views(at_table):
    sent = len(at_table.noting.sent)
    _, second = await first_move(at_table)
    while await at_table.noticing.read():
        pass
    at_table.later(60)
    await at_table.noticing.look()
    await at_table.delivered()
    assert len(at_table.noting.sent) == sent
    await at_table.told()
    assert [target for target, _ in at_table.noting.sent[sent:]] == [url(second)]


async def test_who_has_no_channel_is_in_the_list_all_the_same(post):
    await post.playing.open(FRIDAY)
    await post.told()
    for name in NAMES:
        assert await post.states(name) == ["nowhere"]
    assert post.noting.sent == []


@pytest.mark.parametrize("seed", range(2))
async def test_each_persons_messages_are_what_they_should_have_been(at_table, seed):
    """Two notifiers, moves, undos, looks and restarts in any order; a turn is a run of versions."""
    post = at_table
    draw = random.Random(seed)
    second = Post(Bus(post.client, post.outbox.partitions))
    second.sender = post.noting
    second.again()
    second.playing = post.playing
    await second.begin()
    for _ in range(25):
        await post.playing.play(FRIDAY, draw.randint(1, 3), seed=draw.randrange(1000))
        version = (await live.opened(post.store, "test", TableId(FRIDAY))).table.version
        if draw.random() < 0.2:
            await post.playing.undo(FRIDAY, version - draw.randint(1, 2))
        await post.shown()
        second.now = post.now
        await asyncio.gather(post.noticing.read(), second.noticing.read())
        post.later(11)
        second.now = post.now
        await asyncio.gather(post.noticing.look(), second.noticing.look())
        await asyncio.gather(post.delivered(), second.deliverer("two").deliver())
        if draw.random() < 0.2:
            post.again()
            await post.noticing.begin()
        await expect_all_told(post)
    ids = [message.id for _, message in post.noting.sent]
    assert len(ids) == len(set(ids)), "no message was sent twice"
    for name in NAMES:
        assert set(await post.states(name)) <= {"sent", "withdrawn"}


async def expect_all_told(post: Post) -> None:
    """Whoever is to act had it as the last thing he heard, or took his own move back."""
    partition = post.store.partition_of(TableId(FRIDAY))
    _, memory = await post.outbox.memory(partition, TableId(FRIDAY))
    turns = {
        one.player: one.notice for one in memory.open if one.player and one.reason[:5] == "since"
    }
    assert set(turns) == set(await post.asked(FRIDAY))
    for player, notice in turns.items():
        if notice:
            assert post.noting.to(url(player))[-1].notice.id == notice


# --- undo ------------------------------------------------------------------------------------


async def test_a_notice_that_is_not_sent_yet_is_withdrawn_by_an_undo_and_nobody_hears(at_table):
    sent = len(at_table.noting.sent)
    _, second = await first_move(at_table)
    await at_table.noticed()
    await at_table.playing.undo(FRIDAY, 1)
    await at_table.told()
    assert all(target != url(second) for target, _ in at_table.noting.sent[sent:])
    assert (await at_table.states(second))[-1] == "withdrawn"


async def test_a_notice_that_was_sent_is_corrected_after_an_undo(at_table):
    first, second = await first_move(at_table)
    await at_table.told()
    told = at_table.noting.to(url(second))[-1]
    await at_table.playing.undo(FRIDAY, 1)
    await at_table.told()
    await at_table.told()
    correction = at_table.noting.to(url(second))[-1]
    assert (correction.notice.kind, correction.notice.corrects) == ("undone", told.notice.id)
    assert len(at_table.noting.to(url(second))) == 3
    # Ann undid; if the move was hers, she knows.
    assert len(at_table.noting.to(url(first))) == (1 if first == "ann" else 2)


async def test_a_notice_that_is_under_way_when_it_is_withdrawn_is_corrected_afterwards(at_table):
    _, second = await first_move(at_table)
    await at_table.noticed()

    async def undone():
        await at_table.playing.undo(FRIDAY, 1)
        await at_table.noticed()

    at_table.noting.meanwhile = undone
    await at_table.delivered()
    await at_table.told()
    assert [one.notice.kind for one in at_table.noting.to(url(second))][1:] == ["turn", "undone"]


# --- trouble with services -------------------------------------------------------------------


async def test_a_letter_that_failed_is_tried_again_later_and_later(at_table):
    _, second = await first_move(at_table)
    at_table.noting.script = [Failed("No answer."), Failed("No answer.")]
    await at_table.told()
    (letter, *_) = await at_table.letters(second)
    assert (letter.state, letter.attempts, letter.why) == ("waiting", 1, "No answer.")
    assert letter.due - at_table.now == 5 * SECOND
    at_table.later(4)
    assert await at_table.delivered() == 0
    at_table.later(1)
    await at_table.delivered()
    (letter, *_) = await at_table.letters(second)
    assert letter.due - at_table.now == 10 * SECOND
    at_table.later(10)
    await at_table.delivered()
    assert (await at_table.states(second))[-1] == "sent"
    assert len({one.id for one in at_table.noting.to(url(second))[1:]}) == 1


async def test_where_a_letter_failed_the_next_is_not_tried_at_once(at_table):
    for why in ("One.", "Two."):
        await at_table.prompt(ProgramStopped(TableId(FRIDAY), PlayerId(Party("bob")), "pass", why))
    at_table.noting.script = [Failed("No answer.")]
    before = len(at_table.noting.to(url("bob")))
    await at_table.told()
    assert len(at_table.noting.to(url("bob"))) == before + 1
    at_table.later(4)
    await at_table.delivered()
    assert len(at_table.noting.to(url("bob"))) == before + 1
    at_table.later(1)
    await at_table.delivered()
    assert len(at_table.noting.to(url("bob"))) == before + 3


async def test_a_letter_is_given_up_that_a_service_takes_no_more_of_for_days(post):
    await post.channel("ann")
    await post.playing.open(FRIDAY)
    post.noting.script = [Limited(6 * 3600)] * 9
    await post.told()
    for _ in range(8):
        post.later(7 * 3600)
        await post.delivered()
    ((_, letter),) = await post.outbox.dead()
    assert letter.why == "The service took no more for days."
    assert len(post.noting.to(url("ann"))) == 8, "the first after two days was the last"


@pytest.mark.parametrize("is_for_all", [True, False])
async def test_a_service_that_takes_no_more_of_anybody_is_left_alone_by_all(post, is_for_all):
    ann, bob = "discord://4174216298/aaaa_aaaaaaaa", "discord://8888888888/bbbb_bbbbbbbb"
    await post.channel("ann", ann)
    await post.playing.open(FRIDAY)
    post.noting.script = [Limited(60, is_for_all=is_for_all)]
    await post.told()
    await post.channel("bob", bob)
    await post.playing.open("sunday")
    await post.told()
    assert (post.noting.to(bob) == []) == is_for_all
    post.later(66)
    await post.delivered()
    assert len(post.noting.to(bob)) == 1


async def test_a_letter_that_fails_for_ever_is_given_up_and_can_be_tried_again(at_table):
    _, second = await first_move(at_table)
    at_table.noting.script = [Failed("No answer.")] * ATTEMPTS_MOST
    await at_table.told()
    for _ in range(ATTEMPTS_MOST):
        at_table.later(3600)
        await at_table.delivered()
    ((partition, letter),) = await at_table.outbox.dead()
    assert (letter.state, letter.attempts) == ("dead", ATTEMPTS_MOST)
    assert await at_table.delivered() == 0
    await at_table.outbox.try_again(partition, letter.id, at_table.now)
    await at_table.delivered()
    assert (await at_table.states(second))[-1] == "sent"
    assert await at_table.outbox.dead() == []


async def test_what_can_never_arrive_is_given_up_at_once(at_table):
    await first_move(at_table)
    at_table.noting.script = [Impossible("The service answered 404.")]
    await at_table.told()
    ((_, letter),) = await at_table.outbox.dead()
    assert (letter.attempts, letter.why) == (1, "The service answered 404.")


async def test_a_service_that_asks_for_a_pause_gets_it_for_all_that_goes_to_it(post):
    for name in NAMES:
        await post.channel(name, "https://same.example/")
    post.noting.script = [Limited(30)]
    await post.playing.open(FRIDAY)
    await post.told()
    # Letters to one address of several people may be under way at once; then it is left alone.
    before = len(post.noting.sent)
    post.later(29)
    await post.delivered()
    assert len(post.noting.sent) == before
    post.later(5)
    await post.delivered()
    for name in NAMES:
        (letter,) = await post.letters(name)
        assert (letter.state, letter.attempts) == ("sent", 1), "a pause is no attempt"


async def test_a_pause_after_a_message_is_kept(at_table):
    at_table.noting.script = [Delivered(120)]
    _, second = await first_move(at_table)
    await at_table.told()
    await at_table.prompt(ProgramStopped(TableId(FRIDAY), PlayerId(Party(second)), "pass", "Why."))
    await at_table.told()
    assert (await at_table.states(second))[-1] == "held"
    at_table.later(125)
    await at_table.delivered()
    assert await at_table.states(second) == ["sent"] * 3


async def test_discord_for_real_its_limit_and_then_the_message(one):
    with serving(imitations.DISCORD_WELL) as discord:
        routes = {"https://discord.com": discord.url}
        post = Post(one, Channels(Allowed(), routes))
        await post.begin()
        await post.channel("ann", "discord://4174216298/JHMHI8qBe7bk2ZwO5U711o3dV_js")
        discord.answers(imitations.BROKEN, imitations.DISCORD_LIMITED)
        await post.playing.open(FRIDAY)
        await post.told()
        post.later(6)
        await post.delivered()
        (letter,) = await post.letters("ann")
        assert (letter.state, letter.due - post.now) == ("held", round(7.25 * 1.1 * SECOND))
        post.later(8)
        await post.delivered()
        assert (await post.states("ann"), len(discord.received)) == (["sent"], 3)


# --- when ------------------------------------------------------------------------------------


async def test_quiet_hours_hold_a_letter_and_what_is_over_by_then_is_never_sent(post):
    # It is noon in London, and 21:00 in Tokyo.
    quiet = QuietHours("20:00", "07:00", "Asia/Tokyo")
    for name in NAMES:
        await post.channel(name, quiet=quiet)
    await post.playing.open(FRIDAY)
    (first,) = await post.asked(FRIDAY)
    await post.told()
    assert post.noting.sent == []
    (letter,) = await post.letters(first)
    assert (letter.state, letter.why, letter.attempts) == ("held", "Quiet hours.", 0)
    await post.playing.play(FRIDAY, 1)
    await post.told()
    post.later(11 * 3600)
    await post.delivered()
    assert await post.states(first) == ["withdrawn"]
    (second,) = await post.asked(FRIDAY)
    assert [one.notice.kind for one in post.noting.to(url(second))] == ["begun", "turn"]


async def test_what_quiet_hours_held_comes_in_the_order_in_which_it_was_written(post):
    await post.playing.open(FRIDAY)
    await post.told()
    await post.channel("bob", quiet=QuietHours("11:00", "20:00", "UTC"))
    whys = ("One.", "Two.", "Three.", "Four.", "Five.")
    for why in whys:
        await post.prompt(ProgramStopped(TableId(FRIDAY), PlayerId(Party("bob")), "pass", why))
        await post.told()
    assert post.noting.sent == []
    post.later(8 * 3600)
    await post.delivered()
    told = [one.notice.words.rpartition(": ")[2] for one in post.noting.to(url("bob"))]
    assert told == list(whys)


async def test_a_digest_tells_once_a_day_what_still_holds(post):
    await post.channel("ann", when={"begun": "digest", "turn": "digest", "undone": "never"})
    await post.playing.open(FRIDAY)
    await post.playing.open("sunday")
    await post.told()
    assert post.noting.sent == []
    assert set(await post.states("ann")) == {"digest"}
    over = await post.asked(FRIDAY)
    if "ann" in over:
        await post.playing.play(FRIDAY, 1)
        await post.told()
    post.later(6 * 3600)
    await post.delivered()
    await post.delivered()
    (message,) = post.noting.to(url("ann"))
    assert message.subject == "What waits for you on Minutebook"
    assert ("friday" in message.text) == ("ann" not in over)
    assert "sunday" in message.text
    post.later(24 * 3600)
    await post.delivered()
    assert len(post.noting.sent) == 1


async def test_a_digest_is_not_gathered_for_a_digest(post):
    await post.channel("ann", when=dict.fromkeys(n.KINDS, "digest"))
    await post.playing.open(FRIDAY)
    await post.told()
    post.later(6 * 3600)
    await post.delivered()
    await post.delivered()
    assert [one.notice.kind for one in post.noting.to(url("ann"))] == ["digest"]


async def test_what_somebody_never_wants_to_hear_is_not_written(post):
    await post.channel("ann", when=dict.fromkeys(n.KINDS, "never"))
    await post.playing.open(FRIDAY)
    await post.told()
    assert await post.letters("ann") == []


async def test_a_room_is_told_and_calls_those_without_a_channel_by_their_names(post):
    mentions = {name: f"1{place}" for place, name in enumerate(NAMES)}
    room = await post.channel(
        "table:friday", "discord://4174216298/JHMHI8qBe7bk2ZwO5U711o3dV_js", mentions=mentions
    )
    await post.playing.open(FRIDAY)
    (first,) = await post.asked(FRIDAY)
    await post.told()
    turn = next(one for one in post.noting.to(room) if one.notice.kind == "turn")
    assert turn.text.startswith(f"<@{mentions[first]}> ")
    await post.playing.play(FRIDAY, 1)
    (second,) = await post.asked(FRIDAY)
    await post.channel(second)
    await post.told()
    assert "<@" not in post.noting.to(room)[-1].text


# --- prompts ---------------------------------------------------------------------------------


async def test_a_prompt_that_comes_twice_is_told_once(at_table):
    (first,) = await at_table.asked(FRIDAY)
    prompt = ReminderDue(TableId(FRIDAY), first, 1, 99)
    await at_table.prompt(prompt)
    await at_table.told()
    await at_table.prompt(prompt)
    await at_table.prompt(prompt)
    await at_table.told()
    assert [one.notice.kind for one in at_table.noting.to(url(first))] == ["turn", "reminder"]


async def test_a_prompt_that_cannot_be_read_keeps_nobody_from_being_told(at_table):
    (first,) = await at_table.asked(FRIDAY)
    key = n.prompts(at_table.store.partition_of(TableId(FRIDAY)))
    await at_table.client.xadd(key, {n.PROMPT_BODY: b"\xc1"})
    await at_table.prompt(ProgramStopped(TableId(FRIDAY), first, "pass", "Because."))
    await at_table.told()
    assert at_table.noting.to(url(first))[-1].notice.kind == "program stopped"


# --- crashes ---------------------------------------------------------------------------------


async def test_who_dies_between_sending_and_marking_has_it_sent_again_under_the_same_id(at_table):
    _, second = await first_move(at_table)
    await at_table.noticed()
    at_table.noting.crashes = 1
    with pytest.raises(CrashedError):
        await at_table.delivered()
    at_table.again()
    await at_table.delivered()
    assert len(at_table.noting.to(url(second))) == 2, "it is taken still"
    at_table.later(121)
    await at_table.delivered()
    one, other = at_table.noting.to(url(second))[1:]
    assert one.id == other.id
    assert (await at_table.states(second))[-1] == "sent"


async def test_who_comes_back_after_another_took_his_letter_does_not_mark_it(at_table):
    _, second = await first_move(at_table)
    await at_table.noticed()
    other = at_table.deliverer("two")

    async def slow():
        at_table.later(121)
        await other.deliver()

    at_table.noting.script = [Failed("It seemed to fail."), Delivered()]
    at_table.noting.meanwhile = slow
    await at_table.delivered()
    assert (await at_table.states(second))[-1] == "sent"


@pytest.mark.parametrize("step", range(1, 9))
async def test_wherever_the_notifier_dies_each_notice_is_made_once(at_table, step, monkeypatch):
    _, second = await first_move(at_table)
    await at_table.shown()
    script = at_table.outbox
    count = 0

    def dying(name):
        plain = getattr(script, name)

        async def called(*arguments, **named):
            nonlocal count
            count += 1
            if count == step:
                raise CrashedError
            found = await plain(*arguments, **named)
            count += 1
            if count == step:
                raise CrashedError
            return found

        return called

    for name in ("noted", "settled", "taken", "marked"):
        monkeypatch.setattr(script, name, dying(name))
    crashed = False
    for _ in range(4):
        try:
            await at_table.told()
        except CrashedError:
            crashed = True
            at_table.again()
            await at_table.noticing.begin()
        at_table.later(121)
    assert crashed
    messages = at_table.noting.to(url(second))[1:]
    assert len({message.id for message in messages}) == 1
    assert await at_table.states(second) == ["sent", "sent"]


async def test_a_table_that_cannot_be_read_keeps_no_other_from_being_told(at_table):
    await first_move(at_table)
    await at_table.playing.open("sunday")
    await at_table.shown()
    partition = at_table.store.partition_of(TableId(FRIDAY))
    await at_table.client.hset(streams.views(partition, TableId(FRIDAY)), "turn", b"\xc1")
    sent = len(at_table.noting.sent)
    await at_table.told()
    tables = {message.notice.table for _, message in at_table.noting.sent[sent:]}
    assert tables == {"sunday"}


async def test_a_letter_that_was_given_up_is_not_tried_again_once_its_turn_is_over(at_table):
    _, second = await first_move(at_table)
    at_table.noting.script = [Impossible("The service answered 404.")]
    await at_table.told()
    await at_table.playing.play(FRIDAY, 1)
    await at_table.told()
    assert (await at_table.states(second))[:2] == ["sent", "withdrawn"]
    assert await at_table.outbox.dead() == []


async def test_a_person_in_a_seat_is_told_and_not_the_seat(post):
    await post.channel("dora")
    await post.channel("ann")
    seats = tuple(
        Seat(PlayerId(Party(name)), name.title(), "dora" if name == "ann" else None)
        for name in NAMES
    )
    await post.playing.order(FRIDAY, "ann", OpenTable(TitleId(titles()[0]), seats, 1))
    await post.told()
    assert (len(post.noting.to(url("dora"))), post.noting.to(url("ann"))) == (1, [])


# --- what is kept ----------------------------------------------------------------------------


async def test_no_secret_lies_open_in_the_store(at_table):
    secret = "JHMHI8qBe7bk2ZwO5U711o3dV_js"
    await at_table.channel("ann", f"discord://4174216298/{secret}")
    at_table.noting.script = [Failed("No answer.")]
    await first_move(at_table)
    await at_table.told()
    found = await at_table.client.hgetall(n.ADDRESSEES)
    assert found
    assert not any(secret.encode() in body for body in found.values())


async def test_a_channel_that_was_taken_away_is_said(at_table):
    _, second = await first_move(at_table)
    await at_table.noticed()
    await at_table.outbox.set_addressee(n.of_player(second), Addressee())
    await at_table.delivered()
    ((_, letter),) = await at_table.outbox.dead()
    assert letter.why == "The channel was taken away."


async def test_the_feed_is_not_trimmed_beyond_what_was_read(at_table):
    partition = at_table.store.partition_of(TableId(FRIDAY))
    assert (partition, FEED) in await at_table.outbox.places([partition])
    readers = await at_table.client.hgetall(streams.readers(partition))
    assert set(readers) == {b"views", b"notices"}

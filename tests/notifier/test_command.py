"""`notices`: how somebody wants to be told, and what became of his letters."""

import json

import pytest

from contracts import notices as n
from contracts.notices import Addressee, QuietHours
from services.bus.client import bus
from services.console.__main__ import console
from services.console.commands.notices import _wanted
from services.console.errors import BadInputError
from services.console.notifying import Change, changed, doubt_about, given_up, with_change
from services.notifier.patience import Impossible
from services.notifier.sealing import Seals
from tests.console.calls import minutebook
from tests.notifier.post import KEY, Post

pytestmark = pytest.mark.anyio
SEALS = Seals(KEY)


@pytest.fixture
def redis_url(session_store):
    session_store.empty()
    return session_store.url


async def test_a_channel_is_added_seen_used_and_taken_away(redis_url):
    async with bus(redis_url) as one:
        post = Post(one)
        await post.begin()
        address = "https://hooks.example/secret-path"
        change = Change(add=address, quiet="22:00-07:00", zone="Europe/Paris")
        ann, letters, key = await changed(one, "ann", change, seals=SEALS)
        assert [channel.label for channel in ann.channels] == ["https: signed webhook"]
        assert ann.quiet == QuietHours("22:00", "07:00", "Europe/Paris")
        assert (letters, len(key)) == ([], 43)
        target = SEALS.opened(ann.channels[0].sealed)
        assert (target.url, target.key) == (address, key)

        await changed(one, "ann", Change(quiet="none"), seals=None)
        post.noting.script = [Impossible("The service answered 404.")]
        await post.playing.open("friday")
        await post.told()
        _, at_table, _ = await changed(one, "friday", Change(), seals=None)
        assert {letter.addressee for letter in at_table} == {
            f"player:{x}" for x in ("ann", "bob", "cyd")
        }
        _, (letter,), _ = await changed(one, "ann", Change(), seals=None)
        assert (letter.state, letter.why) == ("dead", "The service answered 404.")
        _, (letter,), _ = await changed(
            one, "ann", Change(), seals=None, again=True, now=lambda: post.now
        )
        assert letter.state == "waiting"
        await post.delivered()
        _, (letter,), _ = await changed(one, "ann", Change(), seals=None)
        assert letter.state == "sent"

        ann, _, _ = await changed(one, "ann", Change(remove="main"), seals=None)
        assert ann.channels == ()


async def test_without_a_name_all_that_was_given_up_is_shown_and_tried_again(redis_url):
    async with bus(redis_url) as one:
        post = Post(one)
        await post.begin()
        for name in ("ann", "bob", "cyd"):
            await post.channel(name)
        assert (await given_up(one))[1] == []
        post.noting.script = [Impossible("The service answered 404.")] * 3
        await post.playing.open("friday")
        await post.told()
        _, letters, _ = await given_up(one)
        assert {letter.addressee for letter in letters} == {
            f"player:{x}" for x in ("ann", "bob", "cyd")
        }
        _, letters, _ = await given_up(one, again=True, now=lambda: post.now)
        assert [letter.state for letter in letters] == ["waiting"] * 3
        assert await post.delivered() == 3
        assert (await given_up(one))[1] == []


async def test_a_room_is_set_by_the_tables_name(redis_url):
    async with bus(redis_url) as one:
        change = Change(
            add="slack://T1JJ3T3L2/A1BRTD4JD/TIiajkdnlazkcOXrIdevi7FQ/", mention="ann=U1"
        )
        room, _, key = await changed(one, "friday", change, seals=SEALS, is_room=True)
        post = Post(one)
        assert await post.outbox.addressee(n.of_table("friday")) == room
    assert (room.mentions, key) == ({"ann": "U1"}, "")


def test_kinds_are_told_once_a_day_or_never_or_at_once_again():
    before = with_change(Addressee(), Change(when={"digest": "turn,begun", "never": "ended"}), None)
    assert before.when == {"turn": "digest", "begun": "digest", "ended": "never"}
    after = with_change(before, Change(when={"at once": "turn"}), None)
    assert after.when == {"begun": "digest", "ended": "never"}


@pytest.mark.parametrize(
    "change",
    [
        Change(add="ftp://x"),
        Change(add="https://"),
        Change(add="https://ann:secret@x.example/"),
        Change(add="https://x.example:port/"),
        Change(add="https://x.example/", name="a/b"),
        Change(remove="phone"),
        Change(quiet="22:00"),
        Change(quiet="22:00-25:00"),
        Change(zone="Nowhere"),
        Change(digest_at="noon"),
        Change(mention="ann"),
        Change(when={"digest": "turns"}),
    ],
)
def test_what_cannot_be_is_said_in_words(change):
    with pytest.raises(BadInputError):
        with_change(Addressee(), change, SEALS)


def test_how_somebody_is_told_is_shown():
    """Quiet hours were set, and nobody could see that they were."""
    when = {"turn": "digest", "begun": "digest", "ended": "never"}
    quiet = QuietHours("22:00", "07:00", "Europe/Paris")
    bob = Addressee(quiet=quiet, zone="Europe/Paris", digest_at="08:30", when=when)
    assert list(_wanted(bob)) == [
        "Quiet from 22:00 to 07:00 (Europe/Paris).",
        "Once a day, at 08:30 (Europe/Paris): begun, turn.",
        "Never: ended.",
    ]
    assert list(_wanted(Addressee(zone="Asia/Tokyo"))) == ["Times are those of Asia/Tokyo."]
    assert list(_wanted(Addressee(mentions={"ann": "123"}))) == ["ann is called as 123."]
    assert list(_wanted(Addressee())) == []


def test_that_an_address_will_be_refused_is_said_when_it_is_given(monkeypatch):
    """It was taken without a word, and the first message was given up."""
    monkeypatch.delenv("MINUTEBOOK_NOTICES_ALLOW", raising=False)
    for address in ("https://10.0.0.7/x", "https://[::1]/x", "https://localhost/x"):
        assert "is no public address. The notifier refuses it unless" in doubt_about(address)
    assert doubt_about("http://hooks.example/x").startswith("The address does not begin with http")
    assert doubt_about("https://hooks.example/x") == doubt_about("discord://1/2") == ""
    monkeypatch.setenv("MINUTEBOOK_NOTICES_ALLOW", "10.0.0.0/8, hooks.example")
    assert doubt_about("http://10.0.0.7/x") == doubt_about("http://hooks.example/x") == ""


def test_what_channels_there_are_names_the_webhook_too():
    with pytest.raises(BadInputError, match="there are https, discord"):
        with_change(Addressee(), Change(add="hook.example"), SEALS)


@pytest.mark.slow
def test_the_command_shows_no_secret_and_keeps_its_key_to_itself(tmp_path):
    called = minutebook(tmp_path, "notices", "ann", "--add", "https://hooks.example/secret-path")
    assert called.code == 0, called.printed
    assert "signed with this key" in called.errors
    assert (tmp_path / "notices.key").stat().st_mode & 0o777 == 0o600
    again = minutebook(tmp_path, "notices", "ann", "--json")
    assert again.code == 0
    assert all(json.loads(line) for line in again.output.splitlines())
    shown = minutebook(tmp_path, "notices", "ann")
    assert "Channel main: https: signed webhook" in shown.errors
    assert "secret-path" not in called.printed + shown.printed
    wrong = minutebook(tmp_path, "notices", "ann", "--quiet", "late")
    assert (wrong.code, "22:00-07:00" in wrong.errors) == (2, True)


def test_an_address_may_be_left_to_standard_input():
    arguments = ["notices", "ann", "--add", "-"]
    _, bound, _ = console().parse_args(arguments, exit_on_error=False, print_error=False)
    assert bound.arguments["wishes"].add == "-"

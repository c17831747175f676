"""Messages through real HTTP, to services that answer as Discord, Slack and Telegram do."""

import hashlib
import hmac
import json
import logging

import msgspec
import pytest

from contracts.ids import Party, PlayerId, TableId
from contracts.notices import Notice
from services.notifier.accounts import account_of, services_of
from services.notifier.channels import webhook
from services.notifier.channels.addresses import (
    Allowed,
    RefusedAddressError,
    UnknownHostError,
    reachable,
)
from services.notifier.channels.answers import understood
from services.notifier.channels.sender import Channels, complaint
from services.notifier.patience import Delivered, Failed, Impossible, Limited
from services.notifier.sealing import Target
from services.notifier.wording import Message, subject, text
from tests.notifier import imitations
from tests.notifier.imitations import Answer, serving

pytestmark = pytest.mark.anyio

LOOPBACK = Allowed.of("127.0.0.0/8")
ANN = PlayerId(Party("ann"))
NOTICE = Notice(
    id="friday/7/ann/turn/0",
    table=TableId("friday"),
    player=ANN,
    kind="turn",
    version=7,
    title="Eighteen Something",
    words="You have to lay track for PRR.",
    made=0,
    since=60_000_000,
    until=3_660_000_000,
    happened=("Bob bought a train.",),
)
MESSAGE = Message(
    "friday/7/ann/turn/0/phone",
    subject(NOTICE),
    text(NOTICE, zone="Europe/Paris", link="https://rails.example/{table}"),
    NOTICE,
)
DISCORD = Target("discord://4174216298/JHMHI8qBe7bk2ZwO5U711o3dV_js")
SLACK = Target("slack://T1JJ3T3L2/A1BRTD4JD/TIiajkdnlazkcOXrIdevi7FQ/")
TELEGRAM = Target("tgram://123456789:abcdefg_hijklmnop-qrstuv/12315544/")
SERVICES = {
    "discord": (DISCORD, "https://discord.com", imitations.DISCORD_WELL),
    "slack": (SLACK, "https://hooks.slack.com", imitations.SLACK_WELL),
    "telegram": (TELEGRAM, "https://api.telegram.org", imitations.TELEGRAM_WELL),
}


def test_a_text_says_all_that_one_wants_to_know():
    assert MESSAGE.subject == "Your turn at table friday (Eighteen Something)"
    assert MESSAGE.text == (
        "You have to lay track for PRR.\n"
        "Since Thu 1 Jan 1970, 01:01 (Europe/Paris), until Thu 1 Jan 1970, 02:01 (Europe/Paris).\n"
        "Meanwhile: Bob bought a train.\n"
        "https://rails.example/friday"
    )


def test_a_text_is_no_longer_than_every_service_takes():
    long = msgspec.structs.replace(NOTICE, kind="digest", happened=("- a line that goes on",) * 99)
    said = text(long, zone="UTC", link="")
    assert (len(said), said[-1]) == (1800, "…")


@pytest.fixture(params=SERVICES)
def service(request):
    target, front, well = SERVICES[request.param]
    with serving(well) as imitation:
        yield request.param, target, imitation, Channels(LOOPBACK, {front: imitation.url})


async def test_a_message_arrives_with_its_text(service):
    name, target, imitation, channels = service
    reply = await channels.send(target, MESSAGE, 0)
    assert isinstance(reply, Delivered)
    (received,) = imitation.received
    assert "You have to lay track for PRR." in json.dumps(received.json)
    path = {
        "discord": "/api/webhooks/4174216298/JHMHI8qBe7bk2ZwO5U711o3dV_js",
        "slack": "/services/T1JJ3T3L2/A1BRTD4JD/TIiajkdnlazkcOXrIdevi7FQ",
        "telegram": "/bot123456789:abcdefg_hijklmnop-qrstuv/sendMessage",
    }[name]
    assert received.path.startswith(path)


LIMITS = {
    "discord": (imitations.DISCORD_LIMITED, 7.25),
    "slack": (imitations.SLACK_LIMITED, 30.0),
    "telegram": (imitations.TELEGRAM_LIMITED, 5.0),
}


async def test_a_services_limit_is_told_and_it_is_not_asked_again(service):
    name, target, imitation, channels = service
    answer, seconds = LIMITS[name]
    imitation.answers(answer)
    assert await channels.send(target, MESSAGE, 0) == Limited(seconds)
    assert len(imitation.received) == 1, "no second request behind our back"


async def test_what_can_never_arrive_is_told_from_what_may_arrive_later(service):
    name, target, imitation, channels = service
    gone = {
        "discord": imitations.DISCORD_GONE,
        "slack": imitations.SLACK_GONE,
        "telegram": imitations.TELEGRAM_BLOCKED,
    }[name]
    imitation.answers(gone)
    assert isinstance(await channels.send(target, MESSAGE, 0), Impossible)
    imitation.answers(imitations.BROKEN)
    assert isinstance(await channels.send(target, MESSAGE, 0), Failed)


async def test_no_redirect_is_followed(service):
    _, target, imitation, channels = service
    imitation.answers(Answer(307, b"", {"Location": f"{imitation.url}/elsewhere"}))
    assert isinstance(await channels.send(target, MESSAGE, 0), Impossible)
    assert len(imitation.received) == 1


async def test_discord_says_when_its_allowance_is_used_up():
    with serving(imitations.DISCORD_LAST) as imitation:
        channels = Channels(LOOPBACK, {"https://discord.com": imitation.url})
        assert await channels.send(DISCORD, MESSAGE, 0) == Delivered(2.5)


async def test_a_service_that_is_not_there_may_be_another_time(service):
    _, target, imitation, _ = service
    channels = Channels(LOOPBACK, {one[1]: "http://127.0.0.1:1" for one in SERVICES.values()})
    assert isinstance(await channels.send(target, MESSAGE, 0), Failed)
    assert imitation.received == []


async def test_nothing_secret_is_written_into_a_log(service, caplog):
    _, target, imitation, channels = service
    with caplog.at_level(logging.DEBUG):
        imitation.answers(imitations.BROKEN)
        await channels.send(target, MESSAGE, 0)
        await channels.send(target, MESSAGE, 0)
    ours = [record for record in caplog.records if not record.name.startswith("urllib3")]
    secrets = ("JHMHI8qBe7bk2ZwO5U711o3dV_js", "TIiajkdnlazkcOXrIdevi7FQ", "abcdefg_hijklmnop")
    assert not any(one in record.getMessage() for record in ours for one in secrets)
    assert "JHMHI8" not in repr(DISCORD)
    assert "JHMHI8" not in services_of(DISCORD.url)[0]


# --- our own webhook -------------------------------------------------------------------------


async def test_a_webhook_is_signed_over_time_id_and_body():
    with serving(Answer(200)) as receiver:
        target = Target(f"{receiver.url}/hook?room=1", "a key")
        assert await Channels(LOOPBACK).send(target, MESSAGE, 1_700_000_000_000_000) == Delivered()
    (received,) = receiver.received
    assert received.path == "/hook?room=1"
    assert received.headers["minutebook-timestamp"] == "1700000000"
    assert received.headers["minutebook-id"] == MESSAGE.id
    signed = f"1700000000.{MESSAGE.id}.".encode() + received.body
    expected = hmac.new(b"a key", signed, hashlib.sha256).hexdigest()
    assert received.headers["minutebook-signature"] == f"v1={expected}"
    assert received.json["words"] == "You have to lay track for PRR."
    assert (received.json["player"], received.json["table"]) == ("ann", "friday")


async def test_a_webhook_leads_to_no_private_address():
    with serving(Answer(200)) as receiver:
        reply = await Channels(Allowed()).send(Target(f"{receiver.url}/hook", "k"), MESSAGE, 0)
    assert isinstance(reply, Impossible)
    assert "not a public address" in reply.why
    assert receiver.received == []


async def test_a_name_that_leads_to_a_private_address_is_refused_too():
    with serving(Answer(200)) as receiver:
        port = receiver.url.rpartition(":")[2]
        resolve = {"fine.example": ["93.184.216.34", "127.0.0.1"]}
        channels = Channels(Allowed(), resolve=lambda host, _: resolve[host])
        reply = await channels.send(Target(f"http://fine.example:{port}/", "k"), MESSAGE, 0)
        assert isinstance(reply, Impossible)
        # The address that was looked at is the one that is connected to.
        named = Channels(Allowed.of("hooks.lan"), resolve=lambda *_: ["127.0.0.1"])
        reply = await named.send(Target(f"http://hooks.lan:{port}/", "k"), MESSAGE, 0)
        assert reply == Delivered()
    assert receiver.received[0].headers["host"] == f"hooks.lan:{port}"


async def test_a_webhook_in_clear_text_leads_to_allowed_hosts_only():
    channels = Channels(LOOPBACK, resolve=lambda *_: ["93.184.216.34"])
    reply = await channels.send(Target("http://hooks.example/", "k"), MESSAGE, 0)
    assert isinstance(reply, Impossible)
    assert "https" in reply.why


async def test_a_webhook_follows_no_redirect():
    with serving(Answer(302, b"", {"Location": "http://127.0.0.1/"})) as receiver:
        reply = await Channels(LOOPBACK).send(Target(receiver.url, "k"), MESSAGE, 0)
    assert isinstance(reply, Impossible)
    assert "not followed" in reply.why
    assert len(receiver.received) == 1


@pytest.mark.parametrize(
    "address",
    [
        *("127.0.0.1", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254", "0.0.0.0"),
        *("::1", "fe80::1", "fc00::1", "::ffff:127.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::"),
        *("100.64.0.1", "224.0.0.1", "::", "::7f00:1", "64:ff9b:1::7f00:1", "fec0::1"),
        *("2001:0:53aa:64c:0:0:f5ff:fffe", "192.88.99.1", "255.255.255.255", "198.18.0.1"),
    ],
)
def test_private_addresses_in_every_dress_are_refused(address):
    with pytest.raises(RefusedAddressError):
        reachable("any.example", 443, Allowed(), lambda *_: [address])


@pytest.mark.parametrize("address", ["93.184.216.34", "2606:2800:220:1:248:1893:25c8:1946"])
def test_public_addresses_are_reached(address):
    assert reachable("any.example", 443, Allowed(), lambda *_: [address]) == address


async def test_a_mail_or_matrix_server_on_a_private_address_is_refused():
    channels = Channels(Allowed(), resolve=lambda *_: ["10.0.0.1"])
    for url in (
        "mailto://user:pass@mail.example/?to=ann@mail.example",
        "mailto://user:pass@good.example/?smtp=mail.lan&to=ann@good.example",
        "matrixs://user:pass@matrix.example/#room",
    ):
        reply = await channels.send(Target(url), MESSAGE, 0)
        assert isinstance(reply, Impossible), url


async def test_an_unknown_name_may_be_known_another_time():
    def unknown(host, port):
        raise UnknownHostError(host)

    reply = await Channels(Allowed(), resolve=unknown).send(
        Target("https://x.example/", "k"), MESSAGE, 0
    )
    assert isinstance(reply, Failed)


@pytest.mark.parametrize(
    "url",
    [
        *("file:///etc/passwd", "exec://x", "json://10.0.0.1", "discord://", "nonsense"),
        *("discord://1/2?verify=no", "https://"),
    ],
)
def test_addresses_that_are_no_channels_are_complained_about(url):
    assert complaint(url)


@pytest.mark.parametrize("url", [DISCORD.url, SLACK.url, TELEGRAM.url, "https://x.example/hook"])
def test_addresses_of_channels_are_not(url):
    assert complaint(url) == ""


# --- what answers mean -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("headers", "body", "seconds"),
    [
        ({"retry-after": "12"}, b"", 12.0),
        ({"retry-after": "Thu, 01 Jan 1970 00:01:40 GMT"}, b"", 90.0),
        ({"retry-after": "Wed, 21 Oct 1950 07:28:00 GMT"}, b"", 30.0),
        ({"x-ratelimit-remaining": "0", "x-ratelimit-reset": "25"}, b"", 15.0),
        ({"x-ratelimit-remaining": "0", "x-ratelimit-reset-after": "4.5"}, b"", 4.5),
        ({"retry-after": "1"}, b'{"retry_after": 1.5}', 1.5),
        ({}, b'{"parameters": {"retry_after": 8}}', 8.0),
        ({"retry-after": "soon"}, b"[]", 30.0),
        ({"retry-after": "nan"}, b"", 30.0),
    ],
)
def test_how_long_a_service_wants_to_be_left_alone(headers, body, seconds):
    assert understood(429, headers, body, 10.0) == Limited(seconds)


def test_a_service_in_repair_says_when_to_come_back():
    assert understood(503, {"retry-after": "60"}, b"", 0.0) == Limited(60.0)


def test_the_body_of_a_webhook_has_no_zeros_for_what_is_not_known():
    plain = Message(
        "i",
        "s",
        "t",
        Notice(
            id="i",
            table=TableId("t"),
            player=None,
            kind="ended",
            version=1,
            title="T",
            words="w",
            made=0,
        ),
    )
    body = json.loads(webhook.body_of(plain))
    assert (body["since"], body["until"], body["corrects"], body["player"]) == (None,) * 4


# --- calls and other people's text -----------------------------------------------------------

SNEAKY = Message(
    "i",
    "Your turn at table friday (T)",
    "{call} You <b>must</b> act & @everyone <!channel> <@99> look.",
    NOTICE,
)


def sneaky(call: str) -> Message:
    """A message that calls somebody, and holds what looks like other calls."""
    return msgspec.structs.replace(SNEAKY, text=SNEAKY.text.replace("{call}", call), called=(call,))


async def test_discord_calls_whom_we_call_and_nobody_else():
    with serving(imitations.DISCORD_WELL) as imitation:
        channels = Channels(LOOPBACK, {"https://discord.com": imitation.url})
        await channels.send(DISCORD, sneaky("<@123>"), 0)
        await channels.send(DISCORD, sneaky("<@&77>"), 0)
    first, second = (received.json for received in imitation.received)
    assert first["content"].startswith("**Your turn at table friday (T)**\n<@123> You")
    assert first["allowed_mentions"] == {"parse": [], "users": ["123"], "roles": []}
    assert second["allowed_mentions"] == {"parse": [], "users": [], "roles": ["77"]}


async def test_slack_is_told_calls_as_calls_and_all_else_as_text():
    with serving(imitations.SLACK_WELL) as imitation:
        channels = Channels(LOOPBACK, {"https://hooks.slack.com": imitation.url})
        await channels.send(SLACK, sneaky("<@U7>"), 0)
    assert imitation.received[0].json == {
        "text": "Your turn at table friday (T)\n<@U7> You &lt;b&gt;must&lt;/b&gt; act &amp; "
        "@everyone &lt;!channel&gt; &lt;@99&gt; look.",
        "mrkdwn": False,
    }


async def test_telegram_is_told_plain_text():
    with serving(imitations.TELEGRAM_WELL) as imitation:
        channels = Channels(LOOPBACK, {"https://api.telegram.org": imitation.url})
        await channels.send(TELEGRAM, sneaky("@ann"), 0)
    assert imitation.received[0].json == {
        "chat_id": 12315544,
        "text": "Your turn at table friday (T)\n"
        "@ann You <b>must</b> act & @everyone <!channel> <@99> look.",
        "disable_web_page_preview": True,
    }


async def test_a_webhook_names_its_message_so_that_a_repeated_one_is_known():
    with serving(Answer(200)) as receiver:
        for _ in range(2):
            await Channels(LOOPBACK).send(Target(f"{receiver.url}/hook", "k"), MESSAGE, 0)
    keys = [received.headers["idempotency-key"] for received in receiver.received]
    assert keys == [f'"{MESSAGE.id}"'] * 2


# --- whose limits ----------------------------------------------------------------------------


def test_what_goes_through_one_account_shares_its_limits():
    bot = "tgram://123456789:abcdefg_hijklmnop-qrstuv"
    assert account_of(f"{bot}/1") == account_of(f"{bot}/2/") != account_of("tgram://9:x/1")
    mailbox = "mailtos://games:{}@mail.example?to={}"
    assert account_of(mailbox.format("a", "ann")) == account_of(mailbox.format("b", "bob"))
    assert account_of("https://a.example/x") != account_of("https://a.example/y")


@pytest.mark.parametrize(
    ("headers", "body"),
    [({}, b'{"global": true, "retry_after": 2}'), ({"x-ratelimit-global": "true"}, b"")],
)
def test_a_limit_may_hold_for_all_that_goes_to_a_service(headers, body):
    reply = understood(429, {**headers, "retry-after": "2"}, body, 0.0)
    assert reply == Limited(2.0, is_for_all=True)


@pytest.mark.parametrize(
    "host",
    [
        *("2130706433", "0x7f000001", "0177.0.0.1", "127.1", "localhost"),
        *("[::1]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[0:0:0:0:0:0:0:1]"),
    ],
)
async def test_this_machine_is_refused_however_its_address_is_written(host):
    channels = Channels(Allowed())
    reply = await channels.send(Target(f"https://{host}:9/hook", "k"), MESSAGE, 0)
    assert isinstance(reply, Impossible), reply
    assert "not a public address" in reply.why

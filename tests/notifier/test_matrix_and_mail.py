"""Messages to a Matrix server and to mail servers that stand on loopback."""

import pytest

from services.notifier.channels import mail
from services.notifier.channels.addresses import Allowed
from services.notifier.channels.sender import Channels
from services.notifier.patience import Delivered, Failed, Impossible, Limited
from services.notifier.sealing import Target
from services.notifier.wording import Message
from tests.notifier.servers import certificate_of, mail_server, matrix_server
from tests.notifier.test_channels import NOTICE

pytestmark = pytest.mark.anyio

LAN = Allowed.of("matrix.lan, mail.lan")
NOW = 1_790_000_000_000_000


def message(id: str = "friday/7/ann/turn/0/main", **more) -> Message:
    said = {"subject": "Your turn at table friday (T)", "text": "You have to lay track.", **more}
    return Message(id, notice=NOTICE, **said)


def channels(allowed: Allowed = LAN) -> Channels:
    """Channels for which every name leads to this machine."""
    return Channels(allowed, resolve=lambda *_: ["127.0.0.1"])


# --- Matrix ----------------------------------------------------------------------------------


@pytest.fixture
def matrix():
    with matrix_server() as matrix:
        yield matrix


def to(matrix, password: str = "secret", room: str = "#games") -> Target:
    return Target(f"matrix://minutes:{password}@{matrix.url}/{room}")


async def test_a_room_of_matrix_is_told_and_its_people_are_called_by_their_names(matrix):
    told = message(text="@ann:matrix.lan You are it.", called=("@ann:matrix.lan",))
    assert await channels().send(to(matrix), told, NOW) == Delivered()
    assert matrix.said == [
        {
            "msgtype": "m.text",
            "body": "Your turn at table friday (T)\n@ann:matrix.lan You are it.",
            "m.mentions": {"user_ids": ["@ann:matrix.lan"]},
        }
    ]


async def test_the_session_is_kept_and_begun_anew_when_it_has_ended(matrix):
    one = channels()
    for number in range(3):
        assert await one.send(to(matrix), message(f"m{number}"), NOW) == Delivered()
    assert matrix.requests.count("POST /_matrix/client/v3/login") == 1
    assert not any("logout" in request for request in matrix.requests)
    matrix.tokens.clear()
    assert isinstance(await one.send(to(matrix), message("m4"), NOW), Failed)
    assert await one.send(to(matrix), message("m4"), NOW) == Delivered()
    assert len(matrix.said) == 4


async def test_a_message_that_is_sent_again_by_another_process_is_shown_once(matrix):
    for _ in range(2):
        assert await channels().send(to(matrix), message(), NOW) == Delivered()
    assert await channels().send(to(matrix), message("another"), NOW) == Delivered()
    assert len(matrix.said) == 2


async def test_matrix_says_in_milliseconds_how_long_it_is_to_be_left_alone(matrix):
    limited = {"errcode": "M_LIMIT_EXCEEDED", "error": "Too Many", "retry_after_ms": 2500}
    matrix.script = [(429, limited)]
    assert await channels().send(to(matrix), message(), NOW) == Limited(2.5)
    assert sum("/send/" in request for request in matrix.requests) == 1


async def test_a_wrong_password_and_a_room_that_is_not_there_can_never_go_well(matrix):
    reply = await channels().send(to(matrix, "wrong"), message(), NOW)
    assert reply == Impossible("The service answered 403.")
    reply = await channels().send(to(matrix, room="#nowhere"), message(), NOW)
    assert reply == Impossible("The service answered 404.")
    assert not any("createRoom" in request for request in matrix.requests)
    assert matrix.said == []


async def test_who_does_not_know_the_password_gets_no_session_of_who_does(matrix):
    one = channels()
    assert await one.send(to(matrix), message("m1"), NOW) == Delivered()
    assert isinstance(await one.send(to(matrix, "guess"), message("m2"), NOW), Impossible)
    assert len(matrix.said) == 1


async def test_an_access_token_serves_instead_of_a_password(matrix):
    matrix.tokens["syt_token"] = "DEVICE"
    target = Target(f"matrix://syt_token@{matrix.url}/#games:matrix.lan")
    for _ in range(2):
        assert await channels().send(target, message(), NOW) == Delivered()
    assert len(matrix.said) == 1
    assert not any("/login" in request for request in matrix.requests)


async def test_a_matrix_server_that_fails_is_tried_again_and_keeps_its_session(matrix):
    matrix.script = [(502, {})]
    one = channels()
    assert isinstance(await one.send(to(matrix), message(), NOW), Failed)
    assert await one.send(to(matrix), message(), NOW) == Delivered()
    assert matrix.requests.count("POST /_matrix/client/v3/login") == 1


async def test_a_matrix_server_is_not_told_a_password_in_clear_unless_it_is_allowed(matrix):
    reply = await channels(Allowed()).send(to(matrix), message(), NOW)
    assert isinstance(reply, Impossible)
    public = Channels(Allowed(), resolve=lambda *_: ["93.184.216.34"])
    reply = await public.send(to(matrix), message(), NOW)
    assert reply == Impossible("A server that is told a password is spoken to by https.")
    assert matrix.requests == []


async def test_a_name_that_leads_elsewhere_a_moment_later_is_connected_to_where_it_led(matrix):
    # The name is known to nobody but the one who looked it up, so only that address can be meant.
    answers = iter([["127.0.0.1"]] * 3 + [["10.0.0.1"]])
    one = Channels(LAN, resolve=lambda *_: next(answers))
    assert await one.send(to(matrix), message(), NOW) == Delivered()
    private = Channels(Allowed(), resolve=lambda *_: ["10.0.0.1"])
    target = Target("matrixs://minutes:secret@matrix.example/#games")
    assert isinstance(await private.send(target, message(), NOW), Impossible)


# --- mail ------------------------------------------------------------------------------------


@pytest.fixture
def certificate(tmp_path, monkeypatch):
    """A certificate of mail.lan that this process believes."""
    file, key = certificate_of("mail.lan", tmp_path)
    monkeypatch.setenv("SSL_CERT_FILE", str(file))
    return file, key


def by_login(server, password: str = "secret", host: str = "mail.lan") -> Target:
    return Target(
        f"mailtos://games:{password}@{host}:{server.port}/"
        "?mode=starttls&to=ann@league.example&from=games@league.example"
    )


def plain(server) -> Target:
    return Target(
        f"mailto://mail.lan:{server.port}/?to=ann@league.example&from=games@league.example"
    )


async def test_an_email_goes_over_starttls_with_a_login(certificate):
    with mail_server(certificate) as server:
        assert await channels().send(by_login(server), message(), NOW) == Delivered()
    (email,) = server.received
    assert server.was_secure == [True]
    assert server.recipients == [["ann@league.example"]]
    assert email["Subject"] == "Your turn at table friday (T)"
    assert email["From"] == "Minutebook <games@league.example>"
    assert email["To"] == "ann@league.example"
    assert email["Date"] == "Mon, 21 Sep 2026 14:13:20 +0000"
    assert email["Auto-Submitted"] == "auto-generated"
    assert str(email.get_payload()).strip() == "You have to lay track."


async def test_an_email_that_is_sent_again_has_the_same_id():
    with mail_server() as server:
        for id in ("one", "one", "other"):
            assert await channels().send(plain(server), message(id), NOW) == Delivered()
    ids = [email["Message-ID"] for email in server.received]
    assert ids[0] == ids[1] != ids[2]
    assert ids[0].endswith("@league.example>")


async def test_a_wrong_password_is_not_tried_again(certificate):
    with mail_server(certificate) as server:
        reply = await channels().send(by_login(server, "wrong"), message(), NOW)
    assert reply == Impossible("The mail server refused the login (535).")
    assert server.received == []


async def test_a_certificate_of_another_name_is_not_believed(certificate):
    with mail_server(certificate) as server:
        target = by_login(server, host="post.lan")
        reply = await channels(Allowed.of("post.lan")).send(target, message(), NOW)
    assert reply == Impossible("The mail server's certificate is not that of its name.")


async def test_a_server_without_starttls_is_told_no_password():
    with mail_server() as server:
        reply = await channels().send(by_login(server), message(), NOW)
    assert isinstance(reply, Impossible)
    assert "STARTTLS" in reply.why


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("451 4.7.1 Greylisted, try again in 5 minutes", Failed),
        ("452 4.2.2 Mailbox full", Failed),
        ("554 5.7.1 Spam", Impossible),
    ],
)
async def test_a_code_of_the_400s_may_go_well_another_time_and_one_of_the_500s_never(
    answer, expected
):
    with mail_server() as server:
        server.script = [answer]
        reply = await channels().send(plain(server), message(), NOW)
        assert reply == expected(f"The mail server answered {answer[:3]}.")
        assert await channels().send(plain(server), message(), NOW) == Delivered()


@pytest.mark.parametrize(
    ("answer", "expected"),
    [("450 4.2.0 Greylisted", Failed), ("550 5.1.1 No such user", Impossible)],
)
async def test_a_recipient_may_be_unknown_now_or_for_ever(answer, expected):
    with mail_server() as server:
        server.at_recipient = [answer]
        reply = await channels().send(plain(server), message(), NOW)
    assert reply == expected(f"The mail server refused the recipient ({answer[:3]}).")


async def test_a_mail_server_that_is_not_there_may_be_another_time():
    with mail_server() as server:
        target = plain(server)
    reply = await channels().send(target, message(), NOW)
    assert reply == Failed("The mail server gave no answer (ConnectionRefusedError).")


async def test_a_password_is_not_sent_in_clear_to_a_public_server():
    public = Channels(Allowed(), resolve=lambda *_: ["93.184.216.34"])
    target = Target("mailto://games:secret@mail.example/?to=ann@league.example")
    reply = await public.send(target, message(), NOW)
    assert isinstance(reply, Impossible)
    assert "mailtos" in reply.why


def test_a_subject_can_add_no_header():
    class Plugin:
        from_addr = ("Apprise", "games@league.example")
        targets = ((False, "ann@league.example"),)

    email = mail.written(Plugin(), message(subject="Your turn\r\nBcc: all@league.example"), NOW)
    assert email["Subject"] == "Your turn Bcc: all@league.example"
    assert email["Bcc"] is None

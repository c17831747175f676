"""`chat`, `note` and `token` at the console, and orders that are given by a token."""

import asyncio
import io
import json

import pytest

from contracts import tokens as t
from services.bus.client import bus
from services.console.__main__ import main
from services.console.errors import BadInputError
from services.console.talking import after
from tests.console.calls import Called, a_running_minutebook, minutebook
from tests.talk.parlour import Parlour

OPENING = ("open", "1830", "ann:ann", "bob:boris", "cy", "--table", "friday", "--seed", "7")


@pytest.fixture
def place(session_store, monkeypatch, tmp_path, capsys):
    """The console in this process, on a store with a table of which two people are named."""
    session_store.empty()
    monkeypatch.setenv("MINUTEBOOK_DATA", str(tmp_path))
    monkeypatch.setenv("MINUTEBOOK_REDIS", session_store.url)
    monkeypatch.delenv("MINUTEBOOK_TOKEN", raising=False)

    async def opened() -> None:
        async with bus(session_store.url) as one:
            await Parlour(one).open({"ann": "ann", "bob": "boris"})

    asyncio.run(opened())

    def call(*arguments: str, token: str = "") -> Called:
        with monkeypatch.context() as settings:
            if token:
                settings.setenv("MINUTEBOOK_TOKEN", token)
            code = main(list(arguments))
        captured = capsys.readouterr()
        return Called(code, captured.out, captured.err)

    return call


def rows(called: Called) -> list:
    assert called.code == 0, called.errors
    return [json.loads(line) for line in called.output.splitlines()]


def parts(text: str) -> tuple[str, str]:
    """The id and the secret of a token."""
    found = t.parts(text)
    assert found is not None
    return found


def given(call, *arguments) -> tuple[str, str]:
    """A new token, and its id."""
    called = call("token", "give", *arguments)
    assert called.code == 0, called.errors
    assert "shown only now" in called.errors
    text = called.output.strip()
    id, _ = parts(text)
    return text, id


def test_what_is_said_is_new_to_each_until_he_reads_it(place):
    for words in (("Well", "played!"), ("Well played!",)):
        assert place("chat", "friday", "ann", *words, "--id", "1").code == 0
    place("chat", "friday", "boris", "Only for you [red]", "--only", "ann")

    def read(*more):
        return [(one["text"], one["new"]) for one in rows(place("chat", "friday", *more, "--json"))]

    assert read("ann", "--peek") == [("Well played!", False), ("Only for you [red]", True)]
    shown = place("chat", "friday", "ann").output
    assert "Only for you [red]" in shown
    assert shown.count("*") == 1
    assert read("ann") == [("Well played!", False), ("Only for you [red]", False)]
    assert read("cyd") == [("Well played!", True)]
    assert read() == [("Well played!", False)]
    (first,) = rows(place("chat", "friday", "--json"))
    assert read("ann", "--since", first["id"]) == [("Only for you [red]", False)]
    assert read("--since", "2020-01-01") == [("Well played!", False)]
    assert read("ann", "--last", "1") == [("Only for you [red]", False)]


def test_all_that_is_new_is_shown_however_little_was_asked_for(place):
    for number in range(4):
        place("chat", "friday", "ann", f"line {number}")
    assert len(rows(place("chat", "friday", "boris", "--last", "1", "--json"))) == 4
    assert len(rows(place("chat", "friday", "boris", "--last", "1", "--json"))) == 1


def test_nothing_counts_as_read_that_was_not_shown(place):
    """Lines of one's own among what is new took the places of lines of others."""
    place("chat", "friday", "ann", "old")
    place("chat", "friday", "boris")
    for who, words in (("ann", "1"), ("boris", "mine"), ("ann", "2"), ("boris", "mine too")):
        place("chat", "friday", who, words)

    def new(*more):
        found = rows(place("chat", "friday", "boris", *more, "--json"))
        return [one["text"] for one in found if one["new"]]

    second = rows(place("chat", "friday", "--json"))[3]["id"]
    assert new("--peek", "--last", "1") == ["1", "2"]
    assert new("--since", second) == []
    assert new("--last", "1") == ["1", "2"]
    assert new() == []
    place("chat", "friday", "ann", "3")
    assert new("--since", second) == ["3"]
    assert new() == []


def test_what_is_to_narrow_something_down_does_not_widen_it_where_it_is_empty(place):
    """A private line that names nobody is not said to everybody, and no token is for all tables."""
    for empty in ("", ",", " , "):
        called = place("chat", "friday", "ann", "Between us", "--only", empty)
        assert (called.code, called.output) == (2, "")
        assert "--only: name at least one seat" in called.errors
        called = place("token", "give", "ann", "--tables", empty)
        assert (called.code, called.output) == (2, "")
        assert "--tables: name at least one table" in called.errors
    assert rows(place("chat", "friday", "--json")) == []
    assert rows(place("token", "list", "--json")) == []
    assert place("chat", "friday", "ann", "--last", "-1").code == 2


def test_an_empty_token_is_refused_and_is_not_the_operators_leave(place, monkeypatch):
    """A script whose token went missing must not be let in as whoever it names."""
    commands: tuple[tuple[str, ...], ...] = (
        ("do", "friday", "ann", "pass"),
        ("choices", "friday", "ann"),
        ("chat", "friday", "ann", "Hello"),
        ("note", "friday", "ann", "Mine"),
    )
    for arguments in commands:
        for empty in ("", " "):
            called = place(*arguments, "--token", empty)
            assert (called.code, called.output) == (2, "")
            assert "--token is empty" in called.errors
    monkeypatch.setattr("sys.stdin", io.StringIO("\n"))
    called = place("do", "friday", "ann", "pass", "--token", "-")
    assert (called.code, "standard input holds is empty" in called.errors) == (2, True)
    monkeypatch.setenv("MINUTEBOOK_TOKEN", "")
    for arguments in (*commands, ("open", "1830", "ann", "bob", "--table", "may")):
        called = place(*arguments)
        assert (called.code, called.output) == (2, "")
        assert "MINUTEBOOK_TOKEN is empty" in called.errors
    monkeypatch.delenv("MINUTEBOOK_TOKEN")
    assert rows(place("chat", "friday", "--json")) == []


def test_a_name_typed_in_composed_and_in_separate_letters_is_one_person(place):
    composed, decomposed = "Ren\u00e9", "Rene\u0301"
    token = place("token", "give", decomposed, "--program", decomposed).output.strip()
    assert [row["person"] for row in rows(place("token", "list", composed, "--json"))] == [composed]
    assert [row["person"] for row in rows(place("token", "list", decomposed, "--json"))] == [
        composed
    ]
    assert place("chat", "friday", decomposed, "Salut", "--token", token).code == 1
    place("note", "friday", decomposed, "Mine")
    assert [row["text"] for row in rows(place("note", "friday", composed, "--json"))] == ["Mine"]


def test_chat_is_refused_in_words(place):
    for arguments, said in (
        (("chat", "friday", "zoe", "Hello"), "not-seated · design · zoe does not belong"),
        (("chat", "friday", "clock", "Hello"), "not-admitted"),
        (("chat", "friday", "ann", "x" * 2001), "bad-text · design · It has 2001 characters"),
        (("chat", "friday", "ann", "Hi", "--only", "zoe"), "zoe has no seat here"),
        (("note", "friday", "clock", "Hi"), "not-admitted"),
    ):
        called = place(*arguments)
        assert (called.code, called.output) == (1, ""), arguments
        assert said in called.errors
    for unknown in (("chat", "sunday"), ("note", "sunday", "ann")):
        called = place(*unknown)
        assert (called.code, called.output) == (2, "")
        assert "There is no table sunday. Tables: friday." in called.errors


def test_notes_are_written_read_changed_and_removed(place):
    assert place("note", "friday", "zoe", "Watch", "the", "bank", "--id", "b").code == 0
    place("note", "friday", "zoe", "Watch the pool", "--id", "b")
    (note,) = rows(place("note", "friday", "zoe", "--json"))
    assert (note["id"], note["text"]) == ("b", "Watch the pool")
    assert "Watch the pool" in place("note", "friday", "zoe").output
    assert "No notes." in place("note", "friday", "ann").errors
    assert place("note", "friday", "zoe", "--remove", "b").code == 0
    assert "No notes." in place("note", "friday", "zoe").errors
    missing = place("note", "friday", "zoe", "--remove", "b")
    assert missing.code == 2
    assert "zoe has no note b" in missing.errors


def test_what_was_said_and_noted_is_read_out_of_the_archive_too(place):
    place("chat", "friday", "ann", "Good game")
    place("chat", "friday", "boris", "For you", "--only", "ann")
    place("note", "friday", "ann", "I had the better trains")
    archived = place("archive", "friday", "--idle-days", "1", "--untold")
    assert archived.code == 0, archived.errors
    said = [one["text"] for one in rows(place("chat", "friday", "ann", "--json"))]
    assert said == ["Good game", "For you"]
    first, *others = rows(place("chat", "friday", "--json"))
    assert (first["text"], others) == ("Good game", [])
    assert rows(place("chat", "friday", "ann", "--since", first["id"], "--json"))[0]["version"] == 1
    assert rows(place("note", "friday", "ann", "--json"))[0]["text"] == "I had the better trains"
    assert rows(place("note", "friday", "boris", "--json")) == []
    for again in (("chat", "friday", "ann", "Another?"), ("note", "friday", "ann", "Another")):
        refused = place(*again)
        assert (refused.code, refused.output) == (1, "")
        assert "gone into the archive" in refused.errors


def test_who_talks_by_a_token_talks_as_whom_it_stands_for(place):
    robot, _ = given(place, "ann", "--program", "robot")
    boris, _ = given(place, "boris")
    foreign = place("chat", "friday", "ann", "I am ann", token=boris)
    assert "not-admitted · design · The token stands for boris, not for ann." in foreign.errors
    assert place("note", "friday", "ann", token=boris).code == 1
    assert place("chat", "friday", "ann", token=boris).code == 1
    (beep,) = rows(place("chat", "friday", "ann", "beep", "--json", "--token", robot))
    assert beep["sender"] == "ann/robot"
    assert rows(place("chat", "friday", "boris", "--json", token=boris))[0]["new"] is True


def test_a_token_may_be_read_from_standard_input(place, monkeypatch):
    boris, _ = given(place, "boris")
    monkeypatch.setattr("sys.stdin", io.StringIO(f"{boris}\n"))
    (said,) = rows(place("chat", "friday", "boris", "Hello", "--json", "--token", "-"))
    assert said["sender"] == "boris"


def test_tokens_are_listed_without_their_secrets_and_taken_back(place):
    text, id = given(place, "ann", "--program", "robot", "--tables", "friday", "--days", "30")
    given(place, "boris")
    place("note", "friday", "ann", "--token", text)
    (row,) = rows(place("token", "list", "ann", "--json"))
    assert (row["id"], row["program"], row["tables"]) == (id, "robot", ["friday"])
    assert row["used"] > 0
    listed = place("token", "list")
    assert "ann/robot" in listed.output
    assert "boris" in listed.output
    _, secret = parts(text)
    assert secret not in listed.printed
    assert "revoked" in place("token", "revoke", id).output
    over = place("chat", "friday", "ann", "Hello", "--token", text)
    assert (over.code, f"Token {id} was taken back." in over.errors) == (1, True)


def test_all_tokens_of_a_person_end_at_once(place):
    ids = {given(place, "eve")[1], given(place, "eve", "--program", "robot")[1]}
    given(place, "ann")
    revoked = rows(place("token", "revoke", "eve", "--json"))
    assert {one["id"] for one in revoked} == ids
    assert all(one["revoked"] for one in revoked)
    assert [one["revoked"] for one in rows(place("token", "list", "ann", "--json"))] == [0]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("token", "give"), "token give: say whose"),
        (("token", "give", "clock"), "Nobody can be called 'clock'"),
        (("token", "give", "ann", "--days", "0"), "1 to 3650 days"),
        (("token", "give", "ann", "--tables", "a table"), "no name of a table"),
        (("token", "revoke", "0123"), "There is no token '0123'"),
        (("chat", "friday", "--since", "yesterday"), "neither a line's id nor a moment"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else None,
)
def test_a_wrong_call_is_said_in_words(place, arguments, said):
    called = place(*arguments)
    assert (called.code, called.output) == (2, "")
    assert said in called.errors


def test_a_moment_is_read_with_its_zone():
    assert after("2026-12-24T18:00") == after("2026-12-24T19:00+01:00")
    assert after("1960-01-01") == "0-0"
    with pytest.raises(BadInputError):
        after("soon")


@pytest.mark.slow
def test_a_token_says_who_acts_and_opens_no_seat_but_its_own(tmp_path):
    with a_running_minutebook(tmp_path):
        assert minutebook(tmp_path, *OPENING).code == 0
        gave = minutebook(
            tmp_path, "token", "give", "ann", "--program", "robot", "--tables", "friday"
        )
        robot = gave.output.strip()
        boris = minutebook(tmp_path, "token", "give", "boris").output.strip()
        by_boris = {"MINUTEBOOK_TOKEN": boris}
        for arguments in (("do", "friday", "ann", "bid SV 20"), ("choices", "friday", "ann")):
            refused = minutebook(tmp_path, *arguments, **by_boris)
            assert (refused.code, refused.output) == (1, "")
            assert (
                "not-your-seat · design · boris does not act for ann. ann does." in refused.errors
            )
        both = minutebook(tmp_path, "do", "friday", "ann", "pass", "--sender", "ann", **by_boris)
        assert both.code == 2
        offered = minutebook(tmp_path, "choices", "friday", "ann", "--token", robot)
        assert "bid SV 20" in offered.output
        done = minutebook(tmp_path, "do", "friday", "ann", "bid SV 20", "--token", robot)
        assert done.output == "Ann bought Schuylkill Valley for $20.\n"
        may = ("open", "1830", "ann", "bob", "--table", "may")
        opened = minutebook(tmp_path, *may, MINUTEBOOK_TOKEN=robot)
        assert (opened.code, "is not for table may" in opened.errors) == (1, True)
        last = json.loads(minutebook(tmp_path, "export", "friday").output.splitlines()[-1])
        assert last["order"]["sender"] == "ann/robot"

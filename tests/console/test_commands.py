"""The command line: help with examples, exit codes, and bad input said in words."""

import json
import shlex

import pytest

from contracts.book import read
from services.console.__main__ import console, main
from services.console.catalogue import commands
from tests.console.calls import a_running_minutebook, minutebook

NAMES = [command.name for command in commands()]
OPENING = ("open", "1830", "ann", "bob", "cy", "--table", "friday", "--seed", "7")


@pytest.mark.parametrize("command", commands(), ids=NAMES)
def test_the_help_of_every_command_has_an_example_that_the_command_takes(command, capsys):
    console()([command.name, "--help"], result_action="return_value")
    told = capsys.readouterr().out
    assert f"minutebook {command.example}" in " ".join(told.split())
    # An example that the command line would not take raises here.
    console().parse_args(shlex.split(command.example), exit_on_error=False, print_error=False)


def test_help_lists_every_command(tmp_path):
    called = minutebook(tmp_path, "--help")
    assert called.code == 0
    assert all(name in called.output for name in NAMES)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("dance",), 'Unknown command "dance"'),
        (("show", "friday", "weather"), 'Choose from: "wealth"'),
        (("show", "friday", "wealth", "--at", "soon"), "--at"),
        (("do", "friday", "ann"), "COMMAND"),
        (("do", "friday", "ann", "bid", "CA", "much"), "Character 8: expected the amount"),
        (("do", "a table", "ann", "pass"), "no name of a table"),
        (("replay", "nothing.json"), "nothing.json: cannot be read"),
        (("audit", "nothing.jsonl"), "nothing.jsonl cannot be read"),
        (("import", "nothing.json"), "nothing.json: cannot be read"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else None,
)
def test_a_wrong_call_is_said_in_words_and_starts_nothing(tmp_path, arguments, said):
    called = minutebook(tmp_path, *arguments)
    assert called.code == 2
    assert said in called.errors
    assert called.output == ""
    assert list(tmp_path.iterdir()) == []


def test_a_truncated_history_is_refused_with_the_place_where_it_breaks_off(tmp_path):
    file = tmp_path / "cut.json"
    file.write_text('{"title": "1830",\n "players": [{"id": 1, "na', encoding="utf-8")
    for command in ("replay", "import"):
        called = minutebook(tmp_path, command, file)
        assert called.code == 2
        assert "cut.json, line 2: the file breaks off" in called.errors


def test_a_file_that_is_no_minute_book_is_refused(tmp_path):
    file = tmp_path / "letter.jsonl"
    file.write_text('{"dear": "ann"}\n', encoding="utf-8")
    called = minutebook(tmp_path, "audit", file)
    assert called.code == 2
    assert "line 1, minutebook" in called.errors


@pytest.mark.parametrize("url", ["redis://127.0.0.1:1/0", "http://somewhere/", "nonsense"])
def test_a_store_that_cannot_be_reached_is_said_to_be_so(tmp_path, url):
    for arguments in (("show", "friday", "wealth"), OPENING, ("up", "--exit-when-finished")):
        called = minutebook(tmp_path, *arguments, MINUTEBOOK_REDIS=url)
        assert called.code == 3
        assert "The store does not answer" in called.errors or "not the address" in called.errors


def test_a_store_of_another_format_is_refused(tmp_path):
    (tmp_path / "minutebook-store.json").write_text(
        '{"family": "valkey", "version": "8.0.0", "store_format": 99, "state": "in use"}'
    )
    called = minutebook(tmp_path, "show", "friday", "wealth")
    assert called.code == 3
    assert "store format 99" in called.errors


def test_a_data_directory_that_cannot_be_used_is_said_to_be_so(tmp_path):
    blocked = tmp_path / "file"
    blocked.touch()
    called = minutebook(tmp_path, "show", "friday", "wealth", "--data", blocked / "data")
    assert called.code == 3
    assert "cannot be used" in called.errors


def test_a_fault_of_our_own_is_one_line_with_the_place_of_its_trace(tmp_path, monkeypatch, capsys):
    from services.console import __main__ as entrance

    def broken():
        raise ZeroDivisionError("by nought")

    monkeypatch.setenv("MINUTEBOOK_DATA", str(tmp_path))
    monkeypatch.delenv("MINUTEBOOK_DEBUG", raising=False)
    monkeypatch.setattr(entrance, "commands", broken)
    assert entrance.main(["up"]) == 4
    said = capsys.readouterr().err
    assert "ZeroDivisionError: by nought" in said
    assert "Traceback" not in said
    assert "Traceback" in (tmp_path / "logs" / "console.log").read_text()
    monkeypatch.setenv("MINUTEBOOK_DEBUG", "1")
    with pytest.raises(ZeroDivisionError):
        entrance.main(["up"])


def test_what_names_a_file_is_left_as_it_is_called_while_names_are_composed(tmp_path, capsys):
    path = tmp_path / "cafe\u0301.toml"
    path.write_text("undo = 'never'", encoding="utf-8")
    for argument in (("--settings", str(path)), (f"--settings={path}",)):
        assert main(["open", "1830", "ann", "bob", *argument]) == 2
        assert "--undo cannot be 'never'" in capsys.readouterr().err
    assert main(["open", "1830", "ann", "bob", "--person", "Rene\u0301=eva"]) == 2
    assert "Ren\u00e9 has no seat here" in capsys.readouterr().err
    text = "e\u0301" * 3000
    assert main(["open", "1830", "ann", "bob", "--person", f"{text}=eva"]) == 2


@pytest.mark.slow
def test_commands_that_the_table_refuses_change_nothing_and_say_which_rule(tmp_path):
    with a_running_minutebook(tmp_path):
        assert minutebook(tmp_path, *OPENING).code == 0
        before = minutebook(tmp_path, "export", "friday").output
        for arguments, said in (
            (OPENING, "table-exists"),
            (("open", "1831", "ann", "bob", "--table", "sunday"), "unknown-title"),
            (("open", "1830", "ann", "--table", "sunday"), "bad-seats"),
            (("do", "friday", "zoe", "pass"), "not-seated"),
            (("do", "friday", "bob", "pass"), "not-your-turn"),
            (("do", "friday", "ann", "pass", "--version", "0"), "stale"),
            (("do", "friday", "ann", "bid", "CA", "160"), "bid-too-low · 1830 "),
            (("do", "friday", "ann", "dividend", "all"), "wrong-step"),
            (("do", "friday", "ann", "run", "best"), "nothing for ann to run"),
        ):
            called = minutebook(tmp_path, *arguments)
            assert called.code == 1, arguments
            assert said in called.errors
        unknown = minutebook(tmp_path, "do", "sunday", "ann", "pass")
        assert (unknown.code, unknown.output) == (2, "")
        assert "There is no table sunday. Tables: friday." in unknown.errors
        assert minutebook(tmp_path, "export", "friday").output == before


@pytest.mark.slow
def test_commands_work_alone_and_what_they_did_is_there_afterwards(tmp_path):
    assert minutebook(tmp_path, *OPENING).code == 0
    first = minutebook(tmp_path, "do", "friday", "ann", "bid", "SV", "20", "--id", "mine")
    again = minutebook(tmp_path, "do", "friday", "ann", "bid SV 20", "--id", "mine")
    assert (first.code, again.code) == (0, 0)
    assert first.output == again.output == "Ann bought Schuylkill Valley for $20.\n"
    wealth = json.loads(minutebook(tmp_path, "show", "friday", "wealth", "--json").output)
    assert wealth["version"] == 2
    assert {player["player"]: player["cash"] for player in wealth["players"]}["ann"] == 780


@pytest.mark.slow
def test_a_minute_book_is_exported_audited_and_a_changed_byte_found(tmp_path):
    with a_running_minutebook(tmp_path):
        minutebook(tmp_path, *OPENING)
        minutebook(tmp_path, "do", "friday", "ann", "bid", "SV", "20")
        file = tmp_path / "friday.jsonl"
        assert minutebook(tmp_path, "export", "friday", "--out", file).code == 0
        printed = minutebook(tmp_path, "export", "friday").output
        assert file.read_text() == printed
        assert minutebook(tmp_path, "audit", "friday").code == 0
    assert len(read(printed.splitlines()).records) == 2
    assert minutebook(tmp_path, "audit", file).code == 0
    file.write_text(printed.replace('"amount":20', '"amount":19', 1))
    changed = minutebook(tmp_path, "audit", file, "--json")
    assert changed.code == 1
    assert json.loads(changed.output)["fault"]["version"] == 2


@pytest.mark.slow
def test_a_second_up_on_the_same_data_is_refused_and_disturbs_nothing(tmp_path):
    with a_running_minutebook(tmp_path) as first:
        second = minutebook(tmp_path, "up", "--no-demo")
        assert second.code == 3
        assert f"process {first.pid}" in second.errors
        assert minutebook(tmp_path, *OPENING).code == 0


@pytest.mark.slow
def test_nobody_but_the_person_of_a_seat_acts_for_it(tmp_path):
    opening = ("open", "1830", "ann=Anna:dora", "bob", "--table", "friday", "--seed", "7")
    assert minutebook(tmp_path, *opening).code == 0
    for sender in ((), ("--sender", "bob")):
        refused = minutebook(tmp_path, "do", "friday", "ann", "bid SV 20", *sender)
        assert refused.code == 1
        assert "not-your-seat" in refused.errors
        assert "dora does" in refused.errors
    done = minutebook(tmp_path, "do", "friday", "ann", "bid SV 20", "--sender", "dora")
    assert done.output == "Anna bought Schuylkill Valley for $20.\n"


@pytest.mark.parametrize("command", ["audit", "redecide"])
@pytest.mark.parametrize("name", ["gone.jsonl", "gone.jsonl.gz", "folder/gone"])
def test_a_book_that_is_not_there_is_missed_as_a_file(tmp_path, command, name):
    called = minutebook(tmp_path, command, name)
    assert called.code == 2
    assert f"{name} cannot be read" in called.errors


@pytest.mark.slow
def test_a_table_with_a_dot_in_its_name_is_a_table_everywhere(tmp_path):
    with a_running_minutebook(tmp_path):
        assert minutebook(tmp_path, "open", "1830", "ann", "bob", "--table", "may.2").code == 0
        for arguments in (("audit",), ("redecide",), ("export",), ("show", "wealth")):
            command, *more = arguments
            assert minutebook(tmp_path, command, "may.2", *more).code == 0, command

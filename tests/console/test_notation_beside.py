"""Every command beside the game has its line, as the documentation gives it."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contracts import commands, notation_beside
from contracts.clocking import EVERY_DAY, Hours, Leave
from contracts.notation import NotationError, read, written
from contracts.programmes import Buying, OnlyChoice, Passing

c: Any = commands

LINES = [
    ("seat bob to dora", c.AssignSeat("bob", "dora")),
    ("seat bob to ann.lee@example.org", c.AssignSeat("bob", "ann.lee@example.org")),
    ("withdraw 7.0", c.Withdraw("7.0")),
    ("call-time 6.3", c.CallTime("6.3")),
    ("expire 40.0", c.ExpireRequest("40.0")),
    ("programme pass", c.SetProgramme(Passing())),
    ("programme only-choice", c.SetProgramme(OnlyChoice())),
    ("programme buy PRR from offering at 100", c.SetProgramme(Buying("PRR", "offering", 100))),
    ("clear 12.0", c.ClearProgramme("12.0")),
    ("leave 2026-12-24 2026-12-27", c.TakeLeave(Leave("2026-12-24", "2026-12-27"))),
    (
        "hours Europe/Berlin from 18:00 to 01:00 mon-thu sat",
        c.SetHours(Hours("Europe/Berlin", 1080, 1500, (0, 1, 2, 3, 5))),
    ),
    ("hours UTC from 00:00 to 24:00", c.SetHours(Hours())),
    ("hours UTC from 08:05 to 08:05", c.SetHours(Hours("UTC", 485, 1925))),
    ("hours UTC 1500 60 9", c.SetHours(Hours("UTC", 1500, 60, (9,)))),
    ("request pause", c.MakeRequest("pause")),
    ("request resume", c.MakeRequest("resume")),
    ("request end", c.MakeRequest("end")),
    ("undo 41", c.MakeRequest("undo", 41)),
    ("answer 40.0 yes", c.AnswerRequest("40.0", yes=True)),
    ("answer 40.0 no", c.AnswerRequest("40.0", yes=False)),
]


@pytest.mark.parametrize(("line", "command"), LINES, ids=[line for line, _ in LINES])
def test_the_line_that_the_documentation_gives_is_the_commands(line, command):
    assert read(line) == command
    assert written(command) == line


def test_every_command_beside_the_game_has_a_line_here_and_in_the_documentation():
    kinds = {*notation_beside.Beside.__args__, c.MakeRequest, c.AnswerRequest}
    assert {type(command) for _, command in LINES} == kinds
    told = notation_beside.__doc__ or ""
    for kind in kinds:
        words = {line.split()[0] for line, command in LINES if type(command) is kind}
        assert all(f"`{word} " in told for word in words), kind


def test_a_redo_is_an_undo_to_what_was_undone():
    assert read("redo 44") == read("undo 44")


def test_hours_without_days_are_those_of_every_day_and_days_may_go_round_the_week():
    assert read("hours UTC from 18:00 to 23:00") == c.SetHours(Hours("UTC", 1080, 1380, EVERY_DAY))
    monday = read("hours UTC from 18:00 to 23:00 sat-mon")
    assert monday == c.SetHours(Hours("UTC", 1080, 1380, (5, 6, 0)))


@given(
    start=st.integers(0, 1439),
    length=st.integers(1, 1440),
    days=st.lists(st.sampled_from(EVERY_DAY), min_size=1, unique=True).map(tuple),
)
def test_hours_that_there_are_are_written_as_clocks_show_them_and_read_back(start, length, days):
    command = c.SetHours(Hours("Europe/Berlin", start, start + length, days))
    line = written(command)
    assert line.startswith("hours Europe/Berlin from ")
    assert read(line) == command


WRONG = [
    ("hours UTC from 18 to 23:00", 19, '":"'),
    ("hours UTC from 24:30 to 23:00", 16, "a time of day"),
    ("hours UTC from 18:60 to 23:00", 16, "a time of day"),
    ("hours UTC from 18:00 to 23:00 always", 31, "days of the week"),
    ("hours UTC from 18:00", 21, '"to"'),
    ("programme sell PRR", 11, "pass, only-choice or buy"),
    ("programme buy PRR from offering", 32, '"at"'),
    ("seat bob dora", 10, '"to"'),
    ("leave 2026-12-24", 17, "the last day"),
    ("request", 8, "what is asked for (end, pause or resume)"),
]


@pytest.mark.parametrize(("line", "at", "expected"), WRONG, ids=[w[0] for w in WRONG])
def test_a_wrong_line_says_where_and_what_was_expected(line, at, expected):
    with pytest.raises(NotationError) as caught:
        read(line)
    assert caught.value.at == at
    assert caught.value.expected.startswith(expected)

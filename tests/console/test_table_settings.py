"""Options and settings files of `open`: times, people, hours, and what is wrong with them."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contracts.clocking import Clocking, Hours
from contracts.pieces import Seat, Settings
from services.console.__main__ import main
from services.console.commands.open_table import open_table
from services.console.durations import UNITS, in_words, seconds
from services.console.errors import BadInputError
from services.console.table_options import ClockOptions, TableOptions
from services.console.table_settings import Wanted, hours_of, settings_of, wanted, with_people
from tests.positions import player

ANN, BOB = map(player, ("ann", "bob"))
SEATS = (Seat(ANN, "Anna"), Seat(BOB, "Bob"))


def settings(table=None, **clock) -> Settings:
    """The settings that options lead to."""
    return settings_of(wanted(table, ClockOptions(**clock)), SEATS)


# --- lengths of time -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "length"),
    [("45s", 45), ("90m", 5400), ("24h", 86400), ("3d", 259200), ("1w", 604800), ("0", 0)],
)
def test_a_length_of_time_is_a_number_and_its_unit(text, length):
    assert seconds(text, "--bank") == length


@pytest.mark.parametrize(
    "text", ["", "soon", "24", "h", "24 h", "1h1d", "1h1h", "-3d", "1.5h", "²h"]
)
def test_what_is_no_length_of_time_is_said_with_what_one_looks_like(text):
    with pytest.raises(BadInputError, match=r"--bank: .* is no length of time; write .*90m, 24h"):
        seconds(text, "--bank")


@given(st.integers(0, 10**7))
def test_lengths_are_shown_as_they_would_be_written_to_the_minute(length):
    shown = seconds(in_words(length), "")
    assert shown == (length if length < UNITS["h"] else length - length % 60)


# --- the clock -------------------------------------------------------------------------------


def test_without_any_option_of_it_a_table_has_no_clock():
    assert settings() == Settings()


def test_all_of_the_clock_may_be_said_by_options():
    found = settings(
        turn_time="24h",
        bank="72h",
        increment="6h",
        bank_most="5d",
        then="substitute",
        reminders="12h,1h",
        hours=["Europe/Berlin,08:00-23:00,mon-fri", "bob=UTC,22:00-02:00"],
        free_days="2026-12-24, 2026-12-25",
        leave_days=10,
        substitutes="zoe,yan@example.org",
    )
    assert found.clock == Clocking(
        turn_seconds=86400,
        bank_seconds=259200,
        increment_seconds=21600,
        bank_most=432000,
        then="substitute",
        reminders=(43200, 3600),
        hours={
            ANN: Hours("Europe/Berlin", 480, 1380, (0, 1, 2, 3, 4)),
            BOB: Hours("UTC", 1320, 1560),
        },
        free_days=("2026-12-24", "2026-12-25"),
        leave_days=10,
        substitutes=("zoe", "yan@example.org"),
    )


@pytest.mark.parametrize(
    ("clock", "said"),
    [
        ({"bank_most": "5d"}, "needs --turn-time or --bank"),
        ({"leave_days": 0}, "needs --turn-time or --bank"),
        ({"turn_time": "1day"}, "--turn-time: '1day' is no length of time"),
        ({"turn_time": "1d", "reminders": "12h,later"}, "--reminders: 'later'"),
        ({"turn_time": "1d", "then": "explode"}, "--then cannot be 'explode'. It may be call: "),
        ({"turn_time": "1d", "then": "substitute"}, "--then substitute needs --substitutes"),
        (
            {"turn_time": "1d", "substitutes": "clock"},
            "--substitutes: nobody can be called 'clock'",
        ),
        ({"turn_time": "1d", "free_days": "xmas"}, "--free-days: 'xmas' is no day"),
        ({"turn_time": "1d", "leave_days": -1}, "--leave-days: nobody can take -1 days"),
        (
            {"turn_time": "1d", "hours": ["eve=UTC"]},
            "--hours: eve has no seat here. Seats: ann, bob",
        ),
        (
            {"turn_time": "1d", "hours": ["Berlin"]},
            "no time zone 'Berlin'. Did you mean Europe/Berl",
        ),
        ({"turn_time": "1d", "hours": ["UTC,25:00-26:00"]}, "are no times of a day"),
        ({"turn_time": "1d", "hours": ["UTC,always"]}, "'always' is not understood; write ZONE"),
    ],
    ids=str,
)
def test_what_is_wrong_with_a_clock_is_said_with_its_option(clock, said):
    with pytest.raises(BadInputError) as caught:
        settings(**clock)
    assert said in str(caught.value)


def test_hours_go_over_midnight_and_without_times_are_all_day():
    assert hours_of("Asia/Tokyo,22:00-02:00") == Hours("Asia/Tokyo", 1320, 1560)
    assert hours_of("Asia/Tokyo,sat-sun") == Hours("Asia/Tokyo", days=(5, 6))
    assert hours_of("Asia/Tokyo") == Hours("Asia/Tokyo")


# --- people ----------------------------------------------------------------------------------


def test_people_are_named_by_seat_whether_there_or_by_an_option():
    seats = (Seat(ANN, "Anna", "dora"), Seat(BOB, "Bob"))
    want = Wanted(person=["bob=bob.lee@example.org"])
    assert [seat.person for seat in with_people(seats, want)] == ["dora", "bob.lee@example.org"]


@pytest.mark.parametrize(
    ("person", "said"),
    [
        ("bob", "names no seat; write ann=ann.lee@example.org"),
        ("eve=eva", "eve has no seat here. Seats: ann, bob."),
        ("bob=programme:1", "nobody can be called 'programme:1'"),
        ("bob=two words", "nobody can be called 'two words'"),
    ],
)
def test_a_person_has_to_be_one_and_to_have_a_seat(person, said):
    with pytest.raises(BadInputError) as caught:
        with_people(SEATS, Wanted(person=[person]))
    assert said in str(caught.value)


# --- files -----------------------------------------------------------------------------------

FILE = """
undo = "consent"
host = "olga"
host-acts = true
request-time = "7d"
turn-time = "24h"
reminders = ["12h", "1h"]
leave-days = 10
substitutes = "zoe,yan"
person = { ann = "anna.lee" }
hours = { bob = "UTC,08:00-20:00" }
"""


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "slow.toml"
    path.write_text(FILE, encoding="utf-8")
    return path


def test_a_file_says_what_options_say_and_what_is_typed_goes_before_it(file):
    want = wanted(TableOptions(settings=file, undo="free"), ClockOptions(leave_days=0))
    found = settings_of(want, SEATS)
    assert (found.undo, found.host, found.host_acts) == ("free", "olga", True)
    assert found.request_seconds == 7 * 86400
    assert found.clock == Clocking(
        turn_seconds=86400,
        reminders=(43200, 3600),
        hours={BOB: Hours("UTC", 480, 1200)},
        leave_days=0,
        substitutes=("zoe", "yan"),
    )
    assert with_people(SEATS, want)[0].person == "anna.lee"


def test_a_file_is_read_with_its_names_in_composed_letters_and_has_to_be_text(tmp_path):
    path = tmp_path / "slow.toml"
    path.write_text('host = "Rene\u0301"\nperson = { ann = "e\u0301" }\n', encoding="utf-8")
    want = wanted(TableOptions(settings=path), None)
    assert settings_of(want, SEATS).host == "Ren\u00e9"
    assert with_people(SEATS, want)[0].person == "\u00e9"
    path.write_bytes('host = "Ren\u00e9"'.encode("latin-1"))
    with pytest.raises(BadInputError, match=r"slow\.toml is no text in UTF-8"):
        wanted(TableOptions(settings=path), None)


def test_a_file_may_say_everything_that_an_option_may():
    options = {*TableOptions.__dataclass_fields__, *ClockOptions.__dataclass_fields__}
    assert set(Wanted.__struct_fields__) == options - {"settings"}
    kebab = {name.replace("_", "-") for name in Wanted.__struct_fields__}
    assert set(Wanted.__struct_encode_fields__) == kebab


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("turn_time = '24h'", "unknown field `turn_time`"),
        ("turn-time = 24", "Expected `str | null`, got `int` - at `$.turn-time`"),
        ("turn-time = ", "slow.toml"),
        ("undo = 'never'", "--undo cannot be 'never'"),
    ],
)
def test_what_is_wrong_with_a_file_is_said_with_its_name_or_option(tmp_path, text, said):
    path = tmp_path / "slow.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(BadInputError) as caught:
        settings_of(wanted(TableOptions(settings=path), None), SEATS)
    assert said in str(caught.value)


def test_a_file_that_is_not_there_is_said_to_be_so(tmp_path):
    with pytest.raises(BadInputError, match=r"nothing\.toml cannot be read"):
        wanted(TableOptions(settings=tmp_path / "nothing.toml"), None)


# --- the command -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "options",
    [
        ("--turn-time", "1day"),
        ("--person", "zoe=zoe"),
        ("--settings", "gone.toml"),
        ("--undo", "x"),
    ],
    ids=lambda options: options[0],
)
def test_a_wrong_option_opens_nothing_and_starts_nothing(tmp_path, monkeypatch, capsys, options):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MINUTEBOOK_DATA", str(tmp_path))
    assert main(["open", "1830", "ann", "bob", *options]) == 2
    assert options[0] in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_every_option_is_explained_with_an_example_or_its_choices(capsys):
    main(["open", "--help"])
    told = capsys.readouterr().out
    for name in (*TableOptions.__dataclass_fields__, *ClockOptions.__dataclass_fields__):
        assert f"--{name.replace('_', '-')}" in told
    assert "1d12h" in told
    assert open_table.__doc__


@pytest.mark.slow
def test_the_settings_are_those_that_the_table_is_opened_with(file, tmp_path, monkeypatch, capsys):
    data = tmp_path / "data"
    data.mkdir()
    monkeypatch.setenv("MINUTEBOOK_DATA", str(data))
    call = ("open", "1830", "ann", "bob", "--table", "friday", "--settings", str(file))
    assert main([*call, "--bank", "2d"]) == 0
    capsys.readouterr()
    assert main(["export", "friday"]) == 0
    opened = json.loads(capsys.readouterr().out.splitlines()[1])
    found = opened["order"]["command"]["settings"]
    want = wanted(TableOptions(settings=file), ClockOptions(bank="2d"))
    right = settings_of(want, SEATS)
    assert found["clock"]["bank_seconds"] == 172800
    assert right.clock is not None
    assert found["clock"]["leave_days"] == right.clock.leave_days == 10
    assert (found["host"], found["request_seconds"]) == (right.host, right.request_seconds)

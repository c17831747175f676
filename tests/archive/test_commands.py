"""The commands of the archive, called as a person does."""

import pytest

from contracts.book import written
from services.archive import folder as files
from services.console.__main__ import main
from tests.archive.shelf import OVER, contents
from tests.console.calls import Called

BOOK = contents(most=60)


@pytest.fixture
def call(redis_url, tmp_path, monkeypatch, capsys):
    """Call the console on an empty store, with a data directory of its own."""
    monkeypatch.setenv("MINUTEBOOK_REDIS", redis_url)
    monkeypatch.setenv("MINUTEBOOK_DATA", str(tmp_path))
    monkeypatch.delenv("MINUTEBOOK_ARCHIVE", raising=False)

    def called(*arguments) -> Called:
        code = main([str(argument) for argument in arguments])
        return Called(code, *capsys.readouterr())

    return called


@pytest.fixture
def archived(call, tmp_path):
    """The beginning of a game in the archive."""
    assert call("restore", files.put(tmp_path / "brought", BOOK)).code == 0
    assert call("archive", OVER, "--idle-days", "0").code == 0
    return files.file_of(tmp_path / "archive", OVER)


def test_finished_games_go_and_the_others_stay(call, tmp_path):
    for found in (contents(), contents("soak-1830-6-17", most=40)):
        assert call("restore", files.put(tmp_path / "brought", found)).code == 0
    said = call("archive", "--finished")
    assert said.code == 0, said.printed
    assert said.output.startswith(f"Table {OVER} is in {tmp_path / 'archive' / OVER}.minutebook.xz")
    assert len(said.output.splitlines()) == 1
    assert call("archive", "--finished").printed == "No table is to be archived.\n"
    assert "won by" in call("archive").output
    lines = call("tables").output.splitlines()
    assert [line for line in lines if line.startswith(OVER) and " archived " in line]
    assert OVER not in call("tables", "--running").output


def test_an_archived_table_is_read_by_its_name_at_any_version(call, archived, tmp_path):
    assert OVER in call("archive").output
    assert "removed" not in call("show", OVER, "wealth", "--at", "30").output
    audited = call("audit", OVER)
    assert audited.code == 0
    assert f"Sound. Its seal is {BOOK.seal.hex()}." in audited.printed
    exported = call("export", OVER).output.splitlines()
    assert exported == list(written(contents().table, BOOK.sealed))
    assert '"version":31' in call("show", OVER, "minutes", "--at", "31", "--json").output
    again = call("do", OVER, "ann", "pass")
    assert again.code == 1
    assert f"archived · design · Table {OVER} is in the archive" in again.printed


def test_its_file_is_read_wherever_a_file_is_taken(call, archived):
    assert call("audit", archived).code == 0
    assert "decided as they were" in call("redecide", archived).printed


def test_a_removed_persons_book_is_proved_under_both_names(call, archived):
    removed = call("remove-person", "ann", "--leave")
    assert removed.code == 0, removed.printed
    assert removed.output.startswith(
        "removed-1 stands in 1 minute books (1 of them in the archive)"
    )
    silent = call("audit", OVER)
    assert silent.code == 0
    assert f"its seal was {BOOK.seal.hex()} before, which --formerly can prove." in (silent.printed)
    assert "whom each stands for:" in silent.printed
    assert "--formerly removed-1=NAME" in silent.printed
    known = call("audit", OVER, "--formerly", "removed-1=ann")
    assert (known.code, known.printed.endswith("before: proved.\n")) == (0, True)
    wrong = call("audit", archived, "--formerly", "removed-1=amy")
    assert wrong.code == 1
    assert "these names do not give it" in wrong.printed
    assert "ann stands nowhere" in call("remove-person", "ann").printed


def test_whatever_is_wrong_with_a_file_is_said_in_words(call, archived):
    whole = archived.read_bytes()
    archived.write_bytes(whole[:-30])
    for command in (("show", OVER, "wealth"), ("audit", archived), ("restore", OVER)):
        said = call(*command)
        assert said.code == 2
        assert f"{archived}: The file is cut off or damaged" in said.printed
    archived.unlink()
    assert "is archived, but its file" in call("show", OVER, "wealth").printed


def test_who_still_plays_is_not_removed_unless_his_seats_may_be_left(call, tmp_path):
    assert call("restore", files.put(tmp_path / "brought", BOOK)).code == 0
    said = call("remove-person", "ann")
    assert said.code == 1
    assert f"ann still plays at: {OVER} (seat ann)." in said.printed
    left = call("remove-person", "ann", "--leave")
    assert left.output.startswith("removed-1 stands in 1"), left.printed
    assert "Removed-1" in call("show", OVER, "wealth").output


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("archive", "friday"), "There is no table friday."),
        (("archive", "friday", "--finished"), "Name tables, or ask for all"),
        (("restore", "friday"), "There is no table friday, nor is one of that name"),
        (("remove-person", "nobody"), "'nobody' is nobody's name."),
    ],
)
def test_what_cannot_be_is_refused_in_words(call, arguments, said):
    called = call(*arguments)
    assert called.code in {1, 2}
    assert said in called.printed

"""The sessions of the README and of the pages for people are what happens, word for word.

Times, lengths of time that run and the ids of notes differ each time and are left out.
"""

import re
import shlex
from pathlib import Path

import pytest

from services.console.__main__ import main
from tests.console.calls import a_running_minutebook, minutebook

ROOT = Path(__file__).parents[2]
PAGES = ("docs/leagues.md",)
SESSION = re.compile(r"```console\n(.*?)```", re.DOTALL)
FILE = re.compile(r"```toml\n# (\S+)\n(.*?)```", re.DOTALL)
DIFFERING = re.compile(
    r"\d{4}-\d\d-\d\d \d\d:\d\d(?::\d\d)?"  # a moment
    r"|\b(?:\d+[dh])+\d+m\b"  # a length of time that runs
    r"|^[0-9a-f]{8}\b",  # the id of a note
    re.MULTILINE,
)


def exchanges(page: str):
    """Each command of a page's sessions, with what it is said to print."""
    for session in SESSION.findall((ROOT / page).read_text(encoding="utf-8")):
        for part in session.split("$ ./minutebook ")[1:]:
            command, _, printed = part.partition("\n")
            yield shlex.split(command), printed


def alike(printed: str) -> str:
    """What is printed without what differs each time; words stay where they stand."""
    return DIFFERING.sub(lambda found: "~" * len(found[0]), printed)


@pytest.mark.slow
def test_the_session_of_the_readme_is_what_happens(tmp_path):
    session = list(exchanges("README.md"))
    assert len(session) > 5
    with a_running_minutebook(tmp_path):
        for command, printed in session:
            assert minutebook(tmp_path, *command).printed == printed, command


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES)
def test_the_sessions_of_a_page_are_what_happens(tmp_path, monkeypatch, capsys, page):
    """In this process, which need not be started anew for each of many commands."""
    session = list(exchanges(page))
    assert len(session) > 5
    for name, text in FILE.findall((ROOT / page).read_text(encoding="utf-8")):
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MINUTEBOOK_DATA", str(tmp_path))
    for setting in ("MINUTEBOOK_REDIS", "MINUTEBOOK_TOKEN", "MINUTEBOOK_DEBUG"):
        monkeypatch.delenv(setting, raising=False)
    with a_running_minutebook(tmp_path):
        for command, printed in session:
            main(command)
            told = capsys.readouterr()
            assert alike(told.out + told.err) == alike(printed), command


def test_only_what_differs_each_time_is_left_out():
    line = "cy  2026-11-30 17:54  3d23h59m  bid 75"
    assert alike(line) == "cy  ~~~~~~~~~~~~~~~~  ~~~~~~~~  bid 75"
    assert alike("clear 12.0, 24h, 90m") == "clear 12.0, 24h, 90m"

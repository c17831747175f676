"""The command that runs every check."""

from pathlib import Path

import pytest

from services.console import test_command
from services.console.test_command import Check

FINE = Check("tests", "pytest", ("-c", "import sys; print('fine', sys.argv[1:], flush=True)"))
BAD = Check("bad", "sys", ("-c", "print('bad', flush=True); raise SystemExit(3)"))
WORSE = Check("worse", "sys", ("-c", "raise SystemExit(4)"))


def run(monkeypatch: pytest.MonkeyPatch, *checks: Check, arguments: list[str]) -> int:
    monkeypatch.setattr(test_command, "CHECKS", checks)
    return test_command.run(arguments)


def test_all_checks_run_and_the_first_failure_gives_the_exit_code(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
):
    assert run(monkeypatch, BAD, WORSE, FINE, arguments=["-k", "x"]) == 3
    out = capfd.readouterr().out
    assert "fine ['-k', 'x']" in out
    assert out.splitlines()[-1] == "failed: bad, worse"


def test_when_all_is_well_the_last_line_is_the_last_checks_own(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
):
    assert run(monkeypatch, FINE, arguments=[]) == 0
    assert capfd.readouterr().out.splitlines()[-1] == "fine []"


def test_a_tool_that_is_not_installed_is_named(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
):
    absent = Check("absent", "no_such_tool", ())
    assert run(monkeypatch, absent, arguments=[]) == 2
    assert "Not installed: no_such_tool" in capfd.readouterr().out


def test_outside_the_projects_folder_it_says_where_to_run(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], tmp_path: Path
):
    monkeypatch.setattr(test_command, "ROOT", tmp_path)
    assert run(monkeypatch, FINE, arguments=[]) == 2
    assert "in the project's own folder" in capfd.readouterr().out

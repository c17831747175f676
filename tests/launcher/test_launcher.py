"""The script that makes the environment on first use; Python and package index are stand-ins."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.architecture.source import ROOT

# All that the script may need beside a Python; a POSIX system has them.
TOOLS = ("sh", "dirname", "readlink", "cksum", "rm", "mv", "sed", "grep", "mkdir", "cp", "env")

# Stands in for any Python: is new enough, makes environments of itself, writes down what it
# installs, and runs the console by writing down its arguments. Only the lock needs the real one.
STAND_IN = f"""#!/bin/sh
case "$1 $2" in
    "-c import"*) exit 0 ;;
    "-I -c") exec '{sys.executable}' "$@" ;;
    "-m venv") mkdir -p "$3/bin" && cp "$0" "$3/bin/python" && exit "${{VENV_FAILS:-0}}" ;;
    "-m pip") shift 2; printf 'pip %s\\n' "$*" >>"$CALLS"; exit "${{PIP_FAILS:-0}}" ;;
    "-P -m") shift 2; printf 'runs'; printf ' [%s]' "$@"; printf '\\n' ;;
esac
"""


class Clone:
    """A copy of the project in a folder with a space in its name."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "my clone"
        self.tools = folder / "tools"
        self.calls = folder / "calls"
        self.root.mkdir()
        self.tools.mkdir()
        for name in ("minutebook", "pyproject.toml"):
            shutil.copy(ROOT / name, self.root)
        for tool in TOOLS:
            found = shutil.which(tool)
            assert found, tool
            (self.tools / tool).symlink_to(found)
        self.python = self.tools / "python3"
        self.python.write_text(STAND_IN)
        self.python.chmod(0o755)

    def run(
        self, *arguments: str, script: Path | None = None, cwd: Path | None = None, **settings: str
    ) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [script or self.root / "minutebook", *arguments],
            cwd=cwd or os.sep,
            env={"PATH": str(self.tools), "CALLS": str(self.calls), **settings},
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
        )

    def installs(self) -> list[str]:
        """What was installed since the last time of asking."""
        lines = self.calls.read_text().splitlines() if self.calls.exists() else []
        self.calls.unlink(missing_ok=True)
        return [line.rpartition(" ")[2] for line in lines]


@pytest.fixture
def clone(tmp_path: Path) -> Clone:
    return Clone(tmp_path)


def test_first_use_makes_the_environment_and_the_second_does_not(clone: Clone):
    first = clone.run("table", "two words")
    assert first.stdout == "runs [services.console] [table] [two words]\n", first.stderr
    assert "first use" in first.stderr
    assert clone.installs() == [".[embedded]"]
    second = clone.run()
    assert second.stdout == "runs [services.console]\n"
    assert second.stderr == ""
    assert clone.installs() == []


def test_what_only_the_checks_need_is_installed_with_the_first_test_and_kept(clone: Clone):
    clone.run()
    clone.run("test")
    assert clone.installs() == [".[embedded]", ".[embedded,test]"]
    clone.run("test")
    clone.run()
    assert clone.installs() == []
    (clone.root / "pyproject.toml").write_text("changed")
    assert "first use" not in clone.run().stderr
    assert clone.installs() == [".[embedded,test]"]


def test_an_interrupted_installation_is_begun_again(clone: Clone):
    failed = clone.run(PIP_FAILS="1")
    assert failed.returncode == 1
    assert "could not be installed" in failed.stderr
    assert failed.stdout == ""
    (clone.root / ".venv" / "rest").touch()
    again = clone.run()
    assert again.stdout == "runs [services.console]\n"
    assert not (clone.root / ".venv" / "rest").exists()


def test_an_environment_that_cannot_be_made_is_said_so(clone: Clone):
    failed = clone.run(VENV_FAILS="1")
    assert failed.returncode == 1
    assert "python3-venv" in failed.stderr


def test_a_folder_that_was_moved_gets_a_new_environment(clone: Clone):
    clone.run()
    clone.root = clone.root.rename(clone.root.parent / "elsewhere")
    assert "first use" in clone.run().stderr


def test_it_runs_from_anywhere_and_through_a_link(clone: Clone, tmp_path: Path):
    (tmp_path / "services").mkdir()
    link = tmp_path / "bin" / "mb"
    link.parent.mkdir()
    link.symlink_to(Path("..") / "my clone" / "minutebook")
    assert clone.run(script=link, cwd=tmp_path).stdout == "runs [services.console]\n"
    assert (clone.root / ".venv").is_dir()


def test_several_first_starts_at_once_make_one_environment(clone: Clone):
    starts = [
        subprocess.Popen(
            [clone.root / "minutebook"],
            env={"PATH": str(clone.tools), "CALLS": str(clone.calls)},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for _ in range(4)
    ]
    answers = [start.communicate(timeout=60) for start in starts]
    assert [out for out, _ in answers] == ["runs [services.console]\n"] * 4
    assert clone.installs() == [".[embedded]"]


def test_without_a_python_it_says_what_is_needed(clone: Clone):
    clone.python.unlink()
    failed = clone.run()
    assert failed.returncode == 1
    assert "Python 3.11 or newer is needed" in failed.stderr
    clone.python.write_text("#!/bin/sh\nexit 1\n")
    clone.python.chmod(0o755)
    assert "Python 3.11 or newer is needed" in clone.run().stderr

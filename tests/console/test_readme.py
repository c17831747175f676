"""The README's session is what happens, word for word."""

import re
import shlex
from pathlib import Path

import pytest

from tests.console.calls import a_running_minutebook, minutebook

README = Path(__file__).parents[2] / "README.md"
SESSION = re.compile(r"```console\n(.*?)```", re.DOTALL)


def exchanges():
    """Each command of the README's sessions, with what it is said to print."""
    for session in SESSION.findall(README.read_text(encoding="utf-8")):
        for part in session.split("$ ./minutebook ")[1:]:
            command, _, printed = part.partition("\n")
            yield shlex.split(command), printed


@pytest.mark.slow
def test_the_session_of_the_readme_is_what_happens(tmp_path):
    session = list(exchanges())
    assert len(session) > 5
    with a_running_minutebook(tmp_path):
        for command, printed in session:
            assert minutebook(tmp_path, *command).printed == printed, command

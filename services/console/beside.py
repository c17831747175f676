"""What lies beside the game as lines to type: an open field stands there in capitals."""

from collections.abc import Iterable, Mapping
from itertools import groupby
from typing import Final

from contracts.choices import Choice, OpenForm
from contracts.commands import AnyCommand, AssignSeat, SetProgramme, TakeLeave
from contracts.notation import written
from contracts.programmes import Buying

PATTERNS: Final[Mapping[str, str]] = {
    "person": "PERSON",
    "leave": "FIRST LAST",
    "hours": "hours ZONE from HH:MM to HH:MM DAYS",
    "amount": "MOST",
}
"""What is to be filled in, for each form that a field may have."""
HINTS: Final[Mapping[str, str]] = {
    "person": "one word, such as zoe",
    "leave": "days such as 2026-12-24, at most {most} of them",
    "hours": "such as Europe/Berlin from 18:00 to 23:30 mon-fri; every day if none is named",
    "amount": "the most to pay for a share",
}
"""What may be filled in, in a few words."""


def form_line(command: AnyCommand, form: OpenForm) -> str:
    """A command with an open field, and what may stand there."""
    return f"{pattern(command, form)}   ({HINTS[form.form].format(most=form.most)})"


def pattern(command: AnyCommand, form: OpenForm) -> str:
    """A command's line with capitals where something is to be filled in."""
    line = written(command)
    match command:
        case AssignSeat():
            return line.rsplit(" ", 1)[0] + f" {PATTERNS[form.form]}"
        case TakeLeave():
            return f"leave {PATTERNS[form.form]}"
        case SetProgramme(Buying()):
            return line.rsplit(" ", 1)[0] + f" {PATTERNS[form.form]}"
        case _:
            return PATTERNS[form.form]


def folded(choices: Iterable[Choice]) -> list[tuple[Choice, tuple[str, ...]]]:
    """Choices, those to buy companies from one place as one, with the other companies' names."""
    ordered = sorted(choices, key=lambda choice: _source(choice) or "")
    found: list[tuple[Choice, tuple[str, ...]]] = []
    for source, group in groupby(ordered, key=_source):
        some = list(group)
        if source is None:
            found += [(one, ()) for one in some]
        else:
            found.append((some[0], tuple(_company(one) for one in some[1:])))
    return found


def _source(choice: Choice) -> str | None:
    """Where a programme buys, `treasury` for a company's own shares; None for anything else."""
    if isinstance(choice.command, SetProgramme) and isinstance(choice.command.programme, Buying):
        buying = choice.command.programme
        return "treasury" if buying.source == buying.company else buying.source
    return None


def _company(choice: Choice) -> str:
    command = choice.command
    assert isinstance(command, SetProgramme)  # only those are folded
    assert isinstance(command.programme, Buying)
    return command.programme.company

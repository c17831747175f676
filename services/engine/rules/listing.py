"""Whether a command is among the choices: written out, within an open amount, or with open routes.

With it the third law can be checked from outside: what is accepted is listed, and what is written
out is accepted. Open routes list every legal set of runs without writing any but the best one out.
"""

from collections.abc import Iterable

from contracts.choices import (
    Choice,
    Interval,
    OpenForm,
    OpenRoutes,
    filled,
    value_at,
    with_value,
)
from contracts.commands import AnyCommand, RunTrains
from services.engine.rules.beside.forms import fits


def listing(listed: Iterable[Choice], command: AnyCommand) -> Choice | None:
    """The first choice that a command is, or None."""
    return next((choice for choice in listed if lists(choice, command)), None)


def is_listed(listed: Iterable[Choice], command: AnyCommand) -> bool:
    """Whether a command is among the choices."""
    return listing(listed, command) is not None


def lists(choice: Choice, command: AnyCommand) -> bool:
    """Whether a choice is, or with its open part named becomes, a command."""
    if type(choice.command) is not type(command):
        return False
    if choice.command == command:
        return True
    if isinstance(choice.open, Interval):
        return _within(choice.command, choice.open, command)
    if isinstance(choice.open, OpenForm):
        value = value_at(command, choice.open.field)
        return fits(choice.open, value) and (
            with_value(choice.command, choice.open.field, value) == command
        )
    if isinstance(choice.open, OpenRoutes) and isinstance(command, RunTrains):
        return _with_trains(choice.open, command)
    return False


def _within(shown: AnyCommand, span: Interval, command: AnyCommand) -> bool:
    """Whether a command names an amount of the interval, and nothing else otherwise."""
    amount = getattr(command, span.field)
    if not isinstance(amount, int) or not span.least <= amount <= span.most:
        return False
    return (amount - span.least) % span.step == 0 and filled(shown, span, amount) == command


def _with_trains(routes: OpenRoutes, command: RunTrains) -> bool:
    """Whether only trains that may run are run, each at most once."""
    run = [train for one in command.runs for train in one.trains]
    return len(run) == len(set(run)) and set(run) <= set(routes.trains)

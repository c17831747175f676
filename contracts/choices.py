"""What somebody may do: commands written out, with at most one thing left open.

What is listed is accepted, and what is accepted is listed (design law 3).
"""

from collections.abc import Mapping
from typing import Any, Final

import msgspec
from msgspec import Struct

from contracts.commands import AnyCommand
from contracts.ids import FrameId, Money, PlayerId, TrainId


class Interval(Struct, frozen=True, array_like=True, tag=True):
    """One amount of the command is open: `least` to `most` in steps of `step`, both included.

    `also` names a second field of the command that rises and falls with it, by as much.
    """

    field: str
    least: Money
    most: Money
    step: Money
    also: str | None = None


class OpenRoutes(Struct, frozen=True, array_like=True, tag=True):
    """The runs are open: any legal set for these trains; the command shows the best set found.

    `revenue` is what that set earns, and `proven` whether none can earn more.
    """

    trains: tuple[TrainId, ...]
    revenue: Money
    proven: bool


class OpenForm(Struct, frozen=True, array_like=True, tag=True):
    """One field of the command is for whoever gives it to fill in; the command shows an example.

    `field` is the way to it (`programme.most` is the field `most` of the field `programme`), `form`
    says what may stand there, one of `FORMS`. `most` is a bound where the form has one.
    """

    field: str
    form: str
    most: int | None = None


FORMS: Final[Mapping[str, str]] = {
    "person": "a person's id: one printable word that is no program's",
    "leave": "the first and the last day, at most `most` days from one to the other, both included",
    "hours": "a time zone, from when to when, on which days of the week",
    "amount": "a whole amount of money, 1 or more",
}
"""What may stand in an open field; names are never changed."""


class Choice(Struct, frozen=True, array_like=True):
    """One thing that a player may do now.

    `question` is to be named in the order where the command answers one; otherwise the order names
    the table's version. `beside` tells what lies beside the game (requests, seats, programmes,
    leave, hours) from what the game asks of the player.
    """

    player: PlayerId
    command: AnyCommand
    open: Interval | OpenRoutes | OpenForm | None = None
    question: FrameId | None = None
    beside: bool = False


def filled(command: AnyCommand, interval: Interval, amount: Money) -> AnyCommand:
    """The command of a choice with its open amount named."""
    fields: dict[str, Any] = {interval.field: amount}
    if interval.also is not None:
        more = amount - getattr(command, interval.field)
        fields[interval.also] = getattr(command, interval.also) + more
    named: AnyCommand = msgspec.structs.replace(command, **fields)
    return named


def value_at(command: Any, field: str) -> Any:  # noqa: ANN401 - any field's value
    """The value of a field of a command, or of a field within one.

    >>> from contracts.commands import SetProgramme
    >>> from contracts.programmes import Buying
    >>> value_at(SetProgramme(Buying("PRR", "offering", 100)), "programme.most")
    100
    """
    for name in field.split("."):
        command = getattr(command, name, None)
    return command


def with_value(command: Any, field: str, value: Any) -> Any:  # noqa: ANN401 - any field's value
    """A command with another value in a field, or in a field within one."""
    name, _, inner = field.partition(".")
    if inner:
        value = with_value(getattr(command, name), inner, value)
    return msgspec.structs.replace(command, **{name: value})

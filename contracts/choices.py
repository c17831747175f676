"""What somebody may do: commands written out, with at most one thing left open.

What is listed is accepted, and what is accepted is listed (design law 3).
"""

from typing import Any

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


class Choice(Struct, frozen=True, array_like=True):
    """One thing that a player may do now.

    `question` is to be named in the order where the command answers one; otherwise the order names
    the table's version.
    """

    player: PlayerId
    command: AnyCommand
    open: Interval | OpenRoutes | None = None
    question: FrameId | None = None


def filled(command: AnyCommand, interval: Interval, amount: Money) -> AnyCommand:
    """The command of a choice with its open amount named."""
    fields: dict[str, Any] = {interval.field: amount}
    if interval.also is not None:
        more = amount - getattr(command, interval.field)
        fields[interval.also] = getattr(command, interval.also) + more
    named: AnyCommand = msgspec.structs.replace(command, **fields)
    return named

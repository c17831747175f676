"""Options of `open` that say how a table is run, apart from the rules of its title."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from services.console.options import Flag

Several = Annotated[list[str] | None, Parameter(negative="")]
"""An option that may be given more than once."""


@Parameter(name="*")
@dataclass(frozen=True)
class TableOptions:
    """People, undo, and a file for all of it.

    Parameters
    ----------
    settings
        A TOML file with any of these options, by their names; what is typed goes before it.
    undo
        What may be taken back without asking: `own` (the last mover's own moves until somebody
        else has acted), `free` (everything, by anybody) or `consent` (nothing).
    host
        Who runs the table: a seat, or a person outside it. He gives seats, undoes and pauses.
    host_acts
        Let the host move for every seat.
    request_time
        How long a request (undo, pause, end) waits for answers, such as `3d`; `0` is for ever.
    person
        Who alone acts for a seat: `ann=ann.lee@example.org`; as often as there are seats.
    """

    settings: Path | None = None
    undo: str | None = None
    host: str | None = None
    host_acts: Flag = False
    request_time: str | None = None
    person: Several = None


@Parameter(name="*")
@dataclass(frozen=True)
class ClockOptions:
    """The clock; without any of these a table has none.

    Parameters
    ----------
    turn_time
        Time for each turn or question, such as `24h`, `90m` or `1d12h`.
    bank
        Time that each player has beside it for the whole game.
    increment
        What a turn or question that is over adds to the bank.
    bank_most
        The most that a bank can hold.
    then
        What happens at the end of time: `call` (it is told), `neutral` (the cheapest move is made),
        `substitute` (the next substitute takes the seat) or `resign`.
    reminders
        How long before the end somebody is reminded: `12h,1h`.
    hours
        When a player's time runs: `ann=Europe/Berlin,08:00-23:00,mon-fri`; without a name those of
        all others. He can set his own later.
    free_days
        Days on which nobody's time runs: `2026-12-24,2026-12-25`.
    leave_days
        How many days off each player may take.
    substitutes
        Persons who take a seat over, in this order: `zoe,yan`.
    """

    turn_time: str | None = None
    bank: str | None = None
    increment: str | None = None
    bank_most: str | None = None
    then: str | None = None
    reminders: str | None = None
    hours: Several = None
    free_days: str | None = None
    leave_days: int | None = None
    substitutes: str | None = None

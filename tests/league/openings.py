"""The tables of a season: titles, seats, clocks, rooms."""

from random import Random
from typing import Final

from msgspec import Struct

from contracts.clocking import Clocking, Hours
from contracts.commands import OpenTable
from contracts.ids import Party, PlayerId, TableId
from contracts.pieces import Seat, Settings
from contracts.titles.load import titles
from tests.league.people import Person, local, substitutes
from tests.league.plan import BEGIN, DAY, HOUR, Plan

ENDS: Final = ("call", "neutral", "substitute", "resign")
FREE_DAY: Final = 9
"""The day of a season on which nobody's time runs, at some tables."""


class Opening(Struct, frozen=True):
    """A table that is to be opened: when, how, and whether it has a room."""

    table: TableId
    at: int
    command: OpenTable
    room: tuple[str, ...] = ()
    """Names of the room's channels."""


def openings(plan: Plan, people: dict[str, Person]) -> list[Opening]:
    """All tables of a season. Most begin on the first days, some later."""
    lots = plan.lots("tables")
    names = [one for one in people if not one.startswith("s")]
    found = []
    for number in range(plan.tables):
        table = TableId(f"t{number}")
        late = lots.random() ** 3 * plan.days * 0.6 * DAY
        at = BEGIN + round(late) + lots.randrange(24) * HOUR
        room = (f"{lots.choice(('discord', 'slack'))}-room",) if lots.random() < 0.4 else ()
        found.append(Opening(table, at, opening(plan, people, names, lots), room))
    return found


def opening(plan: Plan, people: dict[str, Person], names: list[str], lots: Random) -> OpenTable:
    """How one table is opened."""
    title = lots.choice(titles())
    who = lots.sample(names, lots.choice((2, 3, 3, 4)))
    is_named = lots.random() < 0.8
    seats = tuple(
        Seat(PlayerId(Party(f"p{number}" if is_named else name)), name, name if is_named else None)
        for number, name in enumerate(who, 1)
    )
    host = lots.choice((None, seats[0].player, lots.choice(names) if is_named else None))
    settings = Settings(
        undo=lots.choice(("own", "own", "free", "consent")),
        host=None if host is None else PlayerId(Party(host)),
        clock=clock(plan, people, seats, lots) if lots.random() < 0.85 else None,
        host_acts=lots.random() < 0.3,
    )
    return OpenTable(title, seats, lots.randrange(10**6), settings=settings)


def clock(plan: Plan, people: dict[str, Person], seats: tuple[Seat, ...], lots: Random) -> Clocking:
    """A table's clock: from hours to days for a turn, in everybody's own hours at some tables."""
    hours: dict[PlayerId, Hours] = {}
    if lots.random() < 0.5:
        for seat in seats:
            person = people[seat.person or seat.player]
            if lots.random() < 0.7:
                days = tuple(day for day in range(7) if day not in person.free_days)
                hours[seat.player] = Hours(person.zone, person.wakes, person.sleeps, days)
    turn, bank = lots.choice(((24, 0), (36, 48), (12, 72), (0, 120), (48, 24), (8, 16)))
    free = local(BEGIN + FREE_DAY * DAY, "UTC").date().isoformat()
    return Clocking(
        turn_seconds=turn * 3600,
        bank_seconds=bank * 3600,
        increment_seconds=lots.choice((0, 900, 7200)),
        bank_most=lots.choice((None, max(bank, 1) * 3600)),
        then=lots.choice(ENDS),
        reminders=lots.choice(((), (7200,), (6 * 3600,), (12 * 3600, 3600))),
        hours=hours,
        free_days=(free,) if lots.random() < 0.3 else (),
        leave_days=lots.choice((0, 7)),
        substitutes=tuple(lots.sample(substitutes(plan), 2)) if lots.random() < 0.8 else (),
    )

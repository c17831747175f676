"""The tables of chaos: titles, people, hosts and clocks of seconds, drawn by lot."""

from collections.abc import Sequence
from random import Random
from typing import Final

from contracts.clocking import ENDS, Clocking
from contracts.commands import OpenTable, Order
from contracts.ids import CommandId, Party, PlayerId, TableId
from contracts.pieces import Seat, Settings
from contracts.titles.load import titles

NAMES: Final = ("ann", "bob", "cyd", "dan")
SPARE: Final = ("eve", "fay", "gus")
"""Who takes seats over."""
UNDO_RULES: Final = ("own", "free", "consent")
REQUEST_SECONDS: Final = 3
"""How long a request waits before silence is an answer."""


def people_of(client: str) -> tuple[str, ...]:
    """The people who sit at the tables of a client, now or later.

    >>> people_of("c1")[:2]
    ('c1.ann', 'c1.bob')
    """
    return tuple(f"{client}.{name}" for name in (*NAMES, *SPARE))


def host_of(client: str) -> str:
    """Who runs the tables of a client, and sits at none.

    >>> host_of("c1")
    'c1.host'
    """
    return f"{client}.host"


def opening(client: str, table: TableId, lots: Random) -> Order:
    """The order that opens a table: each sort of clock has its turn."""
    names = NAMES[: lots.randint(3, len(NAMES))]
    seats = tuple(
        Seat(PlayerId(Party(name)), name.title(), person)
        for name, person in zip(names, people_of(client), strict=False)
    )
    then = lots.choice(tuple(ENDS))
    settings = Settings(
        undo=lots.choice(UNDO_RULES),
        host=PlayerId(Party(host_of(client))),
        clock=clock(then, people_of(client)[len(NAMES) :], lots),
        request_seconds=REQUEST_SECONDS,
    )
    command = OpenTable(lots.choice(titles()), seats, lots.randrange(2**31), settings=settings)
    return Order(table, CommandId("open"), host_of(client), seats[0].player, command)


def clock(then: str, spare: Sequence[str], lots: Random) -> Clocking:
    """A clock of seconds; whoever would lose his seat has some more of them."""
    patient = 4 if then == "resign" else 0
    return Clocking(
        turn_seconds=patient + lots.randint(1, 4),
        bank_seconds=lots.randint(0, 3),
        increment_seconds=lots.randint(0, 1),
        bank_most=lots.choice((None, 4)),
        then=then,
        reminders=(1,),
        leave_days=3,
        substitutes=tuple(spare) if then == "substitute" else (),
    )

"""What the people of a table do beside the game: undo, answers, seats, programmes, pauses."""

from collections.abc import Callable, Mapping
from random import Random
from typing import Final

from contracts.clocking import Hours, Leave
from contracts.commands import (
    AnswerRequest,
    AnyCommand,
    AssignSeat,
    ClearProgramme,
    MakeRequest,
    Order,
    SetHours,
    SetProgramme,
    TakeLeave,
)
from contracts.ids import CommandId, PlayerId
from contracts.people import NOBODY
from contracts.programmes import OnlyChoice, Passing
from contracts.rejections import Rejection
from services.chaos.following import Followed
from services.chaos.opening import SPARE
from services.engine.rules.decide import decide
from services.engine.table.agenda import awaited
from services.engine.table.state import Table

AGREES: Final = 0.7
FAR: Final = Leave("2001-01-01", "2001-01-01")
"""A day that is over: taking it off changes nobody's time."""
ALL_DAY: Final = (Hours("UTC"), Hours("Europe/Berlin"), Hours("America/New_York"))
BACK: Final = (1, 1, 1, 2, 5, 20)


def something(book: Followed, host: str, lots: Random) -> Order | None:
    """Something beside the game that may be done now; None if what was drawn may not."""
    table = book.table
    if table.requests:
        return _answer(table, lots) if lots.random() < 0.5 else None
    kind = lots.choice(tuple(DOINGS))
    order = DOINGS[kind](book, host, lots)
    if order is None or isinstance(decide(book.ruleset, table, order), Rejection):
        return None
    return order


def paused(book: Followed, host: str) -> Order | None:
    """The host's order that stops all time; None if nobody's time runs."""
    table = book.table
    if not awaited(table) or table.beside.paused:
        return None
    return _order(table, host, table.order[0], MakeRequest("pause"))


def _order(table: Table, sender: str, player: PlayerId, command: AnyCommand) -> Order:
    return Order(table.id, CommandId("beside"), sender, player, command, table.version)


def _own(table: Table, player: PlayerId, command: AnyCommand) -> Order | None:
    """An order of whoever sits in a seat; None if nobody does."""
    person = table.people[player]
    return None if person == NOBODY else _order(table, person, player, command)


def _answer(table: Table, lots: Random) -> Order | None:
    request = lots.choice(table.requests)
    yes = lots.random() < AGREES
    return _own(table, lots.choice(request.waiting), AnswerRequest(request.id, yes))


def _undo_by_host(book: Followed, host: str, lots: Random) -> Order | None:
    """The host takes moves back, in the name of somebody who is not to act afterwards."""
    table = book.table
    to = table.version - lots.choice(BACK)
    if to < 1:
        return None
    others = [one for one in table.order if one not in awaited(book.tables[to])]
    if not others:
        return None
    return _order(table, host, lots.choice(others), MakeRequest("undo", to))


def _undo(book: Followed, host: str, lots: Random) -> Order | None:
    """A player takes moves back, or asks the others to let him; often the last mover his own."""
    table = book.table
    player = table.mover if table.mover in table.order else lots.choice(table.order)
    if lots.random() < 0.3:
        player = lots.choice(table.order)
    assert player is not None
    return _own(table, player, MakeRequest("undo", max(1, table.version - lots.choice(BACK))))


def _another_person(book: Followed, host: str, lots: Random) -> Order:
    """The host gives a seat to somebody else; one that nobody plays for, if there is any."""
    table = book.table
    empty = [one for one in table.order if table.people[one] == NOBODY]
    client = host.rpartition(".")[0]
    person = f"{client}.{lots.choice(SPARE)}"
    return _order(
        table, host, table.order[0], AssignSeat(lots.choice(empty or table.order), person)
    )


def _programme(book: Followed, host: str, lots: Random) -> Order | None:
    table = book.table
    programme = lots.choice((OnlyChoice(), OnlyChoice(), Passing()))
    return _own(table, lots.choice(table.order), SetProgramme(programme))


def _clear(book: Followed, host: str, lots: Random) -> Order | None:
    table = book.table
    if not table.beside.programmes:
        return None
    held = lots.choice(table.beside.programmes)
    return _own(table, held.player, ClearProgramme(held.id))


def _hours(book: Followed, host: str, lots: Random) -> Order | None:
    table = book.table
    command = lots.choice((SetHours(lots.choice(ALL_DAY)), TakeLeave(FAR)))
    return _own(table, lots.choice(table.order), command)


def _pause(book: Followed, host: str, lots: Random) -> Order:
    table = book.table
    wish = "resume" if table.beside.paused else "pause"
    return _order(table, host, table.order[0], MakeRequest(wish))


DOINGS: Final[Mapping[str, Callable[[Followed, str, Random], Order | None]]] = {
    "undo by the host": _undo_by_host,
    "undo": _undo,
    "undo again": _undo,
    "another person": _another_person,
    "programme": _programme,
    "another programme": _programme,
    "clear": _clear,
    "hours": _hours,
    "pause": _pause,
}
"""What may be drawn; what is to come more often stands here more often."""

"""What somebody does who looks at a table: plays, takes back, asks, answers, or leaves it alone."""

from collections.abc import Iterator
from random import Random

from contracts.clocking import Hours, Leave
from contracts.commands import (
    AnswerRequest,
    AnyCommand,
    AssignSeat,
    MakeRequest,
    Order,
    SetHours,
    SetProgramme,
    TakeLeave,
)
from contracts.ids import CommandId, PlayerId
from contracts.people import NOBODY
from contracts.programmes import OnlyChoice, Passing
from services.engine.rules.decide import choices
from services.engine.rules.ruleset import ruleset_of
from services.engine.table.agenda import awaited, current_round
from services.engine.table.state import Table
from services.players.play import drawn, filled, leaning_of
from tests.league.people import Person, local
from tests.league.plan import DAY, HOUR


def seats_of(table: Table, person: str) -> tuple[PlayerId, ...]:
    """The seats that somebody acts for; a seat of which nobody is named is its player's own."""
    return tuple(one for one in table.order if table.people.get(one, one) == person)


def move(table: Table, player: PlayerId, sender: str, lots: Random) -> Order | None:
    """A move by the rules, as a house player would make it."""
    ruleset = ruleset_of(table)
    possible = [
        choice
        for choice in choices(ruleset, table, player)
        if not isinstance(choice.command, MakeRequest | AnswerRequest)
    ]
    if not possible:
        return None
    leaning = leaning_of(table, player, lots.randrange(6))
    choice = drawn(ruleset, table, possible, leaning, lots)
    command = filled(table, choice, leaning, lots)
    version = None if choice.question is not None else table.version
    return Order(table.id, CommandId(""), sender, player, command, version, choice.question)


def beside(table: Table, player: PlayerId, sender: str, command: AnyCommand) -> Order:
    """An order that is no move of the game."""
    return Order(table.id, CommandId(""), sender, player, command, table.version)


def answers(table: Table, player: PlayerId, sender: str, lots: Random) -> Iterator[Order]:
    """Answers to what is asked beside the game."""
    for request in table.requests:
        if player in request.waiting:
            yes = lots.random() < (0.15 if request.what == "end" else 0.7)
            yield beside(table, player, sender, AnswerRequest(request.id, yes=yes))


def whim(
    table: Table, player: PlayerId, person: Person, now: int, lots: Random
) -> AnyCommand | None:
    """Something else than a move, now and then."""
    last = table.version - 1
    is_over = table.ending is not None and table.ending.over
    draw = lots.random()
    if last < 1 or is_over:
        return None
    if draw < 0.02:
        return MakeRequest("undo", max(1, last - lots.choice((0, 0, 0, 1, 2, 6))))
    if draw < 0.024 and table.settings.clock is not None:
        return MakeRequest("resume" if table.beside.paused else "pause")
    clock = table.settings.clock
    if draw < 0.034 and (clock is None or clock.then != "resign"):
        # Beside a seat that was given up it could go on for ever at one moment.
        return SetProgramme(OnlyChoice())
    playing = current_round(table)
    if draw < 0.06 and playing is not None and playing.kind == "stock":
        return SetProgramme(Passing())
    if draw < 0.065:
        first = local(now + lots.randint(1, 4) * DAY, person.zone).date()
        last_day = local(now + lots.randint(4, 6) * DAY, person.zone).date()
        return TakeLeave(Leave(first.isoformat(), last_day.isoformat()))
    if draw < 0.068:
        return SetHours(Hours(person.zone, person.wakes, person.sleeps))
    if draw < 0.0684:
        return MakeRequest("end")
    return None


def own_undo(table: Table, player: PlayerId, lots: Random) -> AnyCommand | None:
    """Somebody takes his own last moves back, or brings them back again."""
    if table.mover != player or table.moved_from < 1 or table.version <= 2:
        return None
    to = lots.choice((table.moved_from, table.version - 1))
    return MakeRequest("undo", max(1, to))


def hosting(
    table: Table, now: int, since: int, substitutes: tuple[str, ...], lots: Random
) -> AnyCommand | None:
    """What a host does about a table that has waited long: gives the seat to another."""
    late = [one for one in awaited(table) if table.people.get(one) != NOBODY]
    if not late or now - since < 60 * HOUR or lots.random() < 0.4:
        return None
    return AssignSeat(lots.choice(late), lots.choice(substitutes))

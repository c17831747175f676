"""Calling time: what happens when a player's time for a turn or question is up."""

from typing import Final

from contracts import events as e
from contracts.choices import Choice
from contracts.commands import CallTime, Order, Pass
from contracts.events import Events
from contracts.frames import Consent
from contracts.ids import PlayerId
from contracts.people import NOBODY
from contracts.rejections import Code, Rejection
from services.engine.rules import passing
from services.engine.rules.beside import orders as beside
from services.engine.rules.beside import programmes
from services.engine.rules.beside.neutral import neutral_command
from services.engine.rules.draft import Draft
from services.engine.rules.ending import end_game
from services.engine.rules.permitted import permits
from services.engine.rules.ruleset import Ruleset
from services.engine.rules.settle import settle
from services.engine.table.agenda import awaited, matter_of, top
from services.engine.table.state import Table

MOVES_MOST: Final = 200
"""More neutral moves than any turn has steps and forced sales: a fault of the rules."""
CALL: Final = "call"
NEUTRAL: Final = "neutral"


class NoNeutralMoveError(RuntimeError):
    """A player is asked for something and has no neutral move: a fault of the rules."""


def decide(ruleset: Ruleset, table: Table, order: Order, command: CallTime) -> Events | Rejection:
    """What it leads to that a player's time is up. It names a frame instead of a version."""
    refusal = objection(table, order.player, command)
    if refusal is not None:
        return refusal
    draft = Draft(table)
    then = what_follows(table)
    draft.emit(e.TimeCalled(order.player, command.frame, then))
    if then == CALL:
        return tuple(draft.events)
    beside.stop_all_of(draft, order.player, "time called")
    if then == "resign" and table.people.get(order.player) != NOBODY:
        beside.seat_taken(draft, order.player, NOBODY)
    if then == "substitute":
        substitute = next_substitute(table, order.player)
        if substitute is not None:
            beside.seat_taken(draft, order.player, substitute)
            return tuple(draft.events)
    for request in draft.table.requests:
        draft.emit(e.RequestClosed(request.id, "lapsed"))
    if is_forsaken(draft.table):
        end_game(ruleset, draft, "resigned")
        return tuple(draft.events)
    play_on(ruleset, draft, order.player)
    programmes.stop_foiled(ruleset, draft, order)
    return tuple(draft.events)


def objection(table: Table, player: PlayerId, command: CallTime) -> Rejection | None:
    """What is wrong with a call: the table has to wait for the player, in that frame."""
    if table.ending is not None and table.ending.over:
        return Rejection(Code.GAME_OVER, "design", "The game is over.")
    if table.beside.paused:
        return Rejection(Code.NOT_ALLOWED, "design", "Play is paused; nobody's time runs.")
    frame = top(table)
    if frame is None or frame.id != command.frame or player not in awaited(table):
        sentence = f"Nobody waits for {player} in {command.frame} any more."
        return Rejection(Code.QUESTION_CLOSED, "design", sentence, version=table.version)
    return None


def what_follows(table: Table) -> str:
    """What the end of a player's time leads to at a table.

    A proposal that waits for consent does not wait for ever even where time is only called: silence
    is a no, so that whoever proposed it can go on.
    """
    clock = table.settings.clock
    then = CALL if clock is None else clock.then
    return NEUTRAL if then == CALL and matter_of(table, Consent) is not None else then


def is_forsaken(table: Table) -> bool:
    """Whether everybody has resigned: neutral moves alone, at once, could go on without an end."""
    return all(table.people.get(player) == NOBODY for player in table.order)


def next_substitute(table: Table, player: PlayerId) -> str | None:
    """The first substitute who has no seat; after a substitute, one who is named after him.

    Otherwise two who do not come would take one seat from each other for ever.
    """
    clock = table.settings.clock
    named = () if clock is None else clock.substitutes
    person = table.people.get(player)
    later = named[named.index(person) + 1 :] if person in named else named
    return next((one for one in later if one not in table.people.values()), None)


def play_on(ruleset: Ruleset, draft: Draft, player: PlayerId) -> None:
    """Make neutral moves until somebody else is waited for, or this player's turn is over.

    It is over once its frame has left the agenda, even if his next turn follows.
    """
    before = top(draft.table)
    assert before is not None  # the objection saw to it
    for _ in range(MOVES_MOST):
        choice = neutral_command(ruleset, draft.table, player)
        if choice is None:
            raise NoNeutralMoveError(draft.table.id, player)
        perform(ruleset, draft, choice)
        settle(ruleset, draft)
        still = any(frame.id == before.id for frame in draft.table.agenda)
        if not still or player not in awaited(draft.table):
            return
    raise NoNeutralMoveError(draft.table.id, player)


def perform(ruleset: Ruleset, draft: Draft, choice: Choice) -> None:
    """Do one of a player's choices."""
    command = choice.command
    if isinstance(command, Pass):
        if passing.passed(ruleset, draft, choice.player) is None:
            return
        raise NoNeutralMoveError(draft.table.id, choice.player)
    for permit in permits(draft.table, choice.player):
        for act in permit.acts:
            if permit.asked and act.command is type(command) and act.fits(command):
                found = act.objections(ruleset, draft.table, permit.who, command)
                if next(found, None) is None:
                    act.perform(ruleset, draft, permit.who, command)
                    return
    raise NoNeutralMoveError(draft.table.id, choice.player)

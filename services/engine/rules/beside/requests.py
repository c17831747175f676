"""Requests beside the game: taking back, and ending it by agreement.

Undo is a record after which the table is as it was after an earlier record. Who may undo without
asking is a setting of the table; beyond that all others are asked.
"""

from collections.abc import Mapping
from typing import Final

from contracts import events as e
from contracts.choices import Choice, Interval
from contracts.commands import AnswerRequest, ExpireRequest, MakeRequest, Order
from contracts.events import Events
from contracts.frames import Request
from contracts.ids import PlayerId
from contracts.people import NOBODY
from contracts.rejections import Code, Rejection
from services.engine.rules.beside.people import is_host
from services.engine.rules.draft import Draft
from services.engine.rules.ending import end_game
from services.engine.rules.ruleset import Ruleset
from services.engine.table.state import Table

Command = MakeRequest | AnswerRequest | ExpireRequest

PAUSES: Final[Mapping[str, bool]] = {"pause": True, "resume": False}
"""What stops everybody's time, and what lets it run again."""
WISHES: Final = ("undo", "end", *PAUSES)
FIRST_UNDOABLE = 1
"""The record that opened the table is never taken back."""


def decide(ruleset: Ruleset, table: Table, order: Order) -> Events | Rejection:
    """What a request, an answer to one, or its expiry leads to."""
    if isinstance(order.command, ExpireRequest):
        return expired(table, order.command)
    if order.version != table.version:
        sentence = f"The order was made against version {order.version}, not {table.version}."
        return Rejection(Code.STALE, "design", sentence, "Look again.", table.version)
    if isinstance(order.command, MakeRequest):
        return made(ruleset, table, order, order.command)
    assert isinstance(order.command, AnswerRequest)
    return answered(ruleset, table, order.player, order.command)


def refusal(code: Code, sentence: str, legal: str = "") -> Rejection:
    """A refusal by the table's own order."""
    return Rejection(code, "design", sentence, legal)


def made(ruleset: Ruleset, table: Table, order: Order, command: MakeRequest) -> Events | Rejection:
    """A request is granted at once, or put to the others; nobody is asked for who has resigned."""
    player = order.player
    host = is_host(table, order.sender, player)
    at_once = is_at_once(table, player, command, host=host)
    objection = request_objection(table, command, at_once=at_once)
    if objection is not None:
        return objection
    if at_once:
        return granted_at_once(table, player, command)
    draft = Draft(table)
    there = (other for other in table.order if table.people.get(other) != NOBODY)
    others = tuple(other for other in there if other != player)
    request = Request(draft.next_frame(), command.what, player, others, command.version)
    draft.emit(e.RequestMade(request))
    return tuple(draft.events) if others else granted(ruleset, draft, request, player)


def is_at_once(table: Table, player: PlayerId, command: MakeRequest, *, host: bool) -> bool:
    """Whether what is asked for is granted without asking anybody."""
    if command.what in PAUSES:
        return host
    if command.what != "undo" or command.version is None:
        return False
    return host or may_undo(table, player, command.version)


def granted_at_once(table: Table, player: PlayerId, command: MakeRequest) -> Events:
    """What a request leads to about which nobody has to be asked; whoever waits for it has it."""
    if command.what == "undo" and command.version is not None:
        return (e.Undone(command.version, player),)
    draft = Draft(table)
    for request in table.requests:
        if request.what == command.what:
            draft.emit(e.RequestClosed(request.id, "granted"))
    draft.emit(e.PlayPaused(PAUSES[command.what]))
    return tuple(draft.events)


def request_objection(
    table: Table, command: MakeRequest, *, at_once: bool = False
) -> Rejection | None:
    """What is wrong with a request; one that is granted at once does not wait for another."""
    if command.what not in WISHES:
        return refusal(
            Code.BAD_REQUEST,
            f"One cannot ask for {command.what!r}.",
            f"One can for: {', '.join(WISHES)}.",
        )
    if not at_once and any(request.what == command.what for request in table.requests):
        return refusal(Code.BAD_REQUEST, f"It is being asked for already: {command.what}.")
    if command.what != "undo" and table.ending is not None and table.ending.over:
        return refusal(Code.GAME_OVER, "The game is over.")
    if command.what != "undo" and command.version is not None:
        return refusal(Code.BAD_REQUEST, f"The {command.what} is asked for now, not at a version.")
    if command.what in PAUSES and table.settings.clock is None:
        return refusal(Code.BAD_REQUEST, "The table has no clock.")
    if command.what in PAUSES and PAUSES[command.what] == table.beside.paused:
        return refusal(Code.BAD_REQUEST, f"It is so already: {command.what}.")
    if command.what == "undo":
        last = table.version - 1
        if command.version is None or not FIRST_UNDOABLE <= command.version <= last:
            return refusal(
                Code.BAD_REQUEST,
                f"One cannot go back to version {command.version}.",
                f"One can go back to {FIRST_UNDOABLE} to {last}.",
            )
    return None


def may_undo(table: Table, player: PlayerId, version: int) -> bool:
    """Whether a player who is not the host may go back to a version without asking."""
    if table.settings.undo == "free":
        return True
    return table.settings.undo == "own" and version >= own_from(table, player)


def own_from(table: Table, player: PlayerId) -> int:
    """The first version since which everything is a player's own; the present one if nothing is.

    What others ask for meanwhile, or answer, does not make his last move any less his own.
    """
    run = table.run
    acted = table.moved_from if player == table.mover else table.version
    return min(acted, run.since if player == run.who else table.version)


def answered(
    ruleset: Ruleset, table: Table, player: PlayerId, command: AnswerRequest
) -> Events | Rejection:
    """One answer; a no ends the request, the last yes grants it."""
    request = next((one for one in table.requests if one.id == command.request), None)
    if request is None or player not in request.waiting:
        return refusal(Code.QUESTION_CLOSED, f"Request {command.request} does not wait for you.")
    draft = Draft(table)
    draft.emit(e.RequestAnswered(request.id, player, command.yes))
    if not command.yes:
        draft.emit(e.RequestClosed(request.id, "refused"))
    elif len(request.waiting) == 1:
        return granted(ruleset, draft, request, player)
    return tuple(draft.events)


def granted(ruleset: Ruleset, draft: Draft, request: Request, by: PlayerId) -> Events:
    """What a request leads to once nobody is left who has to agree."""
    if request.what == "undo" and request.version is not None:
        return (e.Undone(request.version, by),)
    draft.emit(e.RequestClosed(request.id, "granted"))
    if request.what in PAUSES:
        draft.emit(e.PlayPaused(PAUSES[request.what]))
    else:
        end_game(ruleset, draft, "agreed")
    return tuple(draft.events)


def expired(table: Table, command: ExpireRequest) -> Events | Rejection:
    """A request has waited long enough: silence is a no, but a yes to letting time run again.

    The order names the request instead of a version, so it may come late.
    """
    objection = expiry_objection(table, command)
    if objection is not None:
        return objection
    draft = Draft(table)
    request = next(one for one in table.requests if one.id == command.request)
    draft.emit(e.RequestClosed(request.id, "expired"))
    if request.what == "resume":
        draft.emit(e.PlayPaused(PAUSES["resume"]))
    return tuple(draft.events)


def expiry_objection(table: Table, command: ExpireRequest) -> Rejection | None:
    """What is wrong with an expiry: the request has to wait, and not for ever."""
    if all(one.id != command.request for one in table.requests):
        sentence = f"Request {command.request} does not wait any more."
        return Rejection(Code.QUESTION_CLOSED, "design", sentence, version=table.version)
    if not table.settings.request_seconds:
        return refusal(Code.NOT_ALLOWED, "Requests wait for ever at this table.")
    return None


def choices(table: Table, player: PlayerId, sender: str = "") -> list[Choice]:
    """The requests that a sender may make or answer for a player."""
    found: list[Choice] = []
    for request in table.requests:
        if player in request.waiting:
            found += [Choice(player, AnswerRequest(request.id, yes=yes)) for yes in (True, False)]
    host = is_host(table, sender, player)
    for what in WISHES:
        if what == "undo":
            found += undoing(table, player, host=host)
            continue
        command = MakeRequest(what)
        at_once = is_at_once(table, player, command, host=host)
        if request_objection(table, command, at_once=at_once) is None:
            found.append(Choice(player, command))
    return found


def undoing(table: Table, player: PlayerId, *, host: bool) -> list[Choice]:
    """The undo that a player may ask for; while one waits, only what needs nobody's consent."""
    for least in (FIRST_UNDOABLE, max(FIRST_UNDOABLE, own_from(table, player))):
        command = MakeRequest("undo", least)
        at_once = is_at_once(table, player, command, host=host)
        if request_objection(table, command, at_once=at_once) is None:
            return [Choice(player, command, Interval("version", least, table.version - 1, 1))]
    return []

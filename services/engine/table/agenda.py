"""The agenda: a stack of frames that alone says who may do what."""

from collections.abc import Callable
from typing import Final, TypeVar

import msgspec

from contracts.frames import Auction, Fines, Frame, Merging, Question, Round, Turn, Waterfall
from contracts.ids import CompanyId, FrameId, Party, PlayerId
from services.engine.table.state import Table

Agenda = tuple[Frame, ...]
F = TypeVar("F", Round, Turn, Waterfall, Auction, Merging, Fines, Question)
M = TypeVar("M")


class NoSuchFrameError(LookupError):
    """An event speaks of a frame that is not on the agenda: the log is damaged."""


def position(agenda: Agenda, id: FrameId) -> int:
    """Where a frame stands on the agenda, from the bottom."""
    for index, frame in enumerate(agenda):
        if frame.id == id:
            return index
    raise NoSuchFrameError(id)


def without(agenda: Agenda, id: FrameId) -> Agenda:
    """The agenda below a frame: it and all above it are closed."""
    return agenda[: position(agenda, id)]


def put(agenda: Agenda, frame: Frame) -> Agenda:
    """The agenda with a frame replaced in its place, or pushed if it is not there yet."""
    for index, old in enumerate(agenda):
        if old.id == frame.id:
            return (*agenda[:index], frame, *agenda[index + 1 :])
    return (*agenda, frame)


def topmost(agenda: Agenda, kind: type[F]) -> F | None:
    """The highest frame of a kind, or None."""
    for frame in reversed(agenda):
        if isinstance(frame, kind):
            return frame
    return None


def changed(agenda: Agenda, kind: type[F], change: Callable[[F], F]) -> Agenda:
    """The agenda with its highest frame of a kind changed; unchanged where there is none."""
    at: int = len(agenda)
    while at:
        at -= 1
        frame = agenda[at]
        if isinstance(frame, kind):
            return (*agenda[:at], change(frame), *agenda[at + 1 :])
    return agenda


def top(table: Table) -> Frame | None:
    """The frame that is waited for, or None before the opening and after the end."""
    return table.agenda[-1] if table.agenda else None


def current_round(table: Table) -> Round | None:
    """The round being played."""
    return topmost(table.agenda, Round)


def current_turn(table: Table) -> Turn | None:
    """The turn being played."""
    return topmost(table.agenda, Turn)


def player_of(table: Table, party: Party) -> PlayerId | None:
    """Who decides for a party: the player himself, or whoever acts for the company."""
    charter = table.charters.get(CompanyId(party))
    if charter is not None:
        return charter.acting
    return PlayerId(party) if party in table.order else None


def matter_of(table: Table, kind: type[M]) -> M | None:
    """What the top frame asks, if it is a question of a kind."""
    frame = top(table)
    return frame.matter if isinstance(frame, Question) and isinstance(frame.matter, kind) else None


def awaited(table: Table) -> tuple[PlayerId, ...]:
    """The players who have to decide now: whom the top frame asks, each once, in its order."""
    frame = top(table)
    if isinstance(frame, Turn):
        asked: tuple[Party, ...] = (frame.who,)
    elif isinstance(frame, Question):
        asked = frame.asked
    else:
        asked = ()
    players: list[PlayerId] = []
    for party in asked:
        player = player_of(table, party)
        if player is not None and player not in players:
            players.append(player)
    return tuple(players)


replaced: Final = msgspec.structs.replace
"""The frame with some fields changed."""

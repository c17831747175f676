"""Who took moves back, or put them back, and how that is said. Pure."""

from collections.abc import Callable, Iterable, Mapping

from contracts.commands import AnswerRequest
from contracts.events import Undone
from contracts.frames import Request
from contracts.ids import PlayerId
from contracts.people import person_of
from contracts.records import Record
from contracts.views import MinuteLine
from contracts.views_beside import RequestView
from services.notifier.happened import taken_back_by


def undone(record: Record) -> Undone | None:
    """The undo that a record is, if it is one."""
    first = record.events[0] if record.events else None
    return first if isinstance(first, Undone) else None


def stands(version: int, at: int, undos: Iterable[tuple[int, int]]) -> bool:
    """Whether a record still counts at a version; `undos` are versions with what they go back to.

    >>> undos = ((13, 11), (15, 12))
    >>> stands(12, 13, undos), stands(12, 15, undos), stands(14, 15, undos), stands(11, 15, undos)
    (False, True, False, True)
    """
    falling = sorted(undos, reverse=True)
    for undo, to in falling:
        if undo > at:
            continue
        if undo <= version:
            break
        at = to
    return version <= at and all(version != undo for undo, _ in falling)


def seat_of(record: Record, people: Mapping[PlayerId, str]) -> PlayerId | None:
    """The seat whose player himself took moves back by a record; None if it was the host.

    Only the host may give such an order for a seat in which another person sits.
    """
    first = undone(record)
    if first is None:
        return None
    person = people.get(first.by)
    return first.by if person in {None, person_of(record.order.sender)} else None


def taken_back(
    record: Record,
    people: Mapping[PlayerId, str],
    name: Callable[[PlayerId], str | None],
    *,
    forward: bool,
) -> str:
    """How it is said that moves were taken back; `forward` if they were put back instead.

    `name` gives what a player is called, None if he does not sit at the table.
    """
    verb = "put" if forward else "taken"
    if isinstance(record.order.command, AnswerRequest):
        return f"Moves were {verb} back, as all had agreed"
    seat = seat_of(record, people)
    who = "The host" if seat is None else name(seat)
    return f"Moves were {verb} back" if who is None else f"{who} {_DID[verb]} moves back"


def asked_for(request: RequestView, lines: Iterable[MinuteLine]) -> str:
    """What a request is for, and which moves it would take back that stand in the minutes."""
    moves = () if request.to_version is None else taken_back_by(lines, request.to_version)
    what = f" That takes back: {' '.join(moves)}" if moves else ""
    return f"{request.words}{what} You have not answered yet."


def wish(request: Request) -> str:
    """What a request asks for, as part of a sentence.

    >>> from contracts.ids import FrameId, PlayerId
    >>> wish(Request(FrameId("4.0"), "undo", PlayerId("ann"), (), 3))
    'to take the table back to version 3'
    """
    if request.what == "undo":
        return f"to take the table back to version {request.version}"
    return _WISHES.get(request.what, f"for {request.what}")


def expires(request: RequestView, waits: int) -> int:
    """When a request lapses that waits for so many microseconds, 0 if never."""
    return request.since_time + waits if waits else 0


_DID = {"put": "put", "taken": "took"}
_WISHES = {
    "pause": "to pause play",
    "resume": "to resume play",
    "end": "to end the game by agreement",
}

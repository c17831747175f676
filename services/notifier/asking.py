"""What is told of requests: whoever is asked, and whoever asked. Pure."""

from collections.abc import Iterator
from typing import Final

from contracts.events import PlayPaused, RequestAnswered, RequestClosed
from contracts.ids import PlayerId
from contracts.people import NOBODY
from contracts.records import Record
from services.notifier.look import Look
from services.notifier.taking_back import asked_for, expires
from services.notifier.taking_seats import welcome

CLOSED: Final = "closed "
"""How the reason begins of what is told of a request's end; the version that ended it follows."""
CLOSED_KEPT: Final = 16
"""How many of the last of these are corrected if the end is undone."""
LATE: Final = "expired: not everybody answered in time."


def asked(look: Look) -> None:
    """Whoever has to answer a request is told so."""
    for request in look.sight.turn.requests:
        for player in request.waiting:
            reason = look.by(player, f"request {request.id}")
            if look.people.get(player) != NOBODY and not look.keep(player, reason):
                words = asked_for(request, look.sight.lines)
                words = f"{welcome(look, player)}{words}"
                times = (request.since_time, expires(request, look.waits))
                look.tell(player, "consent", words, reason, look.sight.version, times=times)


def closed(look: Look) -> None:
    """Whoever asked for something hears that it was refused, or that not everybody answered.

    That play is paused or goes on everybody is told instead, and of the game's end too. An undo
    that was granted is told as what it is.
    """
    told = [one for one in look.memory.open if one.reason.startswith(CLOSED)]
    look.kept += [one for one in told[-CLOSED_KEPT:] if not look.is_gone(one.since)]
    for record, event, asker, what in _closed(look):
        reason = f"{CLOSED}{record.version}"
        match event.because:
            case "refused":
                words = f"Your request {what} was refused by {_who_refused(look, record, event)}."
                if not look.did(record, asker):
                    look.tell(asker, "news", words, reason, record.version)
            case "expired" if not _pauses(record):
                look.tell(asker, "news", f"Your request {what} {LATE}", reason, record.version)
                words = f"The request of {look.sight.name(asker)} {what} {LATE}"
                look.tell(None, "news", words, reason, record.version)


def granted(look: Look, player: PlayerId) -> str:
    """What the notice of the game's end begins with for whoever asked for it."""
    for record, event, asker, what in _closed(look):
        if event.because == "granted" and asker == player and not look.did(record, player):
            return f"Your request {what} was granted. "
    return ""


def _closed(look: Look) -> Iterator[tuple[Record, RequestClosed, PlayerId, str]]:
    """The requests that ended since the last look: who had asked, and for what."""
    for record in look.new:
        if not look.still(record):
            continue
        for event in record.events:
            if isinstance(event, RequestClosed) and event.id in look.requests:
                yield record, event, *look.requests[event.id]


def _who_refused(look: Look, record: Record, event: RequestClosed) -> str:
    answers = (one for one in record.events if isinstance(one, RequestAnswered))
    who = next((one.player for one in answers if one.id == event.id), record.order.player)
    return look.sight.name(who)


def _pauses(record: Record) -> bool:
    """Whether a record stops time or lets it run again."""
    return any(isinstance(one, PlayPaused) for one in record.events)

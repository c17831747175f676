"""What everybody is told once time stands still at a table, and once it runs again. Pure."""

from typing import Final

from contracts.commands import ExpireRequest, MakeRequest
from contracts.events import PlayPaused, RequestClosed, RequestMade
from contracts.ids import PlayerId
from contracts.records import Record
from services.notifier.look import Look

REASONS: Final = {True: "paused", False: "resumed"}
"""Why what is told of a pause holds: until the contrary is true."""


def paused(look: Look) -> None:
    """All who sit at the table hear of it and its room, but for who did it; once, as it is now."""
    reason = REASONS[look.paused]
    look.kept += [one for one in look.memory.open if one.reason == reason]
    if look.paused == look.memory.paused:
        return
    record = next(one for one in reversed(look.new) if _has_paused(one))
    ends = {} if look.paused else {one.player: look.until(one) for one in look.sight.turn.asked}
    for seat in look.sight.line.seats:
        if not look.did(record, seat.player):
            words = _words(look, record, seat.player)
            look.tell(seat.player, "news", words, reason, times=(0, ends.get(seat.player, 0)))
    look.tell(None, "news", _words(look, record, None), reason)


def _has_paused(record: Record) -> bool:
    return any(isinstance(one, PlayPaused) for one in record.events)


def _words(look: Look, record: Record, reader: PlayerId | None) -> str:
    cause = _cause(look, record, reader)
    if look.paused:
        return (
            f"Play is paused, {cause}: nobody's time runs, "
            "and until when turns have to be taken moves on meanwhile."
        )
    return (
        f"Play goes on, {cause}: time runs again, "
        "and until when turns have to be taken has moved on by the pause."
    )


def _cause(look: Look, record: Record, reader: PlayerId | None) -> str:
    """Who wished it: the host, or who asked."""
    events = record.events
    if isinstance(record.order.command, MakeRequest) and not any(
        isinstance(one, RequestMade) for one in events
    ):
        return "as the host wished"
    ids = [one.id for one in events if isinstance(one, RequestClosed)]
    asker = next((look.requests[id][0] for id in ids if id in look.requests), None)
    who = "somebody" if asker is None else "you" if asker == reader else look.sight.name(asker)
    if isinstance(record.order.command, ExpireRequest):
        return f"as {who} asked, and nobody objected in time"
    return f"as {who} asked, and all agreed"

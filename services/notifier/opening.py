"""What a table's records say of its people and requests, and whether time stands still. Pure."""

from collections.abc import Iterable
from typing import Final

from contracts.events import PlayPaused, RequestMade, SeatTaken, TableOpened
from contracts.ids import FrameId, PlayerId
from contracts.records import Record
from services.notifier.patience import SECOND
from services.notifier.taking_back import wish

REQUESTS_KEPT: Final = 32
"""Of how many of a table's last requests it is remembered who made them, and for what."""


def people_after(before: dict[PlayerId, str], records: Iterable[Record]) -> dict[PlayerId, str]:
    """Who sits in each seat, as far as people are named; an undo does not move anybody."""
    people = dict(before)
    for record in records:
        for event in record.events:
            if isinstance(event, TableOpened):
                people |= {one.player: one.person for one in event.seats if one.person is not None}
            elif isinstance(event, SeatTaken):
                people[event.player] = event.person
    return people


def waits_after(before: int, records: Iterable[Record]) -> int:
    """How long a request waits at a table, in microseconds; 0 is for ever."""
    opened = (one for record in records for one in record.events if isinstance(one, TableOpened))
    return next((one.settings.request_seconds * SECOND for one in opened), before)


def paused_after(records: Iterable[Record], *, before: bool = False) -> bool:
    """Whether time stands still; an undo does not let it run again."""
    events = (event for record in records for event in record.events)
    paused = [event.paused for event in events if isinstance(event, PlayPaused)]
    return paused[-1] if paused else before


def requests_after(
    before: dict[FrameId, tuple[PlayerId, str]], records: Iterable[Record]
) -> dict[FrameId, tuple[PlayerId, str]]:
    """Who made the last requests, and what each asks for; an undo may bring one back."""
    found = dict(before)
    for record in records:
        for event in record.events:
            if isinstance(event, RequestMade):
                found[event.request.id] = (event.request.player, wish(event.request))
    return dict(list(found.items())[-REQUESTS_KEPT:])

"""What a table's records say of its people, and of how long its requests wait. Pure."""

from collections.abc import Iterable

from contracts.events import SeatTaken, TableOpened
from contracts.ids import PlayerId
from contracts.records import Record
from services.notifier.patience import SECOND


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

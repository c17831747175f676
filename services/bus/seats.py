"""Who sits where at a table as it stands, out of its records, for whoever asks again and again.

An undo moves nobody: seats are beside the game. Who sat there when is a view (`seats`).
"""

from collections import OrderedDict
from typing import Final

import msgspec
from msgspec import Struct

from contracts import events as e
from contracts.archived import HEAD_RESEALED
from contracts.ids import PlayerId, TableId
from contracts.people import NOBODY
from contracts.records import Record
from contracts.streams import head, partition_of
from services.bus.reading import records
from services.bus.typed import Client

TABLES_AT_HAND: Final = 512
"""Tables whose seats are kept in mind, the least lately asked going first."""


class Seats(Struct, frozen=True):
    """The seats of a table at a version, who sits in those that have a person, and the host.

    The host is a person: who sat in the host's seat at first, whoever sits there now.
    """

    version: int = 0
    order: tuple[PlayerId, ...] = ()
    people: dict[PlayerId, str] = {}
    host: str | None = None

    def person(self, seat: PlayerId) -> str:
        """Who sits in a seat; a seat without a person goes by its own name."""
        return self.people.get(seat, seat)

    def members(self) -> frozenset[str]:
        """Everybody who belongs to the table: who sits there, and the host."""
        host = () if self.host is None else (self.host,)
        return frozenset((*map(self.person, self.order), *host)) - {NOBODY}

    def belongs(self, person: str) -> bool:
        """Whether somebody has a say at the table; anybody has where it names no people."""
        return not self.people or person in self.members()


def after(seats: Seats, record: Record) -> Seats:
    """The seats after one more record."""
    seats = msgspec.structs.replace(seats, version=record.version)
    for event in record.events:
        match event:
            case e.TableOpened():
                people = {one.player: one.person for one in event.seats if one.person is not None}
                host = event.settings.host
                seats = Seats(
                    version=record.version,
                    order=tuple(seat.player for seat in event.seats),
                    people=people,
                    host=None if host is None else people.get(host, host),
                )
            case e.SeatTaken():
                people = {**seats.people, event.player: event.person}
                seats = msgspec.structs.replace(seats, people=people)
            case _:
                pass
    return seats


class SeatReader:
    """Reads who sits where, and of a table that it knows only what is new."""

    def __init__(self, client: Client, partitions: int) -> None:
        self._client = client
        self._partitions = partitions
        self._known: OrderedDict[TableId, tuple[Seats, bytes | None]] = OrderedDict()

    async def seats(self, table: TableId) -> Seats | None:
        """The seats of a table as it stands, None if its book is not in the store."""
        partition = partition_of(table, self._partitions)
        # A book that was sealed anew, because somebody's name was taken out of it, is another.
        anew = await self._client.hget(head(partition, table), HEAD_RESEALED)
        seats, before = self._known.get(table, (Seats(), anew))
        if before != anew:
            seats = Seats()
        async for sealed in records(self._client, partition, table, seats.version + 1):
            seats = after(seats, sealed.record)
        if seats.version == 0:
            return None
        self._known[table] = seats, anew
        self._known.move_to_end(table)
        if len(self._known) > TABLES_AT_HAND:
            self._known.popitem(last=False)
        return seats

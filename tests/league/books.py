"""What a table's book says of who had to act when: the ground on which notices are judged.

Nothing here comes from the clock or the notifier. From the fold that every reader shares only the
table after each record is taken: whom its top frame asks, what is requested, who sits where.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from msgspec import Struct

from contracts.commands import CallTime
from contracts.events import ProgrammeStopped, TimeCalled, Undone
from contracts.frames import Consent, Question, Request
from contracts.ids import FrameId, PlayerId, TableId
from contracts.people import NOBODY
from contracts.records import Record
from services.engine.table.agenda import awaited, top
from services.engine.table.fold import tables
from services.engine.table.state import Table

OWN_DOING: Final = ("cleared", "replaced", "moved")
"""Why programmes stop by what their players do, who know it."""


class Page(Struct, frozen=True):
    """A table after one record."""

    version: int
    at: int
    asked: tuple[PlayerId, ...]
    """Whom the table waits for; nobody once the game is over."""
    since: dict[PlayerId, int]
    """The version from which each of them has been asked without a break."""
    is_consent: bool
    requests: tuple[Request, ...]
    people: dict[PlayerId, str]
    is_over: bool
    undone: Undone | None
    called: tuple[TimeCalled, ...]
    """Time that was called; of a seat that was given up none runs out, though it is moved on."""
    all_called: tuple[TimeCalled, ...]
    stopped: tuple[tuple[PlayerId, str], ...]
    """Whose programmes stopped and why, but for what they did themselves; an undo stops all."""
    effective: int
    """The last record that the table rests on: an undo rests on the one that it goes back to."""
    frame: FrameId | None
    table: Table

    def person(self, seat: PlayerId) -> str:
        """Who acts for a seat; one of which nobody is named is its player's own."""
        return self.people.get(seat, seat)


class Book(Struct, frozen=True):
    """A table's pages, the first of version 1, and its records."""

    id: TableId
    pages: tuple[Page, ...]
    records: tuple[Record, ...]

    def page(self, version: int) -> Page:
        """The table after a record."""
        return self.pages[version - 1]

    def chain(self, version: int) -> list[int]:
        """The records that the table at a version rests on, the last first."""
        found = []
        at = version
        while at > 0:
            at = self.page(at).effective
            found.append(at)
            at -= 1
        return found

    def rests_on(self, version: int, at: int) -> bool:
        """Whether a record still counts at a later version."""
        return version in self.chain(at)


def book_of(id: TableId, records: Sequence[Record]) -> Book:
    """The pages of a book."""
    pages: list[Page] = []
    for record, table in tables(id, records):
        first = record.events[0] if record.events else None
        undone = first if isinstance(first, Undone) else None
        effective = record.version if undone is None else pages[undone.to - 1].effective
        is_over = table.ending is not None and table.ending.over
        asked = () if is_over else awaited(table)
        since = pages[effective - 1].since if undone else since_of(pages, record.version, asked)
        frame = top(table)
        pages.append(
            Page(
                version=record.version,
                at=record.at,
                asked=asked,
                since=since,
                is_consent=isinstance(frame, Question) and isinstance(frame.matter, Consent),
                requests=table.requests,
                people=dict(table.people),
                is_over=is_over,
                undone=undone,
                called=tuple(
                    one
                    for one in record.events
                    if isinstance(one, TimeCalled) and pages[-1].person(one.player) != NOBODY
                ),
                all_called=tuple(one for one in record.events if isinstance(one, TimeCalled)),
                stopped=tuple(stopped_by(record, pages[-1].table if pages else None)),
                effective=effective,
                frame=None if frame is None else frame.id,
                table=table,
            )
        )
    return Book(id, tuple(pages), tuple(records))


def stopped_by(record: Record, before: Table | None) -> Iterator[tuple[PlayerId, str]]:
    """Whose programmes a record stopped, and why."""
    for event in record.events:
        if isinstance(event, Undone) and before is not None:
            for held in before.beside.programmes:
                yield held.player, "own undo" if held.player == event.by else "undo"
        if isinstance(event, ProgrammeStopped) and event.because not in OWN_DOING:
            yield event.held.player, event.because


def since_of(
    pages: Sequence[Page], version: int, asked: tuple[PlayerId, ...]
) -> dict[PlayerId, int]:
    """From which version on each has been asked: as before, if he was asked before."""
    before = pages[pages[-1].effective - 1].since if pages else {}
    return {player: before.get(player, version) for player in asked}


def is_call(record: Record) -> bool:
    """Whether the clock called somebody's time by it."""
    return isinstance(record.order.command, CallTime)

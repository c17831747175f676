"""The minutes: everything that happened, in plain sentences.

Undone lines stay, marked: minutes tell what happened at the table, and taking back is part of that.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final

from contracts.commands import AnswerRequest, Order
from contracts.events import AnyEvent, Undone
from contracts.people import person_of
from contracts.views import MinuteLine, MinutesView
from services.engine.projections import (
    minutes_agenda,
    minutes_beside,
    minutes_charters,
    minutes_money,
    minutes_opening,
    minutes_track,
)
from services.engine.projections.pages import Page, pages_until, standing
from services.engine.projections.words import Words, sentence
from services.engine.rules.beside.people import is_host
from services.engine.table.state import Table

Tell = Callable[[Words, Table, Any], tuple[str, ...]]

TELL: Final[Mapping[type, Tell]] = {
    **minutes_opening.TELL,
    **minutes_agenda.TELL,
    **minutes_money.TELL,
    **minutes_charters.TELL,
    **minutes_track.TELL,
    **minutes_beside.TELL,
}
"""The sentences of each event, told of the table as it was just before."""


def told(words: Words, table: Table, event: AnyEvent) -> tuple[str, ...]:
    """What the minutes say about an event that happens at a table."""
    return tuple(sentence(line) for line in TELL[type(event)](words, table, event))


def taken_back(words: Words, table: Table, order: Order, event: Undone) -> str:
    """Who took the table back by an order, and to where: its seat, the host, or all together.

    The event names the seat alone; the order says whether its player sent it.
    """
    if isinstance(order.command, AnswerRequest):
        return sentence(f"the table was taken back to version {event.to}, as all had agreed")
    own = table.people.get(event.by, event.by) == person_of(order.sender)
    if not own and is_host(table, order.sender, event.by):
        return sentence(f"the host took the table back to version {event.to}")
    return told(words, table, event)[0]


def view(pages: tuple[Page, ...], table: Table) -> MinutesView:
    """All lines up to the table's version."""
    stands = frozenset(page.version for page in standing(pages, table.version))
    lines = [
        MinuteLine(
            *(page.version, page.time, page.player, line.event, line.text),
            undone=undone and line.event not in minutes_beside.NEVER_UNDONE,
        )
        for page in pages_until(pages, table.version)
        for undone in (page.to is None and page.version not in stands,)
        for line in page.lines
    ]
    return MinutesView(table.id, table.version, tuple(lines))

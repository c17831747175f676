"""Who sits where since when, and who sat there before. No undo changes it."""

from contracts import events as e
from contracts.ids import PlayerId
from contracts.records import Record
from contracts.views_beside import SeatHeld, SeatsView, Sitting
from services.engine.projections.pages import Page, Sat, pages_until
from services.engine.projections.words import Words
from services.engine.rules.beside.people import host_of
from services.engine.table.state import Table


def sat(record: Record) -> tuple[Sat, ...]:
    """Who acts for which seat from a record on, as a page notes it."""
    found: list[Sat] = []
    for event in record.events:
        if isinstance(event, e.TableOpened):
            found += [Sat(seat.player, seat.person) for seat in event.seats]
        elif isinstance(event, e.SeatTaken):
            found.append(Sat(event.player, event.person))
    return tuple(found)


def view(words: Words, pages: tuple[Page, ...], table: Table) -> SeatsView:
    """Who sits where, the seats in their order."""
    before = pages_until(pages, table.version)
    clock = table.settings.clock
    named = () if clock is None else clock.substitutes
    return SeatsView(
        table=table.id,
        version=table.version,
        seats=tuple(
            SeatHeld(player, words.party(player), sittings(before, table, player))
            for player in table.order
        ),
        host=host_of(table),
        host_acts=table.settings.host_acts,
        substitutes=tuple(one for one in named if one not in table.people.values()),
    )


def sittings(pages: tuple[Page, ...], table: Table, player: PlayerId) -> tuple[Sitting, ...]:
    """Who acted for a seat, one after the other; who comes again is named again."""
    taken = [(page, one) for page in pages for one in page.sat if one.player == player]
    if not taken:
        # Pages of an older release do not say; who sits there now, the table does.
        return (Sitting(table.people.get(player), pages[0].version, pages[0].time),)
    ends = [page for page, _ in taken[1:]]
    return tuple(
        Sitting(
            one.person,
            page.version,
            page.time,
            None if end is None else end.version,
            None if end is None else end.time,
        )
        for (page, one), end in zip(taken, [*ends, None], strict=True)
    )

"""The lobby: one line a table, and each player's list of the tables that wait for him."""

from collections.abc import Iterable

from contracts.ids import PlayerId
from contracts.titles.facts import Facts
from contracts.views import PlayerTables, SeatView, TableLine
from services.engine.projections.pages import Page, standing
from services.engine.projections.turn import waited
from services.engine.projections.words import Words, round_name
from services.engine.table.agenda import awaited, current_round
from services.engine.table.state import Table


def view(facts: Facts, words: Words, pages: tuple[Page, ...], table: Table) -> TableLine:
    """The table's line in the lobby."""
    asked = waited(words, standing(pages, table.version), table)
    standings = () if table.ending is None else table.ending.standings
    best = max((standing.total for standing in standings), default=0)
    return TableLine(
        table=table.id,
        version=table.version,
        title=table.title,
        title_name=facts.title.name,
        seats=tuple(
            SeatView(seat.player, seat.name, table.people.get(seat.player)) for seat in table.seats
        ),
        status=status(table),
        round=round_name(current_round(table)),
        phase=table.phase,
        waiting=awaited(table),
        waiting_since=min((one.since_time for one in asked), default=0),
        winners=tuple(one.player for one in standings if one.total == best),
        last_activity=pages[table.version - 1].time,
        answering=answering(table),
    )


def answering(table: Table) -> tuple[PlayerId, ...]:
    """For whose answer some request waits, in the order of the seats."""
    asked = {player for request in table.requests for player in request.waiting}
    return tuple(player for player in table.order if player in asked)


def status(table: Table) -> str:
    """Whether play has begun, goes on, or is over."""
    if table.ending is not None and table.ending.over:
        return "over"
    return "playing" if table.agenda else "new"


def of_player(player: PlayerId, lines: Iterable[TableLine]) -> PlayerTables:
    """A player's tables out of lines of the lobby: those waiting for him first waited first."""
    mine = [line for line in lines if any(seat.player == player for seat in line.seats)]
    waiting = [line for line in mine if player in line.waiting]
    others = [line for line in mine if player not in line.waiting]
    waiting.sort(key=lambda line: (line.waiting_since, line.table))
    others.sort(key=lambda line: (-line.last_activity, line.table))
    return PlayerTables(player, tuple(waiting), tuple(others))

"""A table that plays itself: house players send their orders through the bus, the terminal watches.

The player here has only what any client has: the table folded from its minute book, and answers.
"""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from typing import Final

from msgspec import Struct
from rich.console import Group, RenderableType
from rich.live import Live
from rich.text import Text

from contracts.commands import OpenTable
from contracts.ids import Party, PlayerId, TableId
from contracts.pieces import Seat
from contracts.rejections import in_words
from contracts.streams import Refused
from contracts.titles.load import titles
from contracts.views import MinutesView, TurnView, WealthView
from services.console import pictures
from services.console.desk import Desk, new_order
from services.console.errors import RefusedError
from services.console.screen import err, say, show
from services.console.screen import table as table_of
from services.engine.projections import api
from services.engine.rules.ruleset import ruleset_of
from services.engine.table.fold import applied, table_at
from services.engine.table.state import Table
from services.players.play import next_order

SEATS: Final = ("Ann", "Bob", "Cy", "Dee")
_MINUTES_SHOWN = 12
_SECONDS_BETWEEN_PICTURES = 0.2
_SECONDS_BETWEEN_LINES = 2.0
_SECONDS_FOR_VIEWS = 60.0


class Demonstration(Struct):
    """A demonstration table, and how far it has come."""

    table: TableId
    seed: int
    at: Table | None = None


async def chosen(desk: Desk) -> Demonstration:
    """The demonstration table that is not over yet, or a new one."""
    number = 1
    while True:
        name = TableId(f"demonstration-{number}")
        records = [sealed.record for sealed in await desk.records(name)]
        if not records:
            return await _opened(desk, Demonstration(name, number))
        table = table_at(name, records)
        if table.ending is None or not table.ending.over:
            say(f"Table {name} goes on at version {table.version}.")
            return Demonstration(name, number, table)
        number += 1


async def _opened(desk: Desk, demonstration: Demonstration) -> Demonstration:
    seats = tuple(Seat(PlayerId(Party(name.lower())), name) for name in SEATS)
    opening = OpenTable(titles()[0], seats, demonstration.seed)
    order = new_order(demonstration.table, seats[0].player, opening, version=0)
    outcome = await desk.sent(order)
    if isinstance(outcome, Refused):
        raise RefusedError(in_words(outcome.rejection))
    demonstration.at = await desk.table(demonstration.table)
    return demonstration


async def played(desk: Desk, demonstration: Demonstration, pace: float) -> None:
    """Play to the end of the game, waiting `pace` seconds before each order."""
    table = demonstration.at
    while table is not None:
        order = await asyncio.to_thread(next_order, ruleset_of(table), table, demonstration.seed)
        if order is None:
            return
        outcome = await desk.sent(order)
        if isinstance(outcome, Refused) and outcome.rejection.version is None:
            raise RefusedError(in_words(outcome.rejection))
        # Somebody else may have moved at this table too, so its book says what happened.
        for sealed in await desk.records(demonstration.table, table.version + 1):
            table = applied(table, sealed.record)
        demonstration.at = table
        await asyncio.sleep(pace)


async def watched(desk: Desk, demonstration: Demonstration) -> None:
    """Show who acts, the latest minutes and the wealth of all, as the projector has them."""
    if err.is_terminal:
        with Live(console=err, auto_refresh=False, transient=True) as live:
            async for picture in _pictures(desk, demonstration):
                live.update(picture, refresh=True)
                await asyncio.sleep(_SECONDS_BETWEEN_PICTURES)
    else:
        last = 0
        while True:
            turn = await desk.stored_view(demonstration.table, "turn")
            if isinstance(turn, TurnView) and turn.version != last:
                last = turn.version
                say(f"{turn.version:>5}  {turn.sentence}")
            await asyncio.sleep(_SECONDS_BETWEEN_LINES)


async def _pictures(desk: Desk, demonstration: Demonstration) -> AsyncIterator[RenderableType]:
    while True:
        views = await desk.stored_views(demonstration.table)
        turn, minutes, wealth = views.get("turn"), views.get("minutes"), views.get("wealth")
        parts: list[RenderableType] = []
        if isinstance(turn, TurnView):
            head = f"Table {turn.table} at version {turn.version}: {turn.round}, phase {turn.phase}"
            parts += [Text(head, style="bold"), Text(turn.sentence), Text("")]
        if isinstance(minutes, MinutesView):
            parts += [pictures.minutes(minutes, _MINUTES_SHOWN), Text("")]
        if isinstance(wealth, WealthView):
            parts.append(pictures.wealth(wealth))
        yield Group(*parts)


async def shown(desk: Desk, pace: float) -> int:
    """Play the demonstration to its end before somebody's eyes; 1 if a view came out wrong."""
    demonstration = await chosen(desk)
    watching = asyncio.create_task(watched(desk, demonstration))
    try:
        await played(desk, demonstration, pace)
    finally:
        watching.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await watching
    await _concluded(desk, demonstration)
    wrong = await differences(desk, demonstration.table)
    for name in wrong:
        say(f"The view {name} is not what the minute book says.", "red")
    if not wrong:
        say(f"All {len(api.NAMES)} views are what the minute book says.")
    return 1 if wrong else 0


async def _concluded(desk: Desk, demonstration: Demonstration) -> None:
    table = demonstration.at
    if table is None or table.ending is None:
        return
    names = {seat.player: seat.name for seat in table.seats}
    result = table_of(("player", "total"), right=("total",))
    for standing in table.ending.standings:
        result.add_row(names[standing.player], str(standing.total))
    say(f"The game is over after {table.version} commands ({table.ending.because}).")
    show(result)
    say(f"To look at it: minutebook show {demonstration.table} minutes")


async def differences(desk: Desk, table: TableId) -> list[str]:
    """The views that are not what the minute book says, once the projector has caught up."""
    expected = await desk.computed_views(table)
    await desk.until_shown(table, expected["turn"].version, _SECONDS_FOR_VIEWS)
    stored = await desk.stored_views(table)
    return [name for name in api.NAMES if expected[name] != stored.get(name)]

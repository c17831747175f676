"""`open`: a new table."""

from pathlib import Path
from secrets import randbelow, token_hex
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from services.console.options import Data, Flag
from services.console.table_options import ClockOptions, TableOptions

if TYPE_CHECKING:
    from contracts.commands import OpenTable
    from contracts.pieces import Seat


def example() -> str:
    """An example with a title that there is."""
    from contracts.titles.load import titles

    clock = "--turn-time 24h --bank 72h --reminders 12h,1h"
    return f"open {titles()[0]} ann bob cy --table friday --seed 7 {clock}"


def open_table(
    title: str,
    players: Annotated[list[str], Parameter(negative="")],
    /,
    *,
    table: str | None = None,
    seed: int | None = None,
    edition: str | None = None,
    variant: Annotated[dict[str, str] | None, Parameter(negative="")] = None,
    ruling: Annotated[dict[str, str] | None, Parameter(negative="")] = None,
    rulings: str | None = None,
    shuffled: Flag = False,
    run: TableOptions | None = None,
    clock: ClockOptions | None = None,
    data: Data = None,
) -> int:
    """Open a table: choose a title and say who sits there, first player first.

    Parameters
    ----------
    title
        The title to play.
    players
        Who sits there, in order: `ann=Anna` shows ann as Anna; `ann:dora` lets only Dora act, as
        `--person ann=dora` does.
    table
        What the table is called; a name is made up if none is given.
    seed
        The seed of its chance; drawn if none is given.
    edition
        The edition of the title's facts; the newest if none is given.
    variant
        A variant: `--variant.KEY VALUE`, as often as wanted.
    ruling
        A ruling: `--ruling.KEY VALUE`, as often as wanted.
    rulings
        A named set of rulings.
    shuffled
        Draw the seats by lot.
    run
        People, undo, and a file for all of it.
    clock
        The clock.
    data
        The data directory, if not the user's own.
    """
    from contracts.commands import OpenTable
    from contracts.ids import TitleId
    from services.console.table_settings import settings_of, wanted, with_people
    from services.engine.rules.ruleset import RULING_SET

    want = wanted(run, clock)
    seats = with_people(_seats(players), want)
    drawn = randbelow(2**31) if seed is None else seed
    named = {**({RULING_SET: rulings} if rulings else {}), **(ruling or {})}
    picks = (edition, variant or {}, named, settings_of(want, seats))
    opening = OpenTable(TitleId(title), seats, drawn, *picks, shuffled=shuffled)
    return _opened(table or f"{title}-{token_hex(3)}", opening, data)


def _seats(players: list[str]) -> "tuple[Seat, ...]":
    from contracts.pieces import Seat
    from services.console.desk import player_id

    seats = []
    for player in players:
        named, _, person = player.partition(":")
        id, _, shown = named.partition("=")
        seats.append(Seat(player_id(id), shown or id, person or None))
    return tuple(seats)


def _opened(table: str, opening: "OpenTable", data: Path | None) -> int:
    from services.console.admitting import admitting, token_given
    from services.console.desk import Desk, ordered, run, table_id
    from services.console.screen import data as print_data
    from services.console.session import Place

    name = table_id(table)

    async def work(desk: Desk) -> None:
        admit = admitting(desk, token_given(None))
        await ordered(desk, name, opening.seats[0].player, opening, version=0, admit=admit)

    run(Place.of(data), "services", work)
    print_data(f"Table {name} is open.")
    return 0

"""`open`: a new table."""

from typing import Annotated

from cyclopts import Parameter

from services.console.options import Data, Flag


def example() -> str:
    """An example with a title that there is."""
    from contracts.titles.load import titles

    return f"open {titles()[0]} ann bob cy --table friday --seed 7"


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
    undo: str = "own",
    host: str | None = None,
    data: Data = None,
) -> int:
    """Open a table: choose a title and say who sits there, first player first.

    Parameters
    ----------
    title
        The title to play.
    players
        Who sits there, in order; `ann=Anna` names the player ann Anna.
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
    undo
        Who may take a move back without asking: own, free or consent.
    host
        A player who may undo at any time.
    data
        The data directory, if not the user's own.
    """
    from secrets import randbelow, token_hex

    from contracts.commands import OpenTable
    from contracts.ids import Party, PlayerId, TitleId
    from contracts.pieces import Seat, Settings
    from services.console.desk import Desk, ordered, run, table_id
    from services.console.screen import data as print_data
    from services.console.session import Place
    from services.engine.rules.ruleset import RULING_SET

    seats = []
    for player in players:
        id, _, shown = player.partition("=")
        seats.append(Seat(PlayerId(Party(id)), shown or id))
    opening = OpenTable(
        title=TitleId(title),
        seats=tuple(seats),
        seed=randbelow(2**31) if seed is None else seed,
        edition=edition,
        variants=variant or {},
        rulings={**({RULING_SET: rulings} if rulings else {}), **(ruling or {})},
        settings=Settings(undo, PlayerId(Party(host)) if host else None),
        shuffled=shuffled,
    )
    name = table_id(table or f"{title}-{token_hex(3)}")

    async def work(desk: Desk) -> None:
        await ordered(desk, name, seats[0].player, opening, version=0)

    run(Place.of(data), "services", work)
    print_data(f"Table {name} is open.")
    return 0

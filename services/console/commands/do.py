"""`do`: one command at a table."""

from typing import Annotated, Final

from cyclopts import Parameter

from services.console.options import Data

EXAMPLE: Final = "do friday ann bid CA 165"


def do(
    table: str,
    player: str,
    command: Annotated[list[str], Parameter(allow_leading_hyphen=True, negative="")],
    /,
    *,
    version: int | None = None,
    sender: str | None = None,
    id: str | None = None,
    data: Data = None,
) -> int:
    """Give a command at a table, in one line of notation.

    The commands: bid CA 165 · pass · yes · no · start PRR at 100 · buy PRR from offering ·
    buy PRR 2 from pool · sell PRR 3 · lay H10 57 r1 · token H10 city 0 · run best ·
    run 3-0 H12-H10-I9 · dividend all · buy-train PRR 3 from bank 180 · discard 3-0 ·
    buy-company CS 80 · trade MH with bob 100 · exchange MH for NYC from pool · bankrupt ·
    undo 41 · request end · answer 40.0 yes. Where the title has them: sell EUR 1x3d taking 2 ·
    small-station H6 0-3 · dividend all adding 30 · buy-train C as freight from bank 280 with 2
    warranties · redeem 1 · merge EUR ESR · acquire EUR ESR · survivor EUR · option redeem · option
    relinquish · tokens 4 · sell-treasury 3 · refinance · remove-tokens F11 G12. What is possible
    now, `choices` lists.

    Parameters
    ----------
    table
        The table.
    player
        The player that the command is for.
    command
        The command; its words may be given one by one or in quotes.
    version
        The version of the table that the command was made against, if not the present one.
    sender
        Who gives the command, if not the player himself.
    id
        The command's own id: the same id given twice gets its first answer.
    data
        The data directory, if not the user's own.
    """
    from contracts.notation import read_draft
    from services.console.desk import Desk, acted, player_id, run, table_id
    from services.console.screen import data as print_data
    from services.console.session import Place

    draft = read_draft(" ".join(command))
    name, who = table_id(table), player_id(player)

    async def work(desk: Desk) -> list[str]:
        return await acted(desk, name, who, draft, version=version, sender=sender, id=id)

    for line in run(Place.of(data), "services", work):
        print_data(line)
    return 0

"""`do`: one command at a table."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final

from cyclopts import Parameter

from services.console.options import Data, TokenOption

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
    token: TokenOption = None,
    data: Data = None,
) -> int:
    """Give a command at a table, in one line of notation.

    The commands: bid CA 165 · pass · yes · no · start PRR at 100 · buy PRR from offering ·
    buy PRR 2 from pool · sell PRR 3 · lay H10 57 r1 · token H10 city 0 · run best ·
    run 3-0 H12-H10-I9 · dividend all · buy-train PRR 3 from bank 180 · discard 3-0 ·
    buy-company CS 80 · trade MH with bob 100 · exchange MH for NYC from pool · bankrupt ·
    undo 41. Where the title has them: sell EUR 1x3d taking 2 ·
    small-station H6 0-3 · dividend all adding 30 · buy-train C as freight from bank 280 with 2
    warranties · redeem 1 · merge EUR ESR · acquire EUR ESR · survivor EUR · option redeem · option
    relinquish · tokens 4 · sell-treasury 3 · refinance · remove-tokens F11 G12. Beside the game:
    undo 41 · redo 44 · request end · request pause · request resume · answer 40.0 yes · withdraw
    39.2 · programme pass · programme only-choice · programme buy PRR from offering at 80 · clear
    38.0 · leave 2026-12-24 2026-12-27 · hours Europe/Berlin from 18:00 to 23:30 mon-fri · seat bob
    to zoe. What is possible now, `choices` lists.

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
    token
        Whose command it is, by his token; `-` reads it, `MINUTEBOOK_TOKEN` sets it.
    data
        The data directory, if not the user's own.
    """
    given = Given(version, sender, id, token)
    return _carried_out(table, player, " ".join(command), given, data)


@dataclass(frozen=True)
class Given:
    """How a command is given: against which version, by whom, under which id."""

    version: int | None
    sender: str | None
    id: str | None
    token: str | None


def _carried_out(table: str, player: str, line: str, given: Given, data: Path | None) -> int:
    from contracts.notation import read_draft
    from services.console.admitting import admitting, token_given
    from services.console.desk import Desk, acted, player_id, run, table_id
    from services.console.screen import data as print_data
    from services.console.session import Place

    draft = read_draft(line)
    name, who, token = table_id(table), player_id(player), token_given(given.token)

    async def work(desk: Desk) -> list[str]:
        return await acted(
            desk,
            name,
            who,
            draft,
            version=given.version,
            sender=given.sender,
            id=given.id,
            admit=admitting(desk, token, given.sender),
        )

    for minute in run(Place.of(data), "services", work):
        print_data(minute)
    return 0

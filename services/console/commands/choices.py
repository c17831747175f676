"""`choices`: what a player may do now."""

from typing import Final

from services.console.options import AsJson, Data

EXAMPLE: Final = "choices friday ann"


def choices(
    table: str,
    player: str,
    command: str = "",
    /,
    *,
    as_json: AsJson = False,
    data: Data = None,
) -> int:
    """List what a player may do at a table now, each in a line that `do` takes.

    Parameters
    ----------
    table
        The table.
    player
        The player.
    command
        Only lines that begin so, such as `lay`.
    as_json
        Print one object of JSON for each choice, one a line.
    data
        The data directory, if not the user's own.
    """
    import msgspec

    from contracts.plain import to_plain
    from services.console.completing import company_in_turn, matching
    from services.console.desk import Desk, player_id, run, seated, table_id
    from services.console.pictures import choice_line
    from services.console.screen import data as print_data
    from services.console.screen import say
    from services.console.session import Place
    from services.engine.rules.decide import choices as choices_of
    from services.engine.rules.ruleset import ruleset_of
    from services.engine.table.state import Table

    name, who = table_id(table), player_id(player)

    async def work(desk: Desk) -> Table:
        return await desk.table(name)

    at = run(Place.of(data), "store", work)
    seated(at, who)
    company = company_in_turn(at)
    found = [
        choice
        for choice in choices_of(ruleset_of(at), at, who)
        if matching(choice, command, company)
    ]
    for choice in found:
        line = choice_line(choice, company)
        print_data(msgspec.json.encode(to_plain(choice)).decode() if as_json else line)
    if not found and not as_json:
        say(f"Nothing is asked of {who} now." if not command else f"Nothing begins with {command}.")
    return 0

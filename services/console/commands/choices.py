"""`choices`: what a player may do now."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from services.console.options import AsJson, Data, TokenOption

if TYPE_CHECKING:
    from contracts.choices import Choice
    from contracts.ids import CompanyId

EXAMPLE: Final = "choices friday ann"
NOTHING: Final = "Nothing is asked of {} now."


def choices(
    table: str,
    player: str,
    command: str = "",
    /,
    *,
    sender: str | None = None,
    token: TokenOption = None,
    as_json: AsJson = False,
    data: Data = None,
) -> int:
    """List what a player may do at a table now, each in a line that `do` takes.

    What the game asks of him comes first, then what lies beside the game. Words in capitals are to
    be filled in.

    Parameters
    ----------
    table
        The table.
    player
        The player.
    command
        Only lines that begin so, such as `lay`.
    sender
        Who would give the command, if not whoever sits there: what the host may do for a seat.
    token
        Who asks, by his token; `-` reads it, `MINUTEBOOK_TOKEN` sets it.
    as_json
        Print one object of JSON for each choice, one a line; `beside` tells the two groups apart.
    data
        The data directory, if not the user's own.
    """
    from services.console.admitting import asker, has_a_say, token_given
    from services.console.completing import company_in_turn, matching
    from services.console.desk import Desk, player_id, run, seated, table_id
    from services.console.session import Place
    from services.engine.rules.decide import choices as choices_of
    from services.engine.rules.ruleset import ruleset_of
    from services.engine.table.state import Table

    name, who, shown = table_id(table), player_id(player), token_given(token)

    async def work(desk: Desk) -> tuple[Table, str | None]:
        return await desk.table(name), await asker(desk, shown, name, sender)

    at, sender = run(Place.of(data), "store", work)
    seated(at, who)
    company = company_in_turn(at)
    offered = choices_of(ruleset_of(at), at, who, sender)
    if sender is not None and not offered:
        has_a_say(at, who, sender)
    found = [choice for choice in offered if matching(choice, command, company)]
    whose = f"{sender} may not move for {who} now." if sender else f"{who} may not move now."
    nothing = f"Nothing begins with {command}." if command else whose
    _shown(found, company, nothing, as_json=as_json)
    return 0


def _shown(
    found: "Sequence[Choice]", company: "CompanyId | None", nothing: str, *, as_json: bool
) -> None:
    import msgspec

    from contracts.plain import to_plain
    from services.console import screen

    if as_json:
        for choice in found:
            screen.data(msgspec.json.encode(to_plain(choice)).decode())
        return
    if all(choice.beside for choice in found):
        screen.say(nothing)
    for line in _lines(found, company):
        screen.data(line)


def _lines(found: "Sequence[Choice]", company: "CompanyId | None") -> list[str]:
    from services.console.beside import folded
    from services.console.pictures import choice_line

    lines = [choice_line(choice, company) for choice in found if not choice.beside]
    beside = [choice for choice in found if choice.beside]
    if beside:
        lines.append("Beside the game:")
    for choice, others in folded(beside):
        line = choice_line(choice, company)
        lines.append(f"{line[:-1]}; so too: {', '.join(others)})" if others else line)
    return lines

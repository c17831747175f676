"""`token`: give people and their programs tokens, list them, take them back."""

from typing import TYPE_CHECKING, Final, Literal

from services.console.options import AsJson, Data

if TYPE_CHECKING:
    from services.bus.tokens import Given, Held

EXAMPLE: Final = "token give ann --program robot --days 30"


def token(
    action: Literal["give", "list", "revoke"],
    name: str = "",
    /,
    *,
    program: str | None = None,
    tables: str | None = None,
    days: int = 365,
    as_json: AsJson = False,
    data: Data = None,
) -> int:
    """Give a token, list all tokens, or revoke one.

    A token stands for a person, or for a program of his: orders that are given with it have that
    sender, and a seat of somebody else is refused. It is shown once; the store has a digest only.

    Parameters
    ----------
    action
        What to do: give, list or revoke.
    name
        Of `give` the person; of `revoke` the token's id, or a person whose tokens all end; of
        `list` a person, if only his are wanted.
    program
        The name of the person's program that is given the token.
    tables
        The tables for which alone it is, with commas between; all if none is named.
    days
        How many days it lasts.
    as_json
        Print one object of JSON for each token in the list.
    data
        The data directory, if not the user's own.
    """
    from services.bus.tokens import Tokens
    from services.console import giving
    from services.console.desk import Desk, run, table_id
    from services.console.errors import BadInputError
    from services.console.options import listed
    from services.console.session import Place

    named = tuple(map(table_id, listed("--tables", "table", tables)))
    if action != "list" and not name:
        raise BadInputError(f"token {action}: say whose, or which.")

    async def work(desk: Desk) -> "Given | list[Held]":
        all_of_them = Tokens(desk.bus.client)
        if action == "give":
            return await giving.given(all_of_them, name, program, named, days)
        if action == "revoke":
            return await giving.revoked(all_of_them, name)
        held = await all_of_them.listed()
        return [one for one in held if name in {"", one.token.person}]

    giving.show(run(Place.of(data), "store", work), as_json=as_json)
    return 0

"""Give tokens and take them back at the console, and show which there are."""

from datetime import UTC, datetime

import msgspec

from contracts.ids import TableId
from contracts.tokens import Token
from services.bus.tokens import Given, Held, TokenError, Tokens
from services.console import screen
from services.console.errors import BadInputError


async def given(
    tokens: Tokens, person: str, program: str | None, tables: tuple[TableId, ...], days: int
) -> Given:
    """A new token."""
    try:
        return await tokens.give(person, program=program, tables=tables, days=days)
    except TokenError as error:
        raise BadInputError(str(error)) from None


async def revoked(tokens: Tokens, name: str) -> list[Held]:
    """The tokens that a name means, by id or by person, all taken back."""
    meant = [one for one in await tokens.listed() if name in {one.token.id, one.token.person}]
    if not meant:
        raise BadInputError(f"There is no token {name!r}, and nobody of that name has one.")
    for one in meant:
        await tokens.revoke(one.token.id)
    ids = {one.token.id for one in meant}
    return [one for one in await tokens.listed() if one.token.id in ids]


def show(found: Given | list[Held], *, as_json: bool) -> None:
    """Print a new token, or a list of them without anything secret."""
    if isinstance(found, Given):
        screen.data(found.text)
        token = found.token
        screen.say(
            f"Token {token.id} stands for {token.sender} until {_day(token.expires)}. "
            "It is shown only now; keep it where only its owner can read it."
        )
        return
    if as_json:
        for held in found:
            screen.data(msgspec.json.encode(_plain(held)).decode())
        return
    if not found:
        screen.say("Nobody has a token yet.")
        return
    shown = screen.table(("token", "for", "tables", "given", "until", "last used", "state"))
    for held in found:
        token, used = held.token, f"{_moment(held.used)}" if held.used else "never"
        tables = " ".join(token.tables) or "all"
        days = (_day(token.given), _day(token.expires))
        shown.add_row(token.id, token.sender, tables, *days, used, _state(token))
    screen.show(shown)


def _plain(held: Held) -> dict[str, object]:
    token = held.token
    names = ("id", "person", "program", "tables", "given", "expires", "revoked")
    return {name: getattr(token, name) for name in names} | {"used": held.used}


def _state(token: Token) -> str:
    if token.revoked:
        return f"revoked {_day(token.revoked)}"
    is_over = datetime.now(UTC).timestamp() * 1_000_000 >= token.expires
    return "over" if is_over else "holds"


def _day(microseconds: int) -> str:
    return f"{datetime.fromtimestamp(microseconds // 1_000_000, UTC):%Y-%m-%d}"


def _moment(microseconds: int) -> str:
    return f"{datetime.fromtimestamp(microseconds // 1_000_000, UTC):%Y-%m-%d %H:00}"

"""Who gives a command: the operator, or whom a token stands for.

Whoever can reach the store is the operator: of a private store that is the owner of its socket
alone. Without a token the console is his, and writes the sender that he names. With one, given by
`--token` or by the setting, it does only what the token stands for.
"""

import os
import sys
from typing import Final

from contracts.commands import Order, Pass
from contracts.ids import PlayerId, TableId
from contracts.rejections import Code, Rejection, in_words
from contracts.tokens import Token
from services.bus.tokens import Tokens
from services.console.desk import Admit, Desk, new_order
from services.console.errors import BadInputError, RefusedError
from services.engine.rules.beside.people import objection
from services.engine.table.state import Table

TOKEN_SETTING: Final = "MINUTEBOOK_TOKEN"  # noqa: S105 - the name of a setting, no secret


def token_given(option: str | None) -> str | None:
    """The token that was given, if any; `-` reads it from standard input.

    An empty one is refused, whichever way it came: only who gives none at all is the operator. Or a
    script whose token went missing would have the operator's rights.
    """
    given, where = option, "--token"
    if option == "-":
        given, where = sys.stdin.readline(), "--token -: what standard input holds"
    elif option is None:
        given, where = os.environ.get(TOKEN_SETTING), TOKEN_SETTING
    if given is not None and not given.strip():
        raise BadInputError(f"{where} is empty: name a token, or leave it out altogether.")
    return None if given is None else given.strip()


def admitting(desk: Desk, token: str | None, sender: str | None = None) -> Admit | None:
    """Lets orders in by a token; None where the operator says who sends them."""
    if token is None:
        return None
    _one_of(sender)

    async def admit(order: Order) -> Order:
        found = await Tokens(desk.bus.client).admitted(token, order)
        if isinstance(found, Rejection):
            raise RefusedError(in_words(found))
        return found

    return admit


def _one_of(sender: str | None) -> None:
    if sender is not None:
        raise BadInputError("--sender: a token says who the sender is; leave out one of them.")


async def holder(desk: Desk, token: str, table: TableId) -> Token:
    """Whom a token stands for at a table."""
    found = await Tokens(desk.bus.client).holder(token, table)
    if isinstance(found, Rejection):
        raise RefusedError(in_words(found))
    return found


async def asker(desk: Desk, token: str | None, table: TableId, sender: str | None) -> str | None:
    """Who asks what he may do: whom the token stands for, or whom the operator names."""
    if token is None:
        return sender
    _one_of(sender)
    return (await holder(desk, token, table)).sender


async def speaker(desk: Desk, token: str | None, table: TableId, person: str) -> str:
    """Who speaks or reads as a person: the operator may as anybody, a token as its own."""
    if token is None:
        return person
    found = await holder(desk, token, table)
    if found.person != person:
        sentence = f"The token stands for {found.person}, not for {person}."
        raise RefusedError(in_words(Rejection(Code.NOT_ADMITTED, "design", sentence)))
    return found.sender


def has_a_say(table: Table, player: PlayerId, sender: str) -> None:
    """Raise if a sender may not act for a seat."""
    refusal = objection(table, new_order(table.id, player, Pass(), sender=sender))
    if refusal is not None:
        raise RefusedError(in_words(refusal))

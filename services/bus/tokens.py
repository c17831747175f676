"""Tokens: given, looked at and taken back; and orders let in by them.

What a gateway, a runner of programs and the console ask before an order goes on its way. An order
that is let in says who really sent it, whatever it said before: the person, or his program.
"""

import hmac
import secrets
from collections.abc import Iterable
from hashlib import blake2b
from typing import Final

import msgspec
from msgspec import Struct

from contracts import tokens as t
from contracts.commands import OpenTable, Order
from contracts.ids import CommandId, TableId
from contracts.people import hint, is_person, is_program
from contracts.rejections import Code, Rejection
from contracts.streams import COMMAND_ID_MOST, is_table_id
from contracts.tokens import Token
from services.bus.typed import Client

DAY_MICROSECONDS: Final = 24 * 3600 * 1_000_000
USED_MICROSECONDS: Final = 3600 * 1_000_000
"""How exactly is kept when a token was last used."""
TABLES_MOST: Final = 100
"""Tables that a token may name at most."""

_LOOK: Final = """
local time = redis.call('TIME')
return {redis.call('HGET', KEYS[1], ARGV[1]), time[1], time[2]}
"""
_NO_DIGEST: Final = bytes(32)
"""What an unknown token is compared with, so that it takes as long as a known one."""


class TokenError(ValueError):
    """A token that cannot be given as it was asked for."""


class Given(Struct, frozen=True):
    """A new token: what its owner has to keep, which is shown only now, and its entry."""

    text: str
    token: Token

    def __repr__(self) -> str:
        """Nothing secret, so that no log and no trace can tell."""
        return f"Given({self.token.id} for {self.token.sender})"


class Held(Struct, frozen=True):
    """A token in a list. `used` is the hour of its last use in microseconds, 0 if never."""

    token: Token
    used: int


class Tokens:
    """The tokens of a store that has been opened."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._look = client.register_script(_LOOK)
        self._noted: dict[str, int] = {}

    # --- giving and taking back --------------------------------------------------------------

    async def give(
        self,
        person: str,
        *,
        program: str | None = None,
        tables: Iterable[TableId] = (),
        days: int = t.DAYS,
    ) -> Given:
        """Give a person, or a program of his, a token; raises `TokenError` for what cannot be."""
        named = tuple(dict.fromkeys(tables))
        if not is_person(person):
            raise TokenError(
                f"Nobody can be called {person!r}: a person's id is one printable word of at most "
                f"64 characters without `/`, and no program's.{hint(person)}"
            )
        if program is not None and not is_program(program):
            raise TokenError(
                f"A program cannot be called {program!r}: one printable word of at most 32 "
                f"characters, without `/`.{hint(program)}"
            )
        if not 1 <= days <= t.DAYS_MOST:
            raise TokenError(f"A token lasts 1 to {t.DAYS_MOST} days, not {days}.")
        if len(named) > TABLES_MOST or not all(map(is_table_id, named)):
            raise TokenError(f"A token names at most {TABLES_MOST} tables, each by its id.")
        id, secret = secrets.token_hex(t.ID_BYTES), secrets.token_urlsafe(t.SECRET_BYTES)
        _, now = await self._entry(id)
        token = Token(
            id=id,
            person=person,
            program=program,
            tables=named,
            given=now,
            expires=now + days * DAY_MICROSECONDS,
            digest=t.digest_of(id, secret),
        )
        await self._client.hset(t.TOKENS, id, t.encode(token))
        return Given(t.written(id, secret), token)

    async def revoke(self, id: str) -> Token | None:
        """Take a token back for good; None if there is none of that id."""
        token, now = await self._entry(id)
        if token is None or token.revoked:
            return token
        revoked = msgspec.structs.replace(token, revoked=now)
        await self._client.hset(t.TOKENS, id, t.encode(revoked))
        return revoked

    async def listed(self) -> list[Held]:
        """All tokens that were ever given, the newest first."""
        entries = await self._client.hgetall(t.TOKENS)
        used = await self._client.hgetall(t.TOKENS_USED)
        held = [Held(t.decode(body), int(used.get(id, b"0"))) for id, body in entries.items()]
        return sorted(held, key=lambda one: (-one.token.given, one.token.id))

    # --- letting in --------------------------------------------------------------------------

    async def holder(self, text: str, table: TableId | None = None) -> Token | Rejection:
        """Whom a token stands for (at a table, if one is named), or why it stands for nobody.

        Only who knows the secret is told that a token is over; a wrong one is just wrong.
        """
        parts = t.parts(text)
        if parts is None:
            return _refused("This is no token.", "It looks like mb_…, as it was given.")
        id, secret = parts
        token, now = await self._entry(id)
        kept = _NO_DIGEST if token is None else token.digest
        is_right = hmac.compare_digest(t.digest_of(id, secret), kept)
        if token is None or not is_right:
            return _refused("Nobody was given this token.", "Ask the operator for one.")
        if token.revoked:
            return _refused(f"Token {id} was taken back.", "Ask the operator for another.")
        if now >= token.expires:
            return _refused(f"Token {id} has run out.", "Ask the operator for another.")
        if not is_person(token.person):
            return _refused(f"Token {id} names {token.person!r}, which is no person.")
        if table is not None and token.tables and table not in token.tables:
            named = ", ".join(token.tables)
            return _refused(f"Token {id} is not for table {table}.", f"It is for: {named}.")
        await self._used(id, now)
        return token

    async def admitted(self, text: str, order: Order) -> Order | Rejection:
        """An order as it may go on its way, with its true actor; or why it may not.

        Its id becomes the sender's own, so nobody is answered with what another has done under the
        same id, and nobody can use up an id that the clock or a programme will need. Times and lots
        that an importer reports are the operator's to give.
        """
        token = await self.holder(text, order.table)
        if isinstance(token, Rejection):
            return token
        command = order.command
        if isinstance(command, OpenTable) and (command.settings.imported or command.lots):
            return _refused("Only the operator imports tables.", "Open one without what it brings.")
        id = own_id(token.sender, order.id)
        return msgspec.structs.replace(order, id=id, sender=token.sender, reported=None)

    async def _entry(self, id: str) -> tuple[Token | None, int]:
        """A token's entry, and the store's time."""
        body, seconds, microseconds = await self._look([t.TOKENS], [id])
        now = int(seconds) * 1_000_000 + int(microseconds)
        return None if body is None else t.decode(body), now

    async def _used(self, id: str, now: int) -> None:
        """Note the hour of a token's use, once an hour."""
        hour = now - now % USED_MICROSECONDS
        if self._noted.get(id) != hour:
            self._noted[id] = hour
            await self._client.hset(t.TOKENS_USED, id, hour)


def own_id(sender: str, id: CommandId) -> CommandId:
    """A command's id as its sender's own: no sender has a space, so no two can make the same one.

    >>> own_id("ann/robot", CommandId("c1")), len(own_id("ann", CommandId("c" * 100)))
    ('ann/robot c1', 65)
    """
    own = f"{sender} {id}"
    if len(own) > COMMAND_ID_MOST:
        # It begins with the space, as none that is written out does.
        own = f" {blake2b(own.encode(), digest_size=32).hexdigest()}"
    return CommandId(own if id else id)


def _refused(sentence: str, legal: str = "") -> Rejection:
    return Rejection(Code.NOT_ADMITTED, "design", sentence, legal)

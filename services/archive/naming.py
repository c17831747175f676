"""Put other names in place of a person's, wherever a message names him, and nowhere else.

Messages are renamed as the arrays that they were written as, along the types of their fields, so a
person called `H10` or `PRR` damages neither the hex nor the company. What is renamed depends on
what a field means: a player, a party, a person, a name to show, an id made by a client, a sentence.
Each renaming can be turned round, and whoever renames a book does so at once and looks.
"""

import re
import types
import typing
from collections.abc import Callable, Mapping
from functools import cache
from hashlib import blake2b
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import fields

from contracts import events as e
from contracts.clocking import Clocking
from contracts.commands import AssignSeat, OpenTable, Order
from contracts.ids import CommandId, Party, PlayerId
from contracts.notices import Notice
from contracts.people import OF
from contracts.pieces import Drawn, Seat
from contracts.rejections import Rejection

Part = Callable[["Names", Any], Any]

WORD_LEAST: Final = 3
"""Letters that a name must have to be looked for inside ids that clients made."""


class Names(Struct, frozen=True):
    """Who is renamed: old names with new ones; players, people and names to show each apart."""

    players: Mapping[str, str]
    people: Mapping[str, str]
    shown: Mapping[str, str] = {}

    @property
    def all(self) -> dict[str, str]:
        """Every old name with its new one; the id of a player or person before a name to show."""
        return {**self.shown, **self.people, **self.players}

    def turned_round(self) -> "Names":
        """Back again: new names are found nowhere else, whatever they stand for."""
        return back({new: old for old, new in self.all.items()})

    # --- what each kind of field is renamed by ---------------------------------------------------

    def party(self, text: str) -> str:
        """A party: a company cannot have a player's name, but it can have a person's."""
        return self.players.get(text, text)

    def player(self, text: str) -> str:
        """Whoever an order is for: a player, or a host who does not play."""
        return self.players.get(text, self.people.get(text, text))

    def person(self, text: str) -> str:
        """A person, or a program of his; where a table names no people, a player by his own id."""
        name, of, program = text.partition(OF)
        return f"{self.people.get(name, name)}{of}{program}"

    def display(self, text: str) -> str:
        """A name to show."""
        return self.shown.get(text, text)

    def id(self, text: str) -> str:
        """An id made by a client, which may have put the name into it."""
        for old, new in self.all.items():
            text = text.replace(mark(old), mark(new))
            if min(len(old), len(new)) >= WORD_LEAST:
                text = in_words(text, old, new)
        return text

    def sentence(self, text: str) -> str:
        """A sentence that names people."""
        for old, new in self.all.items():
            text = in_words(text, old, new)
        return text


def back(names: Mapping[str, str]) -> Names:
    """A renaming by which each name goes, whatever it names."""
    return Names(names, names, names)


def mark(player: str) -> str:
    """How the clock writes a player into the id of a call, so that it is the same each time."""
    return blake2b(player.encode(), digest_size=8).hexdigest()


def in_words(text: str, old: str, new: str) -> str:
    """A text with a name replaced where it stands as a word.

    >>> in_words("Ann passed. Anna did not; see ann-3.", "ann", "removed-1")
    'Ann passed. Anna did not; see removed-1-3.'
    """
    return re.sub(rf"(?<!\w){re.escape(old)}(?!\w)", lambda _: new, text) if old in text else text


# --- along the types -----------------------------------------------------------------------------

_PEOPLE: Final = {
    (Order, "sender"),
    (Seat, "person"),
    (AssignSeat, "person"),
    (e.SeatTaken, "person"),
    (Clocking, "substitutes"),
    (Notice, "person"),
}
_SHOWN: Final = {(Seat, "name")}
_DRAWN: Final = {(e.LotsDrawn, "outcome"), (Drawn, "outcome"), (OpenTable, "lots")}
"""What chance drew may be players; a company's name is none of theirs."""
_SENTENCES: Final = {
    (Rejection, "sentence"),
    (Rejection, "legal"),
    (Notice, "id"),
    (Notice, "words"),
    (Notice, "happened"),
    (Notice, "mentions"),
    (Notice, "corrects"),
}
_BY_NAME: Final = {("Beside", "people"): "person"}
"""Fields of the table itself, which the contracts do not know."""


def renamed(kind: object, plain: Any, names: Names) -> Any:  # noqa: ANN401 - arrays of any shape
    """A message of that type, as the arrays or maps that it was written as, with other names."""
    return _part(kind, "")(names, plain)


@cache
def _part(kind: Any, role: str) -> Part:  # noqa: ANN401 - a type of any shape, as annotations are
    """What renames a value of this type; `role` is what a plain text in it means."""
    if kind in {PlayerId, Party, CommandId} or (kind is str and role):
        how = {PlayerId: "player", Party: "party", CommandId: "id"}.get(kind, role)
        return lambda names, plain: getattr(names, how)(plain)
    if isinstance(kind, type) and issubclass(kind, Struct):
        return _of_struct(kind)
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if origin in {typing.Union, types.UnionType}:
        return _of_union(arguments, role)
    if origin is tuple and arguments:
        return _of_tuple(arguments, role)
    if isinstance(origin, type) and issubclass(origin, Mapping):
        key, value = _part(arguments[0], ""), _part(arguments[1], role)
        return lambda names, plain: {
            key(names, one): value(names, part) for one, part in plain.items()
        }
    return _as_it_is


def _as_it_is(names: Names, plain: Any) -> Any:  # noqa: ANN401
    return plain


def _of_struct(kind: type[Struct]) -> Part:
    hints = typing.get_type_hints(kind)
    # Parts of a type that holds itself are looked up when they are needed.
    names_of = [(field.name, hints[field.name], _role(kind, field.name)) for field in fields(kind)]
    config = kind.__struct_config__
    first = 0 if config.tag is None else 1

    def of_array(names: Names, plain: Any) -> Any:  # noqa: ANN401
        parts = zip(names_of, plain[first:], strict=False)
        return [*plain[:first], *(_part(hint, role)(names, one) for (_, hint, role), one in parts)]

    def of_map(names: Names, plain: Any) -> Any:  # noqa: ANN401
        known = {name: (hint, role) for name, hint, role in names_of}
        return {
            name: _part(*known[name])(names, one) if name in known else one
            for name, one in plain.items()
        }

    return of_array if config.array_like else of_map


def _role(kind: type[Struct], field: str) -> str:
    for fields_of, role in (
        (_PEOPLE, "person"),
        (_SHOWN, "display"),
        (_DRAWN, "party"),
        (_SENTENCES, "sentence"),
    ):
        if (kind, field) in fields_of:
            return role
    return _BY_NAME.get((kind.__name__, field), "")


def _of_union(arguments: tuple[Any, ...], role: str) -> Part:
    by_tag = {
        one.__struct_config__.tag: one
        for one in arguments
        if isinstance(one, type) and issubclass(one, Struct)
    }
    others = [one for one in arguments if one not in by_tag.values() and one is not type(None)]
    other = _part(others[0], role) if others else None

    def of_union(names: Names, plain: Any) -> Any:  # noqa: ANN401
        if plain is None:
            return None
        tag = plain[0] if isinstance(plain, list) and plain else None
        if isinstance(tag, str) and tag in by_tag:
            return _part(by_tag[tag], "")(names, plain)
        if None in by_tag and isinstance(plain, list | dict):
            return _part(by_tag[None], "")(names, plain)
        return plain if other is None else other(names, plain)

    return of_union


def _of_tuple(arguments: tuple[Any, ...], role: str) -> Part:
    if len(arguments) == 2 and arguments[1] is Ellipsis:
        part = _part(arguments[0], role)
        return lambda names, plain: [part(names, one) for one in plain]
    parts = [_part(one, role) for one in arguments]
    return lambda names, plain: [part(names, one) for part, one in zip(parts, plain, strict=True)]

"""Take a person's name out of a minute book, and leave the book valid: it is sealed anew.

Each record is written again with a stand-in where the person was named, and chained again. Nothing
is believed of that: each record has to come back byte for byte when the stand-in is turned into the
name again, and both books are folded and have to make the same tables, but for the names. So who
knows the name can prove the old seal, and nobody's game has changed.
"""

from collections.abc import Iterable, Mapping
from itertools import islice
from typing import Any, Final

import msgspec
from msgspec import Struct

from contracts import events as e
from contracts import talk
from contracts.archived import Resealed
from contracts.commands import OpenTable
from contracts.ids import TableId
from contracts.people import OF
from contracts.records import FIRST_DIGEST, Record, Sealed, decode, digest
from contracts.streams import Outcome, Refused
from services.archive.errors import ArchiveError
from services.archive.form import Contents, Kept
from services.archive.naming import Names, back, renamed
from services.engine.table.fold import tables
from services.engine.table.state import Table

TOLD: Final = "told"
"""What the notifier remembers of the table."""
TIMERS: Final = "timers"
"""What the clock has done at the table."""

_plain = msgspec.msgpack.Decoder().decode
_encode = msgspec.msgpack.Encoder().encode
_reject = msgspec.msgpack.Decoder(Outcome).decode


# --- who is meant --------------------------------------------------------------------------------


def names_at(records: Iterable[Record], name: str, stand_in: str) -> Names:
    """What a person is called at a table, each with what he is called from now on.

    That is the person himself; the seats that were opened for him, or that bear his name; and the
    names that they show.
    """
    players: dict[str, str] = {}
    shown: dict[str, str] = {}
    for record in islice(records, 1):
        opened = [event for event in record.events if isinstance(event, e.TableOpened)]
        command = record.order.command
        seats = opened[0].seats if opened else ()
        if isinstance(command, OpenTable) and not seats:
            seats = command.seats
        for seat in seats:
            if name not in {seat.player, seat.person, seat.name}:
                continue
            if name in {seat.player, seat.person}:
                own = stand_in if seat.player == name else _further(f"{stand_in}-seat", players)
                players[seat.player] = own
            if seat.name in players:
                shown[seat.name] = players[seat.name]
            elif seat.name == name:
                shown[seat.name] = stand_in
            else:
                capital = stand_in[:1].upper() + stand_in[1:]
                capital = capital if capital != stand_in else f"{stand_in}-name"
                shown.setdefault(seat.name, _further(capital, shown))
    return Names(players, {name: stand_in}, shown)


def stand_in_at(contents: Contents, stand_in: str) -> str:
    """The stand-in, or a further one if it stands in the book already.

    It does where a removal is made again, and the person has acted there in between.
    """
    number, found = 1, stand_in
    while _stands_in(contents.sealed, found):
        number += 1
        found = f"{stand_in}-{number}"
    return found


def _further(name: str, taken: Mapping[str, str]) -> str:
    """The name, with a number behind it if it is taken."""
    number, found = 1, name
    while found in taken.values():
        number += 1
        found = f"{name}-{number}"
    return found


def occurs(contents: Contents, text: str) -> bool:
    """Whether a text stands anywhere in what is known of a table."""
    part = text.encode()
    return (
        any(part in sealed.body for sealed in contents.sealed)
        or any(part in id or part in body for id, body in contents.outcomes.items())
        or any(holds(kept.value, part) for kept in contents.kept)
    )


def holds(value: Any, part: bytes) -> bool:  # noqa: ANN401 - bytes, or lists of them
    """Whether something that is kept holds some bytes."""
    return any(holds(one, part) for one in value) if isinstance(value, list) else part in value


# --- the book ------------------------------------------------------------------------------------


class _Book(Struct, frozen=True):
    sealed: tuple[Sealed, ...]
    is_changed: bool


def without(contents: Contents, names: Names, at: int) -> Contents | None:
    """All that is known of a table with other names; None if they are named nowhere in it.

    Raises `ArchiveError` if the renaming could not be turned round, or would change a game.
    """
    new_names = sorted(set(names.all.values()))
    book = _renamed_book(contents, names)
    outcomes = {
        names.id(id.decode()).encode(): outcome_renamed(body, names)
        for id, body in contents.outcomes.items()
    }
    kept = tuple(kept_renamed(one, names) for one in contents.kept)
    if not book.is_changed and outcomes == contents.outcomes and kept == contents.kept:
        return None
    if len(outcomes) != len(contents.outcomes):
        raise ArchiveError(f"Two orders of table {contents.table} would have one id.")
    resealed = contents.resealed
    if book.is_changed:
        _prove(contents, book.sealed, names)
        after = book.sealed[-1].digest
        one = Resealed(contents.version, contents.seal, after, tuple(new_names), at)
        resealed = (*resealed, one)
    return msgspec.structs.replace(
        contents, sealed=book.sealed, outcomes=outcomes, kept=kept, resealed=resealed
    )


def _renamed_book(contents: Contents, names: Names) -> _Book:
    bodies = [renamed_body(one.body, names) for one in contents.sealed]
    if all(body == one.body for body, one in zip(bodies, contents.sealed, strict=True)):
        return _Book(contents.sealed, is_changed=False)
    if any(_stands_in(contents.sealed, new) for new in names.all.values()):
        raise ArchiveError(
            f"A stand-in is somebody's name already at table {contents.table}: "
            f"{', '.join(names.all.values())}."
        )
    turned = names.turned_round()
    sealed: list[Sealed] = []
    previous = FIRST_DIGEST
    for body, one in zip(bodies, contents.sealed, strict=True):
        if renamed_body(body, turned) != one.body:
            raise ArchiveError(
                f"Record {one.record.version} of table {contents.table} could not be turned back. "
                "Nothing was changed there."
            )
        previous = digest(previous, body)
        sealed.append(Sealed(decode(body), body, previous))
    return _Book(tuple(sealed), is_changed=True)


def _stands_in(sealed: Iterable[Sealed], text: str) -> bool:
    part = text.encode()
    return any(part in one.body for one in sealed)


def renamed_body(body: bytes, names: Names) -> bytes:
    """An encoded record with other names, as long as it was written and no longer."""
    return _encode(renamed(Record, _plain(body), names))


def _prove(contents: Contents, new: tuple[Sealed, ...], names: Names) -> None:
    """See that both books make the same tables, but for the names."""
    try:
        version = _first_difference(contents, new, names)
    except Exception as error:
        raise ArchiveError(
            f"The book of table {contents.table} cannot be folded "
            f"({type(error).__name__}: {error}). `audit {contents.table}` tells more. "
            "Nothing was changed there."
        ) from error
    if version is not None:
        raise ArchiveError(
            f"Table {contents.table} would be another game after version {version}. "
            "Nothing was changed there."
        )


def _first_difference(contents: Contents, new: tuple[Sealed, ...], names: Names) -> int | None:
    """The version after which the two tables are not the same but for the names."""
    before = tables(contents.table, (one.record for one in contents.sealed))
    after = tables(contents.table, (one.record for one in new))
    for (record, old), (_, table) in zip(before, after, strict=True):
        if renamed(Table, _plain(_encode(old)), names) != _plain(_encode(table)):
            return record.version
    return None


def earlier_seal(sealed: Iterable[Sealed], one: Resealed, formerly: Mapping[str, str]) -> bytes:
    """The seal of a book before it was sealed anew, worked out from whom its stand-ins stand for.

    `sealed` are its records as they stood after that; it is the old seal only if the names are.
    """
    turned = back(formerly)
    previous = FIRST_DIGEST
    for entry in islice(sealed, one.version):
        previous = digest(previous, renamed_body(entry.body, turned))
    return previous


# --- what lies beside the book -------------------------------------------------------------------


def outcome_renamed(body: bytes, names: Names) -> bytes:
    """An outcome with other names; only a refusal has any."""
    if not isinstance(_reject(body), Refused):
        return body
    return _encode(renamed(Outcome, _plain(body), names))


def kept_renamed(kept: Kept, names: Names) -> Kept:
    """Something that is kept with a table, with other names. A removed person's notes are gone."""
    value: Any = kept.value
    match kept.name:
        case "chat":
            value = [[id, _line_of_chat(parts, names)] for id, parts in value]
        case "chat:sent":
            value = [pair for pair in value if pair[0].split(b"\0")[0].decode() not in names.people]
        case "chat:read" | "notes":
            value = [pair for pair in value if pair[0].decode() not in names.people]
        case "told":
            value = _encode(_every_text(_plain(value), names))
        case "timers":
            lines = value.decode().split("\n")
            value = "\n".join(_timer(line, names) for line in lines).encode()
    return Kept(kept.name, kept.kind, value)


def _line_of_chat(parts: list[bytes], names: Names) -> list[bytes]:
    new: list[bytes] = []
    for field, value in zip(parts[::2], parts[1::2], strict=True):
        text = value.decode()
        match field.decode():
            case talk.SENDER:
                text = names.person(text)
            case talk.ONLY:
                text = " ".join(names.person(one) for one in text.split(" "))
            case talk.TEXT:
                text = names.sentence(text)
        new += [field, text.encode()]
    return new


def _timer(line: str, names: Names) -> str:
    """The name of a timer, which ends with the player."""
    for old, new in names.players.items():
        if line.endswith(f" {old}"):
            return f"{line.removesuffix(old)}{new}"
    return line


def _every_text(plain: Any, names: Names) -> Any:  # noqa: ANN401 - arrays of any shape
    """Every text in some arrays: what the notifier remembers is his own, and only for a while."""
    if isinstance(plain, str):
        name, of, program = plain.partition(OF)
        whole = names.player(name)
        return f"{whole}{of}{program}" if whole != name else names.sentence(plain)
    if isinstance(plain, list):
        return [_every_text(one, names) for one in plain]
    if isinstance(plain, dict):
        return {_every_text(key, names): _every_text(one, names) for key, one in plain.items()}
    return plain


def is_of(table: TableId, key: str) -> str:
    """The name under which a key of a table is kept: what stands behind the table's id."""
    return key.partition(f":table:{table}:")[2]

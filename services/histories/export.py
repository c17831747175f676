"""A game as 18xx.games exports it, read strictly where we use it and tolerantly everywhere else.

Actions stay undecoded until it is known which of them stand (`actions.py`), because an action that
was taken back need not be one that we know.
"""

import re
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Raw, Struct, field

from contracts.titles.load import FactsError
from contracts.titles.load import facts as facts_of
from services.histories.errors import HistoryError

_AT: Final = re.compile(r" - at `(?P<path>[^`]+)`$")
_BYTE: Final = re.compile(r" \(byte (?P<byte>\d+)\)$")


class Person(Struct, frozen=True):
    """Somebody who played: the site's number for him and the name that it shows."""

    id: int
    name: str


class GameSettings(Struct, frozen=True):
    """What the game was set up with. `player_order` is set where its owner chose the seats."""

    seed: int | None = None
    optional_rules: tuple[str, ...] | None = None
    player_order: tuple[int, ...] | None = None


class Head(Struct, frozen=True):
    """What every action has, whatever its kind; enough to know whether it stands."""

    type: str
    id: int | None = None
    action_id: int | None = None
    auto_actions: tuple[Raw, ...] = ()


class Entry(Struct, frozen=True):
    """An action of the list: its head, and all of it as the file has it."""

    head: Head
    body: Raw


class Export(Struct, frozen=True, dict=True):
    """A game as exported. Keys that are not named here are the site's own business."""

    title: str
    players: tuple[Person, ...]
    raw_actions: tuple[Raw, ...] = field(name="actions")
    id: int | str = ""
    created_at: int | float | str | None = None
    settings: GameSettings | None = None
    status: str = ""
    result: dict[str, int] | None = None
    game_end_reason: str | None = None

    @cached_property
    def entries(self) -> tuple[Entry, ...]:
        """All actions in the order of the file, numbered where the file leaves numbers out."""
        return tuple(_entry(index, raw) for index, raw in enumerate(self.raw_actions))

    @property
    def seed(self) -> int:
        """The seed of the game's chance: the one set, else the number of the game."""
        if self.settings is not None and self.settings.seed is not None:
            return self.settings.seed
        digits = re.search(r"\d+", str(self.id))
        return int(digits.group()) if digits else 0

    @property
    def seated(self) -> tuple[Person, ...]:
        """The players in the order of their seats, first player first.

        The file lists them as they sit. Where the owner of the game chose the seats, that order
        rules, should it name everybody.
        """
        chosen = None if self.settings is None else self.settings.player_order
        people = {person.id: person for person in self.players}
        if chosen is None or sorted(chosen) != sorted(people):
            return self.players
        return tuple(people[id] for id in chosen)

    @property
    def optional_rules(self) -> tuple[str, ...]:
        """The optional rules that were chosen, by the site's names."""
        return (None if self.settings is None else self.settings.optional_rules) or ()

    @cached_property
    def numbers(self) -> dict[str, str]:
        """Players' numbers by their names: old files know players by name only."""
        return {person.name: str(person.id) for person in self.players}

    @property
    def finished(self) -> bool:
        """Whether the site says that the game is over."""
        return self.status == "finished"


def _entry(index: int, raw: Raw) -> Entry:
    try:
        head = msgspec.json.decode(raw, type=Head)
    except msgspec.ValidationError as error:
        sentence, path = _told(error)
        raise HistoryError(sentence, f"$.actions[{index}]{path.removeprefix('$')}") from None
    if head.id is None:
        head = msgspec.structs.replace(head, id=index + 1)
    return Entry(head, raw)


def read(path: Path) -> Export:
    """The history in a file; raises `HistoryError` with a sentence for everything that is wrong."""
    try:
        text = path.read_bytes()
    except OSError as error:
        raise HistoryError(f"cannot be read: {error.strerror or error}", str(path)) from None
    try:
        return parsed(text)
    except HistoryError as error:
        where = f"{path}, {error.where}" if error.where else str(path)
        raise HistoryError(error.sentence, where) from None


def parsed(text: bytes) -> Export:
    """The history in the text of a file."""
    try:
        export = msgspec.json.decode(text, type=Export)
    except msgspec.ValidationError as error:
        sentence, path = _told(error)
        raise HistoryError(f"not a game as 18xx.games exports it: {sentence}", path) from None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise _not_json(text, str(error)) from None
    _check(export)
    return export


def _told(error: msgspec.ValidationError) -> tuple[str, str]:
    """What a validation error says, and the path that it names."""
    said = str(error)
    found = _AT.search(said)
    if found is None:
        return said, "$"
    return said[: found.start()], found["path"]


def _not_json(text: bytes, said: str) -> HistoryError:
    """What to say of a text that is not JSON, or ends too early, with the line."""
    if not text.strip():
        return HistoryError("the file is empty")
    found = _BYTE.search(said)
    if found is None:
        last = text.rstrip().count(b"\n") + 1
        return HistoryError(
            "the file breaks off before its end: it is not whole JSON", f"line {last}"
        )
    byte = int(found["byte"])
    line = text.count(b"\n", 0, byte) + 1
    column = byte - (text.rfind(b"\n", 0, byte) + 1) + 1
    return HistoryError(
        f"this is not JSON: {said[: found.start()]}", f"line {line}, column {column}"
    )


def _check(export: Export) -> None:
    """Refuse what cannot be played: titles without facts, and impossible seats."""
    try:
        facts = facts_of(export.title)
    except FactsError as error:
        raise HistoryError(str(error), "$.title") from None
    ids: Sequence[int] = [person.id for person in export.players]
    if len(set(ids)) != len(ids):
        raise HistoryError("a player is listed twice", "$.players")
    fewest, most = facts.title.players
    if not fewest <= len(ids) <= most:
        raise HistoryError(
            f"{len(ids)} players; {facts.title.name} is for {fewest} to {most}", "$.players"
        )

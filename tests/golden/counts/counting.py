"""Legal commands at fixed points of the golden logs: how many of each kind, and in what order.

Counts alone say nothing of order, on which a client and a house player may rest, so the order is
noted too: as a digest of all choices written out.
"""

import json
from collections import Counter
from hashlib import blake2b
from pathlib import Path
from typing import Any

import msgspec

from contracts.choices import Choice, Interval
from contracts.ids import PlayerId
from services.engine.rules.beside import requests
from services.engine.rules.decide import game_choices
from services.engine.rules.ruleset import ruleset_of
from services.engine.table.agenda import awaited, top
from services.engine.table.state import Table
from tests.golden.logs import kept

HERE = Path(__file__).parent
EVERY = 10
"""Records from one point to the next."""


def points(name: str) -> range:
    """The versions of a log that are counted at."""
    return range(EVERY, len(kept.book(name).records) + 1, EVERY)


def counted(table: Table) -> list[dict[str, Any]]:
    """What each player who is waited for may do."""
    return [
        {
            "version": table.version,
            "player": player,
            "at": where(table),
            "counts": dict(Counter(type(one.command).__name__ for one in listed)),
            "order": blake2b("\n".join(map(line, listed)).encode(), digest_size=8).hexdigest(),
        }
        for player in awaited(table)
        for listed in (in_play(table, player),)
    ]


def in_play(table: Table, player: PlayerId) -> list[Choice]:
    """What a player may do, and ask for; what else lies beside the game has tests of its own."""
    asked = game_choices(ruleset_of(table), table, player)
    return [*asked, *requests.choices(table, player)]


def where(table: Table) -> str:
    """The step or question that waits."""
    frame = top(table)
    steps = getattr(frame, "steps", None)
    return steps[0] if steps else type(getattr(frame, "matter", frame)).__name__


def line(choice: Choice) -> str:
    """A choice in words that stay the same when a command gets a field more."""
    span = choice.open
    amounts = f" {span.field} {span.least} to {span.most}" if isinstance(span, Interval) else ""
    return f"{words(choice.command)}{amounts}"


def words(message: msgspec.Struct) -> str:
    """A message with every field that is not at its default."""
    told = [
        f"{field.name}={said(getattr(message, field.name))}"
        for field in msgspec.structs.fields(message)
        if field.required or getattr(message, field.name) not in (field.default, (), {})
    ]
    return f"{type(message).__name__}({', '.join(told)})"


def said(value: Any) -> str:
    """A value of a field."""
    if isinstance(value, msgspec.Struct):
        return words(value)
    if isinstance(value, tuple):
        return f"[{', '.join(map(said, value))}]"
    return str(value)


def all_of(name: str) -> list[dict[str, Any]]:
    """The counts at all points of a log."""
    return [one for version in points(name) for one in counted(kept.table_of(name, version))]


def path_of(name: str) -> Path:
    """Where the counts of a log are."""
    return HERE / f"{name}.json"


def write(name: str) -> None:
    """Write the counts of a log, unless they are there."""
    if not path_of(name).exists():
        lines = ",\n".join(f" {json.dumps(one)}" for one in all_of(name))
        path_of(name).write_text(f"[\n{lines}\n]\n")

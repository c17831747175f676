"""Golden logs: minute books of house players, with the table that each has to lead to for ever."""

import gzip
import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from contracts.book import Book, read, written
from contracts.ids import TitleId
from contracts.plain import to_plain
from contracts.records import FIRST_DIGEST, Record, Sealed, seal
from services.engine.table.fold import table_at
from services.engine.table.state import Table
from services.soak.game import LIGHT, soaked
from services.soak.openings import Plan

HERE = Path(__file__).parent
GAMES = (
    (TitleId("1830"), 2, 11),
    (TitleId("1830"), 3, 12),
    (TitleId("1830"), 4, 13),
    (TitleId("1830"), 5, 14),
    (TitleId("1830"), 6, 17),
    (TitleId("1862"), 2, 21),
    (TitleId("1862"), 4, 23),
    (TitleId("1862"), 7, 26),
)
"""Title, players and seed of each log: few players, some, and many of each title."""


def names() -> tuple[str, ...]:
    """The logs that there are."""
    return tuple(sorted(path.name.removesuffix(".jsonl.gz") for path in HERE.glob("*.jsonl.gz")))


@cache
def book(name: str) -> Book:
    """A log, every digest checked."""
    text = gzip.decompress((HERE / f"{name}.jsonl.gz").read_bytes()).decode()
    return read(text.splitlines())


def table_of(name: str, version: int | None = None) -> Table:
    """The table of a log after a version, or at its end."""
    return table_at(book(name).header.table, book(name).records, version)


def noted(name: str) -> Any:
    """The table at the end as it was noted when the log was written."""
    return json.loads(gzip.decompress((HERE / f"{name}.final.json.gz").read_bytes()))


def parted(value: Any, note: Any, path: str = "table") -> Iterator[str]:
    """Where a table is not what was noted. A field that had no name then says nothing."""
    if isinstance(value, msgspec.Struct):
        for field in note:
            if field in value.__struct_fields__:
                yield from parted(getattr(value, field), note[field], f"{path}.{field}")
            elif field != "type":
                yield f"{path}.{field}: there is no such field any more"
    elif isinstance(value, dict):
        if list(map(str, value)) != list(note):
            yield f"{path}: {list(value)}, noted {list(note)}"
            return
        for key, part in value.items():
            yield from parted(part, note[str(key)], f"{path}[{key}]")
    elif isinstance(value, tuple):
        if len(value) != len(note):
            yield f"{path}: {len(value)} of them, noted {len(note)}"
            return
        for place, (part, then) in enumerate(zip(value, note, strict=True)):
            yield from parted(part, then, f"{path}[{place}]")
    elif value != note:
        yield f"{path}: {value!r}, noted {note!r}"


def write(title: TitleId, players: int, seed: int) -> str:
    """Play a game and write its log and its last table, unless they are there."""
    plan = Plan(title, players, seed)
    path = HERE / f"{plan.name}.jsonl.gz"
    if not path.exists():
        game = soaked(plan, LIGHT)
        assert game.failure is None, game.failure
        lines = "".join(f"{line}\n" for line in written(plan.name, chained(game.records)))
        final = to_plain(table_at(plan.name, game.records))
        packed(path, lines)
        packed(HERE / f"{plan.name}.final.json.gz", json.dumps(final) + "\n")
    return plan.name


def packed(path: Path, text: str) -> None:
    """Write a text compressed, the same bytes each time."""
    path.write_bytes(gzip.compress(text.encode(), mtime=0))


def chained(records: tuple[Record, ...]) -> list[Sealed]:
    """Records with their digests."""
    sealed: list[Sealed] = []
    for record in records:
        sealed.append(seal(sealed[-1].digest if sealed else FIRST_DIGEST, record))
    return sealed

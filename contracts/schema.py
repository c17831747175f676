"""Write the references in docs/generated: JSON Schema, the bus, and pages for people.

Schemas are of the plain form (`plain.py`): objects with field names. `python -m contracts.schema`
writes all files; with `--check` it writes none and fails where one is not fresh.
"""

import sys
from pathlib import Path
from typing import Any, Final

import msgspec

from contracts import asyncapi
from contracts.book import Header
from contracts.choices import Choice
from contracts.commands import AnyCommand, Order
from contracts.events import AnyEvent
from contracts.plain import plain_type, twin
from contracts.records import Record
from contracts.reference import messages_page, rejections_page
from contracts.rejections import Rejection
from contracts.streams import Answer, Shown
from contracts.views import AnyView, PlayerTables, Report

GENERATED: Final = Path(__file__).parents[1] / "docs" / "generated"
DRAFT: Final = "https://json-schema.org/draft/2020-12/schema"


def documents() -> dict[str, str]:
    """Every generated file by its name, with its text."""
    return {
        "events.json": schema("Events", "What happened at a table.", plain_type(AnyEvent)),
        "commands.json": schema(
            "Commands", "An order: a command with who sends it.", plain_type(Order)
        ),
        "choices.json": schema("Choices", "One thing that a player may do.", plain_type(Choice)),
        "rejections.json": schema("Rejections", "Why a command was refused.", twin(Rejection)),
        "records.json": book_schema(),
        "views.json": schema("Views", "What readers see.", AnyView | PlayerTables | Report),
        "asyncapi.json": written(asyncapi.document(*bus_schemas())),
        "events.md": messages_page(
            "Events",
            "A record of a minute book is one accepted command with the events that it caused.",
            AnyEvent,
        ),
        "commands.md": messages_page(
            "Commands", "A command travels in an order, which says who sends it.", AnyCommand
        ),
        "rejections.md": rejections_page(),
    }


def schema(title: str, description: str, kind: Any) -> str:  # noqa: ANN401 - a kind of any shape
    """A JSON Schema document of one kind of message."""
    (root,), parts = msgspec.json.schema_components((kind,), ref_template="#/$defs/{name}")
    document = {"$schema": DRAFT, "title": title, "description": description} | root
    return written(document | {"$defs": dict(sorted(parts.items()))})


def book_schema() -> str:
    """A JSON Schema document of the lines of a minute book's file."""
    (record, header), parts = msgspec.json.schema_components(
        (plain_type(Record), Header), ref_template="#/$defs/{name}"
    )
    line = parts["Record"]
    line["properties"]["digest"] = {"type": "string", "description": "In hexadecimal."}
    line["required"] = [*line["required"], "digest"]
    document = {
        "$schema": DRAFT,
        "title": "Records",
        "description": "A line of a minute book's file: the header in the first, then records.",
        "anyOf": [header, record],
    }
    return written(document | {"$defs": dict(sorted(parts.items()))})


def bus_schemas() -> tuple[asyncapi.Roots, dict[str, Any]]:
    """References to the schemas of messages on the bus, and the schemas."""
    kinds = (Order, Record, Answer, Shown)
    roots, parts = msgspec.json.schema_components(
        tuple(plain_type(kind) for kind in kinds), ref_template="#/components/schemas/{name}"
    )
    named = {kind.__name__: root for kind, root in zip(kinds, roots, strict=True)}
    return named, dict(sorted(parts.items()))


def written(document: dict[str, Any]) -> str:
    """A document as it stands in its file."""
    return msgspec.json.format(msgspec.json.encode(document), indent=2).decode() + "\n"


def stale(folder: Path) -> list[str]:
    """The names of files that are missing or not fresh, and of files that nobody writes."""
    fresh = documents()
    there = {path.name: path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.*"))}
    return sorted(
        name for name in fresh.keys() | there.keys() if fresh.get(name) != there.get(name)
    )


def write(folder: Path) -> None:
    """Write all files."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in documents().items():
        (folder / name).write_text(text, encoding="utf-8")


def main(arguments: list[str]) -> int:
    """Write the files, or check them."""
    if arguments == ["--check"]:
        old = stale(GENERATED)
        for name in old:
            sys.stdout.write(f"{name} is not fresh: run `python -m contracts.schema`\n")
        return 1 if old else 0
    write(GENERATED)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

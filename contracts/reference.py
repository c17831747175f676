"""The reference for people: each message with its fields in the order of the wire.

On the wire a message is a MessagePack array: its name first where there are several, then its
fields in this order. In plain form it is an object with these names.
"""

import inspect
import types
import typing
from collections.abc import Iterable, Iterator
from typing import Any, Final

import msgspec
from msgspec import Struct

from contracts.rejections import MEANINGS, Code

GENERATED: Final = "<!-- Written by `python -m contracts.schema`; do not edit. -->"

WIRE: Final = """\
On the wire a message is a MessagePack array of its fields by place; in plain form (files, JSON) it
is an object of its fields by name. Kinds such as `PlayerId` are text; numbers are whole. Fields
that may be left out stand at the end and have a default."""


def messages_page(title: str, sentence: str, union: Any) -> str:  # noqa: ANN401 - a union of messages
    """A page of messages: one section each, then the parts that they are made of."""
    messages = typing.get_args(union)
    parts = [part for part in reachable(messages) if part not in messages]
    lines = [f"# {title}", "", GENERATED, "", sentence, "", WIRE, ""]
    for message in messages:
        lines += section(message, 2)
    lines += ["## Parts", "", "What fields of the messages above are made of.", ""]
    for part in parts:
        lines += section(part, 3)
    return "\n".join(lines).rstrip() + "\n"


def rejections_page() -> str:
    """The page of the codes of rejections."""
    lines = [
        "# Rejections",
        "",
        GENERATED,
        "",
        "A refused command is answered with one of these codes, the section of the title's own",
        "rulebook, a sentence about the case, and what would be legal.",
        "",
        "| code | what it means |",
        "| --- | --- |",
        *(f"| `{code}` | {MEANINGS[code]} |" for code in Code),
    ]
    return "\n".join(lines) + "\n"


def section(message: type[Struct], depth: int) -> list[str]:
    """A message: what it says, and its fields in the order of the wire."""
    lines = [f"{'#' * depth} {message.__name__}", "", inspect.getdoc(message) or "", ""]
    tag = message.__struct_config__.tag
    fields = msgspec.structs.fields(message)
    if tag is None and not fields:
        return lines
    lines += ["| place | field | kind | may be left out |", "| --- | --- | --- | --- |"]
    first = 0
    if tag is not None:
        lines.append(f'| 0 | `type` | `"{tag}"` | |')
        first = 1
    hints = named_hints(message)
    for place, field in enumerate(fields, first):
        default = "" if field.required else "yes"
        lines.append(f"| {place} | `{field.name}` | {kind_words(hints[field.name])} | {default} |")
    return [*lines, ""]


def named_hints(message: type[Struct]) -> dict[str, Any]:
    """The kinds of a message's fields."""
    return typing.get_type_hints(message)


def kind_words(kind: Any) -> str:  # noqa: ANN401 - a kind of any shape
    """A kind of field in words.

    >>> kind_words(tuple[int, ...]), kind_words(dict[str, bool]), kind_words(str | None)
    ('list of number', 'map of text to yes or no', 'text or null')
    """
    simple = {int: "number", str: "text", bool: "yes or no", bytes: "bytes", type(None): "null"}
    if kind in simple:
        return simple[kind]
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if origin is tuple and Ellipsis in arguments:
        return f"list of {kind_words(arguments[0])}"
    if origin is tuple:
        return f"array of {', '.join(kind_words(part) for part in arguments)}"
    if origin is dict:
        return f"map of {kind_words(arguments[0])} to {kind_words(arguments[1])}"
    if origin in {typing.Union, types.UnionType}:
        if len(arguments) > 6:
            return "one of the messages"
        return " or ".join(kind_words(part) for part in arguments)
    name: str = kind.__name__
    return f"[{name}](#{name.lower()})" if is_message(kind) else name


def is_message(kind: Any) -> bool:  # noqa: ANN401 - a kind of any shape
    """Whether a kind is a struct of ours."""
    return isinstance(kind, type) and issubclass(kind, Struct)


def reachable(messages: Iterable[type[Struct]]) -> list[type[Struct]]:
    """The messages, and all structs that their fields are made of, each once, by their names."""
    found: dict[type[Struct], None] = {}
    waiting = list(messages)
    while waiting:
        message = waiting.pop()
        if message not in found:
            found[message] = None
            for hint in named_hints(message).values():
                waiting += structs_in(hint)
    return sorted(found, key=lambda message: message.__name__)


def structs_in(kind: Any) -> Iterator[type[Struct]]:  # noqa: ANN401 - a kind of any shape
    """The structs that a kind speaks of."""
    if is_message(kind):
        yield kind
    for part in typing.get_args(kind):
        yield from structs_in(part)

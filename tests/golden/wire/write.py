"""Write the golden encodings that are missing; one that is there is never changed.

`python -m tests.golden.wire.write` from the root of the project, after adding an example.
"""

import json
from collections.abc import Iterator
from pathlib import Path

import msgspec

from contracts.plain import to_plain
from tests.examples import COMMANDS, EVENTS, MORE_COMMANDS, MORE_EVENTS
from tests.tables import operated

HERE = Path(__file__).parent


def goldens() -> Iterator[tuple[str, msgspec.Struct]]:
    """Every example with the name of its file."""
    for event in EVENTS:
        yield f"events/{type(event).__name__}", event
    for command in COMMANDS:
        yield f"commands/{type(command).__name__}", command
    for number, event in enumerate(MORE_EVENTS):
        yield f"shapes/{number:02}-{type(event).__name__}", event
    for number, command in enumerate(MORE_COMMANDS):
        yield f"shapes-of-commands/{number:02}-{type(command).__name__}", command
    for record in operated().records:
        yield f"records/{record.version:02}", record


def main() -> None:
    """Write a file for each example that has none."""
    for name, message in goldens():
        path = HERE / f"{name}.json"
        if not path.exists():
            path.parent.mkdir(exist_ok=True)
            golden = {"wire": msgspec.msgpack.encode(message).hex(), "plain": to_plain(message)}
            path.write_text(json.dumps(golden, indent=1, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()

"""Our states held against a recorded trace, step by step."""

import gzip
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from services.histories.errors import HistoryError
from services.histories.trace import State

PIECES: Final[Mapping[str, tuple[str, ...]]] = {
    "": ("bank", "phase", "finished", "companies"),
    "players": ("cash", "shares", "companies", "debt", "bankrupt"),
    "corporations": (
        *("cash", "price", "market", "par", "trains", "tokens_placed", "floated", "pool"),
        *("treasury", "ipo", "president", "closed", "loans", "holds", "companies", "permits"),
        "chartered",
    ),
}
"""What lies on the table."""
REST: Final[Mapping[str, tuple[str, ...]]] = {
    "": ("round", "next", "priority", "order", "depot"),
    "players": ("value", "certs", "penalty"),
    "corporations": ("ipoed", "tokens_left", "kind"),
}
"""What follows from it: whose turn it is, what everybody is worth."""
EVERYTHING: Final[Mapping[str, tuple[str, ...]]] = {
    group: PIECES[group] + REST[group] for group in PIECES
}


class Expected:
    """A recorded trace: the state after each step, and its last line."""

    def __init__(self, states: list[State], end: State) -> None:
        """All states written out, the one after setup first."""
        self.states = states
        self.end = end


def read(path: Path) -> Expected:
    """The trace in a file, plain or compressed."""
    try:
        raw = path.read_bytes()
        text = gzip.decompress(raw) if path.suffix == ".gz" else raw
        lines = [json.loads(line) for line in text.splitlines() if line.strip()]
    except (OSError, EOFError, ValueError) as error:
        raise HistoryError(f"this is no trace: {error}", str(path)) from None
    if len(lines) < 2 or not lines[0].get("full") or not lines[-1].get("end"):
        raise HistoryError("this is no whole trace: first or last line is missing", str(path))
    states = [lines[0]]
    for line in lines[1:-1]:
        states.append(_added(states[-1], line))
    return Expected(states, lines[-1])


def _added(before: State, line: State) -> State:
    """A state with a line's changes added."""
    after = {**before, **line}
    for group in ("players", "corporations"):
        entities = dict(before[group])
        for name, changed in line.get(group, {}).items():
            if changed is None:
                entities.pop(name, None)
                continue
            merged = {**entities.get(name, {}), **changed}
            entities[name] = {key: value for key, value in merged.items() if _said(key, value)}
        after[group] = entities
    for group in ("companies", "depot"):
        after[group] = {**before[group], **line.get(group, {})}
    return after


def _said(key: str, value: Any) -> bool:  # noqa: ANN401 - any value of a line
    return value is not None or key not in ("companies", "loans", "holds", "debt", "penalty")


def differences(expected: State, ours: State, keys: Mapping[str, tuple[str, ...]]) -> Iterator[str]:
    """Sentences on what is not equal; keys that only our state has are not looked at."""
    for key in keys[""]:
        if key in expected and expected[key] != ours.get(key):
            yield f"{key}: {expected[key]!r} expected, {ours.get(key)!r} here"
    for group in ("players", "corporations"):
        for name, there in expected[group].items():
            here = ours[group].get(name, {})
            for key in keys[group]:
                if (there.get(key) or None) != (here.get(key) or None):
                    yield f"{name} {key}: {there.get(key)!r} expected, {here.get(key)!r} here"

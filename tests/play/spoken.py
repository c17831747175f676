"""What the rules of titles that can be played speak of, read off their own modules.

Rules of titles to come stand beside them already; what only those speak of cannot be reached yet.
"""

import ast
import inspect
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

from contracts.frames import Matter
from contracts.ids import TitleId
from contracts.rejections import Code
from contracts.titles.load import facts, titles
from services.engine.rules import decide
from services.engine.rules.beside import requests
from services.engine.rules.opening import setting_out as opening
from services.engine.rules.parts.kinds import Act, Asking, RoundKind, Step
from services.engine.rules.parts.registry import ANYTIME, ASIDES, ASKINGS, PROCEDURES, ROUNDS, STEPS
from services.soak.coverage import known
from tests.architecture.source import ROOT

RULES = "services.engine.rules"
PARTS = frozenset(
    f"{RULES}.parts.{name}" for name in ("registry", "stock", "operating", "parliament", "joining")
)
"""They name the parts of all titles, so what they import says nothing about one of them."""


def steps_of(title: TitleId) -> tuple[str, ...]:
    turns = facts(title).turns
    return (*turns.opening, "bid", *turns.stock, *turns.operating)


def anytime_of(title: TitleId) -> tuple[str, ...]:
    turns = facts(title).turns
    return (*turns.stock_anytime, *turns.operating_anytime)


def rounds_of(title: TitleId) -> tuple[str, ...]:
    setup = facts(title).setup
    return tuple(kind for kind in ROUNDS if kind in (*setup.first_rounds, *setup.round_cycle))


def modules_of_acts(acts: Iterable[Act]) -> Iterator[str]:
    for act in acts:
        for part in (act.offers, act.objections, act.perform):
            yield part.__module__


def modules_of_part(part: Step | Asking | RoundKind) -> Iterator[str]:
    for name in part.__struct_fields__:
        value: Any = getattr(part, name)
        if name == "acts":
            yield from modules_of_acts(value)
        elif inspect.isfunction(value):
            yield value.__module__


def path_of(module: str) -> Path | None:
    path = ROOT / (module.replace(".", "/") + ".py")
    return path if path.is_file() else None


def imported_by(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith(RULES):
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


@cache
def names_in(module: str) -> tuple[frozenset[str], tuple[str, ...]]:
    """The names that a module speaks of, and the modules of rules that it imports."""
    path = path_of(module)
    if path is None:
        return frozenset(), ()
    tree = ast.parse(path.read_text())
    names = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    names |= {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    return frozenset(names), tuple(imported_by(tree))


def spoken_of(begin: Iterable[str]) -> set[str]:
    """Every name that some modules, or those that they import, speak of."""
    names: set[str] = set()
    seen: set[str] = set()
    waiting = list(begin)
    while waiting:
        module = waiting.pop()
        if module in seen or module in PARTS:
            continue
        seen.add(module)
        found, imports = names_in(module)
        names |= found
        waiting += imports
    return names


def modules_of(title: TitleId) -> Iterator[str]:
    """The modules of the parts that a title's facts name, and of what every title has."""
    functions: tuple[Callable[..., Any], ...] = (
        decide.decide,
        opening.open_table,
        requests.decide,
    )
    yield from (function.__module__ for function in functions)
    yield from modules_of_acts(ASIDES)
    for step in steps_of(title):
        yield from modules_of_part(STEPS[step])
    for name in anytime_of(title):
        yield from modules_of_acts(ANYTIME[name])
    for kind in rounds_of(title):
        yield from modules_of_part(ROUNDS[kind])


def questions_of(names: set[str]) -> Iterator[type[Matter]]:
    """The questions that are asked somewhere among these names."""
    yield from (matter for matter in ASKINGS if matter.__name__ in names)


def spoken_by(title: TitleId) -> set[str]:
    """Every name that the rules of a title speak of."""
    modules = list(modules_of(title))
    before: set[str] = set()
    names = spoken_of(modules)
    while names != before:
        before = names
        for matter in questions_of(names):
            modules += modules_of_part(ASKINGS[matter])
        names = spoken_of(modules)
    return names


def wanted() -> dict[str, list[str]]:
    """All that the titles that can be played can reach."""
    spoken = {name for title in titles() for name in spoken_by(title)}
    codes = {str(code): code.name for code in Code}
    parts = {
        "step": {step for title in titles() for step in steps_of(title)},
        "anytime": {name for title in titles() for name in anytime_of(title)},
        "round": {kind for title in titles() for kind in rounds_of(title)},
        "procedure": {kind.__name__ for kind in PROCEDURES if kind.__name__ in spoken},
    }
    return {
        kind: [
            name
            for name in names
            if (name in parts[kind] if kind in parts else codes.get(name, name) in spoken)
        ]
        for kind, names in known().items()
    }

"""Who may import what, where the rule is a short list of what is allowed.

import-linter (see pyproject.toml) forbids by name and follows imports through others; here the rest
is closed: what is not on a list is not allowed, whatever it is called.
"""

import ast
import fnmatch
import sys
from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from tests.architecture.source import Module, modules_in

# A clock, chance, files, logs, sockets and processes: what makes one run differ from the next.
IMPURE = {
    *("asyncio", "concurrent", "datetime", "io", "logging", "multiprocessing", "os", "pathlib"),
    *("random", "secrets", "selectors", "shutil", "signal", "socket", "subprocess", "sys"),
    *("tempfile", "threading", "time", "urllib", "uuid", "zoneinfo"),
}
STANDARD = frozenset(sys.stdlib_module_names)
PURE = STANDARD - IMPURE


@dataclass(frozen=True)
class Border:
    """What the modules of some folders may import."""

    folders: tuple[str, ...]
    standard: frozenset[str]
    others: tuple[str, ...]


BORDERS = {
    "contracts": Border(("contracts",), STANDARD, ("msgspec", "contracts")),
    "table": Border(
        ("services/engine/table",), PURE, ("msgspec", "contracts", "services.engine.table")
    ),
    "rules": Border(
        ("services/engine/rules",),
        PURE,
        ("msgspec", "contracts", "services.engine.table", "services.engine.rules"),
    ),
    "projections": Border(
        ("services/engine/projections",),
        PURE,
        (
            *("msgspec", "contracts", "services.engine.table", "services.engine.rules"),
            "services.engine.projections",
        ),
    ),
    "house players": Border(
        ("services/players",),
        # Their whims are drawn from a seed.
        PURE | {"random"},
        (
            *("msgspec", "contracts", "services.engine.table", "services.engine.rules"),
            "services.players",
        ),
    ),
    "soak": Border(
        ("services/soak",),
        # Its games are drawn from a seed.
        PURE | {"random"},
        (
            *("msgspec", "contracts", "services.engine.table", "services.engine.rules"),
            *("services.engine.projections", "services.players", "services.soak"),
            # What they would have done is reckoned by their pure parts.
            *("services.clock.calendar", "services.clock.reckoning", "services.clock.timers"),
            "services.notifier.telling",
        ),
    ),
    "games from elsewhere": Border(
        ("services/histories",),
        STANDARD,
        (
            *("msgspec", "contracts", "services.engine.table", "services.engine.rules"),
            "services.histories",
        ),
    ),
    "how the bus is reached": Border(
        ("services/bus",), STANDARD, ("msgspec", "contracts", "redis", "structlog", "services.bus")
    ),
    "the private server": Border(
        ("services/embedded",), STANDARD, ("msgspec", "redis", "contracts", "services.embedded")
    ),
}


def imports_of(module: Module) -> Iterator[tuple[int, str]]:
    """Every import with its line, also those inside functions; relative ones as a dot."""
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.lineno, "." if node.level else node.module or "."


def is_within(name: str, package: str) -> bool:
    return name == package or name.startswith(f"{package}.")


@pytest.mark.parametrize("border", BORDERS.values(), ids=BORDERS.keys())
def test_only_what_is_on_the_list_is_imported(border: Border):
    beyond = [
        f"{module.at(line)}: imports {name}"
        for module in modules_in(*border.folders)
        for line, name in imports_of(module)
        if name.partition(".")[0] not in border.standard
        and not any(is_within(name, package) for package in border.others)
    ]
    if beyond:
        pytest.fail("\n".join(beyond), pytrace=False)


def test_only_the_app_of_a_service_imports_faststream():
    """The bus can be read without it, should it ever have to be; then one module changes."""
    beyond = [
        f"{module.at(line)}: imports {name}"
        for module in modules_in("contracts", "services")
        if not fnmatch.fnmatch(module.path.as_posix(), "services/*/app*")
        for line, name in imports_of(module)
        if is_within(name, "faststream")
    ]
    if beyond:
        pytest.fail("\n".join(beyond), pytrace=False)


def test_imports_are_absolute():
    beyond = [
        f"{module.at(line)}: a relative import"
        for module in modules_in("contracts", "services", "tests")
        for line, name in imports_of(module)
        if name == "."
    ]
    if beyond:
        pytest.fail("\n".join(beyond), pytrace=False)

"""The project's own files, as the architecture tests read them."""

import ast
import functools
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CODE_FOLDERS = ("contracts", "services")
PYTHON_FOLDERS = (*CODE_FOLDERS, "tests", "benchmarks")


@dataclass(frozen=True)
class Module:
    """One Python file: where it is, in words for a message, its text and its syntax tree."""

    path: Path
    text: str
    tree: ast.Module

    def at(self, line: int) -> str:
        """Name a line as editors open it."""
        return f"{self.path}:{line}"

    def is_in(self, *folders: str) -> bool:
        return any(self.path.is_relative_to(folder) for folder in folders)


@functools.cache
def modules() -> tuple[Module, ...]:
    """Every Python file of the project, by path."""
    paths = sorted(path for folder in PYTHON_FOLDERS for path in (ROOT / folder).rglob("*.py"))
    return tuple(_read(path) for path in paths)


def modules_in(*folders: str) -> Iterator[Module]:
    return (module for module in modules() if module.is_in(*folders))


@functools.cache
def project_files() -> tuple[Path, ...]:
    """Every text file that is, or would be, part of a commit; without git, every Python file."""
    try:
        listed = subprocess.run(
            ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
            cwd=ROOT,
            check=True,
            capture_output=True,
        ).stdout.decode()
    except (OSError, subprocess.CalledProcessError):
        return tuple(module.path for module in modules())
    # A file that was removed but not committed is listed still.
    return tuple(
        Path(name) for name in sorted(set(listed.split("\0"))) if name and (ROOT / name).is_file()
    )


def lines_of(path: Path) -> list[str]:
    """The lines of a text file; none of a file that is not text."""
    try:
        return (ROOT / path).read_text().splitlines()
    except UnicodeDecodeError:
        return []


def docstrings(tree: ast.Module) -> set[int]:
    """The identities of all strings that stand alone as statements: docstrings of any kind."""
    return {
        id(node.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }


def _read(path: Path) -> Module:
    text = path.read_text()
    return Module(path.relative_to(ROOT), text, ast.parse(text, str(path)))

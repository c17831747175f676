"""The code keeps the form that the project agreed on; each failure names file and line."""

import ast
import re
from collections.abc import Iterable, Iterator

import pytest

from tests.architecture.source import (
    CODE_FOLDERS,
    PYTHON_FOLDERS,
    ROOT,
    docstrings,
    lines_of,
    modules,
    modules_in,
    project_files,
)

FUNCTION_LINES_MOST = 60
MODULE_LINES_MOST = 500

TITLES = ("1830", "1862", "1812", "1761", "1869")
# They say that things have been put together without a word for why.
NAMES_WITHOUT_AN_IDEA = {
    *("util", "utils", "helper", "helpers"),
    *("manager", "managers", "common", "misc"),
}

_UNFINISHED = re.compile(r"\b(?:TO[D]O|FIX[M]E)\b")
_UNCODED_NOQA = re.compile(r"#\s*noqa\b(?!:\s*[A-Z]+[0-9]+)", re.IGNORECASE)
_UNCODED_TYPE_IGNORE = re.compile(r"#\s*type:\s*ignore\b(?!\[[a-z-]+)")
_FILE_WIDE = re.compile(r"#\s*(?:ruff|flake8):\s*noqa\b(?!:\s*[A-Z]+[0-9]+)", re.IGNORECASE)
# Home folders of people; the folder that this clone lies in is added where it is asked.
_HOME = re.compile(r"(?<![\w.])/(?:home|Users)/[\w.-]+|(?<![\w.])/root[/]|\b[A-Z]:\\Users\\")


def expect_none(found: Iterable[str]) -> None:
    complaints = sorted(found)
    if complaints:
        pytest.fail("\n".join(complaints), pytrace=False)


def test_a_function_fits_a_screen():
    expect_none(
        f"{module.at(node.lineno)}: {node.name} has {length} lines, at most {FUNCTION_LINES_MOST}"
        for module in modules_in(*PYTHON_FOLDERS)
        for node in ast.walk(module.tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        if (length := (node.end_lineno or node.lineno) - node.lineno + 1) > FUNCTION_LINES_MOST
    )


def test_a_module_is_one_idea_and_not_too_long():
    expect_none(
        f"{module.at(MODULE_LINES_MOST)}: has {length} lines, at most {MODULE_LINES_MOST}"
        for module in modules_in(*CODE_FOLDERS)
        if (length := len(module.text.splitlines())) > MODULE_LINES_MOST
    )


def test_a_module_says_what_it_is():
    expect_none(
        f"{module.at(1)}: has no docstring"
        for module in modules()
        if module.text.strip() and not ast.get_docstring(module.tree)
    )


def test_no_module_is_named_for_want_of_an_idea():
    expect_none(
        f"{module.at(1)}: name it for its idea, not {part!r}"
        for module in modules()
        for part in (*module.path.parent.parts, module.path.stem)
        if part.lower() in NAMES_WITHOUT_AN_IDEA
    )


def test_only_titles_know_their_own_number():
    """A title is data: code that asks which title it serves is code for one title."""
    titles = re.compile(rf"\b(?:{'|'.join(TITLES)})\b")

    def found() -> Iterator[str]:
        for module in modules_in(*CODE_FOLDERS):
            if module.is_in("contracts/titles"):
                continue
            told = docstrings(module.tree)
            for node in ast.walk(module.tree):
                if not isinstance(node, ast.Constant) or id(node) in told:
                    continue
                if isinstance(node.value, str | int) and titles.search(str(node.value)):
                    yield f"{module.at(node.lineno)}: names a title: {str(node.value)[:60]!r}"

    expect_none(found())


def test_nothing_is_left_unfinished():
    expect_none(
        f"{path}:{number}: finish it or leave it out: {line.strip()[:80]}"
        for path in project_files()
        for number, line in enumerate(lines_of(path), start=1)
        if _UNFINISHED.search(line)
    )


def test_a_check_that_is_silenced_is_named():
    expect_none(
        f"{module.at(number)}: say which check is silenced: {line.strip()[:80]}"
        for module in modules()
        for number, line in enumerate(module.text.splitlines(), start=1)
        for pattern in (_UNCODED_NOQA, _UNCODED_TYPE_IGNORE, _FILE_WIDE)
        if pattern.search(line)
    )


def test_no_file_names_a_place_on_one_machine():
    here = re.compile(rf"(?<![\w.]){re.escape(str(ROOT))}(?!\w)")
    expect_none(
        f"{path}:{number}: a path of one machine: {line.strip()[:80]}"
        for path in project_files()
        for number, line in enumerate(lines_of(path), start=1)
        for pattern in (_HOME, here)
        if pattern.search(line)
    )

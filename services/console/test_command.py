"""Run every check of the project, one after another.

All of them run even when one fails, so that one run tells everything there is to mend. pytest comes
last: when all is well, its own closing line is the last line.
"""

import importlib.util
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

# The import checker has no module to run, only a script; calling it by import needs no file to be
# found.
_LINT_IMPORTS = "from importlinter.cli import lint_imports_command; lint_imports_command()"


@dataclass(frozen=True)
class Check:
    """One tool and what to call it with."""

    heading: str
    package: str
    arguments: tuple[str, ...]


CHECKS = (
    Check("format", "ruff", ("-m", "ruff", "format", "--check", ".")),
    Check("lint", "ruff", ("-m", "ruff", "check", ".")),
    Check("types", "mypy", ("-m", "mypy")),
    Check("imports", "importlinter", ("-c", _LINT_IMPORTS, "--no-logo")),
    # One process for each core; a file's tests stay together, since they share what is costly.
    Check("tests", "xdist", ("-m", "pytest", "-n", "auto", "--dist", "loadfile")),
)


def run(arguments: list[str]) -> int:
    """Run the checks, `arguments` going to pytest; give the exit code of the first that failed."""
    if not (ROOT / "pyproject.toml").is_file():
        print(
            "The checks run in the project's own folder: clone it and run ./minutebook test there."
        )
        return 2
    missing = sorted(
        {check.package for check in CHECKS if not importlib.util.find_spec(check.package)}
    )
    if missing:
        print(
            f"Not installed: {', '.join(missing)}. ./minutebook test installs what the checks need."
        )
        return 2

    failed: dict[str, int] = {}
    for check in CHECKS:
        extra = arguments if check.heading == "tests" else []
        code = _run_one(check, extra)
        if code:
            failed[check.heading] = code
    if not failed:
        return 0
    print(f"\nfailed: {', '.join(failed)}", flush=True)
    return next(iter(failed.values()))


def _run_one(check: Check, extra: list[str]) -> int:
    print(f"\n== {check.heading} ==", flush=True)
    return subprocess.run(
        [sys.executable, *check.arguments, *extra], cwd=ROOT, check=False
    ).returncode


# Run by itself (python -m services.console.test_command), it works even where the console does not.
if __name__ == "__main__":
    sys.exit(run(sys.argv[1:]))

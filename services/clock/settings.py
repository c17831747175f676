"""Settings of the clock, from the environment and from its arguments."""

from collections.abc import Mapping, Sequence
from typing import Annotated

from msgspec import Meta

from services.running.settings import Surroundings, read


class Settings(Surroundings, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How the clock runs: `tables_at_hand` is how many tables are kept at hand."""

    tables_at_hand: Annotated[int, Meta(ge=1)] = 512


def settings(arguments: Sequence[str], environment: Mapping[str, str]) -> Settings:
    """The settings that arguments name, else the environment, else the defaults."""
    return read(Settings, "clock", arguments, environment)

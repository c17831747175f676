"""Settings of the clock, from the environment and from its arguments."""

import argparse
from collections.abc import Mapping, Sequence
from typing import Annotated, Final

import msgspec
from msgspec import Meta, Struct

PREFIX: Final = "MINUTEBOOK_"
REDIS: Final = "redis://localhost:6379/0"


class SettingsError(Exception):
    """A setting is not what it should be; the message names it."""


class Settings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How the clock runs: the store's address, and how many tables are kept at hand."""

    redis: str = REDIS
    tables_at_hand: Annotated[int, Meta(ge=1)] = 512


def settings(arguments: Sequence[str], environment: Mapping[str, str]) -> Settings:
    """The settings that arguments name, else the environment, else the defaults."""
    parser = argparse.ArgumentParser(
        prog="python -m services.clock", argument_default=argparse.SUPPRESS
    )
    for name in Settings.__struct_fields__:
        option = f"--{name.replace('_', '-')}"
        parser.add_argument(option, metavar=name.upper(), help=f"or {PREFIX}{name.upper()}")
    given = vars(parser.parse_args(arguments))
    found = {
        name: value
        for name in Settings.__struct_fields__
        if (value := given.get(name, environment.get(f"{PREFIX}{name.upper()}"))) is not None
    }
    try:
        return msgspec.convert(found, Settings, strict=False)
    except msgspec.ValidationError as error:
        raise SettingsError(f"A setting is wrong: {error}.") from None

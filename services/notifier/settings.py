"""Settings of the notifier, from the environment and from its arguments."""

import argparse
from collections.abc import Mapping, Sequence
from typing import Annotated, Final

import msgspec
from msgspec import Meta, Struct

PREFIX: Final = "MINUTEBOOK_"
REDIS: Final = "redis://localhost:6379/0"
KEY_SETTING: Final = "MINUTEBOOK_NOTICES_KEY"
"""The key itself that seals the secrets of channels."""
KEY_FILE_SETTING: Final = "MINUTEBOOK_NOTICES_KEY_FILE"
"""The file that holds the key, made when it is first needed."""
KEY_FILE_NAME: Final = "notices.key"


class SettingsError(Exception):
    """A setting is not what it should be; the message names it."""


class Settings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How the notifier runs.

    `redis` is the store's address, `notices_link` what a notice links to (with `{table}` in its
    place), `notices_allow` the private hosts and networks that channels may reach. A table is
    looked at once it has been quiet for `notices_quiet_seconds`, or after `notices_most_seconds`.
    `notices_workers` letters are delivered at a time at least. `notices_routes` leads requests
    elsewhere (`https://discord.com=http://127.0.0.1:8080`, with spaces between): for a relay of
    one's own, and for tests.
    """

    redis: str = REDIS
    notices_link: str = ""
    notices_allow: str = ""
    notices_quiet_seconds: Annotated[float, Meta(ge=0, le=3600)] = 10.0
    notices_most_seconds: Annotated[float, Meta(ge=0, le=36000)] = 60.0
    notices_workers: Annotated[int, Meta(ge=1, le=64)] = 4
    notices_taken_seconds: Annotated[float, Meta(ge=1, le=3600)] = 120.0
    notices_routes: str = ""


def settings(arguments: Sequence[str], environment: Mapping[str, str]) -> Settings:
    """The settings that arguments name, else the environment, else the defaults."""
    parser = argparse.ArgumentParser(
        prog="python -m services.notifier", argument_default=argparse.SUPPRESS
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


def routes(text: str) -> dict[str, str]:
    """Where requests are led to, by how their addresses begin.

    >>> routes("https://one.example=http://127.0.0.1:1 https://two.example=http://127.0.0.1:2")
    {'https://one.example': 'http://127.0.0.1:1', 'https://two.example': 'http://127.0.0.1:2'}
    """
    pairs = (part.partition("=") for part in text.split())
    return {front: other for front, _, other in pairs}

"""Settings of the notifier, from the environment and from its arguments."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Final

from msgspec import Meta

from services.running.settings import Surroundings, read

KEY_SETTING: Final = "MINUTEBOOK_NOTICES_KEY"
"""The key itself that seals the secrets of channels."""
KEY_FILE_SETTING: Final = "MINUTEBOOK_NOTICES_KEY_FILE"
"""The file that holds the key, made when it is first needed."""
KEY_FILE_NAME: Final = "notices.key"


class Settings(Surroundings, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How the notifier runs.

    `notices_link` is what a notice links to (with `{table}` in its place), `notices_allow` the
    private hosts and networks that channels may reach. A table is looked at once it has been quiet
    for `notices_quiet_seconds`, or after `notices_most_seconds`. Sixteen times `notices_workers`
    letters are delivered at a time. `notices_routes` leads requests elsewhere
    (`https://discord.com=http://127.0.0.1:8080`, with spaces between): for a relay of one's own,
    and for tests.
    """

    notices_link: str = ""
    notices_allow: str = ""
    notices_quiet_seconds: Annotated[float, Meta(ge=0, le=3600)] = 10.0
    notices_most_seconds: Annotated[float, Meta(ge=0, le=36000)] = 60.0
    notices_workers: Annotated[int, Meta(ge=1, le=64)] = 4
    notices_taken_seconds: Annotated[float, Meta(ge=1, le=3600)] = 120.0
    notices_routes: str = ""


def settings(arguments: Sequence[str], environment: Mapping[str, str]) -> Settings:
    """The settings that arguments name, else the environment, else the defaults."""
    return read(Settings, "notifier", arguments, environment)


def routes(text: str) -> dict[str, str]:
    """Where requests are led to, by how their addresses begin.

    >>> routes("https://one.example=http://127.0.0.1:1 https://two.example=http://127.0.0.1:2")
    {'https://one.example': 'http://127.0.0.1:1', 'https://two.example': 'http://127.0.0.1:2'}
    """
    pairs = (part.partition("=") for part in text.split())
    return {front: other for front, _, other in pairs}

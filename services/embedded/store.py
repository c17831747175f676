"""Give the address of the store: the server that the settings name, or else a private one."""

import contextlib
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from services.embedded.errors import StoreUnfitError
from services.embedded.find import find_server
from services.embedded.probe import Probe, probe_url
from services.embedded.server import Server

ADDRESS_SETTING = "MINUTEBOOK_REDIS"
STRICT_SETTING = "MINUTEBOOK_STRICT_DURABILITY"


@dataclass(frozen=True)
class Store:
    """A store that is up: where it is, what it is, and the private server if it is one."""

    url: str
    probe: Probe
    private: Server | None


@contextlib.contextmanager
def store(data_directory: Path, environment: Mapping[str, str] | None = None) -> Iterator[Store]:
    """Give the store, having started a private server on `data_directory` unless another is named.

    With strict durability set, a server that would be warned about is refused.
    """
    settings = os.environ if environment is None else environment
    if url := settings.get(ADDRESS_SETTING):
        found = probe_url(url)
        if found.warnings and settings.get(STRICT_SETTING):
            raise StoreUnfitError("\n".join([*found.warnings, f"({STRICT_SETTING} is set.)"]))
        yield Store(url, found, None)
        return
    with Server(data_directory, binary=find_server(settings)) as server:
        yield Store(server.url, probe_url(server.url), server)

"""The store that tests run on: never none, and never one that somebody plays on.

In this order: the server that MINUTEBOOK_TEST_REDIS names; a container, where Docker answers; the
private server that players use. On a named server only one database is touched (the one in the
address, or 15 if the address names none), and only if it is empty when the tests begin.
"""

import contextlib
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import redis
from redis.backoff import ConstantBackoff
from redis.retry import Retry

from services.embedded.probe import probe_url
from services.embedded.server import DURABLE, Server

ADDRESS_SETTING = "MINUTEBOOK_TEST_REDIS"
CONTAINER_IMAGE = "valkey/valkey:8.1-alpine"
_SECONDS_FOR_DOCKER = 2


@dataclass(frozen=True)
class TestStore:
    """Where the store is, what it is in words, and whether all of it is ours to empty."""

    # Not a class of tests, whatever pytest makes of its name.
    __test__ = False

    url: str
    described: str
    is_ours: bool

    def empty(self) -> None:
        with redis.Redis.from_url(self.url) as client:
            if self.is_ours:
                client.flushall()
            else:
                client.flushdb()


@contextlib.contextmanager
def a_store(environment: Mapping[str, str], folder: Path) -> Iterator[TestStore]:
    """Give the store for a run of the tests."""
    if url := environment.get(ADDRESS_SETTING):
        yield _named(url)
        return
    with contextlib.ExitStack() as undo:
        if url := _container(undo):
            yield TestStore(url, f"{probe_url(url).server} in a container", is_ours=True)
            return
        server = undo.enter_context(Server(folder))
        yield TestStore(server.url, f"{probe_url(server.url).server}, private", is_ours=True)


def _named(url: str) -> TestStore:
    if urlsplit(url).path in {"", "/"} and urlsplit(url).scheme in {"redis", "rediss"}:
        url = f"{url.rstrip('/')}/15"
    found = probe_url(url)
    with redis.Redis.from_url(url) as client:
        keys = client.dbsize()
    if keys:
        raise RuntimeError(
            f"{ADDRESS_SETTING} names a database that holds {keys} keys. Tests empty their "
            f"database, so they run on an empty one only: name another, or empty it yourself."
        )
    return TestStore(url, f"{found.server}, named by {ADDRESS_SETTING}", is_ours=False)


def _container(undo: contextlib.ExitStack) -> str | None:
    """Start a container and give its address; None where Docker, or the image, is not to be had."""
    if not _docker_answers():
        return None

    from docker.errors import DockerException
    from testcontainers.core.container import DockerContainer

    container = DockerContainer(CONTAINER_IMAGE)
    container.with_command(["valkey-server", *DURABLE]).with_exposed_ports(6379)
    try:
        undo.enter_context(container)
    except DockerException:
        return None
    url = f"redis://{container.get_container_host_ip()}:{container.get_exposed_port(6379)}/0"
    _wait_for(url)
    return url


def _docker_answers() -> bool:
    if not (os.environ.get("DOCKER_HOST") or Path("/var/run/docker.sock").exists()):
        return False

    import docker
    from docker.errors import DockerException

    try:
        with contextlib.closing(docker.from_env(timeout=_SECONDS_FOR_DOCKER)) as engine:
            return bool(engine.ping())
    except DockerException:
        return False


def _wait_for(url: str) -> None:
    patient = Retry(ConstantBackoff(0.1), 200)
    with redis.Redis.from_url(url, retry=patient) as client:
        client.ping()

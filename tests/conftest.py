"""What every test may ask for."""

import os
from collections.abc import AsyncIterator, Iterator
from typing import Any

import hypothesis
import pytest
import redis
import redis.asyncio

from tests.servers import LoopbackServer, loopback_servers
from tests.stores import ADDRESS_SETTING, TestStore, a_store

hypothesis.settings.register_profile("fast", max_examples=30, deadline=None)
# The same examples each time, so that a change is judged by what it changes.
hypothesis.settings.register_profile("ci", max_examples=300, deadline=None, derandomize=True)
hypothesis.settings.register_profile("long", max_examples=5000, deadline=None)
hypothesis.settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "fast"))

_store_used = pytest.StashKey[str]()
_STORE = "store"
PROCESSES_MOST = 4
"""Each has a store of its own, and a cluster of three."""


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    """Asynchronous tests run on asyncio, as the services do."""
    return "asyncio"


@pytest.fixture(scope="session")
def session_store(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[TestStore]:
    """The one store of this run; use `redis_url` unless what is in it does not matter."""
    with a_store(os.environ, tmp_path_factory.mktemp("store")) as store:
        request.config.stash[_store_used] = store.described
        yield store


@pytest.fixture
def redis_url(session_store: TestStore) -> str:
    """The address of a store with nothing in it."""
    session_store.empty()
    return session_store.url


@pytest.fixture(scope="session")
def session_cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[LoopbackServer]]:
    """Three masters of one cluster."""
    with loopback_servers(3, tmp_path_factory.mktemp("cluster"), is_cluster=True) as servers:
        yield servers


@pytest.fixture
def cluster_url(session_cluster: list[LoopbackServer]) -> str:
    """The address of a cluster with nothing in it."""
    for server in session_cluster:
        with server.client() as client:
            client.flushall()
    return f"redis+cluster://127.0.0.1:{session_cluster[0].port}"


@pytest.fixture
def redis_client(redis_url: str) -> Iterator[redis.Redis]:
    """A client of an empty store; answers are bytes."""
    with redis.Redis.from_url(redis_url) as client:
        yield client


@pytest.fixture
async def async_redis_client(redis_url: str) -> AsyncIterator[redis.asyncio.Redis]:
    """An asynchronous client of an empty store; answers are bytes."""
    async with redis.asyncio.Redis.from_url(redis_url) as client:
        yield client


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """One process for each core; none beside this where all would share the store that is named."""
    return 0 if os.environ.get(ADDRESS_SETTING) else min(PROCESSES_MOST, os.cpu_count() or 1)


def pytest_sessionfinish(session: pytest.Session) -> None:
    """A process that ends tells the one that started it which store it had."""
    described = session.config.stash.get(_store_used, None)
    output: dict[str, str] | None = getattr(session.config, "workeroutput", None)
    if described and output is not None:
        output[_STORE] = described


class _Processes:
    """What the processes of a distributed run tell at their end."""

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        if described := getattr(node, "workeroutput", {}).get(_STORE):
            node.config.stash[_store_used] = described


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(_Processes())


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    if described := config.stash.get(_store_used, None):
        terminalreporter.write_line(f"store: {described}")

"""What is said and who is let in is tested on one server, and on a cluster of three."""

from collections.abc import AsyncIterator

import pytest

from services.bus.client import Bus, bus
from tests.stores import TestStore


@pytest.fixture(params=["server", pytest.param("cluster", marks=pytest.mark.slow)])
def redis_url(request: pytest.FixtureRequest) -> str:
    """The address of a store with nothing in it."""
    if request.param == "cluster":
        return str(request.getfixturevalue("cluster_url"))
    store: TestStore = request.getfixturevalue("session_store")
    store.empty()
    return store.url


@pytest.fixture
async def at(redis_url: str) -> AsyncIterator[Bus]:
    """A store that has been opened."""
    async with bus(redis_url) as one:
        yield one

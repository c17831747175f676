"""The outbox is tested on one server, and on a cluster of three."""

import pytest

from tests.stores import TestStore


@pytest.fixture(params=["server", pytest.param("cluster", marks=pytest.mark.slow)])
def redis_url(request: pytest.FixtureRequest) -> str:
    """The address of a store with nothing in it."""
    if request.param == "cluster":
        return str(request.getfixturevalue("cluster_url"))
    store: TestStore = request.getfixturevalue("session_store")
    store.empty()
    return store.url

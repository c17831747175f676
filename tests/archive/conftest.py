"""A store with tables in it, and a folder for their files."""

from collections.abc import AsyncIterator

import pytest

from services.bus.connection import connection, opened
from tests.archive.shelf import Shelf


@pytest.fixture
async def shelf(redis_url, tmp_path) -> AsyncIterator[Shelf]:
    """A store that nobody else works on, and an archive beside it."""
    async with connection(redis_url) as client:
        yield Shelf(client, await opened(client), tmp_path / "archive", redis_url)

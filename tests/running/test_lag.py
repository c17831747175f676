"""How far readers are behind is counted on one server and on a cluster alike."""

import pytest

from services.bus import lag
from services.bus.connection import connection
from services.bus.lag import Behind

pytestmark = pytest.mark.anyio


@pytest.fixture(params=["redis_url", pytest.param("cluster_url", marks=pytest.mark.slow)])
async def client(request):
    async with connection(request.getfixturevalue(request.param)) as found:
        yield found


async def test_what_comes_after_a_place_is_counted_up_to_a_bound(client):
    ids = [await client.xadd("{1}:s", {"a": 1}) for _ in range(5)]
    oldest = int(ids[2].split(b"-")[0]) * 1000
    (found,) = await lag.after(client, {"{1}:s": ids[1]})
    assert found == Behind(3, oldest)
    (bounded,) = await lag.after(client, {"{1}:s": None}, most=4)
    assert (bounded.entries, bounded.is_more) == (4, True)
    assert await lag.after(client, {"{1}:s": ids[4], "{2}:none": None}) == [Behind(), Behind()]


async def test_ages_are_told_by_the_clock_of_the_store(client):
    await client.xadd("{1}:s", {"a": 1})
    (found,) = await lag.waiting(client, ["{1}:s"])
    assert found.entries == 1
    assert 0 <= found.seconds(await lag.server_time(client)) < 5
    assert Behind().seconds(10**18) == 0

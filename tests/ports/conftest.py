"""The grounds on which the ports are tested."""

import pytest

from tests.ports.ground import Ground, MemoryGround, RedisGround
from tests.world.ground import SimulatedGround


@pytest.fixture(params=["memory", "simulated", "redis", "cluster"])
async def ground(request: pytest.FixtureRequest):
    """One kind of ports after another, each with nothing in it."""
    grounds = {"memory": MemoryGround, "simulated": SimulatedGround}
    if request.param in grounds:
        ground: Ground = grounds[request.param]()
    else:
        ground = await RedisGround.on(request.getfixturevalue(f"{request.param}_url"))
    yield ground
    await ground.close()

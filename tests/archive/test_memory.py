"""The engine on its ports in memory answers for an archived table as it does on a store."""

import pytest

from contracts.ids import TableId
from contracts.rejections import Code
from contracts.streams import Recorded, Refused
from services.engine.handling import Handling
from services.engine.memory import Memory
from services.engine.ports import Lease
from tests.ports.ground import TestClock
from tests.ports.purse import bid, decide, opening

pytestmark = pytest.mark.anyio
FRIDAY = TableId("friday")


async def test_an_archived_table_takes_no_order_and_no_outcome_is_kept():
    memory = Memory(TestClock(), 1)
    lease = await memory.take(0, "a")
    assert isinstance(lease, Lease)
    engine = Handling(memory, TestClock(), partitions=1, release="test", decide=decide)

    async def answered(order):
        memory.post(order, "client")
        (done,) = await engine.handle(lease, await memory.fresh(0, 1))
        return done.outcome

    assert await answered(opening(FRIDAY)) == Recorded(1)
    head, log = await memory.head(FRIDAY), memory.logs.pop(FRIDAY)
    memory.archived[FRIDAY] = type(head)(head.version, head.digest, None, is_archived=True)
    away = await answered(bid(FRIDAY, "b1", 5, 1))
    assert isinstance(away, Refused)
    assert away.rejection.code == Code.ARCHIVED
    assert memory.answers
    memory.logs[FRIDAY] = log
    del memory.archived[FRIDAY]
    assert await answered(bid(FRIDAY, "b1", 5, 1)) == Recorded(2)

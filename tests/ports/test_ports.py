"""What deciding may rely on, on memory, on a real store and in the simulated world alike.

The handling of commands runs over the ports here: that is what they are for.
"""

import msgspec
import pytest

from contracts import streams
from contracts.ids import BANK, CommandId, TableId
from contracts.records import FIRST_DIGEST, digest
from contracts.rejections import Code
from contracts.streams import Recorded, Refused
from services.bus.errors import DamagedLogError
from services.engine import live, snapshots
from services.engine.drain import Stranded
from services.engine.handling import Handled, Handling
from services.engine.ports import Conflict, Held, Lease, LeaseLostError, Write
from services.engine.table.fold import table_at
from tests.ports.ground import Ground, MemoryGround, RedisGround
from tests.ports.purse import ANN, BREAKS, bid, decide, opening, undo

TABLE = TableId("friday")
RELEASE = "test"
pytestmark = pytest.mark.anyio


def handling_on(ground: Ground, **settings) -> Handling:
    return Handling(
        ground.ports,
        ground.clock,
        partitions=ground.ports.partitions,
        release=RELEASE,
        decide=decide,
        **settings,
    )


class Engine:
    """One engine over the ports: handling and the lease of the partition that all tables lie in."""

    def __init__(self, ground: Ground, lease: Lease, **settings) -> None:
        self.ground, self.lease = ground, lease
        self.handling = handling_on(ground, **settings)

    @classmethod
    async def on(cls, ground: Ground, holder: str = "a", **settings) -> "Engine":
        partition = streams.partition_of(TABLE, ground.ports.partitions)
        lease = await ground.ports.take(partition, holder)
        assert isinstance(lease, Lease)
        return cls(ground, lease, **settings)

    async def do(self, *orders, client: str = "") -> list[Handled]:
        """Send orders and handle them as one batch."""
        for order in orders:
            await self.ground.post(order, client)
        entries = await self.ground.ports.fresh(self.lease.partition, 100)
        return await self.handling.handle(self.lease, entries)


def outcomes(handled: list[Handled]) -> list[object]:
    return [
        one.outcome.rejection.code if isinstance(one.outcome, Refused) else one.outcome.version
        for one in handled
    ]


async def bank(ground: Ground) -> int:
    records = [sealed.record for sealed in await ground.log(TABLE)]
    return table_at(TABLE, records).cash[BANK]


# --- one order after another ---------------------------------------------------------------------


async def test_orders_of_a_batch_are_decided_each_against_the_table_after_the_one_before(ground):
    engine = await Engine.on(ground)
    done = await engine.do(
        opening(TABLE), bid(TABLE, "b1", 10, 1), bid(TABLE, "b2", 5, 2), bid(TABLE, "b3", 1, 2)
    )
    assert outcomes(done) == [1, 2, 3, Code.STALE]
    assert await bank(ground) == 1_000_000 - 15
    assert await ground.feed(engine.lease.partition) == [(TABLE, 1), (TABLE, 2), (TABLE, 3)]
    assert await ground.waiting(engine.lease.partition) == 0


async def test_records_are_chained_by_digests_and_name_the_release(ground):
    engine = await Engine.on(ground)
    await engine.do(opening(TABLE), bid(TABLE, "b1", 10))
    previous = FIRST_DIGEST
    for version, sealed in enumerate(await ground.log(TABLE), 1):
        assert sealed.record.version == version
        assert sealed.record.engine == RELEASE
        assert sealed.digest == digest(previous, sealed.body)
        previous = sealed.digest
    head = await ground.ports.head(TABLE)
    assert (head.version, head.digest) == (2, previous)


async def test_a_refusal_tells_the_present_version_to_who_was_late(ground):
    engine = await Engine.on(ground)
    await engine.do(opening(TABLE), bid(TABLE, "b1", 10))
    (late,) = await engine.do(bid(TABLE, "b2", 1, version=1))
    assert isinstance(late.outcome, Refused)
    assert late.outcome.rejection.version == 2


async def test_every_order_is_answered_on_its_senders_channel_and_on_no_other(ground):
    engine = await Engine.on(ground)
    await engine.do(opening(TABLE), bid(TABLE, "b1", 0), client="ann-1")
    await engine.do(bid(TABLE, "b2", 3), client="bob-1")
    told = await ground.answers("ann-1")
    assert [answer.id for answer in told] == ["open", "b1"]
    assert told[0].outcome == Recorded(1)
    assert isinstance(told[1].outcome, Refused)
    assert [answer.outcome for answer in await ground.answers("bob-1")] == [Recorded(2)]


async def test_an_answer_goes_to_no_channel_that_is_not_for_answers(ground):
    engine = await Engine.on(ground)
    fields = {b"o": streams.encode(opening(TABLE)), b"a": b"minutebook:views"}
    await ground.put(engine.lease.partition, fields)
    (done,) = await engine.do()
    assert done.outcome == Recorded(1)
    assert await ground.answers("") == []


# --- the same order again ------------------------------------------------------------------------


@pytest.mark.parametrize("in_one_batch", [True, False])
async def test_an_order_sent_twice_gets_its_first_outcome_and_is_done_once(ground, in_one_batch):
    engine = await Engine.on(ground)
    orders = [opening(TABLE), bid(TABLE, "b1", 10), bid(TABLE, "b1", 10), bid(TABLE, "b2", 7)]
    done: list[Handled] = []
    for batch in [orders] if in_one_batch else [[one] for one in orders]:
        done += await engine.do(*batch, client="ann-1")
    assert outcomes(done) == [1, 2, 2, 3]
    assert [one.repeated for one in done] == [False, False, True, False]
    assert await bank(ground) == 1_000_000 - 17
    assert [answer.outcome for answer in await ground.answers("ann-1")] == [
        Recorded(1),
        Recorded(2),
        Recorded(2),
        Recorded(3),
    ]


async def test_an_entry_that_is_given_out_twice_is_done_once_and_then_repeated(ground):
    engine = await Engine.on(ground)
    await ground.post(opening(TABLE))
    await ground.post(bid(TABLE, "b1", 10))
    entries = await ground.ports.fresh(engine.lease.partition, 10)
    done = await engine.handling.handle(engine.lease, [*entries, entries[0], entries[1]])
    assert outcomes(done) == [1, 2, 1, 2]
    assert [one.repeated for one in done] == [False, False, True, True]
    assert await bank(ground) == 1_000_000 - 10


async def test_a_refused_order_is_refused_again_though_it_would_be_accepted_now(ground):
    engine = await Engine.on(ground)
    first = await engine.do(opening(TABLE), bid(TABLE, "b1", 10, version=2))
    again = await engine.do(bid(TABLE, "b0", 1), bid(TABLE, "b1", 10, version=2))
    assert outcomes(first) == [1, Code.STALE]
    assert outcomes(again) == [2, Code.STALE]
    assert again[1].outcome == first[1].outcome


async def test_a_repeat_amid_a_batch_makes_nothing_after_it_wrong(ground):
    """The repeat is decided before the store knows it; what was built on that is decided again."""
    await (await Engine.on(ground)).do(opening(TABLE), bid(TABLE, "b1", 10))
    engine = await Engine.on(ground)
    done = await engine.do(bid(TABLE, "b1", 10), bid(TABLE, "b2", 0), bid(TABLE, "b3", 5))
    assert outcomes(done) == [2, Code.BID_TOO_LOW, 3]
    assert await bank(ground) == 1_000_000 - 15


# --- crashes, zombies, stale tables --------------------------------------------------------------


async def test_what_was_given_out_and_not_done_is_done_by_the_next_engine(ground):
    engine = await Engine.on(ground)
    for order in (opening(TABLE), bid(TABLE, "b1", 10), bid(TABLE, "b2", 5)):
        await ground.post(order)
    await ground.ports.fresh(engine.lease.partition, 2)
    # The first engine dies here.
    following = await Engine.on(ground)
    pending = await ground.ports.pending(engine.lease.partition, 100)
    done = await following.handling.handle(following.lease, pending)
    assert outcomes(done) == [1, 2]
    assert await ground.ports.pending(engine.lease.partition, 100) == []
    assert outcomes(await following.do()) == [3]


async def test_an_engine_with_an_older_lease_writes_nothing(ground):
    old = await Engine.on(ground)
    await old.do(opening(TABLE))
    new = await Engine.on(ground)
    with pytest.raises(LeaseLostError):
        await old.do(bid(TABLE, "b1", 10))
    assert len(await ground.log(TABLE)) == 1
    pending = await ground.ports.pending(new.lease.partition, 10)
    assert outcomes(await new.handling.handle(new.lease, pending)) == [2]


async def test_a_lease_is_held_against_others_until_it_is_given_back_or_its_holder_dead(ground):
    lease = await ground.ports.take(0, "a")
    assert isinstance(lease, Lease)
    held = await ground.ports.take(0, "b")
    assert isinstance(held, Held)
    assert held.holder == "a"
    assert held.milliseconds_left > 0
    assert await ground.ports.renew(lease)
    taken = await ground.ports.take(0, "b", dead="a")
    assert isinstance(taken, Lease)
    assert taken.epoch > lease.epoch
    assert not await ground.ports.renew(lease)
    await ground.ports.release(lease)
    assert isinstance(await ground.ports.take(0, "c"), Held)
    await ground.ports.release(taken)
    assert isinstance(await ground.ports.take(0, "c"), Lease)


async def test_a_lease_is_kept_no_longer_because_the_stores_clock_was_put_back(ground):
    lease = await ground.ports.take(0, "a")
    assert isinstance(lease, Lease)
    await ground.clock_put_back(3_600_000_000)
    held = await ground.ports.take(0, "b")
    assert isinstance(held, Held)
    assert held.milliseconds_left <= 10_000
    held = await ground.ports.take(0, "b")
    assert isinstance(held, Held)
    assert held.milliseconds_left <= 10_000
    assert await ground.ports.renew(lease)


async def test_what_is_stranded_is_found_at_the_second_look(ground):
    engine = await Engine.on(ground)
    partition = engine.lease.partition
    stranded = Stranded(ground.ports)
    await ground.post(opening(TABLE))
    await ground.post(bid(TABLE, "b1", 10))
    assert await stranded.look(partition, 10) == []
    # Somebody who may not write is given the first one.
    (lost,) = await ground.ports.fresh(partition, 1)
    assert await stranded.look(partition, 10) == []
    await ground.ports.fresh(partition, 1)
    found = await stranded.look(partition, 10)
    assert [entry.id for entry in found] == [lost.id]
    assert outcomes(await engine.handling.handle(engine.lease, found)) == [1]
    found = await stranded.look(partition, 10)
    assert outcomes(await engine.handling.handle(engine.lease, found)) == [2]
    assert await stranded.look(partition, 10) == []


async def test_a_table_that_went_on_elsewhere_is_looked_at_again(ground):
    engine = await Engine.on(ground)
    await engine.do(opening(TABLE))
    other = Engine(ground, engine.lease)
    await other.do(bid(TABLE, "b1", 10))
    # This engine still has version 1 in mind, so nothing of this batch holds at first.
    done = await engine.do(bid(TABLE, "b2", 5, 2), bid(TABLE, "b3", 0), bid(TABLE, "b4", 1, 3))
    assert outcomes(done) == [3, Code.BID_TOO_LOW, 4]
    assert await bank(ground) == 1_000_000 - 16


async def test_a_write_against_another_record_of_the_same_version_is_refused(ground):
    engine = await Engine.on(ground)
    await engine.do(opening(TABLE))
    write = Write(
        TABLE, CommandId("x"), "", "", Recorded(2), 1, b"not the digest16", None, None, None
    )
    assert await ground.ports.commit(engine.lease, [write]) == [Conflict(1)]
    assert await ground.outcome(TABLE, "x") is None


@pytest.mark.parametrize("expected", [0, 2, 3])
async def test_a_write_against_another_version_is_refused_whatever_its_digest(ground, expected):
    engine = await Engine.on(ground)
    await engine.do(opening(TABLE))
    present = (await ground.ports.head(TABLE)).digest
    for mark in (present, FIRST_DIGEST):
        write = Write(TABLE, CommandId("x"), "", "", Recorded(2), expected, mark, None, None, None)
        assert await ground.ports.commit(engine.lease, [write]) == [Conflict(1)]
    assert await ground.outcome(TABLE, "x") is None


@pytest.mark.parametrize("expected", [1, 3])
async def test_a_write_against_a_table_whose_book_is_gone_is_refused(ground, expected):
    """Where a store has lost its tail, what was decided before does not begin a book of its own."""
    engine = await Engine.on(ground)
    write = Write(
        TABLE, CommandId("x"), "", "", Recorded(2), expected, b"digest of before", None, None, None
    )
    assert await ground.ports.commit(engine.lease, [write]) == [Conflict(0)]
    assert await ground.outcome(TABLE, "x") is None


@pytest.mark.parametrize("url", ["redis_url", "cluster_url"])
async def test_outcomes_are_kept_for_good_once_their_table_is_there(url, request):
    """What was answered before there was a table is forgotten some day, unless it is opened."""
    ground = await RedisGround.on(request.getfixturevalue(url))
    engine = await Engine.on(ground)
    kept = streams.outcomes(engine.lease.partition, TABLE)
    await engine.do(bid(TABLE, "early", 1))
    assert 0 < await ground.ports.client.execute_command("TTL", kept) <= 86_400
    await engine.do(opening(TABLE), bid(TABLE, "b1", 1))
    assert await ground.ports.client.execute_command("TTL", kept) == -1
    assert await ground.outcome(TABLE, "early") is not None
    await ground.close()


@pytest.mark.parametrize("url", ["redis_url", "cluster_url"])
@pytest.mark.parametrize("first", [2, 3])
async def test_the_first_record_of_a_part_is_checked_against_the_one_before_it(url, first, request):
    ground = await RedisGround.on(request.getfixturevalue(url))
    engine = await Engine.on(ground)
    await engine.do(opening(TABLE), bid(TABLE, "b1", 1), bid(TABLE, "b2", 2))
    assert len(await ground.ports.read(TABLE, first)) == 4 - first
    client, key = ground.ports.client, streams.log(engine.lease.partition, TABLE)
    entries = await client.xrange(key, "-", "+")
    await client.execute_command("DEL", key)
    for number, (id, fields) in enumerate(entries, 1):
        changed = {**fields, b"d": bytes(16)} if number == first - 1 else fields
        parts = [part for field in changed.items() for part in field]
        await client.execute_command("XADD", key, id, *parts)
    with pytest.raises(DamagedLogError, match=f"record {first}:"):
        await ground.ports.read(TABLE, first)
    await ground.close()


async def test_an_order_that_could_not_be_decided_is_kept_once_however_often_it_is_sent(ground):
    engine = await Engine.on(ground)
    for _ in range(3):
        (done,) = await engine.do(bid(TABLE, "early", 1))
        assert outcomes([done]) == [Code.UNKNOWN_TABLE]
    assert len(await ground.dead(engine.lease.partition)) == 1


async def test_after_a_long_decision_what_is_decided_is_written_before_the_next(ground):
    engine = await Engine.on(ground)
    commits: list[int] = []
    commit = ground.ports.commit

    async def counted(lease, writes):
        commits.append(len(writes))
        return await commit(lease, writes)

    def slow(table, order):
        ground.clock.time += 200_000
        return decide(table, order)

    ground.ports.commit = counted
    engine.handling._decide = slow
    done = await engine.do(opening(TABLE), *(bid(TABLE, f"b{n}", 1) for n in range(4)))
    assert outcomes(done) == [1, 2, 3, 4, 5]
    assert commits == [2, 2, 1]


# --- commands that can never succeed -------------------------------------------------------------


async def test_an_unreadable_command_is_kept_for_the_operator_and_stops_nothing(ground):
    engine = await Engine.on(ground)
    await ground.put(engine.lease.partition, {b"o": b"\xc1 no order", b"a": b"x"})
    await ground.put(engine.lease.partition, {b"something": b"else"})
    done = await engine.do(opening(TABLE))
    assert outcomes(done) == [Code.UNREADABLE, Code.UNREADABLE, 1]
    assert len(await ground.dead(engine.lease.partition)) == 2
    assert await ground.waiting(engine.lease.partition) == 0


async def test_an_order_that_is_half_readable_is_answered_by_its_id(ground):
    engine = await Engine.on(ground)
    body = msgspec.msgpack.encode([TABLE, "b1", "ann", "ann", ["Bid", "lot", "much"]])
    fields = {b"o": body, b"a": streams.answers("ann-1").encode()}
    await ground.put(engine.lease.partition, fields)
    (done,) = await engine.do()
    (answer,) = await ground.answers("ann-1")
    assert (answer.table, answer.id) == (TABLE, "b1")
    assert isinstance(answer.outcome, Refused)
    assert answer.outcome.rejection.code is Code.UNREADABLE
    assert "$[4]" in answer.outcome.rejection.sentence
    assert done.outcome == answer.outcome == await ground.outcome(TABLE, "b1")


async def test_an_order_in_the_wrong_partition_is_unreadable_there(ground):
    engine = await Engine.on(ground)
    elsewhere = opening("saturday")
    assert streams.partition_of(elsewhere.table, 16) != engine.lease.partition
    await ground.put(engine.lease.partition, {b"o": streams.encode(elsewhere)})
    (done,) = await engine.do()
    assert outcomes([done]) == [Code.UNREADABLE]
    assert await ground.log("saturday") == []


@pytest.mark.parametrize("name", ["", "a table", "x" * 65, "{3}"])
async def test_a_table_cannot_have_any_name(ground, name):
    engine = await Engine.on(ground)
    await ground.put(engine.lease.partition, {b"o": streams.encode(opening(name))})
    assert outcomes(await engine.do()) == [Code.UNREADABLE]


async def test_an_order_for_a_table_that_nobody_opened_is_refused_and_kept(ground):
    engine = await Engine.on(ground)
    done = await engine.do(bid(TABLE, "b1", 10), opening(TABLE), bid(TABLE, "b1", 10))
    assert outcomes(done) == [Code.UNKNOWN_TABLE, 1, Code.UNKNOWN_TABLE]
    assert len(await ground.dead(engine.lease.partition)) == 1


async def test_a_fault_of_the_rules_is_answered_and_other_orders_go_on(ground):
    engine = await Engine.on(ground)
    done = await engine.do(opening(TABLE), bid(TABLE, "b1", BREAKS), bid(TABLE, "b2", 1))
    assert outcomes(done) == [1, Code.ENGINE_FAULT, 2]
    assert "the rules are broken" in done[1].fault
    assert len(await ground.dead(engine.lease.partition)) == 1


# --- time ----------------------------------------------------------------------------------------


async def test_records_bear_server_time_that_never_goes_back(ground):
    engine = await Engine.on(ground)
    await engine.do(opening(TABLE, reported=5))
    ground.clock.time -= 400_000
    await engine.do(bid(TABLE, "b1", 1, reported=6))
    ground.clock.time += 900_000
    await engine.do(bid(TABLE, "b2", 1))
    assert [sealed.record.at for sealed in await ground.log(TABLE)] == [
        1_000_000,
        1_000_000,
        1_500_000,
    ]


async def test_an_imported_table_bears_reported_times_so_its_digests_are_the_same_each_time(ground):
    async def imported() -> bytes:
        other = MemoryGround()
        other.clock.time = ground.clock.time = ground.clock.time + 77
        engine = await Engine.on(other)
        await engine.do(opening(TABLE, imported=True, reported=5), bid(TABLE, "b", 1, reported=9))
        return (await other.log(TABLE))[-1].digest

    engine = await Engine.on(ground)
    await engine.do(opening(TABLE, imported=True, reported=5))
    await engine.do(bid(TABLE, "b", 1, reported=9))
    log = await ground.log(TABLE)
    assert [sealed.record.at for sealed in log] == [5, 9]
    assert await imported() == await imported() == log[-1].digest


# --- undo, snapshots -----------------------------------------------------------------------------


async def test_an_undo_leaves_the_table_as_it_was_and_all_records_in_the_book(ground):
    engine = await Engine.on(ground)
    done = await engine.do(
        opening(TABLE), bid(TABLE, "b1", 10), bid(TABLE, "b2", 5), undo(TABLE, "u1", 2)
    )
    assert outcomes(done) == [1, 2, 3, 4]
    assert await bank(ground) == 1_000_000 - 10
    later = await Engine.on(ground)
    assert outcomes(await later.do(undo(TABLE, "u2", 3), bid(TABLE, "b3", 1))) == [5, 6]
    assert await bank(ground) == 1_000_000 - 16


async def test_a_table_opens_the_same_from_its_snapshot_as_from_its_records(ground):
    engine = await Engine.on(ground, snapshot_every=10)
    await engine.do(opening(TABLE), *(bid(TABLE, f"b{n}", n + 1) for n in range(26)))
    start = snapshots.read(RELEASE, TABLE, await ground.snapshot(TABLE))
    assert start is not None
    assert start.table.version == 20
    reads: list[int] = []
    read = ground.ports.read

    async def counted(table, first=1, last=None):
        reads.append(first)
        return await read(table, first, last)

    ground.ports.read = counted
    short = await live.opened(ground.ports, RELEASE, TABLE)
    whole = await live.opened(ground.ports, "another release", TABLE)
    assert reads == [20, 1]
    assert short.table == whole.table
    assert (short.digest, short.at) == (whole.digest, whole.at)


async def test_an_undo_far_back_is_followed_by_a_snapshot_so_that_opening_stays_short(ground):
    engine = await Engine.on(ground, snapshot_every=10)
    await engine.do(opening(TABLE), *(bid(TABLE, f"b{n}", n + 1) for n in range(26)))
    later = await Engine.on(ground, snapshot_every=10)
    await later.do(undo(TABLE, "u1", 3))
    start = snapshots.read(RELEASE, TABLE, await ground.snapshot(TABLE))
    assert start is not None
    assert start.table.version == 28
    assert start.table.cash[BANK] == 1_000_000 - 3
    assert start.table.cash[ANN] == 3


async def test_a_damaged_snapshot_is_left_aside(ground):
    engine = await Engine.on(ground, snapshot_every=5)
    await engine.do(opening(TABLE), *(bid(TABLE, f"b{n}", n + 1) for n in range(8)))
    snapshot = await ground.snapshot(TABLE)
    assert snapshot is not None
    whole = await live.opened(ground.ports, "another release", TABLE)
    for place in range(0, len(snapshot), 7):
        changed = bytearray(snapshot)
        changed[place] ^= 1
        await ground.snapshot(TABLE, bytes(changed))
        assert (await live.opened(ground.ports, RELEASE, TABLE)).table == whole.table


async def test_a_snapshot_of_another_book_is_left_aside(ground):
    elsewhere = MemoryGround()
    engines = [await Engine.on(one, snapshot_every=5) for one in (elsewhere, ground)]
    for engine, more in zip(engines, (2, 1), strict=True):
        await engine.do(opening(TABLE), *(bid(TABLE, f"b{n}", n + more) for n in range(8)))
    other = await elsewhere.snapshot(TABLE)
    own = snapshots.read(RELEASE, TABLE, await ground.snapshot(TABLE))
    foreign = snapshots.read(RELEASE, TABLE, other)
    assert own is not None
    assert foreign is not None
    assert own.table.version == foreign.table.version
    assert own.table != foreign.table
    whole = await live.opened(ground.ports, "another release", TABLE)
    await ground.snapshot(TABLE, other)
    assert (await live.opened(ground.ports, RELEASE, TABLE)).table == whole.table


async def test_a_book_that_disagrees_with_its_head_is_damaged(ground):
    engine = await Engine.on(ground)
    await engine.do(opening(TABLE), bid(TABLE, "b1", 1), bid(TABLE, "b2", 2))
    read = ground.ports.read

    async def without_the_last(table, first=1, last=None):
        return (await read(table, first, last))[:-1]

    ground.ports.read = without_the_last
    with pytest.raises(DamagedLogError, match="record 3"):
        await live.opened(ground.ports, RELEASE, TABLE)
    (done,) = await Engine(ground, engine.lease).do(bid(TABLE, "b3", 1))
    assert outcomes([done]) == [Code.ENGINE_FAULT]


@pytest.mark.parametrize("snapshot_every", [2, 100])
async def test_a_book_whose_last_digest_is_not_its_heads_is_damaged(ground, snapshot_every):
    engine = await Engine.on(ground, snapshot_every=snapshot_every)
    await engine.do(opening(TABLE), bid(TABLE, "b1", 1), bid(TABLE, "b2", 2))
    head = ground.ports.head

    async def with_another_digest(table):
        return msgspec.structs.replace(await head(table), digest=bytes(16))

    ground.ports.head = with_another_digest
    with pytest.raises(DamagedLogError, match="record 3"):
        await live.opened(ground.ports, RELEASE, TABLE)

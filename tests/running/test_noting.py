"""What services say of commands, timers, notices and letters: lines of the log, and figures."""

import pytest
from structlog.contextvars import get_contextvars
from structlog.testing import capture_logs

from contracts import streams
from contracts.ids import CommandId, Party, PlayerId, TableId
from contracts.notices import Letter, Notice
from contracts.rejections import Code, Rejection
from contracts.streams import Recorded, Refused
from services.bus.client import bus
from services.clock import noting as clock
from services.clock.timers import done
from services.engine import noting as engine
from services.engine.handling import Handled, Handling
from services.engine.ports import Entry, Lease
from services.engine.store import Store
from services.notifier import noting as notifier
from services.notifier.patience import Delivered, Impossible, Limited
from services.notifier.sealing import Target
from services.notifier.telling import Withdrawn
from services.notifier.wording import Message
from services.running.metrics import REGISTRY
from services.running.standing import Standing
from tests.ports.ground import TestClock
from tests.ports.purse import BREAKS, bid, decide, opening

pytestmark = pytest.mark.anyio
FRIDAY = TableId("friday")
REFUSED = Refused(Rejection(Code.BID_TOO_LOW, "design", "No."))


def figure(name: str, **labels: str) -> float:
    return REGISTRY.get_sample_value(name, labels) or 0.0


def handled(**changed) -> Handled:
    fields = {"table": FRIDAY, "id": CommandId("b"), "player": "ann", "command": "Bid"}
    return Handled(**{**fields, "outcome": Recorded(7), "sender": "zoe", "version": 6, **changed})


# --- the engine ------------------------------------------------------------------------------


def test_a_command_has_one_line_with_all_that_is_known_of_it():
    with capture_logs() as lines:
        engine.told(
            8,
            [
                handled(decide_seconds=0.0123, commit_seconds=0.002),
                handled(outcome=REFUSED, conflicts=1),
                handled(repeated=True, is_automatic=True),
            ],
        )
    every = {"table": "friday", "command": "Bid", "player": "ann", "sender": "zoe", "id": "b"}
    every |= {"partition": 8, "log_level": "info"}
    at_once = {"decide_ms": 0.0, "commit_ms": 0.0}
    recorded = {**every, "event": "decision recorded", "version": 7}
    assert lines == [
        {**recorded, "decide_ms": 12.3, "commit_ms": 2.0},
        {
            **every,
            **at_once,
            "event": "command refused",
            "version": 6,
            "conflicts": 1,
            "code": "bid-too-low",
            "why": "No.",
        },
        {**recorded, **at_once, "repeated": True, "automatic": True},
    ]


def test_commands_are_counted_by_what_they_are_and_what_became_of_them():
    labels = [
        {"type": "Bid", "outcome": "recorded", "code": ""},
        {"type": "Bid", "outcome": "refused", "code": "bid-too-low"},
        {"type": "Bid", "outcome": "repeated", "code": ""},
        {"type": "unreadable", "outcome": "refused", "code": "bid-too-low"},
    ]
    names = [
        *("minutebook_conflicts_total", "minutebook_decide_seconds_count"),
        *("minutebook_commit_seconds_count", "minutebook_batch_commands_sum"),
    ]
    before = [figure("minutebook_commands_total", **one) for one in labels]
    before += [figure(name) for name in names]
    with capture_logs():
        engine.told(
            0,
            [
                handled(commit_seconds=0.5),
                handled(commit_seconds=0.5, outcome=REFUSED, conflicts=2),
                handled(commit_seconds=0.7, repeated=True, is_automatic=True),
                handled(commit_seconds=0.7, command="", outcome=REFUSED),
            ],
        )
    after = [figure("minutebook_commands_total", **one) for one in labels]
    after += [figure(name) for name in names]
    # Both acts of the store are counted once, and automatic moves are no part of the batch.
    assert [one - two for one, two in zip(after, before, strict=True)] == [1, 1, 1, 1, 2, 4, 2, 3]


async def test_what_is_handled_on_a_store_says_how_long_it_took_and_how_often(redis_url):
    async with bus(redis_url) as one:
        store = Store(one.client, one.partitions)
        partition = one.partition_of(FRIDAY)
        await store.create_group(partition)
        lease = await store.take(partition, "test")
        assert isinstance(lease, Lease)
        handlings = [
            Handling(
                *(store, TestClock()),
                partitions=one.partitions,
                release="x",
                decide=decide,
                stopwatch=iter(range(1000)).__next__,
            )
            for _ in range(2)
        ]

        async def handle(which: int, *orders):
            entries = [Entry("", {b"o": streams.encode(order)}) for order in orders]
            return await handlings[which].handle(lease, entries)

        (opened,) = await handle(0, opening(FRIDAY))
        assert (opened.decide_seconds, opened.commit_seconds, opened.conflicts) == (1, 1, 0)
        assert (opened.sender, opened.version) == ("ann", 0)
        await handle(1, bid(FRIDAY, "b1", 1))
        # The first does not know that the table has moved on.
        (again,) = await handle(0, bid(FRIDAY, "b2", 1))
        assert (again.outcome, again.version, again.conflicts) == (Recorded(3), 2, 1)
        (faulty,) = await handle(0, bid(FRIDAY, "b3", BREAKS))
        with capture_logs() as lines:
            engine.told(partition, [faulty])
        assert [line["event"] for line in lines] == ["command refused", "engine fault"]
        assert "the rules are broken" in lines[1]["trace"]
        figures = engine.Figures(one.client, [partition], Standing("engine"))
        await figures()
        assert figure("minutebook_commands_waiting") == 0
        assert figure("minutebook_commands_dead") == 1


# --- the clock -------------------------------------------------------------------------------


def test_a_timer_that_was_done_says_whose_it_was_and_how_late():
    before = figure("minutebook_timers_fired_total", kind="reminder")
    with capture_logs() as lines:
        clock.told([done("friday stock-1 7 remind-3600 ann of york", 1_000_000)], 3_500_000)
    assert lines == [
        {
            "event": "timer done",
            "log_level": "info",
            "table": "friday",
            "player": "ann of york",
            "timer": "remind-3600",
            "due": 1_000_000,
            "late_ms": 2500,
        }
    ]
    assert figure("minutebook_timers_fired_total", kind="reminder") == before + 1


# --- the notifier ----------------------------------------------------------------------------

SECRET = "discord://12345/a-secret-of-ann"
NOTICE = Notice(
    id="friday/7/ann/turn",
    table=FRIDAY,
    player=PlayerId(Party("ann")),
    kind="turn",
    version=7,
    title="",
    words="Ann has to bid.",
    made=0,
)
LETTER = Letter(
    id="friday/7/ann/turn/phone",
    notice=NOTICE,
    addressee="player:ann",
    channel="phone",
    state="sending",
    attempts=2,
    why="",
    at=0,
    due=0,
)


class Answering:
    """A service that answers what it is told to."""

    def __init__(self, reply) -> None:
        self.reply = reply

    async def send(self, target, message, now):
        return self.reply


@pytest.mark.parametrize(
    ("reply", "result", "pauses", "what", "why"),
    [
        (Delivered(), "sent", 0, "sent", ""),
        (Limited(2.0), "limited", 1, "held", "The service asked for a pause."),
        (Impossible("The service answered 404."), "impossible", 0, "given up", "404."),
    ],
)
async def test_a_letter_says_by_what_kind_of_channel_it_went_and_never_where(
    reply, result, pauses, what, why
):
    names = (
        ("minutebook_deliveries_total", {"channel": "discord", "result": result}),
        ("minutebook_service_pauses_total", {"channel": "discord"}),
        ("minutebook_letters_total", {"kind": "turn", "state": what}),
    )
    before = [figure(name, **labels) for name, labels in names]
    watch = notifier.Noting()
    sender = notifier.CountedSender(Answering(reply), watch)
    bound = []

    def look(_, __, line):
        bound.append(get_contextvars())
        return line

    with capture_logs(processors=[look]) as lines:
        target, message = Target(SECRET, "key"), Message(LETTER.id, "", "", NOTICE)
        assert await sender.send(target, message, 0) is reply
        watch.dealt_with(what, LETTER, why)
    (line,), (context,) = lines, bound
    assert context == {"channel_kind": "discord", "table": "friday", "notice_kind": "turn"}
    assert line["event"] == f"letter {what}"
    assert (line["addressee"], line["channel"], line["attempts"]) == ("player:ann", "phone", 2)
    assert "secret" not in str(lines) + str(bound)
    assert "12345" not in str(lines) + str(bound)
    after = [figure(name, **labels) for name, labels in names]
    assert [one - two for one, two in zip(after, before, strict=True)] == [1, pauses, 1]


def test_notices_that_are_made_corrected_and_withdrawn_are_told_and_counted():
    labels = [
        {"kind": "turn", "state": "made"},
        {"kind": "turn", "state": "corrected"},
        {"kind": "", "state": "withdrawn"},
    ]
    before = [figure("minutebook_notices_total", **one) for one in labels]
    with capture_logs() as lines:
        notifier.Noting().noticed([NOTICE], [Withdrawn("a", NOTICE), Withdrawn("b", None)])
    assert [line["event"] for line in lines] == ["notice made", "notice over", "notice over"]
    assert NOTICE.words not in str(lines)
    after = [figure("minutebook_notices_total", **one) for one in labels]
    assert [one - two for one, two in zip(after, before, strict=True)] == [1, 1, 1]

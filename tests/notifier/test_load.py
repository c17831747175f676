"""Ten thousand letters that wait keep one person's letter no moment longer."""

import asyncio

import pytest
from cryptography.fernet import Fernet

from contracts import notices as n
from contracts.ids import TableId
from contracts.notices import Addressee, Channel
from contracts.streams import partition_of
from services.notifier.accounts import account_of
from services.notifier.delivering import Delivering
from services.notifier.patience import SECOND, Delivered, Failed, Limited
from services.notifier.ports import Draft
from services.notifier.sealing import Seals, Target
from services.notifier.telling import Memory
from tests.notifier.ground import RedisGround
from tests.notifier.post import NOON
from tests.notifier.test_kills import Silent
from tests.notifier.test_ports import notice

pytestmark = pytest.mark.anyio
SEALS = Seals(Fernet.generate_key())
BOT = "tgram://bot:token"
HOOK = "https://ann.example/"
MANY = 10_000
A_FEW = 300
AT_ONCE = 500
CHATS = 100


@pytest.fixture
async def outbox(session_store):
    session_store.empty()
    ground = await RedisGround.on(session_store.url)
    yield ground.outbox
    await ground.close()


async def wait_for_people(outbox, table: str, count: int, url: str) -> None:
    """Letters of a table to many people, each with a chat of his own with the bot."""
    partition = partition_of(TableId(table), outbox.partitions)
    lane = account_of(url)
    for first in range(0, count, AT_ONCE):
        drafts = [
            Draft(notice(f"{table}/{number}", made=NOON), f"player:p{number % CHATS}", "main", lane)
            for number in range(first, min(first + AT_ONCE, count))
        ]
        before, _ = await outbox.memory(partition, TableId(table))
        memory = Memory(first + 1)
        assert await outbox.settled(
            *(partition, TableId(table), before, memory), now=NOON + first, again=0, drafts=drafts
        )


async def channel(outbox, name: str, url: str) -> None:
    one = Channel("main", url.partition("://")[0], SEALS.seal(Target(url)), account_of(url))
    await outbox.set_addressee(n.of_player(name), Addressee(channels=(one,)))


@pytest.fixture(params=[A_FEW])
async def crowded(outbox, request):
    """Many letters wait for a bot, and then comes one for Ann."""
    for number in range(CHATS):
        await channel(outbox, f"p{number}", f"{BOT}/{number}")
    await channel(outbox, "ann", HOOK)
    # The two tables lie in one partition, so that nothing but their lanes keeps them apart.
    tables = (f"t{number}" for number in range(1000))
    here = partition_of(TableId("crowd"), outbox.partitions)
    table = next(one for one in tables if partition_of(TableId(one), outbox.partitions) == here)
    await wait_for_people(outbox, "crowd", request.param, BOT)
    drafts = [Draft(notice("ann", made=NOON), n.of_player("ann"), "main", account_of(HOOK))]
    now = NOON + SECOND
    assert await outbox.settled(
        *(here, TableId(table), b"", Memory(1)), now=now, again=0, drafts=drafts
    )
    return outbox


class Sender:
    """The bot answers what it is told to, Ann's hook takes everything."""

    def __init__(self, reply, seconds: float = 0.0) -> None:
        self.reply = reply
        self.seconds = seconds
        self.sent: list[str] = []

    async def send(self, target, message, now):
        self.sent.append(target.url)
        if target.url == HOOK:
            return Delivered()
        await asyncio.sleep(self.seconds)
        return self.reply


def delivering(outbox, sender, at: int = NOON + 2 * SECOND, **more) -> Delivering:
    partitions = range(outbox.partitions)
    return Delivering(
        *(outbox, partitions, sender, SEALS, lambda: at, Silent()),
        mark="one",
        chance=lambda: 0.0,
        **more,
    )


@pytest.mark.parametrize("reply", [Limited(60), Failed("No answer."), Delivered()])
async def test_a_letter_is_in_the_first_handful_whatever_waits_for_another_service(crowded, reply):
    sender = Sender(reply)
    assert await delivering(crowded, sender).deliver() == 2
    assert sorted(sender.sent) == [HOOK, f"{BOT}/0"]


@pytest.mark.parametrize("crowded", [MANY], indirect=True)
async def test_a_service_that_pauses_is_asked_once_and_the_others_letters_stay_untouched(crowded):
    sender = Sender(Limited(60))
    one = delivering(crowded, sender)
    while await one.deliver():
        pass
    assert len(sender.sent) == 2
    later = delivering(crowded, sender, NOON + 61 * SECOND)
    while await later.deliver():
        pass
    assert len(sender.sent) == 2
    again = Sender(Delivered())
    last = delivering(crowded, again, NOON + 63 * SECOND)
    for _ in range(10):
        assert await last.deliver() == 1
    assert len(again.sent) == 10


async def test_a_service_that_takes_its_time_keeps_one_hand_busy_and_no_other_letter(crowded):
    sender = Sender(Delivered(), seconds=30)
    one = delivering(crowded, sender, letters_at_once=4)
    async with asyncio.timeout(10):
        assert await one.go_on(0.01) == 2
        for _ in range(3):
            assert await one.go_on(0.01) == 0
    assert sorted(sender.sent) == [HOOK, f"{BOT}/0"]
    letter = (await crowded.letters(n.of_player("ann")))[0]
    assert letter.state == "sent"
    await one.close()


async def test_what_goes_wrong_with_a_letter_ends_the_process_and_not_only_its_task(crowded):
    class Broken:
        async def send(self, target, message, now):
            raise asyncio.CancelledError

    one = delivering(crowded, Broken(), letters_at_once=4)
    await one.go_on(0.01)
    with pytest.raises(asyncio.CancelledError):
        await one.go_on(0.01)
    await one.close()

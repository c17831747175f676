"""The notifier as a process: killed between sending and marking, started again, stopped."""

import threading

import pytest

from services.bus.client import bus
from services.notifier.settings import KEY_SETTING
from tests.notifier.imitations import Answer, serving
from tests.notifier.post import KEY, Post
from tests.services.processes import running

pytestmark = pytest.mark.anyio
OPTIONS = ("--notices-quiet-seconds", "0", "--notices-allow", "127.0.0.1")
FRIDAY = "friday"


@pytest.fixture
def redis_url(session_store):
    session_store.empty()
    return session_store.url


@pytest.fixture
async def post(redis_url):
    async with bus(redis_url) as one:
        post = Post(one)
        await post.projector.begin()
        yield post


def notifier(url: str, *options: str):
    return running("services.notifier", url, *OPTIONS, *options, **{KEY_SETTING: KEY.decode()})


async def test_killed_between_sending_and_marking_it_sends_again_under_the_same_id(redis_url, post):
    arrived = threading.Event()
    with serving(Answer(200)) as receiver:
        receiver.answers(Answer(200, hold=arrived))
        await post.channel("ann", f"{receiver.url}/ann")
        with notifier(redis_url, "--notices-taken-seconds", "1") as process:
            process.wait_for("ready")
            await post.playing.open(FRIDAY)
            await post.shown()
            (first,) = receiver.wait_for(1)
            process.kill()
        arrived.set()
        with notifier(redis_url, "--notices-taken-seconds", "60") as process:
            second = receiver.wait_for(2)[1]
            assert second.headers["minutebook-id"] == first.headers["minutebook-id"]
            assert second.json["words"] == first.json["words"]
            process.wait_for("letter sent")
            # Nothing is told again to who has heard it; another turn is told once.
            while "ann" in await post.asked(FRIDAY):
                await post.playing.play(FRIDAY, 1)
            while "ann" not in await post.asked(FRIDAY):
                await post.playing.play(FRIDAY, 1)
            await post.shown()
            third = receiver.wait_for(3)[2]
            assert third.json["kind"] == "turn"
            process.wait_for("letter sent", times=2)
            assert process.stop() == 0
        assert len(receiver.received) == 3
    assert await post.states("ann") == ["sent", "sent"]
    assert "hook" not in process.log
    assert receiver.url not in process.log


async def test_without_a_key_it_says_so(redis_url, monkeypatch):
    monkeypatch.delenv(KEY_SETTING, raising=False)
    with running("services.notifier", redis_url) as process:
        assert process.exit_code() == 1
        assert "MINUTEBOOK_NOTICES_KEY" in process.log
        assert "Traceback" not in process.log

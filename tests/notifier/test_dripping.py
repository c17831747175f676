"""A server that sends a byte now and then keeps nobody for longer than its time."""

import contextlib
import socket
import threading
import time
from collections.abc import Iterator

import pytest

from services.notifier.channels import deadline
from services.notifier.channels.addresses import Allowed
from services.notifier.channels.sender import Channels
from services.notifier.patience import Failed
from services.notifier.sealing import Target
from tests.notifier.test_channels import MESSAGE

pytestmark = pytest.mark.anyio


@contextlib.contextmanager
def dripping() -> Iterator[int]:
    """A server on a port that answers every connection with a byte of nothing every 50 ms."""
    over = threading.Event()
    listener = socket.create_server(("127.0.0.1", 0))
    listener.settimeout(0.05)

    def drip(connection: socket.socket) -> None:
        with connection, contextlib.suppress(OSError):
            while not over.wait(0.05):
                connection.sendall(b"2")

    def accept() -> None:
        while not over.is_set():
            with contextlib.suppress(TimeoutError):
                connection, _ = listener.accept()
                threading.Thread(target=drip, args=(connection,), daemon=True).start()

    thread = threading.Thread(target=accept, daemon=True)
    thread.start()
    try:
        yield listener.getsockname()[1]
    finally:
        over.set()
        thread.join()
        listener.close()


@pytest.mark.parametrize(
    "url",
    [
        "http://drip.lan:{}/hook",
        "https://drip.lan:{}/hook",
        "mailto://drip.lan:{}/?to=ann@league.example&from=games@league.example",
        "mailtos://drip.lan:{}/?mode=ssl&to=ann@league.example&from=games@league.example",
        "matrix://minutes:secret@drip.lan:{}/#room",
    ],
)
async def test_who_drips_is_left_when_his_time_is_up(url, monkeypatch):
    monkeypatch.setattr(deadline, "SECONDS", 0.3)
    channels = Channels(Allowed.of("drip.lan"), resolve=lambda *_: ["127.0.0.1"])
    with dripping() as port:
        begin = time.monotonic()
        reply = await channels.send(Target(url.format(port), "key"), MESSAGE, 0)
        assert isinstance(reply, Failed), reply
        assert time.monotonic() - begin < 4

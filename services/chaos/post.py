"""Where the people of chaos are told: a receiver of signed webhooks that has its moods.

It says well, asks for a pause, fails, or takes the message and never answers. Whatever it gets is
kept, with what it answered.
"""

import contextlib
import hmac
import threading
import time
from collections.abc import Iterator, Mapping
from hashlib import blake2b
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from random import Random
from typing import Final

import msgspec
from msgspec import Struct

from services.notifier.channels.webhook import signature

WELL, GONE, LIMITED, BROKEN, NEVER = 204, 404, 429, 500, 0
MOODS: Final[Mapping[int, int]] = {WELL: 84, LIMITED: 6, BROKEN: 7, NEVER: 3}
"""How often in a hundred it answers what; `NEVER` hangs up without a word."""
GONE_PATH: Final = "gone"
"""Where nobody lives: whatever is sent there is given up."""
HANGS_SECONDS: Final = 1.0


class Delivery(Struct, frozen=True):
    """A message that came: when, to whom, which, and what was answered (0 for nothing)."""

    at: float
    to: str
    id: str
    notice: str
    kind: str
    table: str
    answer: int
    is_signed: bool


class Post:
    """The receiver; `received` is all that came, `is_well` ends its moods."""

    def __init__(self, seed: int) -> None:
        self.received: list[Delivery] = []
        self.is_well = False
        self.url = ""
        self._lock = threading.Lock()
        self._lots = Random(f"{seed} post")  # noqa: S311 - no secret

    def answer(self, to: str, headers: Mapping[str, str], body: bytes) -> tuple[int, float]:
        """Keep a message; what to answer, and the pause that is asked for in seconds."""
        with self._lock:
            (mood,) = self._lots.choices(tuple(MOODS), tuple(MOODS.values()))
            pause = self._lots.choice((1.0, 2.0))
            answer = GONE if to == GONE_PATH else WELL if self.is_well else mood
            self.received.append(delivery(to, headers, body, answer))
        return answer, pause


def key_of(to: str) -> str:
    """The key that signs what is sent to somebody."""
    return blake2b(to.encode(), digest_size=16).hexdigest()


def delivery(to: str, headers: Mapping[str, str], body: bytes, answer: int) -> Delivery:
    """A message as it came; one that cannot be read counts as not signed."""
    id = headers.get("minutebook-id", "")
    timestamp = headers.get("minutebook-timestamp", "")
    wanted = ""
    if timestamp.isdigit():
        wanted = signature(key_of(to), int(timestamp), id, body)
    is_signed = hmac.compare_digest(wanted, headers.get("minutebook-signature", "?"))
    try:
        told = msgspec.json.decode(body, type=dict[str, object])
    except msgspec.DecodeError:
        told, is_signed = {}, False
    is_same = headers.get("idempotency-key") == f'"{id}"' and told.get("id") == id
    return Delivery(
        time.time(),
        to,
        id,
        str(told.get("notice", "")),
        str(told.get("kind", "")),
        str(told.get("table", "")),
        answer,
        is_signed and is_same,
    )


class _Handler(BaseHTTPRequestHandler):
    post: Post

    def do_POST(self) -> None:
        """Take a message."""
        body = self.rfile.read(int(self.headers.get("Content-Length", "0")))
        headers = {name.lower(): value for name, value in self.headers.items()}
        answer, pause = self.post.answer(self.path.strip("/"), headers, body)
        if answer == NEVER:
            time.sleep(HANGS_SECONDS)
            self.close_connection = True
            return
        with contextlib.suppress(OSError):
            self.send_response(answer)
            if answer == LIMITED:
                self.send_header("Retry-After", f"{pause:g}")
            self.send_header("Content-Length", "0")
            self.end_headers()

    def log_message(self, format: str, *arguments: object) -> None:
        """Say nothing: all that comes is kept."""


@contextlib.contextmanager
def receiving(seed: int) -> Iterator[Post]:
    """A receiver on this machine while inside."""
    post = Post(seed)
    handler = type("Handler", (_Handler,), {"post": post})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    post.url = f"http://127.0.0.1:{server.server_address[1]}"
    try:
        yield post
    finally:
        server.shutdown()
        server.server_close()
        thread.join()

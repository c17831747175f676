"""Servers on loopback that answer as Discord, Slack, Telegram and a webhook's receiver do.

Each keeps what it was sent, and answers from a script: one entry a request, and well when it is
used up. A service that takes only so many messages at a time says so as the real one does.
"""

import contextlib
import json
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass
class Received:
    """A request."""

    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


@dataclass
class Answer:
    """What is answered; `hold` is waited for first."""

    status: int
    body: bytes = b""
    headers: dict[str, str] = field(default_factory=dict)
    hold: threading.Event | None = None


class Imitation:
    """A service: how it answers when all is well, and what else it was told to answer."""

    def __init__(self, well: Answer) -> None:
        self.well = well
        self.script: list[Answer] = []
        self.received: list[Received] = []
        self.news = threading.Condition()
        self.url = ""

    def answers(self, *answers: Answer) -> None:
        self.script += answers

    def wait_for(self, count: int, seconds: float = 20.0) -> list[Received]:
        with self.news:
            assert self.news.wait_for(lambda: len(self.received) >= count, seconds), self.received
            return list(self.received)


class _Handler(BaseHTTPRequestHandler):
    imitation: Imitation

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length", "0")))
        headers = {name.lower(): value for name, value in self.headers.items()}
        with self.imitation.news:
            self.imitation.received.append(Received(self.path, headers, body))
            script = self.imitation.script
            answer = script.pop(0) if script else self.imitation.well
            self.imitation.news.notify_all()
        if answer.hold is not None:
            answer.hold.wait(20)
        with contextlib.suppress(OSError):
            self.send_response(answer.status)
            for name, value in answer.headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(answer.body)))
            self.end_headers()
            self.wfile.write(answer.body)

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


@contextlib.contextmanager
def serving(well: Answer) -> Iterator[Imitation]:
    imitation = Imitation(well)
    handler = type("Handler", (_Handler,), {"imitation": imitation})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    imitation.url = f"http://127.0.0.1:{server.server_address[1]}"
    try:
        yield imitation
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


# --- as they answer --------------------------------------------------------------------------


def _json(status: int, body: object, **headers: str) -> Answer:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Answer(status, json.dumps(body).encode(), {"Content-Type": "application/json", **named})


DISCORD_WELL = Answer(204, b"", {"X-RateLimit-Limit": "5", "X-RateLimit-Remaining": "4"})
DISCORD_LAST = Answer(204, b"", {"X-RateLimit-Remaining": "0", "X-RateLimit-Reset-After": "2.5"})
DISCORD_LIMITED = _json(
    429,
    {"message": "You are being rate limited.", "retry_after": 7.25, "global": False},
    Retry_After="7",
    X_RateLimit_Remaining="0",
)
DISCORD_GONE = _json(404, {"message": "Unknown Webhook", "code": 10015})
SLACK_WELL = Answer(200, b"ok")
SLACK_LIMITED = Answer(429, b"rate_limited", {"Retry-After": "30"})
SLACK_GONE = Answer(404, b"no_service")
TELEGRAM_WELL = _json(200, {"ok": True, "result": {"message_id": 7, "chat": {"id": 1}}})
TELEGRAM_LIMITED = _json(
    429,
    {
        "ok": False,
        "error_code": 429,
        "description": "Too Many Requests: retry after 5",
        "parameters": {"retry_after": 5},
    },
)
TELEGRAM_BLOCKED = _json(
    403,
    {"ok": False, "error_code": 403, "description": "Forbidden: bot was blocked by the user"},
)
BROKEN = Answer(502, b"Bad Gateway")

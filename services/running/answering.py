"""Answer over HTTP what a process is doing: `/metrics`, `/health` and `/ready`.

A thread of its own answers, with a thread for each request, so the answer comes while the event
loop is busy: the interpreter lets another thread in every few milliseconds. It is off unless an
address is given. Nothing that it says is secret, but it is meant for the operator alone.
"""

import contextlib
import json
import socket
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from socketserver import ThreadingMixIn
from typing import Any, Final
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer

from prometheus_client import make_wsgi_app

from services.running.metrics import REGISTRY
from services.running.settings import SettingsError, address
from services.running.standing import Standing

SECONDS_FOR_A_REQUEST: Final = 10
Environ = dict[str, Any]
Start = Callable[[str, list[tuple[str, str]]], object]


def answers(standing: Standing) -> Callable[[Environ, Start], Iterable[bytes]]:
    """The answers of a process, as a WSGI application."""
    metrics = make_wsgi_app(REGISTRY)

    def application(environ: Environ, start: Start) -> Iterable[bytes]:
        path = environ.get("PATH_INFO", "")
        if environ.get("REQUEST_METHOD") not in {"GET", "HEAD"}:
            return _said(start, "405 Method Not Allowed", {"problems": ["Only GET is answered."]})
        if path == "/metrics":
            answer: Iterable[bytes] = metrics(environ, start)
            return answer
        if path not in {"/health", "/ready"}:
            there = ["There are /metrics, /health and /ready."]
            return _said(start, "404 Not Found", {"problems": there})
        problems = standing.why_not_alive() if path == "/health" else standing.why_not_ready()
        status = "503 Service Unavailable" if problems else "200 OK"
        said = {"service": standing.service, "release": standing.release, "problems": problems}
        return _said(start, status, said)

    return application


def _said(start: Start, status: str, what: Mapping[str, object]) -> list[bytes]:
    body = json.dumps(what).encode() + b"\n"
    headers = [("Content-Type", "application/json"), ("Content-Length", str(len(body)))]
    start(status, [*headers, ("Cache-Control", "no-store")])
    return [body]


class _Handler(WSGIRequestHandler):
    """Answers one request, and leaves nothing in the log."""

    timeout = SECONDS_FOR_A_REQUEST

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing: who asks every few seconds would fill the log."""


class _Server(ThreadingMixIn, WSGIServer):
    """A server with a thread for each request."""

    daemon_threads = True

    def handle_error(self, request: object, client_address: object) -> None:
        """Say nothing: whoever asked has hung up."""


class _Server6(_Server):
    """The same at an address of IPv6."""

    address_family = socket.AF_INET6


@contextlib.contextmanager
def answering(http: str, standing: Standing) -> Iterator[tuple[str, int] | None]:
    """Answer at an address for as long as this lasts, at none if it is empty; where that is."""
    if not http:
        yield None
        return
    server = _bound(http)
    server.set_app(answers(standing))
    thread = threading.Thread(target=server.serve_forever, name="http", daemon=True)
    thread.start()
    try:
        host, port = server.server_address[:2]
        yield str(host), int(port)
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def _bound(http: str) -> WSGIServer:
    host, port = address(http)
    kind = _Server6 if ":" in host else _Server
    try:
        return kind((host, port), _Handler)
    except OSError as error:
        raise SettingsError(
            f"--http: the address {http} cannot be answered at ({error.strerror or error}). "
            "Name another host and port, or leave it away."
        ) from None

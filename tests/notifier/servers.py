"""A Matrix server and mail servers on loopback: small, but answering as the real ones do."""

import contextlib
import datetime as dt
import json
import re
import ssl
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from email import message_from_bytes
from email.message import Message as Email
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import AuthResult, Envelope, LoginPassword, Session
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

# --- Matrix ----------------------------------------------------------------------------------


@dataclass
class Matrix:
    """A Matrix server: one user, its devices and tokens, and rooms with what was said."""

    password: str = "secret"
    rooms: dict[str, str] = field(default_factory=lambda: {"#games:matrix.lan": "!abc:matrix.lan"})
    tokens: dict[str, str] = field(default_factory=dict)
    said: list[dict[str, Any]] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)
    script: list[tuple[int, dict[str, Any]]] = field(default_factory=list)
    known: set[tuple[str, str, str]] = field(default_factory=set)
    url: str = ""

    def answer(self, method: str, path: str, token: str, body: Any) -> tuple[int, dict[str, Any]]:
        self.requests.append(f"{method} {path}")
        if path == "/.well-known/matrix/client":
            return 404, {}
        path = path.removeprefix("/_matrix/client/v3")
        if path == "/login":
            return self._login(body)
        if token not in self.tokens:
            return 401, {"errcode": "M_UNKNOWN_TOKEN", "error": "Unknown access token"}
        if path == "/account/whoami":
            return 200, {"user_id": "@minutes:matrix.lan", "device_id": self.tokens[token]}
        if found := re.fullmatch(r"/join/(.+)", path):
            room = self.rooms.get(found[1], found[1])
            if room not in self.rooms.values():
                return 404, {"errcode": "M_NOT_FOUND", "error": "Room alias not found"}
            return 200, {"room_id": room}
        if found := re.fullmatch(r"/rooms/(.+)/send/m\.room\.message/(.+)", path):
            return self._said(found[1], found[2], token, body)
        return 404, {"errcode": "M_UNRECOGNIZED", "error": path}

    def _login(self, body: Any) -> tuple[int, dict[str, Any]]:
        if body["password"] != self.password:
            return 403, {"errcode": "M_FORBIDDEN", "error": "Invalid username or password"}
        device = body["device_id"]
        # As Synapse does: a new login of a device ends its former session.
        self.tokens = {token: of for token, of in self.tokens.items() if of != device}
        token = f"token{len(self.requests)}"
        self.tokens[token] = device
        return 200, {"user_id": "@minutes:matrix.lan", "access_token": token, "device_id": device}

    def _said(self, room: str, number: str, token: str, body: Any) -> tuple[int, dict[str, Any]]:
        if self.script:
            return self.script.pop(0)
        key = (self.tokens[token], room, number)
        if key not in self.known:
            self.known.add(key)
            self.said.append(body)
        return 200, {"event_id": f"${len(self.said)}"}


@contextlib.contextmanager
def matrix_server() -> Iterator[Matrix]:
    matrix = Matrix()

    class Handler(BaseHTTPRequestHandler):
        def do(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", "0")))
            token = self.headers.get("Authorization", "").removeprefix("Bearer ")
            path = unquote(urlsplit(self.path).path)
            said = json.loads(body) if body else None
            status, answer = matrix.answer(self.command, path, token, said)
            text = json.dumps(answer).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(text)))
            self.end_headers()
            self.wfile.write(text)

        do_GET = do_POST = do_PUT = do  # noqa: N815 (the names of the library)

        def log_message(self, format: str, *arguments: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    matrix.url = f"matrix.lan:{server.server_address[1]}"
    try:
        yield matrix
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


# --- mail ------------------------------------------------------------------------------------


class Mail:
    """A mail server's post box, with what it answers instead of taking an e-mail."""

    def __init__(self) -> None:
        self.received: list[Email] = []
        self.recipients: list[list[str]] = []
        self.script: list[str] = []
        self.at_recipient: list[str] = []
        self.was_secure: list[bool] = []
        self.port = 0

    async def handle_RCPT(  # noqa: N802 (the name of the library)
        self, server: object, session: Session, envelope: Envelope, address: str, options: object
    ) -> str:
        if self.at_recipient:
            return self.at_recipient.pop(0)
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(  # noqa: N802 (as above)
        self, server: object, session: Session, envelope: Envelope
    ) -> str:
        if self.script:
            return self.script.pop(0)
        assert isinstance(envelope.content, bytes)
        self.received.append(message_from_bytes(envelope.content))
        self.recipients.append(envelope.rcpt_tos)
        self.was_secure.append(session.ssl is not None)
        return "250 OK"


class AnyPort(Controller):
    """A mail server on a port that is free."""

    def _trigger_server(self) -> None:
        # It finds out that it has begun by speaking to its port.
        server: Any = self.server
        self.port = server.sockets[0].getsockname()[1]
        super()._trigger_server()


@contextlib.contextmanager
def mail_server(certificate: tuple[Path, Path] | None = None) -> Iterator[Mail]:
    """A mail server; with a certificate it wants STARTTLS and the login `games`, `secret`."""
    mail = Mail()
    context = None
    if certificate is not None:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(*certificate)

    def login(
        server: object, session: object, envelope: object, kind: str, data: Any
    ) -> AuthResult:
        assert isinstance(data, LoginPassword)
        is_known = (data.login, data.password) == (b"games", b"secret")
        return AuthResult(success=is_known, handled=is_known)

    controller = AnyPort(
        mail,
        hostname="127.0.0.1",
        port=0,
        tls_context=context,
        require_starttls=context is not None,
        authenticator=login if context is not None else None,
        auth_required=context is not None,
    )
    controller.start()
    mail.port = controller.port
    try:
        yield mail
    finally:
        controller.stop()


def certificate_of(name: str, folder: Path) -> tuple[Path, Path]:
    """A certificate that signs itself, and its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    who = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    now = dt.datetime.now(dt.UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(who)
        .issuer_name(who)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - dt.timedelta(days=1))
        .not_valid_after(now + dt.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    file, secret = folder / f"{name}.pem", folder / f"{name}.key"
    file.write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    secret.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
    )
    return file, secret

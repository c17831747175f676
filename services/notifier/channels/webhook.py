"""Our own webhook: a JSON body, signed, sent to one address that has been looked at.

`Minutebook-Signature` is `v1=` and the HMAC-SHA256, in hexadecimal, of the timestamp, a dot, the
id, a dot and the body. The receiver checks it, refuses old timestamps, and takes an id that it has
had for what it is: the same message sent again because it was not known whether it had arrived.
"""

import hashlib
import hmac
import http.client
import ipaddress
import socket
import ssl
import time
from typing import Final
from urllib.parse import urlsplit

import msgspec

from contracts.notices import Notice
from services.notifier.channels.addresses import (
    Allowed,
    RefusedAddressError,
    Resolve,
    UnknownHostError,
    is_public,
    reachable,
    resolved,
)
from services.notifier.channels.answers import understood
from services.notifier.channels.deadline import Deadline
from services.notifier.patience import Failed, Impossible, Reply
from services.notifier.sealing import Target
from services.notifier.wording import Message

SCHEMES: Final = ("https", "http")
SECONDS: Final = 10.0
_BYTES_READ: Final = 65_536


def complaint(url: str) -> str:
    """What is wrong with a webhook's address, in words; empty if nothing is.

    >>> complaint("https://hooks.example/x"), complaint("https://ann:secret@hooks.example/x")
    ('', "A webhook's address is https://host/path, without a user's name.")
    """
    try:
        parts = urlsplit(url)
        is_whole = bool(parts.hostname) and (parts.port or 1) > 0 and parts.username is None
    except ValueError:
        is_whole = False
    return "" if is_whole else "A webhook's address is https://host/path, without a user's name."


def doubt(url: str, allowed: Allowed) -> str:
    """Why a webhook will be refused unless the notifier allows more than is allowed here.

    Names are not looked up: what they stand for counts when a message is sent.

    >>> doubt("https://10.0.0.7/x", Allowed()), doubt("https://10.0.0.7/x", Allowed.of("10.0.0.7"))
    ('10.0.0.7 is no public address.', '')
    >>> doubt("http://hooks.example/x", Allowed()), doubt("https://hooks.example/x", Allowed())
    ('The address does not begin with https://.', '')
    """
    parts = urlsplit(url)
    host = (parts.hostname or "").lower()
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        is_named, is_private = host in allowed.hosts, host == "localhost"
    else:
        is_named, is_private = allowed.names(host, host), not is_public(address)
    if is_named:
        return ""
    if is_private:
        return f"{host} is no public address."
    return "" if parts.scheme == "https" else "The address does not begin with https://."


def body_of(message: Message) -> bytes:
    """A notice as JSON."""
    notice: Notice = message.notice
    return msgspec.json.encode(
        {
            "id": message.id,
            "notice": notice.id,
            "kind": notice.kind,
            "table": notice.table,
            "version": notice.version,
            "title": notice.title,
            "player": notice.player,
            "subject": message.subject,
            "text": message.text,
            "words": notice.words,
            "since": notice.since or None,
            "until": notice.until or None,
            "happened": notice.happened,
            "mentions": notice.mentions,
            "corrects": notice.corrects or None,
            "unread": notice.unread,
        }
    )


def signature(key: str, timestamp: int, id: str, body: bytes) -> str:
    """How a body is signed.

    >>> signature("key", 1, "a", b"{}")[:11]
    'v1=2feff09a'
    """
    signed = f"{timestamp}.{id}.".encode() + body
    return f"v1={hmac.new(key.encode(), signed, hashlib.sha256).hexdigest()}"


def sent(
    target: Target, message: Message, now: int, allowed: Allowed, resolve: Resolve = resolved
) -> Reply:
    """Send a message and give what came of it; `now` in microseconds. Blocks for some seconds."""
    try:
        parts = urlsplit(target.url)
        host, port = parts.hostname or "", parts.port or (443 if parts.scheme == "https" else 80)
    except ValueError:
        return Impossible("The webhook's address cannot be read.")
    if parts.scheme not in SCHEMES or not host or parts.username is not None:
        return Impossible("A webhook's address is https://host/path, without a user's name.")
    try:
        address = reachable(host, port, allowed, resolve)
    except RefusedAddressError as error:
        return Impossible(str(error))
    except UnknownHostError as error:
        return Failed(str(error))
    if parts.scheme == "http" and not allowed.names(host, address):
        return Impossible("A webhook's address begins with https://, so that nobody reads along.")
    body = body_of(message)
    timestamp = now // 1_000_000
    headers = {
        "Host": parts.netloc,
        "Content-Type": "application/json",
        "User-Agent": "Minutebook",
        "Minutebook-Id": message.id,
        "Idempotency-Key": f'"{message.id}"',
        "Minutebook-Timestamp": str(timestamp),
        "Minutebook-Signature": signature(target.key, timestamp, message.id, body),
    }
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    with Deadline() as deadline:
        connection = _Pinned(host, port, address, deadline, is_secure=parts.scheme == "https")
        try:
            connection.request("POST", path, body, headers)
            answer = connection.getresponse()
            told = {name.lower(): value for name, value in answer.getheaders()}
            return understood(answer.status, told, answer.read(_BYTES_READ), time.time())
        except (OSError, http.client.HTTPException, ValueError) as error:
            # Only the kind of error: its words may hold the path, and the path is a secret.
            return Failed(f"No answer ({type(error).__name__}).")
        finally:
            connection.close()


class _Pinned(http.client.HTTPConnection):
    """A connection to the address that was looked at, whatever the name stands for by now."""

    def __init__(
        self, host: str, port: int, address: str, deadline: Deadline, *, is_secure: bool
    ) -> None:
        super().__init__(host, port, timeout=SECONDS)
        self._address = address
        self._deadline = deadline
        self._is_secure = is_secure

    def connect(self) -> None:
        """Connect to the address; the certificate has to be the name's."""
        plain = socket.create_connection((self._address, self.port), self.timeout)
        self.sock = self._deadline.ends(plain)
        if self._is_secure:
            context = ssl.create_default_context()
            self.sock = context.wrap_socket(self.sock, server_hostname=self.host)

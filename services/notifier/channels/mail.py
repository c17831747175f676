"""E-mail, sent by ourselves: to an address that was looked at, and with the server's own codes.

Apprise reads the address of a channel (and knows the servers of many providers), but tells neither
a mailbox that is full from one that does not exist, nor does it name a message twice alike.
"""

import smtplib
import socket
import ssl
from datetime import UTC, datetime
from email.message import EmailMessage
from email.utils import format_datetime, formataddr
from hashlib import blake2b
from typing import Any, Final

from services.notifier.channels.addresses import (
    Allowed,
    RefusedAddressError,
    Resolve,
    UnknownHostError,
    reachable,
)
from services.notifier.channels.deadline import Deadline
from services.notifier.patience import Delivered, Failed, Impossible, Reply
from services.notifier.wording import Message

SCHEMES: Final = ("mailto", "mailtos")
SECONDS: Final = 10.0
_PORTS: Final = {"insecure": 25, "starttls": 587, "ssl": 465}
_NO_NAMES: Final = (None, False, "", "Apprise")
"""What stands for a sender's name if the address gives none."""
_CLEAR: Final = "A mail server that is told a password is spoken to by mailtos://."


class Session(smtplib.SMTP):
    """A session with a mail server at one address; certificates have to be the name's.

    With a `context` it is secure from its first byte on.
    """

    def __init__(
        self, address: str, deadline: Deadline, context: ssl.SSLContext | None = None
    ) -> None:
        self._address = address
        self._deadline = deadline
        self._context = context
        super().__init__(timeout=SECONDS)

    def open(self, host: str, port: int) -> None:
        """Connect; raises what smtplib raises."""
        # What the certificate has to name, also after STARTTLS.
        self._host = host
        code, said = self.connect(host, port)
        if code != 220:
            raise smtplib.SMTPConnectError(code, said)

    def _get_socket(self, host: str, port: int, timeout: float) -> socket.socket:
        plain = self._deadline.ends(socket.create_connection((self._address, port), timeout))
        if self._context is None:
            return plain
        return self._context.wrap_socket(plain, server_hostname=host)


def written(plugin: Any, message: Message, now: int) -> EmailMessage:  # noqa: ANN401 (Apprise's)
    """A message as an e-mail; `now` in microseconds. Its Message-ID is the same if sent again."""
    email = EmailMessage()
    name, sender = plugin.from_addr
    email["Subject"] = " ".join(message.subject.split())
    email["From"] = formataddr((name if name not in _NO_NAMES else "Minutebook", sender))
    email["To"] = ", ".join(address for _, address in plugin.targets)
    email["Date"] = format_datetime(datetime.fromtimestamp(now // 1_000_000, UTC))
    email["Message-ID"] = message_id(message.id, sender)
    # No answering machine is to answer it.
    email["Auto-Submitted"] = "auto-generated"
    email.set_content(message.text)
    return email


def message_id(id: str, sender: str) -> str:
    """The Message-ID of a message: mail programs show a message that comes twice once.

    >>> message_id("friday/7/ann/turn/0/main", "games@league.example")
    '<3e6bb7e7ee5c8f96d8ea4c5fc4fb4d03@league.example>'
    """
    digest = blake2b(id.encode(), digest_size=16).hexdigest()
    return f"<{digest}@{sender.rpartition('@')[2]}>"


def sent(
    plugin: Any,  # noqa: ANN401 (Apprise's)
    message: Message,
    now: int,
    allowed: Allowed,
    resolve: Resolve,
) -> Reply:
    """Send an e-mail and give what came of it. Blocks for some seconds."""
    host, mode = plugin.smtp_host, str(plugin.secure_mode)
    try:
        address = reachable(host, _port(plugin), allowed, resolve)
    except RefusedAddressError as error:
        return Impossible(str(error))
    except UnknownHostError as error:
        return Failed(str(error))
    is_secret = bool(plugin.user and plugin.password)
    if mode == "insecure" and is_secret and not allowed.names(host, address):
        return Impossible(_CLEAR)
    with Deadline() as deadline:
        return _told(plugin, message, now, address, deadline)


def _told(
    plugin: Any,  # noqa: ANN401 (Apprise's)
    message: Message,
    now: int,
    address: str,
    deadline: Deadline,
) -> Reply:
    """Send an e-mail by the server at an address."""
    host, mode = plugin.smtp_host, str(plugin.secure_mode)
    context = ssl.create_default_context()
    session = Session(address, deadline, context if mode == "ssl" else None)
    try:
        session.open(host, _port(plugin))
        if mode == "starttls":
            session.starttls(context=context)
        if plugin.user and plugin.password:
            session.login(plugin.user, plugin.password)
        recipients = [one for _, one in plugin.targets] + [*plugin.cc, *plugin.bcc]
        session.send_message(written(plugin, message, now), plugin.from_addr[1], recipients)
    except (OSError, ValueError, smtplib.SMTPException) as error:
        return understood(error)
    finally:
        session.close()
    return Delivered()


def _port(plugin: Any) -> int:  # noqa: ANN401 (Apprise's)
    return int(plugin.port or _PORTS.get(str(plugin.secure_mode), 25))


def understood(error: Exception) -> Reply:
    """What an error means: a code of the 400s may go well another time, one of the 500s never.

    >>> understood(smtplib.SMTPDataError(451, b"greylisted")).why
    'The mail server answered 451.'
    >>> understood(smtplib.SMTPAuthenticationError(535, b"no"))
    Impossible(why='The mail server refused the login (535).')
    >>> understood(ConnectionRefusedError())
    Failed(why='The mail server gave no answer (ConnectionRefusedError).')
    """
    if isinstance(error, smtplib.SMTPRecipientsRefused):
        codes = [code for code, _ in error.recipients.values()]
        return _by_code(min(codes, default=500), "The mail server refused the recipient ({}).")
    if isinstance(error, smtplib.SMTPAuthenticationError):
        return _by_code(error.smtp_code, "The mail server refused the login ({}).")
    if isinstance(error, smtplib.SMTPResponseException):
        return _by_code(error.smtp_code, "The mail server answered {}.")
    if isinstance(error, smtplib.SMTPNotSupportedError):
        return Impossible("The mail server knows no STARTTLS, or no login that we know.")
    if isinstance(error, ssl.SSLCertVerificationError):
        return Impossible("The mail server's certificate is not that of its name.")
    return Failed(f"The mail server gave no answer ({type(error).__name__}).")


def _by_code(code: int, said: str) -> Reply:
    # Its words are not told: they may hold the address.
    why = said.format(code)
    return Impossible(why) if 500 <= code < 600 else Failed(why)

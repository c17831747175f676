"""Discord, Slack, Telegram and Matrix through Apprise; e-mail with what it reads of an address.

Apprise knows how each service wants to be spoken to, and says only whether that went well. What
decides about the next attempt is in the answer itself (429, Retry-After, 404), so the HTTP library
below it is watched while a message is sent: each request goes to an address that was looked at and
holds our own text (`shapes`), answers are noted, no redirect is followed, and a service that asks
for a pause is not asked again behind our back. Apprise's own waiting is off.
"""

import importlib
import logging
import threading
import time
import warnings
from collections.abc import Mapping
from contextvars import ContextVar
from hashlib import blake2b
from typing import Any, Final
from urllib.parse import urlsplit

from msgspec import Struct

from services.notifier.accounts import account_of
from services.notifier.channels import mail, shapes
from services.notifier.channels.addresses import (
    Allowed,
    RefusedAddressError,
    Resolve,
    UnknownHostError,
    reachable,
    resolved,
)
from services.notifier.channels.answers import understood
from services.notifier.channels.deadline import Deadline
from services.notifier.patience import Delivered, Failed, Impossible, Reply
from services.notifier.sealing import Target
from services.notifier.wording import Message

MATRIX: Final = ("matrix", "matrixs")
_WELL_KNOWN: Final = "/.well-known/"
"""Where a Matrix server may say that it is elsewhere, and need not."""
SCHEMES: Final = ("discord", "slack", "tgram", "matrix", "matrixs", "mailto", "mailtos")
"""What a channel may be; Apprise knows many more, some of which run programs or open files."""
_SETTINGS_REFUSED: Final = (
    *("verify=", "template=", "attach=", "redirect=", "retry=", "wait=", "mode=matrix"),
    *("mode=slack", "mode=t2bot", "mode=hookshot", "pgp", "wkd=", "e2ee=", "autoverify="),
)


class Answer(Struct, frozen=True):
    """An answer that came while a message was sent."""

    path: str
    status: int
    headers: dict[str, str]
    body: bytes


class _Watch:
    """What is noted of the requests of one message, and where they may go."""

    def __init__(
        self,
        target: Target,
        message: Message,
        routes: Mapping[str, str],
        allowed: Allowed,
        resolve: Resolve,
    ) -> None:
        self.target = target
        self.message = message
        self.routes = routes
        self.answers: list[Answer] = []
        self.limited = False
        self.refusal: Reply | None = None
        self.deadline = Deadline()
        self._allowed = allowed
        self._resolve = resolve

    def address(self, url: str) -> str:
        """The address that a request is sent to; raises if it may not be."""
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port or (443 if parts.scheme == "https" else 80)
        try:
            address = reachable(host, port, self._allowed, self._resolve)
        except RefusedAddressError as error:
            self.refusal = Impossible(str(error))
            raise
        except UnknownHostError as error:
            self.refusal = Failed(str(error))
            raise
        if parts.scheme == "http" and not self._allowed.names(host, address):
            self.refusal = Impossible("A server that is told a password is spoken to by https.")
            raise RefusedAddressError(host)
        return address


_watch: ContextVar[_Watch | None] = ContextVar("watch", default=None)
_installing = threading.Lock()
_library: list[Any] = []


def _apprise() -> Any:  # noqa: ANN401 (it is imported when it is first needed)
    """Apprise, with the HTTP library below it under watch."""
    with _installing:
        if not _library:
            with warnings.catch_warnings():
                # Some of its plugins import what Python is about to give up; none is one of ours.
                warnings.simplefilter("ignore", DeprecationWarning)
                apprise = importlib.import_module("apprise")
                apprise.Apprise.instantiate("discord://first/use", suppress_exceptions=True)
            requests = importlib.import_module("requests")
            _library.append(apprise)
            _under_watch(requests)
            # Its log names addresses, and an address is a secret.
            logging.getLogger("apprise").disabled = True
        return _library[0]


def _under_watch(requests: Any) -> None:  # noqa: ANN401 (as above)
    plain = requests.Session.send
    pinned = importlib.import_module("services.notifier.channels.pinned")

    def send(session: Any, request: Any, **options: Any) -> Any:  # noqa: ANN401 (the library's own)
        watch = _watch.get()
        if watch is None:
            return plain(session, request, **options)
        if watch.limited:
            raise requests.RequestException("The service asked for a pause.")
        _prepare(request, watch)
        if watch.target.scheme in MATRIX:
            try:
                address = watch.address(request.url)
            except (RefusedAddressError, UnknownHostError) as error:
                raise requests.RequestException("It may not be reached.") from error
            adapter = requests.adapters.HTTPAdapter()
            adapter.poolmanager.pool_classes_by_scheme = pinned.pools(address, watch.deadline)
            session.mount(request.url, adapter)
            # Through a proxy it would be the proxy that looks the name up.
            options["proxies"] = {}
        options["allow_redirects"] = False
        answer = plain(session, request, **options)
        headers = {name.lower(): value for name, value in answer.headers.items()}
        body = answer.content[:65_536]
        watch.answers.append(Answer(urlsplit(request.url).path, answer.status_code, headers, body))
        if answer.status_code == 429:
            watch.limited = True
            raise requests.RequestException("The service asked for a pause.")
        return answer

    requests.Session.send = send


def _prepare(request: Any, watch: _Watch) -> None:  # noqa: ANN401 (the library's own)
    """Have a request say what we want it to say."""
    body = request.body or b""
    path = urlsplit(request.url).path
    raw = body if isinstance(body, bytes) else str(body).encode()
    ours = shapes.shaped(watch.target.scheme, path, raw, watch.message)
    if ours is not None:
        request.body = ours
        request.headers["Content-Length"] = str(len(ours))
    for front, other in watch.routes.items():
        if request.url.startswith(front):
            request.url = other + request.url.removeprefix(front)


class Apprised:
    """Sends through Apprise; `routes` lead requests elsewhere, by how their addresses begin."""

    def __init__(
        self,
        allowed: Allowed,
        routes: Mapping[str, str] | None = None,
        resolve: Resolve = resolved,
    ) -> None:
        self._allowed = allowed
        self._routes = dict(routes or {})
        self._resolve = resolve

        self._sessions: dict[bytes, _Session] = {}

    def sent(self, target: Target, message: Message, now: int) -> Reply:
        """Send a message and give what came of it. Blocks for some seconds."""
        if target.scheme not in SCHEMES:
            return Impossible(f"There are no channels of the kind {target.scheme!r}.")
        plugin = _plugin(target)
        if plugin is None:
            return Impossible(f"The address of the {target.scheme} channel cannot be read.")
        if target.scheme in mail.SCHEMES:
            return mail.sent(plugin, message, now, self._allowed, self._resolve)
        watch = _Watch(target, message, self._routes, self._allowed, self._resolve)
        if target.scheme in MATRIX:
            return self._sent_by_matrix(plugin, watch)
        return _sent(plugin, watch)

    def _sent_by_matrix(self, plugin: Any, watch: _Watch) -> Reply:  # noqa: ANN401 (Apprise's)
        """Send by a device that stays the same, so that a message that comes twice counts once."""
        whose = blake2b(urlsplit(watch.target.url).netloc.encode()).digest()
        session = self._sessions.pop(whose, None)
        if session is not None:
            session.given_to(plugin)
        elif plugin.password and not plugin.user:
            plugin.access_token = plugin.password
        plugin.device_id = plugin.device_id or _device(watch.target.url)
        number = blake2b(watch.message.id.encode(), digest_size=8).digest()
        plugin.transaction_id = int.from_bytes(number)
        # What it can do beside is not for us: it would encrypt as a new device each time, and make
        # a room that is not there.
        plugin.e2ee = False
        plugin._room_create = _no_room  # noqa: SLF001 (there is no setting for it)
        try:
            reply = _sent(plugin, watch)
            is_known = not any(one.status == 401 for one in watch.answers)
            if is_known and plugin.access_token:
                self._sessions[whose] = _Session.of(plugin)
            # A session that has ended since it was begun is begun anew.
            return reply if is_known or session is None else Failed("The session has ended.")
        finally:
            # Or else the plugin would log out when it is gone, and its device with it.
            plugin.access_token = None


class _Session(Struct, frozen=True):
    """A session with a Matrix server, kept for as long as the process lives."""

    access_token: str
    user_id: str | None
    device_id: str | None
    home_server: str | None

    @classmethod
    def of(cls, plugin: Any) -> "_Session":  # noqa: ANN401 (Apprise's)
        return cls(plugin.access_token, plugin.user_id, plugin.device_id, plugin.home_server)

    def given_to(self, plugin: Any) -> None:  # noqa: ANN401 (Apprise's)
        plugin.access_token = self.access_token
        plugin.user_id = self.user_id
        plugin.device_id = self.device_id
        plugin.home_server = self.home_server

    def __repr__(self) -> str:
        return "_Session(…)"


def _device(url: str) -> str:
    return f"MINUTEBOOK{account_of(url).rpartition(':')[2].upper()}"


def _no_room(_: str) -> None:
    """Make no room."""


def _sent(plugin: Any, watch: _Watch) -> Reply:  # noqa: ANN401 (Apprise's)
    before = _watch.set(watch)
    try:
        # What it says is put in by `shapes`; a short text is sent in one request.
        with watch.deadline:
            went_well = plugin.notify(body="-", body_format="text")
    except Exception as error:  # noqa: BLE001 - whatever a plugin trips over is no loss
        return Failed(f"The channel failed ({type(error).__name__}).")
    finally:
        _watch.reset(before)
    if watch.refusal is not None:
        return watch.refusal
    return _understood(watch.answers, went_well=bool(went_well))


def _plugin(target: Target) -> Any:  # noqa: ANN401 (one of many kinds)
    plugin = _apprise().Apprise.instantiate(target.url, suppress_exceptions=True)
    if plugin is not None:
        plugin.request_rate_per_sec = 0.0
        plugin.redirects = False
    return plugin


def _understood(answers: list[Answer], *, went_well: bool) -> Reply:
    """What the answers mean together: the first that was not good, or else the last."""
    counted = [one for one in answers if _WELL_KNOWN not in one.path]
    replies = [understood(one.status, one.headers, one.body, time.time()) for one in counted]
    bad = next((one for one in replies if not isinstance(one, Delivered)), None)
    if bad is not None:
        return bad
    if not went_well:
        # A good answer with bad words (Slack, Telegram), or none at all (no connection).
        return Failed("The service did not take it." if counted else "No answer.")
    pauses = [one.pause_seconds for one in replies if isinstance(one, Delivered)]
    return Delivered(max(pauses, default=0.0))


def complaint(url: str) -> str:
    """What is wrong with an address for Apprise, in words; empty if nothing is."""
    scheme = url.partition("://")[0].lower()
    if scheme not in SCHEMES:
        return (
            f"There are no channels of the kind {scheme!r}; there are https, {', '.join(SCHEMES)}."
        )
    named = next((one for one in _SETTINGS_REFUSED if one in url.lower()), None)
    if named is not None:
        return f"A channel's address may not set {named[:-1]!r}."
    if _plugin(Target(url)) is None:
        return f"This is no address of a {scheme} channel."
    return ""

"""Discord, Slack, Telegram, Matrix and e-mail through Apprise.

Apprise knows how each service wants to be spoken to, and says only whether that went well. What
decides about the next attempt is in the answer itself (429, Retry-After, 404), so the HTTP library
below it is watched while a message is sent: answers are noted, no redirect is followed, and a
service that asks for a pause is not asked again behind our back. Apprise's own waiting is off.
"""

import contextlib
import importlib
import logging
import threading
import time
import warnings
from collections.abc import Iterator, Mapping
from contextvars import ContextVar
from typing import Any, Final

from msgspec import Struct

from services.notifier.channels.addresses import (
    Allowed,
    RefusedAddressError,
    Resolve,
    UnknownHostError,
    reachable,
    resolved,
)
from services.notifier.channels.answers import understood
from services.notifier.patience import Delivered, Failed, Impossible, Reply
from services.notifier.sealing import Target
from services.notifier.wording import Message

SCHEMES: Final = ("discord", "slack", "tgram", "matrix", "matrixs", "mailto", "mailtos")
"""What a channel may be; Apprise knows many more, some of which run programs or open files."""
_OWN_HOSTS: Final = frozenset({"matrix", "matrixs", "mailto", "mailtos"})
"""Services that anybody runs, on a host that the address names."""
_SETTINGS_REFUSED: Final = ("verify=", "template=", "attach=", "redirect=", "retry=", "wait=")


class Answer(Struct, frozen=True):
    """An answer that came while a message was sent."""

    status: int
    headers: dict[str, str]
    body: bytes


class _Watch:
    """What is noted of the requests of one message."""

    def __init__(self, routes: Mapping[str, str]) -> None:
        self.routes = routes
        self.answers: list[Answer] = []
        self.limited = False


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

    def send(session: Any, request: Any, **options: Any) -> Any:  # noqa: ANN401 (the library's own)
        watch = _watch.get()
        if watch is None:
            return plain(session, request, **options)
        if watch.limited:
            raise requests.RequestException("The service asked for a pause.")
        for front, other in watch.routes.items():
            if request.url.startswith(front):
                request.url = other + request.url.removeprefix(front)
        options["allow_redirects"] = False
        answer = plain(session, request, **options)
        headers = {name.lower(): value for name, value in answer.headers.items()}
        watch.answers.append(Answer(answer.status_code, headers, answer.content[:65_536]))
        if answer.status_code == 429:
            watch.limited = True
            raise requests.RequestException("The service asked for a pause.")
        return answer

    requests.Session.send = send


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

    def sent(self, target: Target, message: Message) -> Reply:
        """Send a message and give what came of it. Blocks for some seconds."""
        reply = self._refused(target)
        if reply is not None:
            return reply
        plugin = _plugin(target)
        if plugin is None:
            return Impossible(f"The address of the {target.scheme} channel cannot be read.")
        with _watched(self._routes) as watch:
            try:
                went_well = plugin.notify(
                    body=message.text, title=message.subject, body_format="text"
                )
            except Exception as error:  # noqa: BLE001 - whatever a plugin trips over is no loss
                return Failed(f"The channel failed ({type(error).__name__}).")
        return _understood(watch.answers, went_well=bool(went_well))

    def _refused(self, target: Target) -> Reply | None:
        if target.scheme not in SCHEMES:
            return Impossible(f"There are no channels of the kind {target.scheme!r}.")
        if target.scheme not in _OWN_HOSTS:
            return None
        plugin = _plugin(target)
        hosts = [getattr(plugin, "smtp_host", None), getattr(plugin, "host", None)]
        for host in filter(None, dict.fromkeys(hosts)):
            try:
                reachable(host, plugin.port or 443, self._allowed, self._resolve)
            except RefusedAddressError as error:
                return Impossible(str(error))
            except UnknownHostError as error:
                return Failed(str(error))
        return None


def _plugin(target: Target) -> Any:  # noqa: ANN401 (one of many kinds)
    plugin = _apprise().Apprise.instantiate(target.url, suppress_exceptions=True)
    if plugin is not None:
        plugin.request_rate_per_sec = 0.0
        plugin.redirects = False
    return plugin


@contextlib.contextmanager
def _watched(routes: Mapping[str, str]) -> Iterator[_Watch]:
    watch = _Watch(routes)
    before = _watch.set(watch)
    try:
        yield watch
    finally:
        _watch.reset(before)


def _understood(answers: list[Answer], *, went_well: bool) -> Reply:
    """What the answers mean together: the first that was not good, or else the last."""
    replies = [understood(one.status, one.headers, one.body, time.time()) for one in answers]
    bad = next((one for one in replies if not isinstance(one, Delivered)), None)
    if bad is not None:
        return bad
    if not went_well:
        # A good answer with bad words (Slack, Telegram), or none at all (e-mail, no connection).
        return Failed("The service did not take it." if answers else "No answer.")
    pauses = [one.pause_seconds for one in replies if isinstance(one, Delivered)]
    return Delivered(max(pauses, default=0.0))


def complaint(url: str) -> str:
    """What is wrong with an address for Apprise, in words; empty if nothing is."""
    scheme = url.partition("://")[0].lower()
    if scheme not in SCHEMES:
        return f"There are no channels of the kind {scheme!r}; there are {', '.join(SCHEMES)}."
    named = next((one for one in _SETTINGS_REFUSED if one in url.lower()), None)
    if named is not None:
        return f"A channel's address may not set {named[:-1]!r}."
    if _plugin(Target(url)) is None:
        return f"This is no address of a {scheme} channel."
    return ""

"""What a service's answer over HTTP means: arrived, later, not now, or never."""

import json
import math
from collections.abc import Mapping
from email.utils import parsedate_to_datetime
from typing import Any, Final

from services.notifier.patience import Delivered, Failed, Impossible, Limited, Reply

_SECONDS_IF_NOT_SAID: Final = 30.0
_AGAIN: Final = frozenset({408, 409, 421, 423, 425})
"""Codes below 500 of what may go well another time."""


def understood(status: int, headers: Mapping[str, str], body: bytes, now: float) -> Reply:
    """What an answer means; `headers` by names in small letters, `now` in seconds since 1970.

    >>> understood(204, {"x-ratelimit-remaining": "0", "x-ratelimit-reset-after": "1.5"}, b"", 0)
    Delivered(pause_seconds=1.5)
    >>> understood(429, {"retry-after": "2"}, b"", 0)
    Limited(seconds=2.0, is_for_all=False)
    >>> understood(404, {}, b"", 0), understood(503, {}, b"", 0)
    (Impossible(why='The service answered 404.'), Failed(why='The service answered 503.'))
    """
    if 200 <= status < 300:
        return Delivered(_pause_after(headers, now))
    if status == 429:
        asked = _retry_after(headers, body, now)
        seconds = asked if asked is not None else _pause_after(headers, now)
        return Limited(seconds or _SECONDS_IF_NOT_SAID, is_for_all=_is_for_all(headers, body))
    if status == 503 and (asked := _retry_after(headers, b"", now)) is not None:
        return Limited(asked)
    why = f"The service answered {status}."
    if 300 <= status < 400:
        return Impossible(f"{why[:-1]}: it sends on to another address, which is not followed.")
    return Failed(why) if status >= 500 or status in _AGAIN else Impossible(why)


def _retry_after(headers: Mapping[str, str], body: bytes, now: float) -> float | None:
    """Seconds that a service says to wait: in a header, or in the body (Discord, Telegram)."""
    text = headers.get("retry-after", "").strip()
    said = _number(text)
    if said is None and text:
        try:
            said = max(0.0, parsedate_to_datetime(text).timestamp() - now)
        except (ValueError, TypeError, OverflowError):
            said = None
    in_body = _in_body(body)
    found = [one for one in (said, in_body) if one is not None]
    return max(found, default=None)


def _is_for_all(headers: Mapping[str, str], body: bytes) -> bool:
    """Whether a service takes no more of this machine, whichever account it is (Discord)."""
    return "x-ratelimit-global" in headers or _object(body).get("global") is True


def _object(body: bytes) -> dict[str, Any]:
    try:
        answer = json.loads(body)
    except ValueError:
        return {}
    return answer if isinstance(answer, dict) else {}


def _in_body(body: bytes) -> float | None:
    """Seconds that a body names: `retry_after`, or Matrix's `retry_after_ms`."""
    answer = _object(body)
    milliseconds = _number(str(answer.get("retry_after_ms")))
    if milliseconds is not None:
        return milliseconds / 1000
    parameters = answer.get("parameters")
    inner = parameters.get("retry_after") if isinstance(parameters, dict) else None
    return _number(str(answer.get("retry_after", inner)))


def _pause_after(headers: Mapping[str, str], now: float) -> float:
    """Seconds until a used-up allowance begins anew."""
    if _number(headers.get("x-ratelimit-remaining", "")) != 0:
        return 0.0
    after = _number(headers.get("x-ratelimit-reset-after", ""))
    if after is None:
        at = _number(headers.get("x-ratelimit-reset", ""))
        after = None if at is None else at - now
    return max(after or 0.0, 0.0)


def _number(text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return number if math.isfinite(number) and number >= 0 else None

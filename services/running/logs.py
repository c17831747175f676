"""The log of every service: one line of JSON for each thing that happened, on standard error.

Every line begins with the same keys (`at`, `level`, `service`, `event`); what each event has beside
them is listed in docs/operations.md. What goes wrong is noted in the process's standing too, so
that `minutebook status` can tell of it.
"""

import json
import logging
import sys
from collections.abc import Callable, Mapping, MutableMapping
from typing import Any, Final, Literal, cast

import structlog

from services.running.metrics import LOG_LINES
from services.running.standing import Standing

Level = Literal["debug", "info", "warning", "error"]
_Line = MutableMapping[str, Any]

_COUNTS: Final = {
    level: LOG_LINES.labels(level) for level in ("debug", "info", "warning", "error", "critical")
}
FIRST: Final = ("at", "level", "service", "event")


def configure(service: str, level: Level, standing: Standing | None = None) -> None:
    """Have everything that this process logs written as lines of JSON, from a level on."""
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True, key="at"),
            _noted(service, standing),
            written,
        ],
        logger_factory=structlog.BytesLoggerFactory(sys.stderr.buffer),
        wrapper_class=structlog.make_filtering_bound_logger(
            logging.getLevelNamesMapping()[level.upper()]
        ),
        cache_logger_on_first_use=True,
    )


def _noted(service: str, standing: Standing | None) -> Callable[[Any, str, _Line], _Line]:
    """A step that names the service, counts the line, and notes what went wrong."""

    def note(logger: object, method: str, line: _Line) -> _Line:
        line["service"] = service
        level = line["level"]
        _COUNTS[level].inc()
        if standing is not None and level == "error":
            standing.troubled(str(line["event"]), str(line.get("table", "")))
        return line

    return note


def written(logger: object, method: str, line: _Line) -> bytes:
    r"""A line as JSON, the keys that all lines have before its own.

    >>> written(
    ...     None, "", {"table": "friday", "event": "x", "level": "info", "at": 1, "service": "s"}
    ... )
    b'{"at": 1, "level": "info", "service": "s", "event": "x", "table": "friday"}'
    """
    ordered = {key: line.pop(key) for key in FIRST if key in line}
    ordered.update(cast("Mapping[str, Any]", line))
    return _encode(ordered).encode()


_encode: Final = json.JSONEncoder(default=str, ensure_ascii=False).encode

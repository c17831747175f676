"""The figures that every service shows for Prometheus, and the registry for its own ones.

Labels never name a table or a player: what a label may say is bounded, whoever plays.
"""

from typing import Final

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    GCCollector,
    Histogram,
    Info,
    PlatformCollector,
    ProcessCollector,
    disable_created_metrics,
)

# When a figure was first counted is told by `minutebook_service_info` well enough; without these
# series there are half as many.
disable_created_metrics()  # type: ignore[no-untyped-call]  # it has no annotations

REGISTRY: Final = CollectorRegistry()
"""What `/metrics` shows: each service registers its own figures when it is imported."""

GCCollector(REGISTRY)
PlatformCollector(REGISTRY)
ProcessCollector(registry=REGISTRY)

SHORT_SECONDS: Final = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)
"""Buckets of what should take milliseconds."""
LONG_SECONDS: Final = (0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 300.0, 1800.0, 7200.0)
"""Buckets of what may have to wait for a while."""

SERVICE: Final = Info(
    "minutebook_service", "Which service this is, and of which release.", registry=REGISTRY
)
READY: Final = Gauge(
    "minutebook_ready", "1 while the service does its work, 0 before and after.", registry=REGISTRY
)
LOOP_LAG: Final = Histogram(
    "minutebook_event_loop_lag_seconds",
    "How late the event loop comes back to what is due.",
    buckets=SHORT_SECONDS,
    registry=REGISTRY,
)
LOG_LINES: Final = Counter(
    "minutebook_log_lines_total", "Lines of the log by their level.", ["level"], registry=REGISTRY
)
BEHIND: Final = Gauge(
    "minutebook_feed_entries_behind",
    "Entries of feeds that a reader has not dealt with; it counts no further than it says.",
    ["reader"],
    registry=REGISTRY,
)
BEHIND_SECONDS: Final = Gauge(
    "minutebook_feed_behind_seconds",
    "Age of the oldest entry that a reader has not dealt with.",
    ["reader"],
    registry=REGISTRY,
)
READ: Final = Counter(
    "minutebook_feed_entries_total",
    "Entries of feeds that a reader has dealt with.",
    ["reader"],
    registry=REGISTRY,
)

"""What the engine says of each command: one line of the log, and the figures of Prometheus."""

from collections.abc import Collection, Sequence
from typing import Final

import structlog
from prometheus_client import Counter, Gauge, Histogram

from contracts import streams
from contracts.streams import Recorded, Refused
from services.bus import lag
from services.bus.typed import Client
from services.engine.handling import Handled
from services.running.metrics import LONG_SECONDS, REGISTRY, SHORT_SECONDS
from services.running.standing import Standing

UNREADABLE: Final = "unreadable"
"""The type of a command of which nobody can tell what it is."""

COMMANDS: Final = Counter(
    "minutebook_commands_total",
    "Commands by their type and by what became of them; `code` says why one was refused.",
    ["type", "outcome", "code"],
    registry=REGISTRY,
)
DECIDE: Final = Histogram(
    "minutebook_decide_seconds",
    "Time to decide one command, opening its table included.",
    buckets=SHORT_SECONDS,
    registry=REGISTRY,
)
COMMIT: Final = Histogram(
    "minutebook_commit_seconds",
    "Time until the store has written what a round of commands led to.",
    buckets=SHORT_SECONDS,
    registry=REGISTRY,
)
BATCH: Final = Histogram(
    "minutebook_batch_commands",
    "Commands that are handled in one go.",
    buckets=(1, 2, 4, 8, 16, 32, 64, 128),
    registry=REGISTRY,
)
CONFLICTS: Final = Counter(
    "minutebook_conflicts_total",
    "Times that a command was decided again, because its table had moved on.",
    registry=REGISTRY,
)
LEASES: Final = Gauge(
    "minutebook_leases_held", "Partitions that this engine decides for.", registry=REGISTRY
)
WAITING: Final = Gauge(
    "minutebook_commands_waiting",
    "Commands of this engine's partitions that are not decided.",
    registry=REGISTRY,
)
WAITING_SECONDS: Final = Gauge(
    "minutebook_commands_waiting_seconds",
    "Age of the oldest command that is not decided.",
    registry=REGISTRY,
)
DEAD: Final = Gauge(
    "minutebook_commands_dead",
    "Commands of this engine's partitions that can never succeed and are kept.",
    registry=REGISTRY,
)

OLD_SECONDS: Final = LONG_SECONDS[4]
"""A command younger than this may be in hand."""

_log = structlog.get_logger("engine")


def told(partition: int, handled: Sequence[Handled]) -> None:
    """Say what became of the commands of one batch: a line for each, and figures."""
    if not handled:
        return
    BATCH.observe(sum(not one.is_automatic for one in handled))
    acts: set[float] = set()
    for one in handled:
        outcome, code = _counted(one)
        COMMANDS.labels(one.command or UNREADABLE, outcome, code).inc()
        DECIDE.observe(one.decide_seconds)
        if one.conflicts:
            CONFLICTS.inc(one.conflicts)
        # All commands of a round are written in one act, which is counted once.
        if one.commit_seconds not in acts:
            acts.add(one.commit_seconds)
            COMMIT.observe(one.commit_seconds)
        _say(partition, one)


def _counted(one: Handled) -> tuple[str, str]:
    """What became of a command, as it is counted: outcome and code."""
    if isinstance(one.outcome, Refused):
        return ("repeated" if one.repeated else "refused"), str(one.outcome.rejection.code)
    return ("repeated" if one.repeated else "recorded"), ""


def _say(partition: int, one: Handled) -> None:
    """One line of the log for a command."""
    line: dict[str, object] = {
        "table": one.table,
        "command": one.command,
        "player": one.player,
        "sender": one.sender,
        "id": one.id,
        "partition": partition,
        "decide_ms": round(one.decide_seconds * 1000, 2),
        "commit_ms": round(one.commit_seconds * 1000, 2),
    }
    if one.repeated:
        line["repeated"] = True
    if one.is_automatic:
        line["automatic"] = True
    if one.conflicts:
        line["conflicts"] = one.conflicts
    match one.outcome:
        case Recorded(version):
            _log.info("decision recorded", version=version, **line)
        case Refused(rejection):
            _log.info(
                "command refused",
                version=one.version,
                code=str(rejection.code),
                why=rejection.sentence,
                **line,
            )
    if one.fault:
        _log.error("engine fault", trace=one.fault, table=one.table, id=one.id)


class Figures:
    """Asks the store what waits in the partitions of an engine, and shows it."""

    def __init__(self, client: Client, partitions: Collection[int], standing: Standing) -> None:
        self._client = client
        self._partitions = tuple(partitions)
        self._standing = standing

    async def __call__(self) -> None:
        """Show what waits now. If nothing that is old does, the work counts as going on."""
        commands = [streams.commands(partition) for partition in self._partitions]
        dead = [streams.dead(partition) for partition in self._partitions]
        found = lag.all_of(await lag.waiting(self._client, commands))
        seconds = found.seconds(await lag.server_time(self._client))
        WAITING.set(found.entries)
        WAITING_SECONDS.set(seconds)
        DEAD.set(lag.all_of(await lag.waiting(self._client, dead)).entries)
        if seconds < OLD_SECONDS:
            self._standing.progressed()

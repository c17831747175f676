"""What clients saw: each order when it was sent, and what came back."""

import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct

from contracts.ids import CommandId, TableId
from contracts.streams import Outcome, Recorded

What = Literal["invoke", "ok", "fail", "unknown"]


class Line(Struct, frozen=True, omit_defaults=True):
    """An order was sent (`invoke`), recorded (`ok`), refused (`fail`), or nobody answered."""

    at: float
    client: str
    table: TableId
    id: CommandId
    what: What
    version: int = 0
    code: str = ""


@dataclass
class Order:
    """What became of one order: its first answer, and how often it was sent."""

    table: TableId
    id: CommandId
    sent: int = 0
    outcome: Outcome | None = None


@dataclass
class History:
    """All lines, and what follows from them."""

    lines: list[Line] = field(default_factory=list)
    orders: dict[tuple[TableId, CommandId], Order] = field(default_factory=dict)
    seconds: list[float] = field(default_factory=list)
    contradictions: list[str] = field(default_factory=list)

    def invoked(self, client: str, table: TableId, id: CommandId) -> None:
        """An order goes out."""
        self.orders.setdefault((table, id), Order(table, id)).sent += 1
        self._note(client, table, id, "invoke")

    def answered(
        self, client: str, table: TableId, id: CommandId, outcome: Outcome, took: float
    ) -> None:
        """An order was answered, for the first time or again."""
        order = self.orders[table, id]
        if order.outcome is None:
            order.outcome = outcome
        elif order.outcome != outcome:
            self.contradictions.append(
                f"{table}, {id}: answered {said(order.outcome)} and then {said(outcome)}"
            )
        self.seconds.append(took)
        if isinstance(outcome, Recorded):
            self._note(client, table, id, "ok", version=outcome.version)
        else:
            self._note(client, table, id, "fail", code=str(outcome.rejection.code))

    def unanswered(self, client: str, table: TableId, id: CommandId) -> None:
        """Nobody answered in time; the order is sent again."""
        self._note(client, table, id, "unknown")

    def _note(
        self,
        client: str,
        table: TableId,
        id: CommandId,
        what: What,
        *,
        version: int = 0,
        code: str = "",
    ) -> None:
        self.lines.append(Line(time.time(), client, table, id, what, version, code))

    @property
    def counts(self) -> Counter[str]:
        """How many lines there are of each kind."""
        return Counter(line.what for line in self.lines)

    @property
    def tables(self) -> tuple[TableId, ...]:
        """All tables to which orders were sent."""
        return tuple(dict.fromkeys(table for table, _ in self.orders))

    def of(self, table: TableId) -> Iterator[Order]:
        """All orders for a table."""
        return (order for (at, _), order in self.orders.items() if at == table)

    def latency(self, share: float) -> float:
        """Seconds within which this share of the answers came."""
        ordered = sorted(self.seconds) or [0.0]
        return ordered[min(len(ordered) - 1, int(share * len(ordered)))]

    def written(self, file: Path) -> None:
        """Write all lines to a file, one JSON object each."""
        encoder = msgspec.json.Encoder()
        file.write_bytes(encoder.encode_lines(self.lines))


def said(outcome: Outcome | None) -> str:
    """An outcome in a word or two."""
    if outcome is None:
        return "nothing"
    if isinstance(outcome, Recorded):
        return f"record {outcome.version}"
    return str(outcome.rejection.code)

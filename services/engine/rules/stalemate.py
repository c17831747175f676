"""A game in which nothing can happen any more: nobody has money, and no company operates.

No rulebook speaks of it. Rounds would follow each other without end; the game is over instead, as
it stands.
"""

from msgspec import Struct

from contracts.frames import Round
from contracts.ids import FrameId
from services.engine.table.agenda import top
from services.engine.table.state import Table

STALEMATE = "stalemate"


class Seen(Struct, frozen=True):
    """How everything lay as a round began."""

    id: FrameId
    kind: str
    which: int
    pieces: tuple[object, ...]


class Watch:
    """Remembers how rounds began that followed each other without a player."""

    def __init__(self) -> None:
        """Nothing has been seen yet."""
        self._seen: list[Seen] = []

    def stands_still(self, table: Table) -> bool:
        """Whether a round begins exactly as one of its kind did before.

        What nothing touched is the same object still.
        """
        frame = top(table)
        if not isinstance(frame, Round) or frame.turns or frame.operated:
            return False
        pieces = (table.cash, table.certificates, table.charters, table.market, table.trains)
        now = Seen(frame.id, frame.kind, frame.which, pieces)
        for before in self._seen:
            alike = (before.kind, before.which) == (now.kind, now.which) and before.id != now.id
            if alike and all(a is b for a, b in zip(before.pieces, pieces, strict=True)):
                return True
        self._seen.append(now)
        return False

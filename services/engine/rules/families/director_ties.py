"""Who becomes director where several hold equally many shares."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from contracts.ids import PlayerId
from services.engine.rules.seating import from_left_of
from services.engine.table.state import Table

Tie = Callable[[Table, PlayerId, Sequence[PlayerId]], PlayerId]
"""Picks among equal holders, given the old director, who is none of them."""


def left_of_the_old(table: Table, old: PlayerId, equals: Sequence[PlayerId]) -> PlayerId:
    """The first to the old director's left."""
    return next(player for player in from_left_of(table, old) if player in equals)


DIRECTOR_TIES: Final[Mapping[str, Tie]] = {
    "nearest to the old president's left": left_of_the_old,
    "nearest to the old director's left": left_of_the_old,
}

"""Who sits where, and whose turn it is as turns go round the table."""

from contracts.frames import Round
from contracts.ids import PlayerId
from services.engine.table.state import Table


def from_left_of(table: Table, player: PlayerId) -> tuple[PlayerId, ...]:
    """All players clockwise, from the left of one round to that one."""
    seat = table.order.index(player) + 1
    return (*table.order[seat:], *table.order[:seat])


def next_in_turn(table: Table, playing: Round) -> PlayerId:
    """Whose turn is next in a round where turns go round from the priority deal."""
    seat = table.order.index(table.first) + playing.turns
    return table.order[seat % len(table.order)]


def all_passed(table: Table, playing: Round) -> bool:
    """Whether the last turns, one of each player, were passes; true again after each such row."""
    return bool(playing.passes) and len(playing.passes) % len(table.order) == 0

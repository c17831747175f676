"""What a turn has come to."""

from contracts.frames import Turn


def has_acted(turn: Turn) -> bool:
    """Whether anything was done in a turn, by its tallies."""
    return bool(
        turn.sold
        or turn.bought
        or turn.laid
        or turn.placed
        or turn.ran
        or turn.trains
        or turn.acted
    )

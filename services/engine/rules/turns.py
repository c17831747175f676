"""What a turn has come to."""

from contracts.frames import Turn
from services.engine.rules.ruleset import Ruleset


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


def has_bought(ruleset: Ruleset, turn: Turn) -> bool:
    """Whether a player has made his purchase of a stock turn (3.2.1).

    Where privates are bought on the buyer's turn only, one is his purchase (ruling "private
    trades"); elsewhere it is none (3.2.9).
    """
    counted = ruleset.rulings.get("private trades") == "on the buyer's turn"
    return bool(turn.bought) or (counted and turn.acted)

"""Chance: drawn from the table's seed, a purpose and the number of the draw, and from nothing else.

The version is not part of it, so an undo cannot draw again.
"""

from collections.abc import Sequence
from hashlib import blake2b

from contracts import events as e
from services.engine.rules.draft import Draft


def number_below(limit: int, *what: object) -> int:
    """A number from 0 up to but not including `limit`, the same for the same words every time.

    256 bits against a limit of some dozens: the bias is far below anything that could be measured.
    """
    words = "/".join(str(word) for word in what)
    return int.from_bytes(blake2b(words.encode(), digest_size=32).digest(), "big") % limit


def shuffled(things: Sequence[str], seed: int, purpose: str, draw: int) -> tuple[str, ...]:
    """The things in an order drawn by lot.

    >>> sorted(shuffled(["ann", "bob", "cat"], 7, "seats", 1))
    ['ann', 'bob', 'cat']
    """
    pile = list(things)
    for place in range(len(pile) - 1, 0, -1):
        other = number_below(place + 1, seed, purpose, draw, place)
        pile[place], pile[other] = pile[other], pile[place]
    return tuple(pile)


def draw(draft: Draft, purpose: str, things: Sequence[str]) -> tuple[str, ...]:
    """Draw an order by lot and record what came out."""
    before = draft.table.lots.get(purpose)
    number = 1 if before is None else before.number + 1
    outcome = shuffled(things, draft.table.seed, purpose, number)
    draft.emit(e.LotsDrawn(purpose, number, outcome))
    return outcome

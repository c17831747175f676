"""Programmes: moves that a player leaves to the server, until something is not as he foresaw.

A programme never becomes another: a purchase that cannot go on does not turn into passing. It stops
with a reason, one of `REASONS`, and says so; an undo stops every programme.
"""

from collections.abc import Mapping
from typing import Final

from msgspec import Struct

from contracts.ids import CompanyId, FrameId, Money, Party, PlayerId


class Passing(Struct, frozen=True, array_like=True, tag=True):
    """Pass in this stock round until something touches what the player holds."""


class Buying(Struct, frozen=True, array_like=True, tag=True):
    """Buy a share in each turn of this stock round, for at most so much, until it floats."""

    company: CompanyId
    source: Party
    most: Money


class OnlyChoice(Struct, frozen=True, array_like=True, tag=True):
    """Do what is asked wherever there is only one thing to do; it holds until it is cleared.

    It stops at the end of a round if every seat has resigned or has such a programme.
    """


Programme = Passing | Buying | OnlyChoice


class Held(Struct, frozen=True, array_like=True):
    """A programme that the server holds: its id, whose it is, and the round that it is for."""

    id: FrameId
    player: PlayerId
    programme: Programme
    round: FrameId | None = None


REASONS: Final[Mapping[str, str]] = {
    "cleared": "its player cleared it",
    "replaced": "its player set another",
    "moved": "its player moved himself",
    "round over": "the round is over",
    "floated": "the company floated",
    "sold": "somebody else sold shares of the company",
    "director changed": "the company has another director",
    "asked": "its player was asked something",
    "auction": "an auction began",
    "price": "a share costs more than was allowed",
    "refused": "the rules no longer allow its next move",
    "seat taken": "somebody else took the seat",
    "time called": "its player's time was called",
    "alone": "a round ended, and nobody else is left who moves by his own hand",
}
"""Why programmes stop; names are never changed. An undo stops all, without an event."""

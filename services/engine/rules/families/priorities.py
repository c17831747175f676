"""Who has the priority deal after a stock round."""

from collections.abc import Callable, Mapping
from typing import Final

from contracts.frames import Round
from contracts.ids import PlayerId
from services.engine.rules.seating import from_left_of
from services.engine.table.state import Table

Priority = Callable[[Table, Round], PlayerId]


def left_of_the_last_dealer(table: Table, playing: Round) -> PlayerId:
    """The player to the left of the last who dealt; nobody else where nobody did."""
    dealer = playing.last_dealer
    return table.first if dealer is None else from_left_of(table, dealer)[0]


def first_to_pass(table: Table, playing: Round) -> PlayerId:
    """Who began the run of passes that ended the round (6.6)."""
    return PlayerId(playing.passes[0]) if playing.passes else table.first


PRIORITIES: Final[Mapping[str, Priority]] = {
    "left of the last who dealt": left_of_the_last_dealer,
    "who began the passes": first_to_pass,
}

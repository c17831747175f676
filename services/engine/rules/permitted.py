"""Who may do what: read off the agenda, and off nothing else."""

from collections.abc import Iterator

from msgspec import Struct

from contracts.frames import Question, Turn
from contracts.ids import Party, PlayerId
from services.engine.rules.parts import Act
from services.engine.rules.registry import ANYTIME, ASIDES, ASKINGS, STEPS
from services.engine.table.agenda import current_turn, player_of, top
from services.engine.table.state import Table


class Permit(Struct, frozen=True):
    """Acts that a player may try for a party. `asked` tells a step or question from an aside."""

    who: Party
    acts: tuple[Act, ...]
    asked: bool


def permits(table: Table, player: PlayerId) -> Iterator[Permit]:
    """What a player may try now, what is asked of him first."""
    frame = top(table)
    if isinstance(frame, Question):
        for party in frame.asked:
            if player_of(table, party) == player:
                yield Permit(party, ASKINGS[type(frame.matter)].acts, asked=True)
    if isinstance(frame, Turn) and player_of(table, frame.who) == player and frame.steps:
        yield Permit(frame.who, STEPS[frame.steps[0]].acts, asked=True)
        for name in frame.anytime:
            yield Permit(frame.who, ANYTIME[name], asked=True)
    turn = current_turn(table)
    if turn is not None and frame == turn:
        yield Permit(player, ASIDES, asked=False)

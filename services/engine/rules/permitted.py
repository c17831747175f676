"""Who may do what: read off the agenda, and off nothing else."""

from collections.abc import Iterator

from msgspec import Struct

from contracts.frames import Consent, DiscardTrains, Question, Turn
from contracts.ids import Party, PlayerId
from services.engine.rules.parts.kinds import Act
from services.engine.rules.parts.registry import ANYTIME, ASIDES, ASKINGS, STEPS, WITHDRAWALS
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
        if isinstance(frame.matter, Consent) and frame.matter.proposer == player:
            yield Permit(player, WITHDRAWALS, asked=False)
    if isinstance(frame, Turn) and player_of(table, frame.who) == player and frame.steps:
        yield Permit(frame.who, STEPS[frame.steps[0]].acts, asked=True)
        for name in frame.anytime:
            yield Permit(frame.who, ANYTIME[name], asked=True)
    for question in not_asked_yet(table):
        for party in question.asked:
            if player_of(table, party) == player:
                yield Permit(party, ASKINGS[type(question.matter)].acts, asked=False)
    # All that is done beside the top frame is done with privates; some titles have none.
    has_privates = any(charter.kind == "private" for charter in table.charters.values())
    if has_privates and current_turn(table) is not None and isinstance(frame, Turn | Question):
        yield Permit(player, ASIDES, asked=False)


def not_asked_yet(table: Table) -> Iterator[Question]:
    """Discards that wait for those of other companies; a ruling lets them come before (3.7.3)."""
    frame = top(table)
    if not isinstance(frame, Question) or not isinstance(frame.matter, DiscardTrains):
        return
    for other in table.agenda[:-1]:
        if isinstance(other, Question) and isinstance(other.matter, DiscardTrains):
            yield other

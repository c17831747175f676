"""Move the game on until somebody has to decide, or it is over.

The one place where the game goes on without a player. What it skips, it records.
"""

from typing import Final

from contracts import events as e
from contracts.frames import Auction, Fines, Merging, Question, Round, Turn, Waterfall
from contracts.ids import Party
from services.engine.rules.draft import Draft
from services.engine.rules.ending import end_game, watch_ends
from services.engine.rules.parts.kinds import Act
from services.engine.rules.parts.registry import ASKINGS, PROCEDURES, ROUNDS, STEPS
from services.engine.rules.rounds.cycle import following
from services.engine.rules.ruleset import Ruleset
from services.engine.rules.stalemate import STALEMATE, Watch
from services.engine.rules.turns import has_acted
from services.engine.table.agenda import top
from services.engine.table.state import Table

MOST_MOVES: Final = 10_000
"""More moves without a player than any title can make: a fault of the rules, not of a player."""


class NeverSettlesError(RuntimeError):
    """The rules moved on and on without coming to a player: a fault in them."""


def settle(ruleset: Ruleset, draft: Draft) -> None:
    """Emit what follows of itself."""
    watch = Watch()
    for _ in range(MOST_MOVES):
        watch_ends(ruleset, draft)
        if watch.stands_still(draft.table):
            end_game(ruleset, draft, STALEMATE)
            return
        if not moved_on(ruleset, draft):
            return
    raise NeverSettlesError(draft.table.id)


def moved_on(ruleset: Ruleset, draft: Draft) -> bool:
    """Make one move without a player; False if there is none to make."""
    table = draft.table
    if table.ending is not None and table.ending.over:
        return False
    frame = top(table)
    match frame:
        case None:
            begin_round(ruleset, draft, None)
            return True
        case Question():
            return ASKINGS[type(frame.matter)].settled(ruleset, draft, frame)
        case Turn():
            return turn_moved_on(ruleset, draft, frame)
        case Waterfall() | Auction() | Merging() | Fines():
            PROCEDURES[type(frame)](ruleset, draft, frame)
            return True
        case Round():
            because = ROUNDS[frame.kind].advance(ruleset, draft, frame)
            if because is not None:
                draft.emit(e.RoundEnded(frame.id, because))
                begin_round(ruleset, draft, frame)
            return True


def begin_round(ruleset: Ruleset, draft: Draft, ended: Round | None) -> None:
    """Begin the round that follows, or end the game."""
    playing = following(ruleset, draft.table, ended, draft.next_frame())
    if playing is None:
        ending = draft.table.ending
        end_game(ruleset, draft, "agreed" if ending is None else ending.because)
        return
    draft.emit(e.RoundBegan(playing))
    ROUNDS[playing.kind].begin(ruleset, draft, playing)


def turn_moved_on(ruleset: Ruleset, draft: Draft, turn: Turn) -> bool:
    """End the step that is over, or the turn that has no steps left."""
    if not turn.steps:
        draft.emit(e.TurnEnded(turn.id, turn.who, "done" if has_acted(turn) else "nothing to do"))
        return True
    step = STEPS[turn.steps[0]]
    before = len(draft.events)
    because = step.by_itself(ruleset, draft, turn.who)
    if because is not None:
        if turn.id in {frame.id for frame in draft.table.agenda}:
            draft.emit(e.StepEnded(turn.id, turn.steps[0], because))
        return True
    if len(draft.events) > before:
        return True
    # Where nobody may pass it waits anyway; asked first, since to look for a choice costs more.
    if step.no_pass(ruleset, draft.table, turn.who) is not None:
        return False
    if step.waits(ruleset, draft.table, turn.who):
        return False
    if any_legal(ruleset, draft.table, turn.who, step.acts):
        return False
    draft.emit(e.StepEnded(turn.id, turn.steps[0], "done" if step.did(turn) else "nothing to do"))
    return True


def any_legal(ruleset: Ruleset, table: Table, who: Party, acts: tuple[Act, ...]) -> bool:
    """Whether there is anything to choose among some acts."""
    return any(
        next(act.objections(ruleset, table, who, offer.command), None) is None
        for act in acts
        for offer in act.offers(ruleset, table, who)
    )

"""Passing: a step, a turn, an auction or a question."""

from contracts import events as e
from contracts.frames import Question, Turn
from contracts.ids import PlayerId
from contracts.rejections import Code, Rejection
from services.engine.rules.draft import Draft
from services.engine.rules.parts.registry import ASKINGS, STEPS
from services.engine.rules.ruleset import Ruleset
from services.engine.rules.turns import has_acted
from services.engine.table.agenda import awaited, player_of, top
from services.engine.table.state import Table


def not_your_turn(table: Table, player: PlayerId) -> Rejection:
    """The refusal of somebody for whom nobody waits."""
    waited = ", ".join(awaited(table))
    return Rejection(
        Code.NOT_YOUR_TURN, "design", f"Nobody waits for {player}.", f"Waited for: {waited}."
    )


def objection(ruleset: Ruleset, table: Table, player: PlayerId) -> Rejection | None:
    """What speaks against a player's passing now."""
    frame = top(table)
    if isinstance(frame, Question):
        for party in frame.asked:
            if player_of(table, party) == player:
                return ASKINGS[type(frame.matter)].no_pass(ruleset, table, party)
    if isinstance(frame, Turn) and player_of(table, frame.who) == player and frame.steps:
        return STEPS[frame.steps[0]].no_pass(ruleset, table, frame.who)
    return not_your_turn(table, player)


def passed(ruleset: Ruleset, draft: Draft, player: PlayerId) -> Rejection | None:
    """Record a pass, or say why there cannot be one."""
    refusal = objection(ruleset, draft.table, player)
    if refusal is not None:
        return refusal
    frame = top(draft.table)
    draft.emit(e.Passed(player, "chose to"))
    if isinstance(frame, Question):
        for party in frame.asked:
            if player_of(draft.table, party) == player:
                draft.emit(e.QuestionAnswered(frame.id, party, "pass"))
        return None
    if isinstance(frame, Turn):
        draft.emit(e.StepEnded(frame.id, frame.steps[0], "passed"))
        after = top(draft.table)
        if isinstance(after, Turn) and not after.steps:
            because = "done" if has_acted(after) else "passed"
            draft.emit(e.TurnEnded(after.id, after.who, because))
    return None

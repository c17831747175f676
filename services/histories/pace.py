"""Keeping step with the site where one of the two waits and the other does not.

Both skip what cannot be done, but not always the same. A pass of something that we have skipped
becomes nothing (`is_passed_already`); something that the site has skipped and we still wait for is
passed, as can be seen from what the site does next (`caught_up`).
"""

from contracts.frames import Turn
from contracts.ids import Party
from services.engine.table.agenda import current_turn, top
from services.histories.game import Game, Orders
from services.histories.kinds import (
    Action,
    Bankrupt,
    BuyA,
    BuyOf,
    BuyPrivate,
    Dividend,
    EndGame,
    Lay,
    Merge,
    PlaceIn,
    RunRoutes,
    SellOf,
)

MOST_PASSES = 20
STEP_OF: dict[type[Action], str] = {
    Lay: "track",
    PlaceIn: "token",
    RunRoutes: "run",
    Dividend: "dividend",
    BuyA: "trains",
    Bankrupt: "trains",
}
"""The step of an operating turn to which an action of a company belongs."""


def is_passed_already(game: Game, party: Party) -> bool:
    """Whether a company's pass is of a step that is over at our table.

    So it is if its turn is over, or if it acts next, and in the same turn, in the step that we have
    reached or in an earlier one. The site begins each turn with a tile or a pass of it, so a tile
    that comes next is laid in a turn to come.
    """
    if not game.in_operating_round() or party in game.table.order:
        return False
    turn = game.operating(party)
    if turn is None:
        return True
    upcoming = next(game.following(), None)
    if upcoming is None or isinstance(upcoming, Lay) or game.party(upcoming) != party:
        return False
    step = STEP_OF.get(type(upcoming))
    return step is not None and game.place_of(step) <= game.place_of(turn.steps[0])


def caught_up(game: Game) -> Orders:
    """Passes of what the site has skipped, as its next action shows."""
    upcoming = next(game.following(), None)
    if upcoming is None or game.waiting is not None:
        return
    for _ in range(MOST_PASSES):
        if not is_behind(game, upcoming):
            return
        before = game.table
        yield from game.passed_over()
        if game.table is before:
            return


def is_behind(game: Game, upcoming: Action) -> bool:
    """Whether our table waits for something before the action that comes next."""
    turn = current_turn(game.table)
    if turn is None or not isinstance(top(game.table), Turn) or is_aside(upcoming):
        return False
    party = game.party(upcoming)
    if turn.who != party:
        return not (isinstance(upcoming, SellOf) and turn.who not in game.table.order)
    step = step_of(game, upcoming)
    if step is None or not game.in_operating_round() or party in game.table.order:
        return False
    reached, wanted = game.place_of(turn.steps[0]), game.place_of(step)
    if isinstance(upcoming, Lay) and reached > wanted:
        return True  # The tile is laid in the company's next turn, so this one is over.
    return reached < wanted


def step_of(game: Game, action: Action) -> str | None:
    """The step of an operating turn to which an action belongs, None if it belongs to none."""
    if isinstance(action, Merge):
        turn, ours = game.site_turn, current_turn(game.table)
        is_same = turn is not None and ours is not None and turn.frame == ours.id
        return "acquire" if is_same and turn is not None and turn.is_past("merge") else "merge"
    if isinstance(action, BuyOf):
        return "redeem" if action.entity_type == "corporation" else None
    return STEP_OF.get(type(action))


def is_aside(action: Action) -> bool:
    """Whether an action may be done beside whatever is waited for."""
    if action.entity_type == "company" or isinstance(action, EndGame):
        return True
    return isinstance(action, BuyPrivate) and action.entity_type != "player"
